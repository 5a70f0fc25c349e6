//! Checks whether a document is well-formed according to XML 1.0 (fifth edition) and Namespaces in XML 1.0.
//!
//! The reader is lenient and repairs what it can. This check is strict: it finds every document that a conforming XML
//! parser rejects. It knows nothing about sitemaps. It receives the same bytes as the reader, in pieces of any size,
//! and takes linear time. After a violation that doesn't affect the structure, such as a raw `&`, the check continues.
//! After any other violation, it ends, as a parser would.
//!
//! The check doesn't read external entities. It reads each internal entity only once, so entities that expand to a huge
//! text don't take extra time.

mod chars;
mod content;
mod declaration;
mod doctype;
mod entity;
mod names;
mod reference;
mod subset;
mod tag;
mod violation;

use std::collections::BTreeMap;

use super::finding::Finding;
use crate::rule::Rule;
use content::Content;
pub(crate) use violation::Violation;

/// Returns up to 100 violations of XML 1.0 and Namespaces in XML in a document that arrives in pieces.
///
/// A document without violations is well-formed, so conforming XML parsers accept it. [`Checker`](crate::Checker)
/// reports the same findings, along with those about sitemaps.
///
/// ```
/// use sitemap_read::{Rule, xml_violations};
///
/// assert!(xml_violations([&b"<a>tea"[..], b"</a>"]).is_empty());
/// let violations = xml_violations([&b"<a>tea & cake</a>"[..]]);
/// assert_eq!((violations.len(), violations[0].rule()), (1, Rule::AmpersandRaw));
/// ```
#[must_use]
pub fn xml_violations<'d>(pieces: impl IntoIterator<Item = &'d [u8]>) -> Vec<Finding> {
    let mut check = WellFormed::new(100, usize::MAX);
    for piece in pieces {
        check.feed(piece);
    }
    check.finish(b"");
    check.drain().map(|violation| violation.finding).collect()
}

/// A check in progress.
#[derive(Debug)]
pub(crate) struct WellFormed {
    content: Content,
    /// The start of a construct that is still incomplete.
    rest: Vec<u8>,
    /// The length that `rest` must reach before it is read again. It doubles each time, so the total time is linear
    /// even if the document arrives in small pieces.
    wanted: usize,
    max_rest: usize,
}

impl WellFormed {
    /// Creates a check. It keeps at most `max_violations` violations between calls of [`drain`](Self::drain), and at
    /// most `max_rest` bytes of a single tag, comment or DOCTYPE that arrives in pieces.
    pub(crate) const fn new(max_violations: usize, max_rest: usize) -> Self {
        Self { content: Content::new(max_violations), rest: Vec::new(), wanted: 0, max_rest }
    }

