//! The table of all rules: a line of Rust for each, in the order of the documents they are about.

use super::Authority::{Google, Practice, Rfc, Rss, Schema, SitemapsOrg, W3cDatetime, Xml, Yandex};
use super::Row;
use super::Severity::{Error, Note, Warning};

macro_rules! rules {
    ($($rule:ident $id:literal $severity:ident $authority:expr, $summary:literal, $remedy:literal;)+) => {
        /// What a finding is about. New rules may come with any release.
        ///
        /// ```
        /// use sitemap_read::{Rule, Severity};
        ///
        /// let rule: Rule = "loc-too-long".parse()?;
        /// assert_eq!(rule, Rule::LocTooLong);
        /// assert_eq!(rule.severity(), Severity::Error);
        /// assert_eq!(rule.summary(), "a page's address is longer than 2,047 characters");
        /// # Ok::<(), sitemap_read::UnknownRule>(())
        /// ```
        ///
        /// # All rules
        ///
        #[doc = include_str!("rules.md")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Rule {
            $(#[doc = concat!("`", $id, "`: ", $summary, ".")] $rule,)+
        }

        impl Rule {
            /// All rules, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$rule),+];

            pub(super) const fn row(self) -> &'static Row {
                match self {
                    $(Self::$rule => const {
                        &Row {
                            id: $id,
                            severity: $severity,
                            authority: $authority,
                            summary: $summary,
                            remedy: $remedy,
                        }
                    })+
                }
            }
        }
    };
}

