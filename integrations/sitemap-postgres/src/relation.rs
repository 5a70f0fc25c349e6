//! A table in the database, and the queries that read its pages.

use std::collections::{BTreeMap, BTreeSet};

use postgres::GenericClient;
use postgres::Row;
use postgres::fallible_iterator::FallibleIterator as _;
use sitemap_core::publish::OnInvalid;
use sitemap_core::{Entry, LastMod, Loc, Site};
use sitemap_update::{Batch, Build, Change};

use crate::error::PostgresError;
use crate::table::Table;

/// The values of the URL's columns, as text.
pub(crate) type Key = Vec<String>;

/// A table in the database.
#[derive(Debug)]
pub(crate) struct Relation {
    pub(crate) table: Table,
    pub(crate) site: Site,
    pub(crate) oid: u32,
    /// The quoted schema and table name.
    pub(crate) name: String,
    /// The quoted schema.
    pub(crate) schema: String,
    /// `r` for a table, `v` for a view; see `pg_class.relkind`.
    pub(crate) kind: String,
    /// The URL's columns: their quoted names and their types.
    columns: Vec<(String, String)>,
    /// The SQL expression for a row's date, as text.
    lastmod: String,
    /// The condition, including `WHERE`.
    filter: String,
}

impl Relation {
    /// Finds the table and its columns.
    pub(crate) fn find(
        client: &mut impl GenericClient,
        site: Site,
        table: Table,
    ) -> Result<Self, PostgresError> {
        let setup = |text: String| PostgresError::Setup(text);
        let found = client.query_opt(
            "SELECT c.oid, quote_ident(n.nspname), quote_ident(c.relname), c.relkind::text
             FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = to_regclass($1)",
            &[&table.name],
        )?;
        let Some(found) = found else {
            return Err(setup(format!(
                "table `{}` does not exist; create it, or name its schema",
                table.name
            )));
        };
        let (oid, schema): (u32, String) = (found.get(0), found.get(1));
        let name = format!("{schema}.{}", found.get::<_, String>(2));
        let mut column = |column: &str| {
            let found = client.query_opt(
                "SELECT quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
                    (CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.oid END)::regtype::text
                 FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
                 WHERE a.attrelid = $1 AND a.attname = $2 AND a.attnum > 0 AND NOT a.attisdropped",
                &[&oid, &column],
            )?;
            let texts = |row: Row| [0, 1, 2].map(|at| row.get::<_, String>(at));
            found.map(texts).ok_or_else(|| {
                setup(format!(
                    "table `{}` has no column `{column}`; correct the name of the column",
                    table.name
                ))
            })
        };
        let mut columns = Vec::new();
        for name in table.columns() {
            let [name, r#type, _] = column(name)?;
            columns.push((name, r#type));
        }
        let lastmod = match &table.lastmod {
            None => "NULL::text".to_owned(),
            Some(name) => {
                let [name, _, r#type] = column(name)?;
                let (value, format) = match r#type.as_str() {
                    "timestamp with time zone" => {
                        (format!("{name} AT TIME ZONE 'UTC'"), r#"YYYY-MM-DD"T"HH24:MI:SS"Z""#)
                    }
                    "timestamp without time zone" => (name.clone(), r#"YYYY-MM-DD"T"HH24:MI:SS"Z""#),
                    "date" => (name.clone(), "YYYY-MM-DD"),
                    other => {
                        return Err(setup(format!(
                            "column {name} has the type `{other}`; name a column of the type `timestamptz`, \
                             `timestamp` or `date` as `lastmod`"
                        )));
                    }
                };
                format!("CASE WHEN isfinite({name}) THEN to_char({value}, '{format}') END")
            }
        };
        let filter = table.filter.as_ref().map_or_else(String::new, |filter| format!("WHERE ({filter})"));
        let kind = found.get(3);
        Ok(Self { table, site, oid, name, schema, kind, columns, lastmod, filter })
    }

    /// Returns an SQL expression of type `text[]` for the key of a row such as `OLD`.
    pub(crate) fn key_of(&self, row: &str) -> String {
        let columns: Vec<String> =
            self.columns.iter().map(|(name, _)| format!("{row}.{name}::text")).collect();
        format!("ARRAY[{}]", columns.join(", "))
    }

    /// Reads the rows with these keys, and adds their pages to a batch. If a key has no row, the page is removed.
    pub(crate) fn read_again<T>(
        &self,
        client: &mut impl GenericClient,
        keys: &BTreeSet<Key>,
        batch: &mut Batch<T>,
    ) -> Result<(), PostgresError> {
        if keys.is_empty() {
            return Ok(());
        }
        let lists: Vec<Vec<&str>> = (0..self.columns.len())
            .map(|at| keys.iter().map(|key| key.get(at).map_or("", String::as_str)).collect())
            .collect();
        let numbered = || self.columns.iter().enumerate();
        let join = |texts: Vec<String>, with: &str| texts.join(with);
        let arrays = numbered().map(|(at, (_, r#type))| format!("${}::text[]::{type}[]", at + 1)).collect();
        let names = numbered().map(|(at, _)| format!("sitemap_key_{at}")).collect();
        let texts = numbered().map(|(at, _)| format!("k.sitemap_key_{at}::text")).collect();
        let columns = numbered().map(|(at, (name, _))| format!("{name} AS sitemap_key_{at}")).collect();
        // In types such as `citext` and `numeric`, equal values may differ as text. They then produce different URLs.
        let equal = numbered()
            .map(|(at, _)| {
                let (row, key) = (format!("t.sitemap_key_{at}"), format!("k.sitemap_key_{at}"));
                format!(r#"{row} = {key} AND {row}::text COLLATE "C" = {key}::text COLLATE "C""#)
            })
            .collect();
        let query = format!(
            "SELECT {}, t.is_page, t.lastmod FROM unnest({}) AS k({}) LEFT JOIN \
             (SELECT {}, {} AS lastmod, true AS is_page FROM {} {}) t ON {}",
            join(texts, ", "),
            join(arrays, ", "),
            join(names, ", "),
            join(columns, ", "),
            self.lastmod,
            self.name,
            self.filter,
            join(equal, " AND "),
        );
        let parameters: Vec<&(dyn postgres::types::ToSql + Sync)> =
            lists.iter().map(|list| list as &(dyn postgres::types::ToSql + Sync)).collect();
        // Several rows with the same key are a single page.
        let mut pages: BTreeMap<String, Change> = BTreeMap::new();
        for row in client.query(&query, &parameters)? {
            let Some(key) = self.key(&row) else { continue };
            let is_page = row.get::<_, Option<bool>>(self.columns.len()).unwrap_or_default();
            let loc = match self.table.template.fill(&key, &self.site) {
                Ok(loc) => loc,
                Err(reason) => {
                    if is_page {
                        self.report(&key, &reason, |reason| batch.skip(reason))?;
                    }
                    continue;
                }
            };
            let change = if is_page {
                match self.entry(&row, loc.clone()) {
                    Ok(entry) => Change::Upsert(entry),
                    Err(reason) => {
                        self.report(&key, &reason, |reason| batch.skip(reason))?;
                        Change::Remove(loc)
                    }
                }
            } else {
                Change::Remove(loc)
            };
            let url = change.loc().to_string();
            match pages.get(&url) {
                Some(other) if !is_newer(&change, other) => {}
                _ => drop(pages.insert(url, change)),
            }
        }
        for change in pages.into_values() {
            batch.push(change);
        }
        Ok(())
    }

    /// Adds the pages of all rows to a build.
    pub(crate) fn read_all(
        &self,
        client: &mut impl GenericClient,
        section: &str,
        build: &mut Build,
    ) -> Result<(), PostgresError> {
        let columns: Vec<String> = self.columns.iter().map(|(name, _)| format!("{name}::text")).collect();
        let query = format!(
            "SELECT {columns}, true, {lastmod} FROM {name} {filter}",
            columns = columns.join(", "),
            lastmod = self.lastmod,
            name = self.name,
            filter = self.filter,
        );
        let mut rows = client.query_raw(&query, [] as [&str; 0])?;
        while let Some(row) = rows.next()? {
            let Some(key) = self.key(&row) else { continue };
            let loc = self.table.template.fill(&key, &self.site);
            match loc.and_then(|loc| self.entry(&row, loc)) {
                Ok(entry) => build.add(section, entry)?,
                Err(reason) => self.report(&key, &reason, |_| build.count_skipped())?,
            }
        }
        Ok(())
    }

    /// Returns the values in a row's first columns, or `None` if one of them is `NULL` or empty.
    fn key(&self, row: &Row) -> Option<Key> {
        let value = |at| row.get::<_, Option<String>>(at).filter(|value| !value.is_empty());
        (0..self.columns.len()).map(value).collect()
    }

    fn entry(&self, row: &Row, loc: Loc<'static>) -> Result<Entry<'static>, String> {
        let lastmod = match row.get::<_, Option<&str>>(self.columns.len() + 1) {
            Some(text) => Some(text.parse::<LastMod>().map_err(|error| error.to_string())?),
            None => None,
        };
        Ok(Entry::new(loc).with_lastmod(lastmod))
    }

    /// Returns an error, or reports that a row is skipped, depending on the settings.
    fn report(&self, key: &Key, reason: &str, skip: impl FnOnce(String)) -> Result<(), PostgresError> {
        let columns = self.table.columns().into_iter().zip(key);
        let row: Vec<String> = columns.map(|(column, value)| format!("{column}={value:?}")).collect();
        let text =
            format!("the row of `{}` with {} is not a valid page: {reason}", self.table.name, row.join(", "));
        if self.table.on_invalid != OnInvalid::Skip {
            return Err(PostgresError::Page(text));
        }
        skip(text);
        Ok(())
    }
}

/// Returns `true` if `one` is an existing page and `other` is removed or older.
fn is_newer(one: &Change, other: &Change) -> bool {
    match (one, other) {
        (Change::Upsert(one), Change::Upsert(other)) => {
            one.lastmod().map(|date| date.to_string()) > other.lastmod().map(|date| date.to_string())
        }
        (Change::Upsert(_), Change::Remove(_)) => true,
        _ => false,
    }
}
