//! Reads the DOCTYPE, whose internal subset declares entities.

use memchr::{memchr, memmem};

use super::entity::Entities;
use super::subset::{Problem, Subset};

/// Returns the offset after the DOCTYPE at offset `at`, or `None` if the DOCTYPE doesn't end within the text.
pub(super) fn end(text: &[u8], at: usize) -> Option<usize> {
    let mut i = at + 9;
    let mut is_inside = false;
    loop {
        let rest = text.get(i..)?;
        match *rest.first()? {
            quote @ (b'"' | b'\'') => i += memchr(quote, &rest[1..])? + 2,
            b'<' if rest.starts_with(b"<!--") => i += memmem::find(&rest[4..], b"-->")? + 7,
            b'<' if rest.starts_with(b"<?") => i += memmem::find(&rest[2..], b"?>")? + 4,
            b'[' => (is_inside, i) = (true, i + 1),
            b']' => (is_inside, i) = (false, i + 1),
            b'>' if !is_inside => return Some(i + 1),
            _ => i += 1,
        }
    }
}

/// Reads a DOCTYPE from `<!DOCTYPE` to `>`.
pub(super) fn read(text: &[u8], entities: &mut Entities) -> Result<(), Problem> {
    const AT: usize = "<!DOCTYPE".len();
    let mut subset = Subset::new(text, AT, entities, 0);
    subset.need_blank()?;
    subset.name()?;
    let has_blank = subset.blank();
    if !subset.is_at(b"[") && !subset.is_at(b">") {
        if !has_blank {
            return Err(subset.problem("no white space follows the name of the root in a DOCTYPE"));
        }
        subset.external_id(false)?;
        subset.blank();
        subset.entities.is_partial = true;
    }
    if subset.take(b"[") {
        subset.declarations()?;
        subset.expect(b"]", "the internal subset of a DOCTYPE contains something other than declarations")?;
        subset.blank();
    }
    subset.expect(b">", "the DOCTYPE is not well-formed")?;
    if subset.at < text.len() {
        return Err(subset.problem("the DOCTYPE is not well-formed"));
    }
    Ok(())
}
