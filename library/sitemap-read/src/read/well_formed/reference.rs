//! References to characters and entities.

use super::chars::{Bad, char_at, is_char, name_end, starts_name};

/// The reason why the text can't be read further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The construct doesn't end within the text.
    Cut,
    /// The structure is violated. The violation has already been noted.
    Done,
}

pub(super) type Step = Result<usize, Stop>;

/// A reference and the offset of its end.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reference {
    Character(char, usize),
    /// The range of the entity's name.
    Entity((usize, usize), usize),
    /// A reference to a character that XML forbids.
    Forbidden(usize),
    /// Not a reference, although this number of bytes looks like one.
    Raw(usize),
}

/// Reads the reference at offset `at`. Returns [`Stop::Cut`] if it doesn't end before `end`.
pub(super) fn reference(text: &[u8], at: usize, end: usize) -> Result<Reference, Stop> {
    let text = &text[..end];
    let Some(&first) = text.get(at + 1) else { return Err(Stop::Cut) };
    if first != b'#' {
        if first >= 0x80 && text.len() - at < 5 {
            return Err(Stop::Cut);
        }
        let stop = name_end(text, at + 1);
        return match text.get(stop) {
            Some(b';') if starts_name(text, at + 1) => Ok(Reference::Entity((at + 1, stop), stop + 1)),
            None if stop > at + 1 => Err(Stop::Cut),
            Some(0x80..) if char_at(text, stop) == Err(Bad::Cut) => Err(Stop::Cut),
            _ => Ok(Reference::Raw(1)),
        };
    }
    let is_hex = text.get(at + 2) == Some(&b'x');
    let (start, radix) = if is_hex { (at + 3, 16) } else { (at + 2, 10) };
    let digits = text.get(start..).unwrap_or_default();
    let Some(len) = digits.iter().position(|&byte| !(byte as char).is_digit(radix)) else {
        return Err(Stop::Cut);
    };
    if len == 0 || digits[len] != b';' {
        return Ok(Reference::Raw(1));
    }
    let code = digits[..len].iter().fold(0_u32, |code, &digit| {
        code.saturating_mul(radix).saturating_add((digit as char).to_digit(radix).unwrap_or_default())
    });
    let end = start + len + 1;
    Ok(match char::from_u32(code).filter(|&ch| is_char(ch)) {
        Some(ch) => Reference::Character(ch, end),
        None => Reference::Forbidden(end),
    })
}
