//! The health of a section.

use sitemap_read::Severity;

use super::page::ReportPage;
use crate::judge::Answer;

/// A section's page counts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Health {
    pub(super) pages: u64,
    pub(super) errors: u64,
    pub(super) warnings: u64,
    pub(super) unvisited: u64,
}

impl Health {
    pub(super) fn add(&mut self, page: &ReportPage<'_>) {
        self.pages += 1;
        match page.worst {
            Some(Severity::Error) => self.errors += 1,
            Some(Severity::Warning) => self.warnings += 1,
            _ => self.unvisited += u64::from(page.answer == Answer::Unvisited),
        }
    }

    pub(super) fn join(&mut self, other: Self) {
        self.pages += other.pages;
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.unvisited += other.unvisited;
    }

    /// Returns the CSS class for the section's colour, which depends on its share of pages with errors, and then on
    /// warnings.
    pub(super) fn class(self) -> &'static str {
        if self.errors * 10 >= self.pages && self.errors > 0 {
            "h3"
        } else if self.errors * 100 >= self.pages && self.errors > 0 {
            "h2"
        } else if self.errors > 0 || self.warnings > 0 {
            "h1"
        } else if self.unvisited * 2 > self.pages {
            "hu"
        } else {
            "h0"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Health;

    #[test]
    fn the_colour_is_that_of_the_share_of_errors() {
        let class =
            |pages, errors, warnings, unvisited| Health { pages, errors, warnings, unvisited }.class();
        assert_eq!(class(100, 0, 0, 0), "h0");
        assert_eq!(class(100, 0, 1, 0), "h1");
        assert_eq!(class(101, 1, 0, 0), "h1");
        assert_eq!(class(100, 1, 0, 0), "h2");
        assert_eq!(class(100, 9, 0, 0), "h2");
        assert_eq!(class(100, 10, 0, 0), "h3");
        assert_eq!(class(100, 0, 0, 51), "hu");
        assert_eq!(class(0, 0, 0, 0), "h0");
    }
}
