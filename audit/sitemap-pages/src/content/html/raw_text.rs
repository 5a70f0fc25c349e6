//! Finds the end of raw text, in which tags have no meaning.

use memchr::memchr;

use super::bytes::is_name_end;
use super::tag::Tag;

/// Returns the length of an element's raw text, which ends at its end tag or at the end of the document.
pub(super) fn end(text: &[u8], of: Tag) -> usize {
    match of {
        Tag::Plaintext => text.len(),
        Tag::Script => script_end(text),
        _ => {
            let mut from = 0;
            while let Some(found) = memchr(b'<', &text[from..]) {
                from += found;
                if end_tag(&text[from..]) == Some(of) {
                    return from;
                }
                from += 1;
            }
            text.len()
        }
    }
}

/// How comments in a script change the meaning of its end tag.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escape {
    /// Outside a comment.
    None,
    /// After `<!--`.
    Comment,
    /// After `<!--` and `<script`. In this state, `</script` ends only the inner script.
    Script,
}

fn script_end(text: &[u8]) -> usize {
    let mut escape = Escape::None;
    let mut from = 0;
    loop {
        let next = if escape == Escape::None {
            memchr(b'<', &text[from..])
        } else {
            memchr::memchr2(b'<', b'>', &text[from..])
        };
        let Some(found) = next else { return text.len() };
        from += found;
        let rest = &text[from..];
        if rest[0] == b'>' {
            if text[..from].ends_with(b"--") {
                escape = Escape::None;
            }
        } else if escape == Escape::None && rest.starts_with(b"<!--") {
            // The dashes of `<!-->` both open and close the comment.
            escape = Escape::Comment;
            from += 3;
        } else if end_tag(rest) == Some(Tag::Script) {
            if escape != Escape::Script {
                return from;
            }
            escape = Escape::Comment;
        } else if escape == Escape::Comment && name_after(rest, 1) == Some(Tag::Script) {
            escape = Escape::Script;
        }
        from += 1;
    }
}

/// Returns the element whose end tag is at the start of a text.
fn end_tag(text: &[u8]) -> Option<Tag> {
    if text.get(1) == Some(&b'/') { name_after(text, 2) } else { None }
}

/// Returns the element whose complete name comes after the first `skip` bytes of a text.
fn name_after(text: &[u8], skip: usize) -> Option<Tag> {
    // The longest name of a raw text element is `plaintext`.
    let name = text.get(skip..)?;
    let end = name.iter().take(10).position(|&byte| is_name_end(byte))?;
    Some(Tag::at(&name[..end], 0).0)
}
