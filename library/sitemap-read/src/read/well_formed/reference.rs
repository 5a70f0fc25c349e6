//! References to characters and entities.

use super::super::value::number;
use super::chars::{name_end, starts_name};
use super::is_char;

/// What follows an `&`, with the offset of its end.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reference {
    /// A reference to a character that XML allows, or to a predefined entity.
    Fine(usize),
    /// A reference to an entity that XML doesn't predefine.
    Unknown(usize),
    /// A reference to a character that XML forbids.
    Forbidden(usize),
    /// No reference.
    Raw,
}

/// Reads the reference at offset `at`.
pub(super) fn reference(text: &[u8], at: usize) -> Reference {
    let is_numeric = text.get(at + 1) == Some(&b'#');
    let start = if is_numeric { at + 2 } else { at + 1 };
    let stop = name_end(text, start);
    if text.get(stop) != Some(&b';') {
        return Reference::Raw;
    }
    let (name, end) = (&text[start..stop], stop + 1);
    if is_numeric {
        // Unlike the reader, XML doesn't allow an upper-case `X`.
        return match number(name).filter(|_| name[0] != b'X').map(char::from_u32) {
            None => Reference::Raw,
            Some(Some(ch)) if is_char(ch) => Reference::Fine(end),
            Some(_) => Reference::Forbidden(end),
        };
    }
    match name {
        b"amp" | b"lt" | b"gt" | b"quot" | b"apos" => Reference::Fine(end),
        _ if starts_name(text, start) => Reference::Unknown(end),
        _ => Reference::Raw,
    }
}
