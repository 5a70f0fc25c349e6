//! Names in SQL.

use crate::error::PostgresError;

/// Quotes a name, so that the server uses it exactly as spelled.
pub(crate) fn quote(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Checks a source's name, which is also the name of its position in the published set.
pub(crate) fn check_name(name: &str) -> Result<(), PostgresError> {
    let is_plain = |ch: char| ch.is_ascii_alphanumeric() || matches!(ch, '_' | '-');
    if !name.is_empty() && name.len() <= 50 && name.chars().all(is_plain) {
        return Ok(());
    }
    Err(PostgresError::Setup(format!(
        "{name:?} cannot be the name of a source; use 1 to 50 ASCII letters, digits, `_` and `-`"
    )))
}

#[cfg(test)]
mod tests {
    #[test]
    fn quotes_are_doubled() {
        assert_eq!(super::quote(r#"a "b" c"#), r#""a ""b"" c""#);
    }
}
