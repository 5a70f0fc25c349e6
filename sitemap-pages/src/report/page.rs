//! A page of a report.

use sitemap_core::LastMod;
use sitemap_read::Severity;

/// A page of the site, for a [`ReportBuilder`](super::ReportBuilder).
///
/// ```
/// use sitemap_pages::report::ReportPage;
///
/// assert_eq!(ReportPage::default().status, None);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ReportPage<'a> {
    /// The URL that the sitemap lists.
    pub url: &'a str,
    /// The status of the last response, or `None` if there is none.
    pub status: Option<u16>,
    /// Whether the page was not requested.
    pub is_unvisited: bool,
    /// The highest severity of the findings about the page.
    pub worst: Option<Severity>,
    /// When the content last changed, if it is known.
    pub changed: Option<&'a LastMod>,
}
