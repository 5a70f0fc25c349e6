//! Describes a table whose rows are pages.

use sitemap_core::publish::OnInvalid;

use crate::error::PostgresError;
use crate::template::Template;

/// A table or view whose rows are pages.
///
/// ```
/// use sitemap_postgres::Table;
///
/// let table = Table::new("shop.posts", "/posts/{id}-{slug}")?.lastmod("updated_at").filter("is_public");
/// assert_eq!(table.columns(), ["id", "slug"]);
/// # Ok::<(), sitemap_postgres::PostgresError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a table is only described"]
pub struct Table {
    pub(crate) name: String,
    pub(crate) template: Template,
    pub(crate) lastmod: Option<String>,
    pub(crate) filter: Option<String>,
    pub(crate) on_invalid: OnInvalid,
}

impl Table {
    /// Describes a table by its name, as in SQL, and the URL or path of a row's page.
    ///
    /// In the URL, column names are in braces. Each value becomes one path segment, in which all characters except
    /// letters, digits and `-._~` are percent-encoded. `{*path}` also keeps slashes. A row whose value is `NULL` or
    /// empty is not a page.
    ///
    /// # Errors
    ///
    /// [`PostgresError::Setup`] if the URL contains no column, or an unmatched brace.
    pub fn new(name: impl Into<String>, url: &str) -> Result<Self, PostgresError> {
        let template = Template::parse(url)?;
        let (lastmod, filter) = (None, None);
        Ok(Self { name: name.into(), template, lastmod, filter, on_invalid: OnInvalid::Stop })
    }

    /// Sets the column with the time of a page's last change. Its type must be `timestamptz`, `timestamp` or `date`. A
    /// `timestamp` is assumed to be in UTC, and fractions of a second are dropped. By default, pages have no `lastmod`.
    ///
    /// See the [example](Self).
    pub fn lastmod(mut self, column: impl Into<String>) -> Self {
        self.lastmod = Some(column.into());
        self
    }

    /// Sets an SQL condition that decides which rows are pages. It must depend only on the row itself. By default, all
    /// rows are pages.
    ///
    /// The string becomes part of a query, so it must not come from untrusted users. See the [example](Self).
    pub fn filter(mut self, condition: impl Into<String>) -> Self {
        self.filter = Some(condition.into());
        self
    }

    /// Sets what happens to a row that is not a valid page, for example because its URL is too long. `Skip` reports the
    /// row and continues. Default: [`OnInvalid::Stop`].
    pub fn on_invalid(mut self, on_invalid: OnInvalid) -> Self {
        self.on_invalid = on_invalid;
        self
    }

    /// Returns the URL's columns in order. They are the key for reading a changed row.
    #[must_use]
    pub fn columns(&self) -> Vec<&str> {
        self.template.columns.iter().map(|column| column.name.as_str()).collect()
    }
}
