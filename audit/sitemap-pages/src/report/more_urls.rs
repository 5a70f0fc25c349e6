//! A rule's findings by section, and the URLs of those that aren't examples.
//!
//! The counts are exact. Only the first URLs are kept, as many as the limit allows, so that the filter can find them
//! and the report stays small.

use std::collections::HashMap;

use super::html::Html;
use super::section::section_of;

/// The maximum number of sections that are counted separately. Findings in further sections are counted together.
const MOST: usize = 1_000;
/// The number of bytes of URLs kept per rule, whatever their sections.
const BYTES: usize = 192 * 1024;
/// The number of further URLs kept per section.
const OF_A_SECTION: usize = 50;
/// The maximum number of bytes of URLs per rule.
const MOST_BYTES: usize = 256 * 1024;
/// The number of sections shown while no filter is set.
const SHOWN: usize = 10;

/// A rule's findings by section.
#[derive(Debug, Default)]
pub(super) struct Further {
    sections: HashMap<String, Section>,
    /// The findings in sections above the limit.
    other: Section,
    bytes: usize,
    listed: u64,
}

#[derive(Debug, Default)]
struct Section {
    count: u64,
    examples: usize,
    listed: usize,
    /// The rest of each URL, without the section's prefix and preceded by a line feed. Only contains findings that
    /// aren't examples.
    urls: String,
}

impl Further {
    /// Counts a finding. Returns whether to keep it as an example, which `takes` decides from the number of examples in
    /// its section.
    pub(super) fn add(&mut self, url: &str, takes: impl FnOnce(usize) -> bool) -> bool {
        let name = section_of(url);
        let apart = if is_plain(url) { section(&mut self.sections, name) } else { None };
        let is_apart = apart.is_some();
        let section = apart.unwrap_or(&mut self.other);
        section.count += 1;
        if takes(section.examples) {
            section.examples += 1;
            return true;
        }
        let rest = &url[name.len()..];
        let bytes = self.bytes + rest.len() + 1;
        if is_apart && (bytes <= BYTES || (bytes <= MOST_BYTES && section.listed < OF_A_SECTION)) {
            (self.bytes, self.listed) = (bytes, self.listed + 1);
            section.listed += 1;
            section.urls.push('\n');
            section.urls.push_str(rest);
        }
        false
    }

    /// Returns the number of findings that aren't examples but whose URLs are kept.
    pub(super) fn listed(&self) -> u64 {
        self.listed
    }

    /// Writes the sections with the most findings, and the data for the filter.
    pub(super) fn write(&self, html: &mut Html) {
        let mut sections: Vec<(&str, &Section)> =
            self.sections.iter().map(|(name, section)| (&**name, section)).collect();
        sections.sort_by_key(|(name, section)| (std::cmp::Reverse(section.count), *name));
        html.raw("<p>By section: ");
        for (at, (name, section)) in sections.iter().take(SHOWN).enumerate() {
            html.raw(if at == 0 { "" } else { ", " });
            html.raw("<a href=\"#findings\" data-section=\"").text(name).raw("\">").text(name).raw("</a> ");
            html.number(section.count);
        }
        let rest =
            sections.iter().skip(SHOWN).map(|(_, section)| section.count).sum::<u64>() + self.other.count;
        if rest > 0 {
            html.raw(if sections.is_empty() { "" } else { ", " }).raw("others ").number(rest);
        }
        html.raw(".</p>\n<script type=\"application/json\">[");
        let other = (self.other.count > 0).then_some(("", &self.other));
        for (at, (name, section)) in sections.into_iter().chain(other).enumerate() {
            html.raw(if at == 0 { "[" } else { ",\n[" }).json(name).raw(",");
            let urls = section.urls.strip_prefix('\n').unwrap_or_default();
            html.raw(&section.count.to_string()).raw(",").raw(&section.examples.to_string()).raw(",");
            html.raw(&section.listed.to_string()).raw(",").json(urls).raw("]");
        }
        html.raw("]</script>\n");
    }
}

/// Returns a section, unless it is above the limit.
fn section<'s>(sections: &'s mut HashMap<String, Section>, name: &str) -> Option<&'s mut Section> {
    if !sections.contains_key(name) && sections.len() >= MOST {
        return None;
    }
    Some(sections.entry(name.to_owned()).or_default())
}

/// Returns whether a URL can be shown as it is: it contains no control characters and none that change the direction of
/// text.
fn is_plain(url: &str) -> bool {
    !url.chars().any(Html::is_shown_by_number)
}
