//! A broken rule, before it has a place.

use sitemap_read::Rule;

use super::standing::Standing;

/// A rule that a page breaks, with the message of the finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) rule: Rule,
    pub(super) message: String,
}

impl Fault {
    pub(super) fn new(rule: Rule, message: impl Into<String>) -> Self {
        Self { rule, message: message.into() }
    }
}

/// The reason why a page cannot be indexed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Obstacle {
    pub(super) standing: Standing,
    /// `None` if one finding for the whole host reports it.
    pub(super) fault: Option<Fault>,
}

impl Obstacle {
    pub(super) fn new(standing: Standing, rule: Rule, message: impl Into<String>) -> Self {
        Self { standing, fault: Some(Fault::new(rule, message)) }
    }
}

/// Escapes a text of a server or of the operating system as [`quoted`](sitemap_read::quoted) does, without quotes.
pub(super) fn plain(text: &str) -> String {
    let quoted = sitemap_read::quoted(text);
    let (inner, end) = match quoted.strip_suffix('…') {
        Some(inner) => (inner, "…"),
        None => (&*quoted, ""),
    };
    let inner = inner.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')).unwrap_or(inner);
    // What the text quotes is escaped already.
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
