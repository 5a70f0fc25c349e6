//! Detects pages that are empty until a script fills them.

use crate::content::html::{Attributes, Tag, Token};

/// A page with this much visible text isn't empty. The rest isn't counted.
const ENOUGH: usize = 250;
/// A page with scripts and less visible text than this is considered empty, even without other signs.
const LITTLE: usize = 50;

/// Collects signs that a page is filled by scripts.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent signs")]
pub(super) struct Shell {
    text: usize,
    has_script: bool,
    asks_for_script: bool,
    is_root_open: bool,
    has_empty_root: bool,
}

impl Shell {
    /// Processes a token of the head or body that is outside templates.
    #[inline]
    pub(super) fn token(&mut self, token: Token<'_>, attributes: &Attributes<'_>, is_body: bool) {
        match token {
            Token::Text(text) => {
                if self.text < ENOUGH && is_body {
                    let length = text.trim_ascii().len();
                    self.text += length;
                    self.is_root_open &= length == 0;
                }
            }
            Token::Start { tag, name } => {
                self.has_script |= tag == Tag::Script;
                if is_body {
                    self.is_root_open = is_root(tag, name, attributes);
                }
            }
            Token::End { .. } => {
                self.has_empty_root |= self.is_root_open;
                self.is_root_open = false;
            }
            Token::Raw { of: Tag::NoScript, text } => {
                self.asks_for_script |=
                    text.windows(10).any(|word| word.eq_ignore_ascii_case(b"javascript")) && is_body;
            }
            Token::Raw { .. } | Token::Comment => {}
        }
    }

    /// Returns whether the page looks empty without JavaScript.
    pub(super) fn is_empty(&self) -> bool {
        let has_sign = self.asks_for_script || self.has_empty_root;
        self.has_script && (self.text < LITTLE || (has_sign && self.text < ENOUGH))
    }
}

/// Returns whether an element is a container that a framework renders the page into.
fn is_root(tag: Tag, name: &[u8], attributes: &Attributes<'_>) -> bool {
    match tag {
        Tag::Div | Tag::Main | Tag::Section => attributes.raw("id").is_some_and(|id| {
            matches!(
                id,
                b"root"
                    | b"app"
                    | b"__next"
                    | b"__nuxt"
                    | b"___gatsby"
                    | b"svelte"
                    | b"app-root"
                    | b"react-root"
            )
        }),
        Tag::Other => name.eq_ignore_ascii_case(b"app-root"),
        _ => false,
    }
}
