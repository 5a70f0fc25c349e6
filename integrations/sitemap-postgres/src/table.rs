//! The description of a table whose rows are pages.

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
    /// Describes a table by its name, as in SQL, and the URL or path of the page of a row.
    ///
    /// The URL has the names of columns in braces. A value becomes one path segment: all characters but letters, digits
    /// and `-._~` are percent-encoded. `{*path}` also keeps slashes. A row whose value is `NULL` or empty is not a page.
    ///
    /// # Errors
    ///
    /// [`PostgresError::Setup`] if the URL has no column, or a brace without its counterpart.
    pub fn new(name: impl Into<String>, url: &str) -> Result<Self, PostgresError> {
        let template = Template::parse(url)?;
        let (lastmod, filter) = (None, None);
        Ok(Self { name: name.into(), template, lastmod, filter, on_invalid: OnInvalid::Stop })
    }

    /// Sets the column with the time of the last change of a page, of the type `timestamptz`, `timestamp` or `date`. A
    /// `timestamp` is taken as UTC, and fractions of a second are cut off. Default: the pages have no `lastmod`.
    ///
    /// See the [example](Self).
    pub fn lastmod(mut self, column: impl Into<String>) -> Self {
        self.lastmod = Some(column.into());
        self
    }

    /// Sets the condition for rows that are pages, in SQL. It must depend on the row alone. Default: all rows are pages.
    ///
    /// The text becomes part of a query, so it must not come from users. See the [example](Self).
    pub fn filter(mut self, condition: impl Into<String>) -> Self {
        self.filter = Some(condition.into());
        self
    }

    /// Sets what happens with a row that is not a valid page, such as one whose URL is too long. `Skip` reports the
    /// page and goes on. Default: [`OnInvalid::Stop`].
    pub fn on_invalid(mut self, on_invalid: OnInvalid) -> Self {
        self.on_invalid = on_invalid;
        self
    }

    /// Returns the columns of the URL, in its order. They are the key by which a changed row is read again.
    #[must_use]
    pub fn columns(&self) -> Vec<&str> {
        self.template.columns.iter().map(|column| column.name.as_str()).collect()
    }
}