// Columns: variant, id, severity, authority, summary, remedy.
rules! {
    // Bytes
    GzipTruncated "gzip-truncated" Error Rfc(1952), "the compressed file ends too early", "upload the whole file";
    GzipDamaged "gzip-damaged" Error Rfc(1952), "the compressed file is damaged or followed by other bytes", "compress and upload the file again";
    GzipTwice "gzip-twice" Warning Rfc(9110), "the file is compressed twice", "serve a `.gz` file without `Content-Encoding: gzip`";
    EncodingNotUtf8 "encoding-not-utf8" Error SitemapsOrg, "the file is not UTF-8", "save the file as UTF-8";
    EncodingMismatch "encoding-mismatch" Error Xml, "the declared encoding is unknown or is not the file's", "declare `encoding=\"UTF-8\"` and save the file so";
    Utf8Invalid "utf8-invalid" Error SitemapsOrg, "some bytes are not UTF-8", "save the file as UTF-8";
    CharacterForbidden "character-forbidden" Error Xml, "a character that XML does not allow, also not as a reference", "remove the character";

    // The document
    DeclarationNotFirst "declaration-not-first" Error Xml, "something stands before `<?xml`", "make `<?xml` the first bytes of the file";
    ContentBeforeRoot "content-before-root" Error Xml, "text stands before the root element", "remove what the server puts before the document";
    ContentAfterRoot "content-after-root" Error Xml, "something follows the root element", "end the file with the root's end tag";
    Doctype "doctype" Warning Practice, "the document has a DOCTYPE, which is skipped and never expanded", "remove the DOCTYPE";
    RootMissing "root-missing" Error SitemapsOrg, "the entries have no `urlset` or `sitemapindex` around them", "wrap the entries in the root element";
    Truncated "truncated" Error Xml, "the document ends before its root element does", "upload the whole file";
    NamespaceMissing "namespace-missing" Error SitemapsOrg, "the sitemap elements are in no namespace", "declare `xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"` on the root";
    NamespaceUnknown "namespace-unknown" Error SitemapsOrg, "the sitemap elements are in a namespace that is not the protocol's", "declare `xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"` on the root";
    NamespaceUndeclared "namespace-undeclared" Error Xml, "a prefix is used that no namespace is declared for", "declare the namespace on the root";
    ExtensionNamespace "extension-namespace" Error Google, "an extension is in a namespace that is not its own", "declare the extension's namespace exactly as documented";
    TooManyEntries "too-many-entries" Error SitemapsOrg, "the file has more than 50,000 entries", "split it and list the parts in an index";

    // The document, as a checker sees it
    FileEmpty "file-empty" Error SitemapsOrg, "the file has no content", "write the root element and at least one entry";
    FileHtml "file-html" Error Practice, "the file is a web page, perhaps an error page", "serve the sitemap itself at this address";
    FileUnknown "file-unknown" Error SitemapsOrg, "the file is no sitemap, index, text sitemap or feed", "serve one of these, plain or as gzip";
    FileUnreadable "file-unreadable" Error Practice, "the file cannot be read", "see the message for why";
    ReadLimit "read-limit" Error Practice, "the file exceeds a limit of the reader and was read no further", "raise the limit if you trust the file";
    TooLarge "too-large" Error SitemapsOrg, "the file is larger than 52,428,800 bytes, in the 0.84 dialect 10,485,760, before compression", "split it and list the parts in an index";
    EmptySitemap "empty-sitemap" Warning Schema, "the file lists nothing", "list at least one entry or remove the file";
    RootPrefixed "root-prefixed" Warning Google, "the root element has a namespace prefix, which is reported as an incorrect namespace", "make the sitemap namespace the default one";
    AttributeUnknown "attribute-unknown" Warning Schema, "an attribute that the protocol does not know", "remove the attribute";
    XsdOrder "xsd-order" Warning Schema, "the elements of an entry are not in the schema's order", "write loc, lastmod, changefreq, priority, then extensions";
    NamespaceOld "namespace-old" Note Google, "an extension's namespace of an earlier edition", "use the namespace of the current edition";
    ExtensionDialect "extension-dialect" Warning Schema, "an extension in a document of the 0.84 dialect, which has none", "use the namespace of 0.9";
    GzipName "gzip-name" Note Practice, "a name with `.gz` for a file that is not compressed", "name it without `.gz` or compress it";
    TextName "text-name" Warning Google, "a text sitemap whose name does not end in `.txt`", "give the file the extension `.txt`";
    FeedAtom03 "feed-atom-03" Warning Google, "Atom 0.3, which is not supported", "publish Atom 1.0, RSS 2.0 or an XML sitemap";
    FeedUnsupported "feed-unsupported" Warning Yandex, "a feed, which is not supported as a sitemap", "publish an XML or text sitemap";
    HintsIgnored "hints-ignored" Note Google, "change frequencies and priorities, which are ignored", "leave them out if you write for these engines only";

    // Markup
    TagCase "tag-case" Error Xml, "an element's name is not in lower case", "write element names as the protocol does";
    TagUnclosed "tag-unclosed" Error Xml, "an element is not closed", "close the element";
    TagUnmatched "tag-unmatched" Error Xml, "an end tag has no start tag", "remove or correct the end tag";
    TagMalformed "tag-malformed" Error Xml, "a tag is not well-formed", "correct the tag";
    MarkupStray "markup-stray" Error Xml, "a `<` that begins no markup", "write `&lt;`";
    AmpersandRaw "ampersand-raw" Error SitemapsOrg, "an `&` is not escaped", "write `&amp;`";
    EntityUnknown "entity-unknown" Error Xml, "an entity that XML does not predefine", "write the character itself, or `&amp;` for an `&`";
    TextStray "text-stray" Warning Schema, "text stands between elements", "remove the text";
    ElementUnknown "element-unknown" Warning Schema, "an element that the protocol does not know", "remove the element, or give it a namespace of its own";
    ElementMisplaced "element-misplaced" Error SitemapsOrg, "an element stands where the protocol has no place for it", "list pages as `url` in a urlset and sitemaps as `sitemap` in an index";
    ElementDuplicate "element-duplicate" Error SitemapsOrg, "an element stands twice in one entry; the first counts", "keep one of them";

    // loc
    LocMissing "loc-missing" Error SitemapsOrg, "an entry has no address", "add `<loc>` with the page's URL";
    LocEmpty "loc-empty" Error SitemapsOrg, "an entry's address is empty", "write the page's URL into `<loc>`";
    LocAsText "loc-as-text" Error SitemapsOrg, "an entry's address is not in a `loc` element", "wrap the URL in `<loc>`";
    LocTwice "loc-twice" Error SitemapsOrg, "one entry has two addresses; each is read as an entry", "write one `<url>` for each page";
    LocTruncated "loc-truncated" Error Xml, "the document ends in the midst of an address", "upload the whole file";
    LocRelative "loc-relative" Error SitemapsOrg, "an address is not absolute", "begin it with `https://` or `http://` and the host";
    LocScheme "loc-scheme" Error SitemapsOrg, "an address is neither http nor https", "list http and https URLs only";
    LocHost "loc-host" Error Rfc(3986), "an address has no valid host", "correct the host name";
    LocPort "loc-port" Error Rfc(3986), "an address has an invalid port", "correct or remove the port";
    LocCredentials "loc-credentials" Error Rfc(9110), "an address holds a user name or password", "remove all before the `@`";
    LocCharacter "loc-character" Error Rfc(3986), "an address holds a line break or another character that no URL can hold", "write the URL on one line and percent-encode it";
    LocDotSegment "loc-dot-segment" Warning Rfc(3986), "an address has `.` or `..` segments", "write the address that they lead to";
    LocTooLong "loc-too-long" Error SitemapsOrg, "a page's address is longer than 2,047 characters", "shorten the URL";

    LocTooLongYandex "loc-too-long-yandex" Warning Yandex, "an address is longer than 1,024 characters", "shorten the URL";
    LocTooShort "loc-too-short" Warning Schema, "an address is shorter than 12 characters", "write the slash after the host";
    LocNotEncoded "loc-not-encoded" Warning Rfc(3986), "an address has characters that must be percent-encoded", "percent-encode them";
    LocDoubleEscaped "loc-double-escaped" Warning SitemapsOrg, "an address was escaped twice", "escape each value once";
    LocFragment "loc-fragment" Warning Practice, "an address has a fragment, which crawlers ignore", "list the address without `#` and what follows";
    DuplicateLoc "duplicate-loc" Warning Practice, "a page is listed twice in one file", "list each page once";
    PageInTwoFiles "page-in-two-files" Warning Practice, "a page is listed in two files of a set", "list each page once";
    OutOfScope "out-of-scope" Error SitemapsOrg, "a page that a sitemap at this place may not list", "list it in a sitemap of its own site, at or above its directory";
    MixedHosts "mixed-hosts" Error SitemapsOrg, "the pages of one file are of several hosts", "write one sitemap for each host";
    CrossSubmission "cross-submission" Warning Yandex, "pages of another host, for which there is no exception", "list them in a sitemap of their own host";

    // lastmod, changefreq, priority
    LastModInvalid "lastmod-invalid" Error W3cDatetime, "a date that is no W3C datetime and cannot be read", "write it like `2024-03-09` or `2024-03-09T16:05:30Z`";
    LastModNoZone "lastmod-no-zone" Error W3cDatetime, "a time without an offset; UTC is assumed", "add `Z` or an offset like `+01:00`";
    LastModLowerCase "lastmod-lower-case" Error W3cDatetime, "`t` or `z` in lower case", "write `T` and `Z`";
    LastModBlank "lastmod-blank" Error W3cDatetime, "a blank within a date", "write `T` between date and time and no blank before the offset";
    LastModOffset "lastmod-offset" Error W3cDatetime, "an offset that is not written `+hh:mm`", "write the offset like `+01:00`";
    LastModDateZone "lastmod-date-zone" Error W3cDatetime, "a date without a time has an offset, which is ignored", "remove the offset";
    LastMod24 "lastmod-24" Error W3cDatetime, "the hour 24, read as the next day's midnight", "write `00:00:00` of the next day";
    LastModMail "lastmod-mail" Error W3cDatetime, "a date in the form of e-mail and RSS", "write it like `2024-03-09T16:05:30Z`";
    ChangeFreqCase "changefreq-case" Error Schema, "a change frequency is not in lower case", "write it in lower case";
    ChangeFreqUnknown "changefreq-unknown" Error SitemapsOrg, "a change frequency that the protocol does not know; it is left out", "use always, hourly, daily, weekly, monthly, yearly or never";
    PriorityInvalid "priority-invalid" Error SitemapsOrg, "a priority that is no number from 0.0 to 1.0; it is left out", "write a decimal number from 0.0 to 1.0";
    ValueTooLongYandex "value-too-long-yandex" Warning Yandex, "a date, change frequency or priority of more than 100 bytes", "write the value alone, without needless digits";
    ValueEmpty "value-empty" Warning Schema, "an element is empty and is left out", "remove the element";

    LastModPartial "lastmod-partial" Note Schema, "a date without a day, which the schema does not allow", "write it like `2024-03-09`";
    LastModMinutes "lastmod-minutes" Note Schema, "a time without seconds, which the schema does not allow", "write it like `2024-03-09T16:05:30Z`";
    LastModFuture "lastmod-future" Warning SitemapsOrg, "a last change that is still to come", "write when the page last changed";
    LastModAncient "lastmod-ancient" Warning Practice, "a last change before there were web pages", "leave the date out where it is not known";
    LastModAllEqual "lastmod-all-equal" Warning Google, "all pages of a file have the same last change, as if it were the time of writing", "write when each page last changed";
    ChangeFreqBlank "changefreq-blank" Warning Schema, "white space around a change frequency, which the schema does not allow", "write it without white space";
    PriorityAllEqual "priority-all-equal" Note SitemapsOrg, "all pages of a file have the same priority, which then says nothing", "leave the priority out or grade it";

    // Extensions
    ExtensionInvalid "extension-invalid" Error Google, "an extension's value is invalid; it is left out", "correct the value";
    ExtensionIncomplete "extension-incomplete" Error Google, "an extension lacks a required value and is left out", "add the value";

    TooManyImages "too-many-images" Error Google, "a page has more than 1,000 images", "list the most important ones";
    ImageDeprecated "image-deprecated" Note Google, "values of images that are read no more since 2022", "keep `image:loc` only";
    VideoConflict "video-conflict" Error Google, "values of a video contradict each other or their page", "correct the value";
    VideoDeprecated "video-deprecated" Note Google, "values of videos that are read no more since 2022", "remove them";
    VideoExpired "video-expired" Warning Google, "a video that is no longer available", "remove the video";
    NewsTooMany "news-too-many" Error Google, "a file has more than 1,000 articles", "split it";
    NewsTooOld "news-too-old" Error Google, "an article that is older than two days", "remove the entry or its news";
    NewsFuture "news-future" Warning Google, "an article that is still to be published", "write when it was first published";
    NewsDateMinutes "news-date-minutes" Note Schema, "a publication date without seconds, which the schema does not allow", "write it like `2024-03-09T16:05:30Z`";

    // Versions for other languages
    HreflangNoSelf "hreflang-no-self" Error Google, "a page's versions do not include itself", "list all versions on each of them, itself included";
    HreflangNotReciprocal "hreflang-not-reciprocal" Error Google, "a version that does not point back, so that the pair is ignored", "list all versions on each of them";
    HreflangNotListed "hreflang-not-listed" Warning Google, "a version of a page has no entry of its own", "list each version as a page, too";
    HreflangSetsDiffer "hreflang-sets-differ" Warning Google, "two versions of a page list different versions", "list the same versions on each of them";
    HreflangTwice "hreflang-twice" Warning Google, "one language has two addresses", "give one address for each language";
    HreflangRegion "hreflang-region" Warning Google, "a language with a region that is no country, which is ignored", "name a country, or the language alone";
    HreflangIgnored "hreflang-ignored" Note Yandex, "versions for other languages, which are not read from sitemaps", "name them on the pages, too";
    HreflangUnchecked "hreflang-unchecked" Note Practice, "not all versions were checked to point back", "raise the number of pairs that may wait";

    // Whole sets
    ChildMissing "child-missing" Error SitemapsOrg, "a sitemap of an index cannot be had", "publish the file or remove it from the index";
    ChildForeign "child-foreign" Error SitemapsOrg, "a sitemap of an index is on another host", "list it in an index of its own host";
    ChildOutside "child-outside" Warning Google, "a sitemap of an index is not in its directory", "put the index at or above its sitemaps";
    DuplicateChild "duplicate-child" Warning Practice, "an index lists a sitemap twice", "list each sitemap once";
    NestedIndex "nested-index" Error SitemapsOrg, "an index lists an index", "list the sitemaps themselves";
    IndexTooDeep "index-too-deep" Error Practice, "indexes are nested too deep to be followed", "list the sitemaps themselves";
    IndexLoop "index-loop" Error Practice, "an index lists an index that leads to it", "list the sitemaps themselves";
    IndexOver1000 "index-over-1000" Note Schema, "an index has more than 1,000 sitemaps, all that the schema of 2006 allowed", "ignore this unless you write for old readers";
    IndexLastModStale "index-lastmod-stale" Warning SitemapsOrg, "an index says that a sitemap is older than a page in it", "write when the sitemap file last changed";
    TooManyChildren "too-many-children" Error Practice, "the set has more sitemaps than are opened", "raise the limit to check all";
    MixedDialects "mixed-dialects" Warning SitemapsOrg, "one set or even one document is in both dialects, 0.9 and 0.84", "use one namespace in the whole set";

    // Other formats
    TextLineInvalid "text-line-invalid" Error SitemapsOrg, "a line of a text sitemap is no URL", "write one absolute URL a line and nothing else";
    FeedLinkRelative "feed-link-relative" Warning Rss, "a feed's link is relative and was resolved", "write absolute URLs";
    FeedDate "feed-date" Note Rss, "a feed's date is in another format than its specification says", "use RFC 822 dates in RSS and RFC 3339 dates in Atom";
}
