//! A table of a judgement's pages by section and standing.

use std::collections::BTreeMap;
use std::fmt;

use super::standing::Standing;
use super::url_key::section;

/// The maximum number of sections that are counted separately.
const MOST: usize = 1000;

/// The number of listed pages by section and [`Standing`].
///
/// A section is a host plus the first folder of the path. Once there are 1,000 sections, pages in any further sections
/// are counted together.
///
/// ```
/// use sitemap_pages::judge::{Standing, Table};
///
/// let mut table = Table::default();
/// table.add("https://example.com/", Standing::Indexable);
/// table.add("https://example.com/blog/oak", Standing::Indexable);
/// table.add("https://example.com/blog/elm", Standing::Missing);
///
/// assert_eq!(table.count(Standing::Indexable), 2);
/// let (section, counts) = table.sections().last().unwrap();
/// assert_eq!((section, counts[&Standing::Missing]), ("https://example.com/blog/", 1));
/// assert_eq!(
///     table.to_string(),
///     "section                    pages  indexable  missing\n\
///      https://example.com/           1          1        0\n\
///      https://example.com/blog/      2          1        1\n\
///      all                            3          2        1\n"
/// );
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    sections: BTreeMap<String, BTreeMap<Standing, u64>>,
    other: BTreeMap<Standing, u64>,
}

impl Table {
    /// Counts a page.
    pub fn add(&mut self, url: &str, standing: Standing) {
        let section = section(url);
        let is_known = self.sections.contains_key(section);
        let counts = if is_known || self.sections.len() < MOST {
            self.sections.entry(section.to_owned()).or_default()
        } else {
            &mut self.other
        };
        *counts.entry(standing).or_default() += 1;
    }

    /// Returns the sections in order, each with its page counts. If there are more sections than the limit, the last
    /// one is `other sections`.
    pub fn sections(&self) -> impl Iterator<Item = (&str, &BTreeMap<Standing, u64>)> {
        let other = (!self.other.is_empty()).then_some(("other sections", &self.other));
        self.sections.iter().map(|(section, counts)| (&**section, counts)).chain(other)
    }

    /// Returns the number of pages with this standing.
    pub fn count(&self, standing: Standing) -> u64 {
        self.sections().filter_map(|(_, counts)| counts.get(&standing)).sum()
    }

    /// Returns the number of all pages.
    pub fn pages(&self) -> u64 {
        self.sections().flat_map(|(_, counts)| counts.values()).sum()
    }
}

/// Writes a row for each section, and a column for each standing that occurs. Control characters in section names are
/// escaped.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns: Vec<_> = Standing::ALL.iter().filter(|standing| self.count(**standing) > 0).collect();
        let names: Vec<_> = self.sections().map(|(section, _)| super::fault::plain(section)).collect();
        let first = names.iter().map(|name| name.chars().count()).max().unwrap_or_default().max(7);
        let digits = |number: u64| number.to_string().len();
        let width = |column: Standing| column.as_str().len().max(digits(self.count(column)));
        let second = digits(self.pages()).max(5);
        write!(f, "{:first$}  {:>second$}", "section", "pages")?;
        for column in &columns {
            write!(f, "  {:>1$}", column.as_str(), width(**column))?;
        }
        writeln!(f)?;
        let row = |f: &mut fmt::Formatter<'_>, name: &str, count: &dyn Fn(Standing) -> u64| {
            let pages: u64 = Standing::ALL.iter().map(|standing| count(*standing)).sum();
            write!(f, "{name:first$}  {pages:>second$}")?;
            for column in &columns {
                write!(f, "  {:>1$}", count(**column), width(**column))?;
            }
            writeln!(f)
        };
        for (name, (_, counts)) in names.iter().zip(self.sections()) {
            row(f, name, &|standing| counts.get(&standing).copied().unwrap_or_default())?;
        }
        row(f, "all", &|standing| self.count(standing))
    }
}
