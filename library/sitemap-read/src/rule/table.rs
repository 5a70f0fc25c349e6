//! The table of all rules, one line each, grouped by the part of a document that a rule checks.

use super::Authority::{Google, Practice, Rfc, Rss, Schema, SitemapsOrg, W3cDatetime, Xml, Yandex};
use super::Row;
use super::RuleGroup;
use super::Severity::{Error, Note, Warning};

macro_rules! rules {
    ($([$group:ident] $($rule:ident $id:literal $severity:ident $authority:expr, $summary:literal, $remedy:literal;)+)+) => {
        /// A rule that a [`Finding`](crate::Finding) reports as broken. Any release may add rules.
        ///
        /// ```
        /// use sitemap_read::{Rule, Severity};
        ///
        /// let rule: Rule = "loc-too-long".parse()?;
        /// assert_eq!(rule, Rule::LocTooLong);
        /// assert_eq!(rule.severity(), Severity::Error);
        /// assert_eq!(rule.summary(), "a URL is longer than 2,047 characters");
        /// assert_eq!(rule.remedy(), "shorten the URL");
        /// # Ok::<(), sitemap_read::UnknownRule>(())
        /// ```
        ///
        /// # All rules
        ///
        #[doc = include_str!("rules.md")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Rule {
            $($(#[doc = concat!("`", $id, "`: ", $summary, ".")] $rule,)+)+
        }

        impl Rule {
            /// All rules, in the order of the table in the documentation of [`Rule`].
            pub const ALL: &'static [Self] = &[$($(Self::$rule),+),+];

            pub(super) const fn row(self) -> &'static Row {
                match self {
                    $($(Self::$rule => const {
                        &Row {
                            group: RuleGroup::$group,
                            id: $id,
                            severity: $severity,
                            authority: $authority,
                            summary: $summary,
                            remedy: $remedy,
                        }
                    })+)+
                }
            }
        }
    };
}

