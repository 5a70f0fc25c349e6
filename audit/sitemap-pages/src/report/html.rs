//! Escapes text for HTML.

use std::fmt::Write as _;

/// An HTML document that is being written. Only [`raw`](Self::raw) adds markup.
#[derive(Debug, Default)]
pub(super) struct Html(String);

impl Html {
    /// Adds markup.
    pub(super) fn raw(&mut self, markup: &str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Adds text, escaped for content and quoted attributes. Control characters, and characters that could change the
    /// direction of the following text, are shown by number.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        for character in text.chars() {
            match character {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                hidden if Self::is_shown_by_number(hidden) => {
                    let _ = write!(self.0, "\\u{{{:x}}}", u32::from(hidden));
                }
                other => self.0.push(other),
            }
        }
        self
    }

    /// Returns whether a character is a control character or could change the direction of the following text.
    pub(super) fn is_shown_by_number(character: char) -> bool {
        matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
            || character.is_control()
    }

    /// Adds text as a JSON string inside a script.
    pub(super) fn json(&mut self, text: &str) -> &mut Self {
        // Serialising a string can't fail.
        let json = serde_json::to_string(text).unwrap_or_default();
        // A `<` could start an end tag for the script.
        self.raw(&json.replace('<', "\\u003c"))
    }

    /// Adds a number with thousands separators.
    pub(super) fn number(&mut self, number: u64) -> &mut Self {
        let digits = number.to_string();
        for (at, digit) in digits.char_indices() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                self.0.push(',');
            }
            self.0.push(digit);
        }
        self
    }

    /// Adds a length with two decimals.
    pub(super) fn length(&mut self, length: f64) -> &mut Self {
        let _ = write!(self.0, "{length:.2}");
        self
    }

    /// Adds a number and its noun.
    pub(super) fn count(&mut self, count: u64, one: &str, many: &str) -> &mut Self {
        self.number(count).raw(" ").raw(if count == 1 { one } else { many })
    }

    /// Adds a link to an http or https URL. Other URLs become plain text.
    pub(super) fn link(&mut self, url: &str) -> &mut Self {
        if url.starts_with("https://") || url.starts_with("http://") {
            self.raw("<a rel=\"noreferrer nofollow\" href=\"").text(url).raw("\">").text(url).raw("</a>")
        } else {
            self.text(url)
        }
    }

    pub(super) fn finish(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Html;

    #[test]
    fn text_cannot_become_markup() {
        let mut html = Html::default();
        html.text("<script>\"&'\u{1b}[31m\u{202e}é");
        assert_eq!(html.finish(), "&lt;script&gt;&quot;&amp;&#39;\\u{1b}[31m\\u{202e}é");
    }

    #[test]
    fn json_cannot_end_its_script() {
        let mut html = Html::default();
        html.json("</script><!--\"\n\u{1b}");
        assert_eq!(html.finish(), "\"\\u003c/script>\\u003c!--\\\"\\n\\u001b\"");
    }

    #[test]
    fn only_web_addresses_become_links() {
        let mut html = Html::default();
        html.link("javascript:alert(1)").raw("|").link("https://e.com/\"x");
        assert_eq!(
            html.finish(),
            "javascript:alert(1)|<a rel=\"noreferrer nofollow\" href=\"https://e.com/&quot;x\">\
             https://e.com/&quot;x</a>"
        );
    }
}
