//! Errors of PostgreSQL sources.

use std::error::Error as StdError;
use std::fmt;

use sitemap_update::UpdateError;

/// An error of a PostgreSQL source.
///
/// ```
/// use sitemap_postgres::{PostgresError, Table};
///
/// let error = Table::new("posts", "/posts/").unwrap_err();
/// assert!(matches!(error, PostgresError::Setup(_)));
/// assert_eq!(
///     error.to_string(),
///     "the URL `/posts/` has no column; write the columns in braces, such as `/posts/{slug}`"
/// );
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum PostgresError {
    /// The server reported an error, or the connection failed.
    Database(postgres::Error),
    /// The table or the source is not set up correctly. The string states the problem and the remedy.
    Setup(String),
    /// The source cannot continue from the published set's position, so all pages must be published again, for example
    /// with [`Slot::publish`](crate::Slot::publish). The string states the reason.
    MustPublish(String),
    /// A row of the table is not a valid page.
    Page(String),
    /// The set could not be published.
    Update(UpdateError),
}

impl fmt::Display for PostgresError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Database(error) => match error.as_db_error() {
                Some(found) => {
                    write!(f, "PostgreSQL reports: {}", found.message())?;
                    let more = [found.detail(), found.hint(), found.where_()];
                    more.into_iter().flatten().try_for_each(|text| write!(f, "; {text}"))
                }
                None => write!(f, "PostgreSQL cannot be asked: {error}"),
            },
            Self::Setup(text) => f.write_str(text),
            Self::MustPublish(text) => {
                write!(f, "{text}, so changes may be missing; publish all pages again with `publish`")
            }
            Self::Page(text) => {
                write!(f, "{text}; correct the row, or leave such rows out with `on_invalid`")
            }
            Self::Update(error) => error.fmt(f),
        }
    }
}

impl StdError for PostgresError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            // The message already contains the cause.
            Self::Database(error) => error.source().and_then(StdError::source),
            Self::Update(error) => error.source(),
            _ => None,
        }
    }
}

impl From<postgres::Error> for PostgresError {
    fn from(error: postgres::Error) -> Self {
        Self::Database(error)
    }
}

impl From<UpdateError> for PostgresError {
    fn from(error: UpdateError) -> Self {
        Self::Update(error)
    }
}
