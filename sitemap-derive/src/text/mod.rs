//! The rules for the strings that a user writes, such as URL templates and dates.
//!
//! | file | what |
//! |---|---|
//! | `template` | a whole URL template, and `base` |
//! | `lexer`, `placeholder`, `path` | its pieces; what is in braces; chains such as `author.slug()` |
//! | `dates` | dates in placeholders |
//! | `url` | the host and the escapes of the text around placeholders |
//! | `foreign`, `remedy` | placeholders of other frameworks, and the remedies for what is not a placeholder |
//! | `route` | a template as a route of a web framework |
//! | `date`, `locale`, `section`, `case` | the values of `lastmod` and `zone`, `locales`, `section`, `rename_all` |
//! | `fields` | the names of the record's fields, for remedies |

pub(crate) mod case;
pub(crate) mod date;
pub(crate) mod dates;
pub(crate) mod fields;
mod foreign;
pub(crate) mod lexer;
pub(crate) mod locale;
pub(crate) mod path;
pub(crate) mod placeholder;
mod remedy;
pub(crate) mod route;
pub(crate) mod section;
pub(crate) mod template;
pub(crate) mod url;
