//! The end of the text of elements in which tags have no meaning.

use memchr::memchr;

use super::bytes::is_name_end;
use super::tag::Tag;

/// Returns the length of the raw text that an element starts with: up to its end tag, or to the end of the document.
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

/// How the comments of a script change the meaning of its end tag.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escape {
    /// Outside a comment.
    None,
    /// After `<!--`.
    Comment,
    /// After `<!--` and `<script`, where `</script` ends only the inner script.
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

/// Returns the element of the end tag that a text starts with.
fn end_tag(text: &[u8]) -> Option<Tag> {
    if text.get(1) == Some(&b'/') { name_after(text, 2) } else { None }
}

/// Returns the element whose whole name follows the first bytes of a text.
fn name_after(text: &[u8], skip: usize) -> Option<Tag> {
    // No name of an element with raw text is longer than `plaintext`.
    let name = text.get(skip..)?;
    let end = name.iter().take(10).position(|&byte| is_name_end(byte))?;
    Some(Tag::at(&name[..end], 0).0)
}