    /// Checks the next bytes of the document.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        self.pass(bytes, false);
    }

    /// Checks the last bytes of the document, and whether the document is complete.
    pub(crate) fn finish(&mut self, bytes: &[u8]) {
        self.pass(bytes, true);
    }

    fn pass(&mut self, bytes: &[u8], at_end: bool) {
        if self.content.is_done() {
            return;
        }
        if self.rest.is_empty() {
            let used = self.content.read(bytes, at_end);
            self.rest.extend_from_slice(&bytes[used..]);
        } else {
            self.rest.extend_from_slice(bytes);
            if self.rest.len() < self.wanted && !at_end {
                return;
            }
            let used = self.content.read(&self.rest, at_end);
            self.rest.drain(..used);
        }
        if self.rest.len() > self.max_rest && !self.content.is_done() {
            self.content.give_up(&self.rest);
        }
        if self.content.is_done() {
            self.rest = Vec::new();
        }
        self.wanted = (2 * self.rest.len()).min(self.max_rest.saturating_add(1));
    }

    /// Returns the violations found since the last call.
    pub(crate) fn drain(&mut self) -> impl ExactSizeIterator<Item = Violation> + '_ {
        self.content.violations.drain()
    }

    /// Returns, for each rule, how many violations were counted but not kept since the last call.
    pub(crate) fn take_omitted(&mut self) -> BTreeMap<Rule, u64> {
        self.content.violations.take_omitted()
    }

    /// Returns how many bytes are fully checked. All violations before this offset are known.
    pub(crate) const fn checked(&self) -> u64 {
        self.content.checked
    }

    /// Returns how many bytes were read in total, counting repeated reads. Unlike a duration, this doesn't depend on
    /// the machine.
    #[cfg(test)]
    const fn steps(&self) -> u64 {
        self.content.steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns how many bytes are read in total when a document arrives in pieces of `size` bytes.
    fn steps(document: &str, size: usize) -> u64 {
        let mut check = WellFormed::new(10, usize::MAX);
        document.as_bytes().chunks(size).for_each(|piece| check.feed(piece));
        check.finish(b"");
        check.steps()
    }

    #[test]
    fn the_time_is_linear_for_pieces_of_any_size() {
        let long = "x".repeat(20_000);
        let documents = [
            format!("<a><!--{long}--></a>"),
            format!("<a><!--{}", "-- ".repeat(7_000)),
            format!("<a b='{long}'/>"),
            format!("<a {}/>", "b='1' ".repeat(4_000)),
            format!("<{long}>"),
            format!("<a>{long}</a>"),
            format!("<a>&{long};</a>"),
            format!("<a>{}", "&".repeat(20_000)),
            format!("<a>{}", "<".repeat(20_000)),
            format!("<a>{}", "]".repeat(20_000)),
            format!("<a>{}", "<a>".repeat(7_000)),
            format!("<a><![CDATA[{}", "]]".repeat(10_000)),
            format!("<!DOCTYPE a [{}", "<!ENTITY e 'x'>".repeat(1_500)),
            format!("<!DOCTYPE a [<!ELEMENT a {}", "(".repeat(20_000)),
        ];
        for document in documents {
            for size in [1, 7, 1_000] {
                let steps = steps(&document, size);
                let most = 6 * document.len() as u64;
                assert!(steps <= most, "{steps} steps for {:?}… in pieces of {size}", &document[..20]);
            }
        }
    }

    #[test]
    fn a_construct_that_never_ends_takes_no_memory_beyond_the_limit() {
        let mut check = WellFormed::new(10, 1_000);
        check.feed(b"<a><!--");
        for _ in 0..1_000 {
            check.feed(&[b'x'; 100]);
            assert!(check.rest.len() <= 1_100);
        }
        let found: Vec<_> = check.drain().map(|violation| violation.finding.to_string()).collect();
        assert_eq!(
            found,
            [
                "1:4: error[read-limit]: a single tag, comment or DOCTYPE exceeds the limit of the reader; raise the limit \
              of the reader if you trust the file"
            ]
        );
    }

    #[test]
    fn entities_that_expand_to_a_huge_text_take_no_time() {
        let general =
            |level: usize| format!("<!ENTITY e{level} '{}'>", format!("&e{};", level - 1).repeat(10));
        let subset =
            ["<!ENTITY e0 'ha'>".to_owned()].into_iter().chain((1..30).map(general)).collect::<String>();
        for root in ["<a>&e29;</a>", "<a b='&e29;'/>", "<a xmlns:b='&e29;'/>"] {
            let document = format!("<!DOCTYPE a [{subset}]>{root}");
            let mut check = WellFormed::new(10, usize::MAX);
            check.finish(document.as_bytes());
            let rules: Vec<_> = check.drain().map(|violation| violation.finding.rule()).collect();
            assert!(rules.contains(&Rule::ReadLimit), "{root}: {rules:?}");
        }
        let parameter =
            |level: usize| format!("<!ENTITY % p{level} '{}'>", format!("&#37;p{};", level - 1).repeat(10));
        let subset =
            ["<!ENTITY % p0 ''>".to_owned()].into_iter().chain((1..30).map(parameter)).collect::<String>();
        let document = format!("<!DOCTYPE a [{subset}%p29;]><a/>");
        let mut check = WellFormed::new(10, usize::MAX);
        check.finish(document.as_bytes());
        assert_eq!(check.drain().len(), 0);
    }
}
