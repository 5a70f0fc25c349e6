//! The rules about language versions.

macro_rules! language {
    ($then:ident $($rest:tt)*) => { $then! { $($rest)*
    [Language]
        HreflangNoSelf = "hreflang-no-self", Error from Google {
            summary: "the language versions of a page do not include the page itself",
            reason: "Google asks that each version lists all versions, itself included.",
            remedy: "list all language versions in each version's entry, including the version itself",
            wrong: Entry("\n<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>"),
            right: Entry("\n\
                <xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/a\"/>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>"),
        }
        HreflangNotReciprocal = "hreflang-not-reciprocal", Error from Google {
            summary: "a language version does not link back to the page, so the page's link is ignored",
            reason: "Links must go both ways, so that no site can claim the pages of another.",
            remedy: "list all language versions in each version's entry",
            wrong: Urlset("<url><loc>https://example.com/de</loc>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en\"/></url>\n\
                <url><loc>https://example.com/en</loc>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en\"/></url>"),
            right: Urlset("<url><loc>https://example.com/de</loc>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en\"/></url>\n\
                <url><loc>https://example.com/en</loc>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en\"/></url>"),
        }
        HreflangNotListed = "hreflang-not-listed", Warning from Google {
            summary: "a language version of a page has no entry of its own",
            reason: "A version without an entry has no link back, so the link to it is ignored unless the \
                page itself has one.",
            remedy: "add an entry for each language version",
            wrong: Urlset("<url><loc>https://example.com/de</loc>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en\"/></url>"),
            right: Urlset("<url><loc>https://example.com/de</loc>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en\"/></url>\n\
                <url><loc>https://example.com/en</loc>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en\"/></url>"),
        }
        HreflangSetsDiffer = "hreflang-sets-differ", Warning from Google {
            summary: "two language versions of a page list different language versions",
            reason: "All versions should list the same versions, or search engines may miss some of them.",
            remedy: "list the same language versions in each version's entry",
            wrong: Urlset("<url><loc>https://example.com/de</loc>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en\"/>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"fr\" href=\"https://example.com/fr\"/></url>\n\
                <url><loc>https://example.com/en</loc>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en\"/></url>\n\
                <url><loc>https://example.com/fr</loc>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"fr\" href=\"https://example.com/fr\"/></url>"),
            right: Urlset("<url><loc>https://example.com/de</loc>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en\"/></url>\n\
                <url><loc>https://example.com/en</loc>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en\"/></url>"),
        }
        HreflangTwice = "hreflang-twice", Warning from Google {
            summary: "a page lists two URLs for one language",
            reason: "Search engines cannot tell which of the two URLs is the version in this language.",
            remedy: "list one URL for each language",
            wrong: Entry("\n\
                <xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/a\"/>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/b\"/>"),
            right: Entry("\n\
                <xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/a\"/>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"en-GB\" href=\"https://example.com/b\"/>"),
        }
        HreflangSameUrl = "hreflang-same-url", Warning from Google {
            summary: "a page lists one URL for several languages",
            reason: "One URL cannot be the version in each of these languages, so search engines have no version to \
                choose. Often the program that wrote the sitemap repeated the URL of the page.",
            remedy: "write the URL of each language's own version",
            wrong: Entry("\n\
                <xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/a\"/>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"es\" href=\"https://example.com/a\"/>"),
            right: Entry("\n\
                <xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/a\"/>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"en-IE\" href=\"https://example.com/a\"/>\n\
                <xhtml:link rel=\"alternate\" hreflang=\"x-default\" href=\"https://example.com/a\"/>"),
        }
        HreflangUnknown = "hreflang-unknown", Warning from Rfc(5646) {
            summary: "a language tag names a language or country that does not exist",
            reason: "Search engines ignore the link. Often the code of a country was written instead of that of its \
                language.",
            remedy: "use a language and a country of the IANA Language Subtag Registry",
            wrong: Entry("\n\
                <xhtml:link rel=\"alternate\" hreflang=\"jp\" href=\"https://example.com/a\"/>"),
            right: Entry("\n\
                <xhtml:link rel=\"alternate\" hreflang=\"ja-JP\" href=\"https://example.com/a\"/>"),
        }
        HreflangRegion = "hreflang-region", Warning from Google {
            summary: "the region of a language tag is not a country, so the link is ignored",
            reason: "Google reads only codes of ISO 3166-1 as regions. The code of the United Kingdom is GB.",
            remedy: "use the code of a country, or the language alone",
            wrong: Entry("\n\
                <xhtml:link rel=\"alternate\" hreflang=\"en-UK\" href=\"https://example.com/a\"/>"),
            right: Entry("\n\
                <xhtml:link rel=\"alternate\" hreflang=\"en-GB\" href=\"https://example.com/a\"/>"),
        }
        HreflangIgnored = "hreflang-ignored", Note from Yandex {
            summary: "some search engines do not read language versions from sitemaps",
            engines: [Yandex],
            reason: "Yandex reads language versions from the pages only.",
            remedy: "also declare the language versions on the pages",
            wrong: Entry("\n<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/a\"/>"),
            right: Entry("<lastmod>2026-01-30</lastmod>"),
        }
        HreflangUnchecked = "hreflang-unchecked", Note from Practice {
            summary: "not all language versions were checked for links back",
            reason: "The links that were not checked may lack a link back.",
            remedy: "raise the limit of pending links",
            wrong: Prose("a set whose language versions are in files of their own, with more pending links \
                than `max_hreflang_pairs` allows"),
            right: Prose("a set that lists the versions of a page near each other"),
        }
    } };
}
