//! A broken rule, not yet assigned to a place in a file.

use sitemap_read::Rule;

use super::standing::Standing;
use super::url_key::Key;

/// A rule that a page breaks, with the message of the finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) rule: Rule,
    pub(super) message: String,
    /// The other pages whose repair would also repair this fault.
    pub(super) causes: Vec<Key>,
}

impl Fault {
    pub(super) fn new(rule: Rule, message: impl Into<String>) -> Self {
        Self { rule, message: message.into(), causes: Vec::new() }
    }

    pub(super) fn because_of(self, causes: Vec<Key>) -> Self {
        Self { causes, ..self }
    }
}

/// Why a page can't be indexed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Obstacle {
    pub(super) standing: Standing,
    /// The fault, or `None` if a single finding for the whole host reports it.
    pub(super) fault: Option<Fault>,
}

impl Obstacle {
    pub(super) fn new(standing: Standing, rule: Rule, message: impl Into<String>) -> Self {
        Self { standing, fault: Some(Fault::new(rule, message)) }
    }
}

/// Escapes text from a server or the operating system as [`quoted`](sitemap_read::quoted) does, but without quotes.
pub(super) fn plain(text: &str) -> String {
    let quoted = sitemap_read::quoted(text);
    let (inner, end) = match quoted.strip_suffix('…') {
        Some(inner) => (inner, "…"),
        None => (&*quoted, ""),
    };
    let inner = inner.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')).unwrap_or(inner);
    // Values quoted inside the text are already escaped.
    [&inner.replace("\\\"", "\"").replace("\\'", "'").replace("\\\\", "\\"), end].concat()
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn texts_of_others_cannot_control_a_terminal() {
        assert_eq!(plain("no \"answer\" in 'time'"), "no \"answer\" in 'time'");
        assert_eq!(plain("\u{1b}[31mred\r\n\u{202e}"), r"\u{1b}[31mred\r\n\u{202e}");
        assert_eq!(plain(r#"leads to "\u{202e}""#), r#"leads to "\u{202e}""#);
        assert_eq!(plain(&"a".repeat(130)), format!("{}…", "a".repeat(120)));
    }
}
