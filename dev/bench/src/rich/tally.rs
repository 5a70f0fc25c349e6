//! The totals of the values that a reader found.

/// The totals of the values that a reader found in a document. All readers must agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of entries.
    pub entries: u64,
    /// The number of values.
    pub values: u64,
    /// The total length of all URLs, language tags and other strings, in bytes. Dates, numbers and keywords are not
    /// included, because some readers parse them.
    pub bytes: u64,
}

impl Tally {
    pub(super) fn text(&mut self, text: &str) {
        self.values += 1;
        self.bytes += text.len() as u64;
    }

    pub(super) fn value(&mut self, is_present: bool) {
        self.values += u64::from(is_present);
    }
}
