//! Wording for rules that also make sense without a sitemap.

use sitemap_read::Rule;

/// Returns the summary and the remedy of a rule, worded for unlisted pages. Returns `None` if the rule reports
/// something that is fine for an unlisted page, such as a single redirect, `noindex` or another canonical.
pub(crate) const fn without_listing(rule: Rule) -> Option<(&'static str, &'static str)> {
    Some(match rule {
        Rule::PageMissing => ("a linked page does not exist", "restore the page or remove the links to it"),
        Rule::PageFailing => ("a linked page cannot be fetched", rule.remedy()),
        Rule::PageThrottled => (
            "the server refuses requests (status 429) or stopped answering, so a page was not checked",
            "crawl again later, with fewer requests at a time",
        ),
        Rule::PageRedirectChain => (
            "a link leads through several redirects to another URL",
            "link to the last URL, and redirect directly to it",
        ),
        Rule::PageRedirectLoop => (
            "the redirects of a linked page do not lead to a page",
            "correct the redirects or remove the links",
        ),
        Rule::PageSoft404 => (
            "a page looks like the answer to a URL that does not exist",
            "if the page does not exist, answer with 404 and remove the links to it",
        ),
        Rule::PageNoindexUnclear => (
            "a page has a `noindex` that not all search engines read",
            "remove the `noindex`, or write it into the head with commas between the directives",
        ),
        Rule::PageNoindexEverywhere => {
            ("most pages of a host ask search engines not to index them", rule.remedy())
        }
        Rule::PageExpiryInvalid => (
            "the date in `unavailable_after` of a page is not a date, so search engines ignore it",
            rule.remedy(),
        ),
        Rule::PageCanonicalBroken => {
            ("the canonical of a page is a URL that cannot be indexed", rule.remedy())
        }
        Rule::PageCanonicalSeveral => {
            ("a page names several canonicals, so search engines may ignore all of them", rule.remedy())
        }
        Rule::PageCanonicalInvalid => ("a canonical of a page is not a URL", rule.remedy()),
        Rule::PageCanonicalBody => {
            ("a page names a canonical in its body, where search engines ignore it", rule.remedy())
        }
        Rule::PageEmptyWithoutJavaScript => {
            ("a page looks empty without JavaScript, so its content was not checked", rule.remedy())
        }
        Rule::PageDuplicate => (
            "a page has the same main content as another page",
            "name one of the pages as the canonical of the others, or redirect them to it",
        ),
        Rule::PageRobotsUnreachable
        | Rule::PageHreflangNoReturn
        | Rule::PageHreflangNoSelf
        | Rule::PageHreflangBroken
        | Rule::HreflangUnchecked => (rule.summary(), rule.remedy()),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use sitemap_read::Rule;

    use super::without_listing;

    #[test]
    fn no_text_names_a_listing() {
        let mut kept = 0;
        for &rule in Rule::ALL {
            let Some((summary, remedy)) = without_listing(rule) else { continue };
            kept += 1;
            for text in [summary, remedy] {
                assert!(!text.contains("listed") && !text.contains("entry"), "{rule}: {text}");
                assert!(!text.contains("sitemap") && !text.ends_with('.'), "{rule}: {text}");
            }
        }
        assert_eq!(kept, 20);
    }
}
