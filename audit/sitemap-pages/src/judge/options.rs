//! The options of a judgement.

/// The options of a judgement.
///
/// ```
/// use sitemap_pages::judge::JudgeOptions;
///
/// let options = JudgeOptions::new().max_pending_links(10).translations(true);
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct JudgeOptions {
    pub(super) max_pending_links: usize,
    pub(super) translations: bool,
    /// The word for the pages in messages, such as `listed`.
    pub(super) pages_are: &'static str,
}

impl Default for JudgeOptions {
    fn default() -> Self {
        Self { max_pending_links: 3_000_000, translations: false, pages_are: "listed" }
    }
}

impl JudgeOptions {
    /// Returns the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the maximum number of links between language versions that are waiting for a link back. Default: 3,000,000.
    /// If there are more, no `page-hreflang-…` rule applies, and a note reports this. See the [example](Self).
    pub fn max_pending_links(mut self, max: usize) -> Self {
        self.max_pending_links = max;
        self
    }

    /// Sets whether [`Judgement::translations`](super::Judgement::translations) counts the links between language
    /// versions. Default: `false`. See the [example](Self).
    pub fn translations(mut self, counts: bool) -> Self {
        self.translations = counts;
        self
    }
}