// The group in brackets, then its rules. Columns: variant, id, severity, authority, summary, remedy.
rules! {
    [Bytes]
    GzipTruncated "gzip-truncated" Error Rfc(1952), "the compressed file ends too early", "upload the whole file";
    GzipDamaged "gzip-damaged" Error Rfc(1952), "the compressed file is damaged, or other bytes follow it", "compress and upload the file again";
    GzipTwice "gzip-twice" Warning Rfc(9110), "the file is compressed twice", "serve a `.gz` file without `Content-Encoding: gzip`";
    EncodingNotUtf8 "encoding-not-utf8" Error SitemapsOrg, "the file is not UTF-8", "save the file as UTF-8";
    EncodingMismatch "encoding-mismatch" Error Xml, "the declared encoding is unknown or does not match the bytes of the file", "declare `encoding=\"UTF-8\"` and save the file as UTF-8";
    Utf8Invalid "utf8-invalid" Error SitemapsOrg, "some bytes are not valid UTF-8", "save the file as UTF-8";
    CharacterForbidden "character-forbidden" Error Xml, "the file contains a character or a character reference that XML does not allow", "remove the character";

    [Document]
    DeclarationNotFirst "declaration-not-first" Error Xml, "something precedes `<?xml`", "start the file with `<?xml`";
    ContentBeforeRoot "content-before-root" Error Xml, "text precedes the root element", "remove everything before `<?xml` or the root element";
    ContentAfterRoot "content-after-root" Error Xml, "content follows the root element", "end the file with the root's end tag";
    DeclarationMalformed "declaration-malformed" Error Xml, "the XML declaration is not well-formed", "write `<?xml version=\"1.0\" encoding=\"UTF-8\"?>`";
    Doctype "doctype" Warning Practice, "the document has a DOCTYPE, whose declarations are ignored", "remove the DOCTYPE";
    RootMissing "root-missing" Error SitemapsOrg, "the entries are not inside a `urlset` or `sitemapindex`", "wrap the entries in a `urlset` or `sitemapindex` element";
    Truncated "truncated" Error Xml, "the document ends before its root element is closed", "upload the whole file";
    NamespaceMissing "namespace-missing" Error SitemapsOrg, "the sitemap elements have no namespace", "declare `xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"` on the root";
    NamespaceUnknown "namespace-unknown" Error SitemapsOrg, "the namespace of the sitemap elements is not the protocol's", "declare `xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"` on the root";
    NamespaceUndeclared "namespace-undeclared" Error Xml, "a namespace prefix is not declared", "declare the prefix with an `xmlns:` attribute on the root";
    ExtensionNamespace "extension-namespace" Error Google, "the elements of an extension are in the wrong namespace", "declare the extension's namespace exactly as the extension's documentation spells it";
    TooManyEntries "too-many-entries" Error SitemapsOrg, "the file has more than 50,000 entries", "split the file and list the parts in a sitemap index";

    // The document (only the checker reports these rules)
    FileEmpty "file-empty" Error SitemapsOrg, "the file has no content", "write the root element and at least one entry";
    FileHtml "file-html" Error Practice, "the file is a web page, perhaps an error page", "serve the sitemap itself at this URL";
    FileUnknown "file-unknown" Error SitemapsOrg, "the file is not an XML sitemap, a sitemap index, a text sitemap or a feed", "serve an XML sitemap, a sitemap index, a text sitemap or a feed, plain or gzip-compressed";
    FileUnreadable "file-unreadable" Error Practice, "the file cannot be read", "correct the error that the message names";
    ReadLimit "read-limit" Error Practice, "the file exceeds a limit of the reader, so the rest was not read", "raise the limit of the reader if you trust the file";
    TooLarge "too-large" Error SitemapsOrg, "the file is larger than 52,428,800 bytes (10,485,760 in the 0.84 dialect) before compression", "split the file and list the parts in a sitemap index";
    EmptySitemap "empty-sitemap" Warning Schema, "the file has no entries", "list at least one entry or remove the file";
    RootPrefixed "root-prefixed" Warning Google, "the root element has a namespace prefix, which some search engines report as an incorrect namespace", "declare the sitemap namespace without a prefix";
    AttributeUnknown "attribute-unknown" Warning Schema, "an attribute is not part of the protocol", "remove the attribute";
    XsdOrder "xsd-order" Warning Schema, "the elements of an entry are not in the schema's order", "write `loc`, `lastmod`, `changefreq`, `priority`, then extensions";
    NamespaceOld "namespace-old" Note Google, "an extension is declared with the namespace of an older edition", "declare the namespace of the extension's current edition";
    ExtensionDialect "extension-dialect" Warning Schema, "an extension is used in the 0.84 dialect, which has no extensions", "use the 0.9 dialect";
    GzipName "gzip-name" Note Practice, "the file name ends in `.gz`, but the file is not compressed", "remove `.gz` from the name or compress the file";
    TextName "text-name" Warning Google, "the name of a text sitemap does not end in `.txt`", "give the file the extension `.txt`";
    FeedAtom03 "feed-atom-03" Warning Google, "the feed is Atom 0.3, which some search engines do not support", "publish Atom 1.0, RSS 2.0 or an XML sitemap";
    FeedUnsupported "feed-unsupported" Warning Yandex, "the file is a feed, which some search engines do not support as a sitemap", "publish an XML or text sitemap";
    HintsIgnored "hints-ignored" Note Google, "search engines ignore `changefreq` and `priority`", "omit `changefreq` and `priority` if you write for Google and Bing only";

    [Markup]
    TagCase "tag-case" Error Xml, "the letter case of an element name is wrong", "write the element name in the letter case of its specification";
    TagUnclosed "tag-unclosed" Error Xml, "an element is not closed", "close the element";
    TagUnmatched "tag-unmatched" Error Xml, "an end tag has no start tag", "remove or correct the end tag";
    TagMalformed "tag-malformed" Error Xml, "a tag is not well-formed", "correct the tag";
    MarkupStray "markup-stray" Error Xml, "a `<` does not start a tag", "write `&lt;`";
    AmpersandRaw "ampersand-raw" Error SitemapsOrg, "an `&` is not escaped", "write `&amp;`";
    EntityUnknown "entity-unknown" Error Xml, "an entity is not one of the five that XML predefines", "write the character itself, or `&amp;` for an `&`";
    AttributeTwice "attribute-twice" Error Xml, "a tag has an attribute twice", "keep one of the two attributes";
    CommentDashes "comment-dashes" Error Xml, "a comment contains `--`", "replace `--` by a single dash, and end the comment with `-->`";
    CDataEnd "cdata-end" Error Xml, "text contains `]]>`", "write `]]&gt;`";
    InstructionMalformed "instruction-malformed" Error Xml, "a processing instruction is not well-formed", "correct or remove the processing instruction";
    DoctypeMalformed "doctype-malformed" Error Xml, "the DOCTYPE is not well-formed", "remove the DOCTYPE";
    EntityMalformed "entity-malformed" Error Xml, "an entity that the DOCTYPE declares cannot be used where it is", "write the text itself and remove the DOCTYPE";
    NamespaceInvalid "namespace-invalid" Error Xml, "a name or declaration breaks the rules of namespaces", "correct the name or the declaration";
    TextStray "text-stray" Warning Schema, "text appears between elements", "remove the text";
    ElementUnknown "element-unknown" Warning Schema, "an element is not part of the protocol", "remove the element or move it to another namespace";
    ElementMisplaced "element-misplaced" Error SitemapsOrg, "an element is in a place where the protocol does not allow it", "list pages as `url` in a urlset, and sitemaps as `sitemap` in a sitemap index";
    ElementDuplicate "element-duplicate" Error SitemapsOrg, "an element occurs a second time in one entry and is ignored", "keep one of the two elements";

    [Loc]
    LocMissing "loc-missing" Error SitemapsOrg, "an entry has no `loc`", "add `<loc>` with the page's URL";
    LocEmpty "loc-empty" Error SitemapsOrg, "the `loc` of an entry is empty", "write the page's URL into `<loc>`";
    LocAsText "loc-as-text" Error SitemapsOrg, "the URL of an entry is not in a `loc` element", "wrap the URL in `<loc>`";
    LocTwice "loc-twice" Error SitemapsOrg, "an entry has two URLs and is read as two entries", "write one `<url>` for each page";
    LocTruncated "loc-truncated" Error Xml, "the document ends inside a URL", "upload the whole file";
    LocRelative "loc-relative" Error SitemapsOrg, "a URL is not absolute", "start the URL with `https://` or `http://` and the host";
    LocScheme "loc-scheme" Error SitemapsOrg, "a URL is neither http nor https", "list http and https URLs only";
    LocHost "loc-host" Error Rfc(3986), "a URL has no valid host", "correct the host name";
    LocPort "loc-port" Error Rfc(3986), "a URL has an invalid port", "correct or remove the port";
    LocCredentials "loc-credentials" Error Rfc(9110), "a URL has a user name or password", "remove the user name, the password and the `@`";
    LocCharacter "loc-character" Error Rfc(3986), "a URL has a line break or another character that no URL can contain", "write the URL on one line and percent-encode the forbidden characters";
    LocDotSegment "loc-dot-segment" Warning Rfc(3986), "a URL has `.` or `..` segments", "write the URL without `.` and `..` segments";
    LocTooLong "loc-too-long" Error SitemapsOrg, "a URL is longer than 2,047 characters", "shorten the URL";

    LocTooLongYandex "loc-too-long-yandex" Warning Yandex, "a URL is longer than 1,024 characters", "shorten the URL";
    LocTooShort "loc-too-short" Warning Schema, "a URL is shorter than 12 characters", "write the slash after the host, as in `http://a.io/`";
    LocNotEncoded "loc-not-encoded" Warning Rfc(3986), "a URL has characters that must be percent-encoded", "percent-encode these characters";
    LocDoubleEscaped "loc-double-escaped" Warning SitemapsOrg, "a URL is escaped twice", "escape the URL once";
    LocFragment "loc-fragment" Warning Practice, "a URL has a fragment, which crawlers ignore", "remove the `#` and everything after it";
    DuplicateLoc "duplicate-loc" Warning Practice, "a page is listed twice in one file", "list each page once";
    PageInTwoFiles "page-in-two-files" Warning Practice, "a page is listed in two files of a set", "list each page once";
    RecentDateDiffers "recent-date-differs" Warning Practice, "the recent section repeats a page with another date than its own file", "publish all pages of the set again";
    OutOfScope "out-of-scope" Error SitemapsOrg, "a page is outside the scope of its sitemap", "list the page in a sitemap on the page's host, in the page's directory or above";
    MixedHosts "mixed-hosts" Error SitemapsOrg, "the pages of one file are on several hosts", "write one sitemap for each host";
    CrossSubmission "cross-submission" Warning Yandex, "a page is on another host than its sitemap, which some search engines do not support", "list the page in a sitemap on the page's host";

    [LastMod]
    LastModInvalid "lastmod-invalid" Error W3cDatetime, "a date is not a W3C datetime and cannot be read", "write the date like `2024-03-09` or `2024-03-09T16:05:30Z`";
    LastModNoZone "lastmod-no-zone" Error W3cDatetime, "a time has no offset and is read as UTC", "add `Z` or an offset like `+01:00`";
    LastModLowerCase "lastmod-lower-case" Error W3cDatetime, "a date has `t` or `z` in lower case", "write `T` and `Z`";
    LastModBlank "lastmod-blank" Error W3cDatetime, "a date contains a blank", "write `T` between date and time and no blank before the offset";
    LastModOffset "lastmod-offset" Error W3cDatetime, "an offset has a form other than `+hh:mm`", "write the offset like `+01:00`";
    LastModDateZone "lastmod-date-zone" Error W3cDatetime, "a date without a time has an offset, which is ignored", "remove the offset";
    LastMod24 "lastmod-24" Error W3cDatetime, "the hour of a time is 24, which is read as midnight of the next day", "write `00:00:00` of the next day";
    LastModMail "lastmod-mail" Error W3cDatetime, "a date is in the format of e-mail and RSS", "write the date like `2024-03-09T16:05:30Z`";
    ChangeFreqCase "changefreq-case" Error Schema, "a change frequency is not in lower case", "write the change frequency in lower case";
    ChangeFreqUnknown "changefreq-unknown" Error SitemapsOrg, "a change frequency is not a word of the protocol and is ignored", "use always, hourly, daily, weekly, monthly, yearly or never";
    PriorityInvalid "priority-invalid" Error SitemapsOrg, "a priority is not a number from 0.0 to 1.0 and is ignored", "write a decimal number from 0.0 to 1.0";
    ValueTooLongYandex "value-too-long-yandex" Warning Yandex, "a date, change frequency or priority is longer than 100 bytes", "write only the value, without needless digits";
    ValueEmpty "value-empty" Warning Schema, "an element is empty and is ignored", "remove the element";

    LastModPartial "lastmod-partial" Note Schema, "a date has no day, although the schema requires one", "write the date like `2024-03-09`";
    LastModMinutes "lastmod-minutes" Note Schema, "a time has no seconds, although the schema requires them", "write the date like `2024-03-09T16:05:30Z`";
    LastModFuture "lastmod-future" Warning SitemapsOrg, "a `lastmod` is in the future", "write the date of the page's last change";
    LastModAncient "lastmod-ancient" Warning Practice, "a `lastmod` is older than the first web page", "omit `lastmod` if the date is not known";
    LastModAllEqual "lastmod-all-equal" Warning Google, "all pages of a file have the same `lastmod`, probably the time when the file was written", "write the date of each page's last change";
    ChangeFreqBlank "changefreq-blank" Warning Schema, "a change frequency has white space around it, which the schema does not allow", "remove the white space around the change frequency";
    PriorityAllEqual "priority-all-equal" Note SitemapsOrg, "all pages of a file have the same priority, so the priorities have no effect", "omit the priorities or let them differ";

    [Extensions]
    ExtensionInvalid "extension-invalid" Error Google, "a value of an extension is invalid", "correct the value";
    ExtensionIncomplete "extension-incomplete" Error Google, "an extension lacks a required value", "add the value";

    TooManyImages "too-many-images" Error Google, "a page has more than 1,000 images", "list only the most important images";
    ImageDeprecated "image-deprecated" Note Google, "an image has values that search engines have not read since 2022", "keep only `image:loc`";
    VideoConflict "video-conflict" Error Google, "the values of a video conflict with each other or with the page", "correct the values that conflict";
    VideoDeprecated "video-deprecated" Note Google, "a video has values that search engines have not read since 2022", "remove these values";
    VideoExpired "video-expired" Warning Google, "a video has expired", "remove the video";
    NewsTooMany "news-too-many" Error Google, "a file has more than 1,000 news articles", "split the file";
    NewsTooOld "news-too-old" Error Google, "a news article is older than two days", "remove the entry or its `news:news` element";
    NewsFuture "news-future" Warning Google, "the publication date of a news article is in the future", "write the date of the article's first publication";
    NewsDateMinutes "news-date-minutes" Note Schema, "a publication date has no seconds, although the schema requires them", "write the date like `2024-03-09T16:05:30Z`";

    [Language]
    HreflangNoSelf "hreflang-no-self" Error Google, "the language versions of a page do not include the page itself", "list all language versions in each version's entry, including the version itself";
    HreflangNotReciprocal "hreflang-not-reciprocal" Error Google, "a language version does not link back to the page, so the page's link is ignored", "list all language versions in each version's entry";
    HreflangNotListed "hreflang-not-listed" Warning Google, "a language version of a page has no entry of its own", "add an entry for each language version";
    HreflangSetsDiffer "hreflang-sets-differ" Warning Google, "two language versions of a page list different language versions", "list the same language versions in each version's entry";
    HreflangTwice "hreflang-twice" Warning Google, "a page lists two URLs for one language", "list one URL for each language";
    HreflangRegion "hreflang-region" Warning Google, "the region of a language tag is not a country, so the link is ignored", "use the code of a country, or the language alone";
    HreflangIgnored "hreflang-ignored" Note Yandex, "some search engines do not read language versions from sitemaps", "also declare the language versions on the pages";
    HreflangUnchecked "hreflang-unchecked" Note Practice, "not all language versions were checked for links back", "raise the limit of pending links";

    [Sets]
    ChildMissing "child-missing" Error SitemapsOrg, "a child sitemap cannot be opened", "publish the file or remove it from the index";
    ChildOtherHost "child-other-host" Error SitemapsOrg, "a child sitemap is on another host", "list the child sitemap in an index on the same host";
    ChildOutside "child-outside" Warning Google, "a child sitemap is outside the directory of its index", "put the index into the directory of its child sitemaps or above";
    DuplicateChild "duplicate-child" Warning Practice, "an index lists a child sitemap twice", "list each sitemap once";
    NestedIndex "nested-index" Error SitemapsOrg, "an index lists another index", "list the other index's child sitemaps directly";
    IndexTooDeep "index-too-deep" Error Practice, "an index is nested too deeply, so its child sitemaps were not checked", "list all child sitemaps directly in one index";
    IndexLoop "index-loop" Error Practice, "an index lists itself or one of its parent indexes", "remove this entry from the index";
    IndexOver1000 "index-over-1000" Note Schema, "an index lists more than 1,000 sitemaps, which the schema of 2006 did not allow", "split the index only if you write for programs that use the schema of 2006";
    IndexLastModStale "index-lastmod-stale" Warning SitemapsOrg, "the `lastmod` of a child sitemap is older than the `lastmod` of a page in it", "write the date of the sitemap file's last change";
    TooManyChildren "too-many-children" Error Practice, "the set has more child sitemaps than the check opens", "raise the limit to check all child sitemaps";
    MixedDialects "mixed-dialects" Warning SitemapsOrg, "one set or one document mixes the dialects 0.9 and 0.84", "use one namespace in the whole set";

    [Formats]
    TextLineInvalid "text-line-invalid" Error SitemapsOrg, "a line of a text sitemap is not a URL", "write one absolute URL on each line and nothing else";
    FeedLinkRelative "feed-link-relative" Warning Rss, "a link of a feed is relative and is resolved against the feed's own link", "write absolute URLs";
    FeedDate "feed-date" Note Rss, "a date of a feed is not in the format of the feed's specification", "use RFC 822 dates in RSS and RFC 3339 dates in Atom";

    // The crate `sitemap-pages` reports these rules, the checker does not.
    [Pages]
    PageMissing "page-missing" Error Google, "a listed page does not exist", "restore the page or remove its entry";
    PageFailing "page-failing" Error Google, "a listed page cannot be fetched", "repair the page or its server";
    PageThrottled "page-throttled" Warning Rfc(6585), "the server refuses requests (status 429) or stopped answering, so a listed page was not checked", "check again later, with fewer requests at a time";
    PageBlocked "page-blocked" Error Rfc(9309), "robots.txt does not allow this crawler to fetch a listed page", "allow the page in robots.txt or remove its entry";
    PageRobotsUnreachable "page-robots-unreachable" Error Rfc(9309), "robots.txt cannot be fetched, so crawlers fetch no page of the host", "serve robots.txt, or answer its URL with 404 if you have no rules";
    PageRedirected "page-redirected" Error Google, "a listed page redirects permanently to another URL", "list the URL that the redirect leads to";
    PageRedirectedTemporarily "page-redirected-temporarily" Warning Google, "a listed page redirects temporarily to another URL", "list the other URL, or serve the page at the listed URL";
    PageRedirectChain "page-redirect-chain" Error Google, "a listed page leads through several redirects to another URL", "list the last URL, and redirect directly to it";
    PageRedirectLoop "page-redirect-loop" Error Google, "the redirects of a listed page do not lead to a page", "correct the redirects or remove the entry";
    PageLogin "page-login" Error Google, "a listed page refuses access (status 401, 403 or 407) or asks for a password", "let crawlers read the page or remove its entry";
    PageNotAPage "page-not-a-page" Warning Google, "a listed URL does not lead to a page or document", "list only pages and documents that people read";
    PageSoft404 "page-soft-404" Warning Google, "a listed page looks like the answer to a URL that does not exist", "if the page does not exist, answer with 404 and remove its entry";
    PageNoindex "page-noindex" Error Google, "a listed page asks search engines not to index it", "remove the `noindex` or the entry";
    PageNoindexAgent "page-noindex-agent" Warning Google, "a listed page asks one search engine not to index it", "remove the `noindex` if it is not intended";
    PageNoindexUnclear "page-noindex-unclear" Warning Practice, "a listed page has a `noindex` that not all search engines read", "remove the `noindex`, or write it into the head with commas between the directives and remove the entry";
    PageNoindexEverywhere "page-noindex-everywhere" Error Practice, "most listed pages of a host ask search engines not to index them", "remove the `noindex`, which may come from a setting for test systems";
    PageExpired "page-expired" Error Google, "the date in `unavailable_after` of a listed page has passed", "remove the `unavailable_after` or the entry";
    PageExpiryInvalid "page-expiry-invalid" Warning Google, "the date in `unavailable_after` of a listed page is not a date, so search engines ignore it", "write a date as in ISO 8601, such as `2027-01-31`";
    PageCanonicalElsewhere "page-canonical-elsewhere" Error Google, "a listed page names another URL as its canonical", "list the canonical URL, or name the listed URL as the canonical";
    PageCanonicalBroken "page-canonical-broken" Error Google, "the canonical of a listed page is a URL that cannot be indexed", "name a canonical that answers 200 and can be indexed";
    PageCanonicalSeveral "page-canonical-several" Warning Google, "a listed page names several canonicals, so search engines may ignore all of them", "name one canonical";
    PageCanonicalInvalid "page-canonical-invalid" Warning Google, "a canonical of a listed page is not a URL", "write the absolute URL of the canonical";
    PageCanonicalBody "page-canonical-body" Warning Google, "a listed page names a canonical in its body, where search engines ignore it", "move the canonical into the head";
    PageRefresh "page-refresh" Warning Google, "a listed page sends its visitors to another URL", "list the other URL, or remove the refresh";
    PageEmptyWithoutJavaScript "page-empty-without-javascript" Note Google, "a listed page looks empty without JavaScript, so its content was not checked", "serve the content as HTML";
    PageDuplicate "page-duplicate" Warning Google, "a listed page has the same main content as another listed page", "list one of the pages, and name it as the canonical of the others";
    PageHreflangNoReturn "page-hreflang-no-return" Error Google, "a language version that a page names does not link back, so the link is ignored", "name all language versions on each version";
    PageHreflangNoSelf "page-hreflang-no-self" Warning Google, "the language versions that a page names do not include the page itself", "name all language versions on each version, including the version itself";
    PageHreflangBroken "page-hreflang-broken" Warning Google, "a language version that a page names cannot be indexed", "name language versions that answer 200 and can be indexed";
    PageHreflangDiffers "page-hreflang-differs" Warning Google, "a page names other language versions than its entry in the sitemap", "name the same language versions in both places, or use one place";
    PageLastModOld "page-lastmod-old" Warning Google, "the content of a page changed after its `lastmod`", "write the date of the page's last change";
    PageLastModUnfounded "page-lastmod-unfounded" Warning Google, "the `lastmod` of a page is newer than the last change of its content", "write the date of the page's last change, not that of the last build";
    PageLastModDiffers "page-lastmod-differs" Warning Google, "the `lastmod` of a page differs from the date that the page states", "write the same date in both places";
    PageOrphan "page-orphan" Warning Practice, "no crawled page links to a listed page", "link to the URL that is listed, or remove its entry";
    PageUnlisted "page-unlisted" Warning Practice, "a page that is linked and can be indexed is not listed", "list the page, or mark it `noindex`";
    PageCrawlIncomplete "page-crawl-incomplete" Note Practice, "the crawl is not complete or not recent, so it cannot tell which pages are not linked or not listed", "continue the crawl if it was interrupted, or crawl again, with higher limits if it reached some";

    // A move (`check --moved-to`)
    MoveMissing "move-missing" Error Google, "an old URL answers with an error (a status from 400 to 499, except 429) and does not redirect", "redirect the old URL permanently to the page that replaces it";
    MoveNotRedirected "move-not-redirected" Error Google, "an old URL still answers and does not redirect", "redirect the old URL permanently to its new page";
    MoveTemporary "move-temporary" Error Google, "an old URL leads to its new page by a temporary redirect or a refresh", "use a permanent redirect, with status 301 or 308";
    MoveChain "move-chain" Error Google, "an old URL leads through several redirects to its new page", "redirect the old URL directly to its new page";
    MoveLoop "move-loop" Error Google, "the redirects of an old URL do not lead to a page", "redirect the old URL directly to its new page";
    MoveFailing "move-failing" Error Google, "an old URL cannot be fetched", "repair the server of the old URLs, and check again";
    MoveBlocked "move-blocked" Error Rfc(9309), "robots.txt does not allow this crawler to follow an old URL to its new page, or cannot be fetched", "allow both URLs in robots.txt, and let the server answer it with 200 or 404";
    MoveNotListed "move-not-listed" Error Practice, "an old URL leads to a page that the new set does not list", "redirect the old URL to a listed page, or list the page";
    MoveTargetBroken "move-target-broken" Error Google, "an old URL leads to a page that cannot be indexed", "redirect the old URL to a page that answers 200 and can be indexed, or repair the page";
    MoveToHome "move-to-home" Warning Google, "an old URL leads to the home page, as many others do", "redirect each old URL to the page that replaces it, or answer with 404 if there is none";
}
