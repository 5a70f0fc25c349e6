//! A page of a report.

use crate::judge::Answer;
use sitemap_core::LastMod;
use sitemap_read::Severity;

/// A page of the site, for a [`ReportBuilder`](super::ReportBuilder).
///
/// ```
/// use sitemap_pages::judge::Answer;
/// use sitemap_pages::report::ReportPage;
/// use sitemap_read::Severity;
///
/// let mut page = ReportPage::new("https://example.com/oak", Answer::Status(404));
/// page.worst = Some(Severity::Error);
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct ReportPage<'a> {
    /// The URL in the sitemap.
    pub url: &'a str,
    /// How the page responded.
    pub answer: Answer,
    /// The highest severity of the findings about the page.
    pub worst: Option<Severity>,
    /// When the content last changed, if known.
    pub changed: Option<&'a LastMod>,
}

impl<'a> ReportPage<'a> {
    /// Creates a page without findings.
    pub fn new(url: &'a str, answer: Answer) -> Self {
        Self { url, answer, worst: None, changed: None }
    }
}
