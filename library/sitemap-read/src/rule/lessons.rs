//! Why each rule exists, and an example that breaks it with one that does not, one line for each rule.

use super::Rule;
use super::explain::Form::{Document, Entry, Index, Loc, Prose, Urlset};
use super::explain::{Example, Lesson};

impl Rule {
    /// Returns one or two sentences that say why the rule exists.
    ///
    /// ```
    /// let reason = sitemap_read::Rule::TextStray.reason();
    /// assert_eq!(reason, "The schema allows no text there. Often a tag around the text is missing.");
    /// ```
    #[must_use]
    pub const fn reason(self) -> &'static str {
        lesson(self).reason
    }

    /// Returns an example that breaks the rule. The checker reports the rule for it, with the rule's
    /// [engine](Self::engines) and the current time in its options if the rule needs them. See [`Example`].
    #[must_use]
    pub fn wrong_example(self) -> Example {
        let lesson = lesson(self);
        Example::new(lesson.form, lesson.wrong)
    }

    /// Returns an example that is like [`wrong_example`](Self::wrong_example) but does not break the rule.
    #[must_use]
    pub fn right_example(self) -> Example {
        let lesson = lesson(self);
        Example::new(lesson.form, lesson.right)
    }
}

macro_rules! lessons {
    ($($rule:ident $form:ident $reason:literal, $wrong:literal, $right:literal;)+) => {
        const fn lesson(rule: Rule) -> &'static Lesson {
            match rule {
                $(Rule::$rule => const { &Lesson { reason: $reason, form: $form, wrong: $wrong, right: $right } },)+
            }
        }
    };
}

// Columns: variant, form of the examples, reason, wrong example, right example.
//
// `Loc` is a URL, `Entry` what follows the `loc` of an entry, `Urlset` and `Index` what the root element contains,
// `Document` a whole document, in which `NS` stands for the namespace of the protocol. `Prose` describes what no short
// document can show, such as compressed bytes or whole sets.
lessons! {
    // Bytes
    GzipTruncated Prose "An upload that was cut off loses the entries at its end, and some crawlers then drop the whole file.", "a `sitemap.xml.gz` of which only the first half was uploaded", "the whole `sitemap.xml.gz`";
    GzipDamaged Prose "A crawler cannot decompress the rest of the file, so the entries there are lost.", "a `sitemap.xml.gz` that was uploaded as text, which changed some bytes", "the `sitemap.xml.gz` as `gzip` wrote it";
    GzipTwice Prose "A crawler decompresses a file once and then finds compressed bytes instead of XML.", "`sitemap.xml.gz` served with `Content-Encoding: gzip`, compressed a second time", "`sitemap.xml.gz` served as it is stored";
    EncodingNotUtf8 Prose "The protocol requires UTF-8, and not every crawler reads other encodings.", "a sitemap saved as UTF-16", "the same sitemap saved as UTF-8";
    EncodingMismatch Document "A parser that trusts the declaration reads other characters than were written, or stops.", "<?xml version=\"1.0\" encoding=\"utf-16\"?>\n<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>";
    Utf8Invalid Prose "XML parsers stop at bytes that are not UTF-8, so the entries after them are lost.", "a URL with `é` as the single byte E9 of Latin-1", "the same URL with `é` as the two bytes C3 A9 of UTF-8";
    CharacterForbidden Entry "XML parsers stop at such a character, even if it is written as a reference.", "<image:image><image:loc>https://example.com/i&#1;</image:loc></image:image>", "<image:image><image:loc>https://example.com/i</image:loc></image:image>";

    // The document
    DeclarationNotFirst Document "XML parsers reject a document in which anything, even an empty line, precedes the declaration.", "\n<?xml version=\"1.0\"?>\n<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>", "<?xml version=\"1.0\"?>\n<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>";
    ContentBeforeRoot Document "XML parsers reject text before the root element. Usually a script printed a warning into the file.", "Warning: undefined index\n<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>", "<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>";
    ContentAfterRoot Document "XML parsers reject content after the root element. Usually a script printed more into the file.", "<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>\n<p>0.2 s</p>", "<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>";
    DeclarationMalformed Document "XML parsers reject a declaration without a version, or with its parts in another order.", "<?xml encoding=\"UTF-8\"?>\n<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>";
    Doctype Document "The protocol has no DTD, and many crawlers refuse documents with a DOCTYPE for their safety.", "<!DOCTYPE urlset>\n<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>", "<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>";
    RootMissing Document "Crawlers recognise a sitemap by its root element.", "<url><loc>https://example.com/</loc></url>", "<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>";
    Truncated Document "The missing end shows that the file was cut off, so entries are probably lost.", "<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>", "<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>";
    NamespaceMissing Document "Without the namespace, the elements are not those of the protocol, and crawlers may reject the file.", "<urlset>\n<url><loc>https://example.com/</loc></url>\n</urlset>", "<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>";
    NamespaceUnknown Document "A namespace is compared letter by letter, so `https` instead of `http` makes it another namespace.", "<urlset xmlns=\"https://www.sitemaps.org/schemas/sitemap/0.9\">\n<url><loc>https://example.com/</loc></url>\n</urlset>", "<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>";
    NamespaceUndeclared Entry "XML parsers reject elements whose prefix has no declaration.", "<x:id>1</x:id>", "<x:id xmlns:x=\"https://example.com/ns\">1</x:id>";
    ExtensionNamespace Document "Crawlers recognise images, videos and news by their namespace and ignore elements in another one.", "<urlset xmlns=\"NS\" xmlns:image=\"https://www.google.com/schemas/sitemap-image/1.1\">\n<url><loc>https://example.com/</loc>\n<image:image><image:loc>https://example.com/i.png</image:loc></image:image></url>\n</urlset>", "<urlset xmlns=\"NS\" xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">\n<url><loc>https://example.com/</loc>\n<image:image><image:loc>https://example.com/i.png</image:loc></image:image></url>\n</urlset>";
    TooManyEntries Prose "Search engines reject the file or ignore the entries after the first 50,000.", "a file with 50,001 entries", "two files with 25,000 and 25,001 entries, and an index that lists both";
    FileEmpty Document "An empty file is usually the result of a failed run.", "\n", "<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>";
    FileHtml Document "The server answers with a page, often an error page with status 200, so crawlers find no sitemap.", "<!doctype html>\n<html><title>Not found</title></html>", "<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>";
    FileUnknown Document "Crawlers read nothing from a file whose format they do not know.", "{\"error\": 404}", "<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>";
    FileUnreadable Prose "A file that cannot be read to its end was checked only in part.", "a child sitemap whose download is interrupted", "a child sitemap that arrives completely";
    ReadLimit Prose "The reader limits size, depth and number of elements, so that no document can exhaust the memory.", "a document with 100,000 nested elements", "a document in which elements are nested as the protocol nests them";
    TooLarge Prose "Search engines reject larger files, whatever the size of the compressed file.", "a file of 60 MB, compressed to 5 MB", "two files of 30 MB, and an index that lists both";
    EmptySitemap Document "The schema requires an entry, and search consoles report an empty file as an error.", "<urlset xmlns=\"NS\">\n</urlset>", "<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>";
    RootPrefixed Document "Google reports an incorrect namespace for such files, although XML allows the prefix.", "<s:urlset xmlns:s=\"NS\">\n<s:url><s:loc>https://example.com/</s:loc></s:url>\n</s:urlset>", "<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>";
    AttributeUnknown Urlset "The schema has no such attribute, so strict validators reject the file.", "<url id=\"1\"><loc>https://example.com/</loc></url>", "<url><loc>https://example.com/</loc></url>";
    XsdOrder Urlset "The schema fixes the order of the elements, so strict validators reject the file.", "<url><lastmod>2026-01-31</lastmod><loc>https://example.com/</loc></url>", "<url><loc>https://example.com/</loc><lastmod>2026-01-31</lastmod></url>";
    NamespaceOld Document "Search engines may stop reading older editions of an extension.", "<urlset xmlns=\"NS\" xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.0\">\n<url><loc>https://example.com/</loc></url>\n</urlset>", "<urlset xmlns=\"NS\" xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\">\n<url><loc>https://example.com/</loc></url>\n</urlset>";
    ExtensionDialect Document "The extensions were made for 0.9, so programs that read 0.84 ignore or reject them.", "<urlset xmlns=\"http://www.google.com/schemas/sitemap/0.84\" xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">\n<url><loc>https://example.com/</loc>\n<image:image><image:loc>https://example.com/i.png</image:loc></image:image></url>\n</urlset>", "<urlset xmlns=\"NS\" xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">\n<url><loc>https://example.com/</loc>\n<image:image><image:loc>https://example.com/i.png</image:loc></image:image></url>\n</urlset>";
    GzipName Prose "Programs that trust the name try to decompress the file and fail.", "`sitemap.xml.gz` with plain XML in it", "`sitemap.xml` with plain XML in it";
    TextName Prose "Google recommends the extension, because a text sitemap has no root element to recognise it by.", "a text sitemap at `https://example.com/urls`", "a text sitemap at `https://example.com/urls.txt`";
    FeedAtom03 Document "Google reads Atom 1.0 and RSS 2.0 only.", "<feed xmlns=\"http://purl.org/atom/ns#\">\n<entry><link href=\"https://example.com/a\"/></entry>\n</feed>", "<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<entry><link href=\"https://example.com/a\"/></entry>\n</feed>";
    FeedUnsupported Document "Yandex reads XML and text sitemaps only.", "<rss version=\"2.0\"><channel><link>https://example.com/</link>\n<item><link>https://example.com/a</link></item>\n</channel></rss>", "<urlset xmlns=\"NS\">\n<url><loc>https://example.com/a</loc></url>\n</urlset>";
    HintsIgnored Entry "Google and Bing read neither value, so writing them only makes the file larger.", "<changefreq>daily</changefreq><priority>0.8</priority>", "<lastmod>2026-01-30</lastmod>";

    // Markup
    TagCase Entry "Names in XML are case-sensitive, so `LastMod` is another element than `lastmod`.", "<LastMod>2026-01-31</LastMod>", "<lastmod>2026-01-31</lastmod>";
    TagUnclosed Entry "XML parsers stop at the next end tag, so this entry and all after it are lost.", "<lastmod>2026-01-31", "<lastmod>2026-01-31</lastmod>";
    TagUnmatched Entry "XML parsers stop at an end tag that closes nothing.", "</lastmod>", "<lastmod>2026-01-31</lastmod>";
    TagMalformed Urlset "XML parsers stop at a tag with a syntax error.", "< url><loc>https://example.com/</loc></url>", "<url><loc>https://example.com/</loc></url>";
    MarkupStray Entry "XML parsers take every `<` for the start of a tag and stop.", "<x:a xmlns:x=\"https://example.com/ns\">1 < 2</x:a>", "<x:a xmlns:x=\"https://example.com/ns\">1 &lt; 2</x:a>";
    AmpersandRaw Loc "XML parsers take `&` for the start of an entity and stop.", "https://example.com/?a=1&b=2", "https://example.com/?a=1&amp;b=2";
    EntityUnknown Loc "XML knows only `&amp;`, `&lt;`, `&gt;`, `&quot;` and `&apos;`; the entities of HTML stop the parser.", "https://example.com/caf&eacute;", "https://example.com/caf%C3%A9";
    AttributeTwice Entry "XML parsers reject a tag that has an attribute twice.", "<x:a xmlns:x=\"https://example.com/ns\" b=\"1\" b=\"2\"/>", "<x:a xmlns:x=\"https://example.com/ns\" b=\"1\"/>";
    CommentDashes Entry "XML forbids `--` within comments, and parsers stop there.", "<!-- old -- remove -->", "<!-- old - remove -->";
    CDataEnd Entry "XML allows `]]>` only at the end of a CDATA section.", "<x:a xmlns:x=\"https://example.com/ns\">a]]>b</x:a>", "<x:a xmlns:x=\"https://example.com/ns\">a]]&gt;b</x:a>";
    InstructionMalformed Entry "XML parsers stop at an instruction without a valid name, such as the remains of a PHP tag.", "<?= $date ?>", "<?note checked?>";
    DoctypeMalformed Document "XML parsers stop at a DOCTYPE with a syntax error.", "<!DOCTYPE urlset [<!ELEMENT url>]>\n<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>", "<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>";
    EntityMalformed Document "XML parsers stop at an entity whose text does not fit the place where it is used.", "<!DOCTYPE urlset [<!ENTITY e \"<b>\">]>\n<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc><x:a xmlns:x=\"https://example.com/ns\">&e;</x:a></url>\n</urlset>", "<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc><x:a xmlns:x=\"https://example.com/ns\">b</x:a></url>\n</urlset>";
    NamespaceInvalid Entry "XML parsers that know namespaces stop at such a name or declaration.", "<x:a xmlns:x=\"\"/>", "<x:a xmlns:x=\"https://example.com/ns\"/>";
    TextStray Entry "The schema allows no text there. Often a tag around the text is missing.", "2026-01-31", "<lastmod>2026-01-31</lastmod>";
    ElementUnknown Entry "Crawlers ignore the element, and strict validators reject the file.", "<title>Tea</title>", "<x:title xmlns:x=\"https://example.com/ns\">Tea</x:title>";
    ElementMisplaced Urlset "A file is either a urlset or an index, and crawlers ignore the entries of the other kind.", "<sitemap><loc>https://example.com/a.xml</loc></sitemap>", "<url><loc>https://example.com/a</loc></url>";
    ElementDuplicate Entry "Crawlers take one of the two values, and not all take the same one.", "<priority>0.5</priority><priority>0.6</priority>", "<priority>0.5</priority>";

    // loc
    LocMissing Urlset "An entry without a URL says nothing.", "<url><lastmod>2026-01-31</lastmod></url>", "<url><loc>https://example.com/</loc><lastmod>2026-01-31</lastmod></url>";
    LocEmpty Loc "An entry without a URL says nothing. Usually a value was missing when the file was written.", "", "https://example.com/a";
    LocAsText Urlset "Crawlers look for the URL in a `loc` element only.", "<url>https://example.com/a</url>", "<url><loc>https://example.com/a</loc></url>";
    LocTwice Entry "An entry is about one page, so crawlers may take either URL or drop the entry.", "<loc>https://example.com/b</loc>", "</url>\n<url><loc>https://example.com/b</loc>";
    LocTruncated Document "The file was cut off within a URL, and a shortened URL often leads to no page.", "<urlset xmlns=\"NS\">\n<url><loc>https://example.com/prod", "<urlset xmlns=\"NS\">\n<url><loc>https://example.com/products</loc></url>\n</urlset>";
    LocRelative Loc "The protocol requires absolute URLs, and crawlers ignore relative ones.", "/about", "https://example.com/about";
    LocScheme Loc "Crawlers follow `http` and `https` only.", "ftp://example.com/a", "https://example.com/a";
    LocHost Loc "No crawler can connect to a host name that cannot exist.", "https://exa mple.com/a", "https://example.com/a";
    LocPort Loc "Ports end at 65535, so no crawler can connect.", "https://example.com:99999/a", "https://example.com:8443/a";
    LocCredentials Loc "A sitemap is public, and so is a password in it. Crawlers ignore such URLs.", "https://me:secret@example.com/a", "https://example.com/a";
    LocCharacter Loc "Line breaks and control characters cannot be part of a URL, and crawlers disagree about what remains.", "https://example.com/a\nb", "https://example.com/ab";
    LocDotSegment Loc "Crawlers resolve `..`, so the URL names another page, perhaps outside the scope of the sitemap.", "https://example.com/a/../b", "https://example.com/b";
    LocTooLong Prose "The protocol requires URLs shorter than 2,048 characters, and search engines ignore longer ones.", "`https://example.com/?filter=…` with 3,000 characters", "`https://example.com/shoes`";
    LocTooLongYandex Prose "Yandex ignores URLs longer than 1,024 characters.", "`https://example.com/?filter=…` with 1,200 characters", "`https://example.com/shoes`";
    LocTooShort Loc "The schema requires 12 characters, so strict validators reject the file.", "http://a.io", "http://a.io/";
    LocNotEncoded Loc "Crawlers encode such characters themselves, and not all in the same way.", "https://example.com/green tea", "https://example.com/green%20tea";
    LocDoubleEscaped Loc "A crawler removes one escape and requests a URL with `&amp;` in it.", "https://example.com/?a=1&amp;amp;b=2", "https://example.com/?a=1&amp;b=2";
    LocFragment Loc "Crawlers drop the fragment, so entries that differ only there name the same page.", "https://example.com/tea#prices", "https://example.com/tea";
    DuplicateLoc Urlset "The second entry tells crawlers nothing, and counts towards the limits of the file.", "<url><loc>https://example.com/a</loc></url>\n<url><loc>https://example.com/a</loc></url>", "<url><loc>https://example.com/a</loc></url>\n<url><loc>https://example.com/b</loc></url>";
    PageInTwoFiles Prose "The two entries may differ in their dates, and reports by file count the page twice.", "`a.xml` and `b.xml` of one set both list `https://example.com/tea`", "only `a.xml` lists `https://example.com/tea`";
    RecentDateDiffers Prose "Search engines may take either date, and learn that the dates of the set are not reliable.", "`sitemap-posts-1.xml` gives `https://example.com/tea` the date 2026-01-01, and the file `sitemap-recent-00000-1-….xml` of the same set gives it 2026-01-31", "both files give the page the date 2026-01-31";
    OutOfScope Prose "Search engines ignore pages outside the directory of the sitemap, unless the owner of the page has allowed that sitemap.", "`https://example.com/blog/sitemap.xml` lists `https://example.com/shop/tea`", "`https://example.com/sitemap.xml` lists `https://example.com/shop/tea`";
    MixedHosts Urlset "A sitemap may list pages of its own host only, so at least some of these pages are ignored.", "<url><loc>https://example.com/a</loc></url>\n<url><loc>https://www.example.com/b</loc></url>", "<url><loc>https://www.example.com/a</loc></url>\n<url><loc>https://www.example.com/b</loc></url>";
    CrossSubmission Prose "A line in robots.txt allows such sitemaps, but Yandex ignores that.", "`https://example.org/sitemap.xml` lists `https://example.com/tea`, and the robots.txt of example.com names that sitemap", "`https://example.com/sitemap.xml` lists `https://example.com/tea`";

    // lastmod, changefreq, priority
    LastModInvalid Entry "Crawlers ignore a date that they cannot read, and may trust the other dates less.", "<lastmod>31.01.2026</lastmod>", "<lastmod>2026-01-31</lastmod>";
    LastModNoZone Entry "Without an offset, each crawler chooses a time zone.", "<lastmod>2026-01-30T10:00:00</lastmod>", "<lastmod>2026-01-30T10:00:00+01:00</lastmod>";
    LastModLowerCase Entry "The format requires capitals, and strict parsers ignore the date.", "<lastmod>2026-01-30t10:00:00z</lastmod>", "<lastmod>2026-01-30T10:00:00Z</lastmod>";
    LastModBlank Entry "The format has `T` between date and time, and strict parsers ignore the date. Databases often print a blank.", "<lastmod>2026-01-30 10:00:00Z</lastmod>", "<lastmod>2026-01-30T10:00:00Z</lastmod>";
    LastModOffset Entry "The format requires a colon in the offset, and strict parsers ignore the date.", "<lastmod>2026-01-30T10:00:00+0100</lastmod>", "<lastmod>2026-01-30T10:00:00+01:00</lastmod>";
    LastModDateZone Entry "The format allows an offset only after a time.", "<lastmod>2026-01-30Z</lastmod>", "<lastmod>2026-01-30</lastmod>";
    LastMod24 Entry "The format has hours from 00 to 23, and strict parsers ignore the date.", "<lastmod>2026-01-30T24:00:00Z</lastmod>", "<lastmod>2026-01-31T00:00:00Z</lastmod>";
    LastModMail Entry "Sitemaps have W3C dates, and strict parsers ignore the dates of e-mails.", "<lastmod>Fri, 30 Jan 2026 16:05:30 GMT</lastmod>", "<lastmod>2026-01-30T16:05:30Z</lastmod>";
    ChangeFreqCase Entry "The schema has these words in lower case only, so strict validators reject the file.", "<changefreq>Daily</changefreq>", "<changefreq>daily</changefreq>";
    ChangeFreqUnknown Entry "Crawlers ignore other words, and strict validators reject the file.", "<changefreq>often</changefreq>", "<changefreq>daily</changefreq>";
    PriorityInvalid Entry "Crawlers ignore the value, and strict validators reject the file.", "<priority>10</priority>", "<priority>1.0</priority>";
    ValueTooLongYandex Prose "Yandex rejects values of more than 100 bytes.", "`<priority>0.5000…</priority>` with 120 digits", "`<priority>0.5</priority>`";
    ValueEmpty Entry "The schema allows no empty value, so strict validators reject the file.", "<priority/>", "<priority>0.5</priority>";
    LastModPartial Entry "The schema of the protocol is stricter than its text and requires a day.", "<lastmod>2026-01</lastmod>", "<lastmod>2026-01-31</lastmod>";
    LastModMinutes Entry "The schema of the protocol is stricter than its text and requires seconds.", "<lastmod>2026-01-30T10:00Z</lastmod>", "<lastmod>2026-01-30T10:00:00Z</lastmod>";
    LastModFuture Entry "A page cannot have changed in the future, so crawlers may ignore all dates of the site.", "<lastmod>2999-01-01</lastmod>", "<lastmod>2026-01-30</lastmod>";
    LastModAncient Entry "The date is probably zero, which many programs write for an unknown date.", "<lastmod>1970-01-01</lastmod>", "<changefreq>daily</changefreq>";
    LastModAllEqual Prose "Google uses `lastmod` only if it is accurate, and the time of the last run says nothing about a page.", "ten entries with the `lastmod` 2026-01-30T10:00:00Z", "ten entries, each with the time when its page last changed";
    ChangeFreqBlank Entry "The schema compares the text exactly, so strict validators reject the file.", "<changefreq> daily </changefreq>", "<changefreq>daily</changefreq>";
    PriorityAllEqual Prose "Priorities compare the pages of one site with each other, so equal ones say nothing.", "ten entries with the priority 0.8", "ten entries with the priorities 0.1 to 1.0";

    // Extensions
    ExtensionInvalid Entry "Search engines ignore the image, video, article or link, or at least the value.", "<video:video><video:thumbnail_loc>https://example.com/t.png</video:thumbnail_loc><video:title>T</video:title><video:description>D</video:description><video:content_loc>https://example.com/v.mp4</video:content_loc><video:duration>-1</video:duration></video:video>", "<video:video><video:thumbnail_loc>https://example.com/t.png</video:thumbnail_loc><video:title>T</video:title><video:description>D</video:description><video:content_loc>https://example.com/v.mp4</video:content_loc><video:duration>60</video:duration></video:video>";
    ExtensionIncomplete Entry "Search engines ignore an image, video or article that lacks a required value.", "<image:image><image:title>Tea</image:title></image:image>", "<image:image><image:loc>https://example.com/i.png</image:loc></image:image>";
    TooManyImages Prose "Google reads at most 1,000 images for each page.", "an entry with 1,001 images", "an entry with 1,000 images";
    ImageDeprecated Entry "Google dropped these values in 2022 and reads only `image:loc`.", "<image:image><image:loc>https://example.com/i.png</image:loc><image:title>Tea</image:title></image:image>", "<image:image><image:loc>https://example.com/i.png</image:loc></image:image>";
    VideoConflict Entry "Google ignores a video whose values contradict each other, for example if the URL of the video file is that of the page.", "<video:video><video:thumbnail_loc>https://example.com/t.png</video:thumbnail_loc><video:title>T</video:title><video:description>D</video:description><video:content_loc>https://example.com/a</video:content_loc></video:video>", "<video:video><video:thumbnail_loc>https://example.com/t.png</video:thumbnail_loc><video:title>T</video:title><video:description>D</video:description><video:content_loc>https://example.com/v.mp4</video:content_loc></video:video>";
    VideoDeprecated Entry "Google dropped these values in 2022.", "<video:video><video:thumbnail_loc>https://example.com/t.png</video:thumbnail_loc><video:title>T</video:title><video:description>D</video:description><video:content_loc>https://example.com/v.mp4</video:content_loc><video:category>food</video:category></video:video>", "<video:video><video:thumbnail_loc>https://example.com/t.png</video:thumbnail_loc><video:title>T</video:title><video:description>D</video:description><video:content_loc>https://example.com/v.mp4</video:content_loc></video:video>";
    VideoExpired Entry "Search engines do not show a video after its expiration date.", "<video:video><video:thumbnail_loc>https://example.com/t.png</video:thumbnail_loc><video:title>T</video:title><video:description>D</video:description><video:content_loc>https://example.com/v.mp4</video:content_loc><video:expiration_date>2025-01-01</video:expiration_date></video:video>", "<video:video><video:thumbnail_loc>https://example.com/t.png</video:thumbnail_loc><video:title>T</video:title><video:description>D</video:description><video:content_loc>https://example.com/v.mp4</video:content_loc><video:expiration_date>2999-01-01</video:expiration_date></video:video>";
    NewsTooMany Prose "Google reads at most 1,000 articles from a file.", "a file with 1,001 articles", "two files with 500 and 501 articles, and an index that lists both";
    NewsTooOld Prose "Google News takes articles of the last two days only.", "an article whose publication date is a month ago", "an article whose publication date is yesterday";
    NewsFuture Entry "An article that is listed is published, so its date is wrong.", "<news:news><news:publication><news:name>N</news:name><news:language>en</news:language></news:publication><news:publication_date>2999-01-01</news:publication_date><news:title>T</news:title></news:news>", "<news:news><news:publication><news:name>N</news:name><news:language>en</news:language></news:publication><news:publication_date>2026-01-30</news:publication_date><news:title>T</news:title></news:news>";
    NewsDateMinutes Entry "The schema of the extension requires seconds, so strict validators reject the file.", "<news:news><news:publication><news:name>N</news:name><news:language>en</news:language></news:publication><news:publication_date>2026-01-30T10:00Z</news:publication_date><news:title>T</news:title></news:news>", "<news:news><news:publication><news:name>N</news:name><news:language>en</news:language></news:publication><news:publication_date>2026-01-30T10:00:00Z</news:publication_date><news:title>T</news:title></news:news>";

    // Language versions
    HreflangNoSelf Entry "Google asks that each version lists all versions, itself included.", "\n<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>", "\n<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/a\"/>\n<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>";
    HreflangNotReciprocal Urlset "Links must go both ways, so that no site can claim the pages of another.", "<url><loc>https://example.com/de</loc>\n<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>\n<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en\"/></url>\n<url><loc>https://example.com/en</loc>\n<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en\"/></url>", "<url><loc>https://example.com/de</loc>\n<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>\n<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en\"/></url>\n<url><loc>https://example.com/en</loc>\n<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>\n<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en\"/></url>";
    HreflangNotListed Urlset "A version without an entry has no link back, so the link to it is ignored unless the page itself has one.", "<url><loc>https://example.com/de</loc>\n<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>\n<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en\"/></url>", "<url><loc>https://example.com/de</loc>\n<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>\n<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en\"/></url>\n<url><loc>https://example.com/en</loc>\n<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>\n<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en\"/></url>";
    HreflangSetsDiffer Urlset "All versions should list the same versions, or search engines may miss some of them.", "<url><loc>https://example.com/de</loc>\n<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>\n<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en\"/>\n<xhtml:link rel=\"alternate\" hreflang=\"fr\" href=\"https://example.com/fr\"/></url>\n<url><loc>https://example.com/en</loc>\n<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>\n<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en\"/></url>\n<url><loc>https://example.com/fr</loc>\n<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>\n<xhtml:link rel=\"alternate\" hreflang=\"fr\" href=\"https://example.com/fr\"/></url>", "<url><loc>https://example.com/de</loc>\n<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>\n<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en\"/></url>\n<url><loc>https://example.com/en</loc>\n<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>\n<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en\"/></url>";
    HreflangTwice Entry "Search engines cannot tell which of the two URLs is the version in this language.", "\n<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/a\"/>\n<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/b\"/>", "\n<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/a\"/>\n<xhtml:link rel=\"alternate\" hreflang=\"en-GB\" href=\"https://example.com/b\"/>";
    HreflangRegion Entry "Google reads only codes of ISO 3166-1 as regions. The code of the United Kingdom is GB.", "\n<xhtml:link rel=\"alternate\" hreflang=\"en-UK\" href=\"https://example.com/a\"/>", "\n<xhtml:link rel=\"alternate\" hreflang=\"en-GB\" href=\"https://example.com/a\"/>";
    HreflangIgnored Entry "Yandex reads language versions from the pages only.", "\n<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/a\"/>", "<lastmod>2026-01-30</lastmod>";
    HreflangUnchecked Prose "The links that were not checked may lack a link back.", "a set whose language versions are in files of their own, with more pending links than `max_hreflang_pairs` allows", "a set that lists the versions of a page near each other";

    // Whole sets
    ChildMissing Prose "Crawlers find none of the pages in a child sitemap that they cannot open.", "an index that lists `https://example.com/a.xml`, which the server answers with 404", "an index that lists only files that the server has";
    ChildOtherHost Index "An index may list sitemaps of its own host only, unless the owner has verified both hosts.", "<sitemap><loc>https://example.com/a.xml</loc></sitemap>\n<sitemap><loc>https://example.org/b.xml</loc></sitemap>", "<sitemap><loc>https://example.com/a.xml</loc></sitemap>\n<sitemap><loc>https://example.com/b.xml</loc></sitemap>";
    ChildOutside Prose "Google asks that child sitemaps are in the directory of the index or below.", "`https://example.com/i/sitemap.xml` lists `https://example.com/a.xml`", "`https://example.com/sitemap.xml` lists `https://example.com/a.xml`";
    DuplicateChild Index "The second entry tells crawlers nothing.", "<sitemap><loc>https://example.com/a.xml</loc></sitemap>\n<sitemap><loc>https://example.com/a.xml</loc></sitemap>", "<sitemap><loc>https://example.com/a.xml</loc></sitemap>\n<sitemap><loc>https://example.com/b.xml</loc></sitemap>";
    NestedIndex Prose "The protocol has one level of indexes, and search engines ignore a nested one.", "`sitemap.xml` lists the index `a.xml`, which lists `b.xml`", "`sitemap.xml` lists `b.xml`";
    IndexTooDeep Prose "Search engines do not follow nested indexes, and the check follows only some levels.", "an index that lists an index that lists an index, and so on", "one index that lists all child sitemaps";
    IndexLoop Prose "A crawler that follows such an index never ends, so crawlers stop.", "`sitemap.xml` lists the index `a.xml`, which lists `sitemap.xml`", "`sitemap.xml` lists `b.xml`";
    IndexOver1000 Prose "The schema of 2006 allowed 1,000 sitemaps. The protocol now allows 50,000, and current programs read them.", "an index with 1,001 sitemaps", "an index with 1,000 sitemaps";
    IndexLastModStale Prose "Crawlers that trust the date do not fetch the child sitemap again and miss the change.", "an index gives `a.xml` the `lastmod` 2026-01-01, and a page in `a.xml` has the `lastmod` 2026-01-10", "the index gives `a.xml` the `lastmod` 2026-01-10";
    TooManyChildren Prose "The child sitemaps after the limit were not checked.", "an index with 60,000 child sitemaps, checked with the default limit", "an index with at most 50,000 child sitemaps";
    MixedDialects Prose "Programs that read only one of the dialects miss a part of the set.", "an index of 0.9 lists a urlset of 0.84", "an index of 0.9 lists a urlset of 0.9";

    // Other formats
    TextLineInvalid Document "A text sitemap has one absolute URL on each line and nothing else, so crawlers ignore the line.", "https://example.com/a\nabout\n", "https://example.com/a\nhttps://example.com/about\n";
    FeedLinkRelative Document "Programs resolve relative links in different ways.", "<rss version=\"2.0\"><channel><link>https://example.com/</link>\n<item><link>a</link></item>\n</channel></rss>", "<rss version=\"2.0\"><channel><link>https://example.com/</link>\n<item><link>https://example.com/a</link></item>\n</channel></rss>";
    FeedDate Document "Programs that read feeds may ignore the date.", "<rss version=\"2.0\"><channel><link>https://example.com/</link>\n<item><link>https://example.com/a</link><pubDate>2026-01-30 10:00</pubDate></item>\n</channel></rss>", "<rss version=\"2.0\"><channel><link>https://example.com/</link>\n<item><link>https://example.com/a</link><pubDate>Fri, 30 Jan 2026 10:00:00 GMT</pubDate></item>\n</channel></rss>";

    // What the pages say
    PageMissing Prose "Search engines drop the URL from their index, and the entry wastes a request.", "the server answers 404 or 410 to a listed URL", "the server answers 200 to each listed URL";
    PageFailing Prose "Search engines slow their crawl of a site that fails, and drop pages that keep failing.", "the server answers 500 to a listed URL, or does not answer", "the server answers 200 to each listed URL";
    PageThrottled Prose "The server does not say anything about the page, so nothing is known about it.", "the server answers 429 to a listed URL", "the server answers 200 to each listed URL";
    PageBlocked Prose "A crawler may not fetch the page, so search engines know only its URL.", "robots.txt has `Disallow: /shop/`, and the sitemap lists `https://example.com/shop/tea`", "robots.txt has `Disallow: /cart/`, and the sitemap lists `https://example.com/shop/tea`";
    PageRobotsUnreachable Prose "If robots.txt fails with a server error, crawlers must treat the whole host as disallowed.", "the server answers 503 to `https://example.com/robots.txt`", "the server answers 200 or 404 to `https://example.com/robots.txt`";
    PageRedirected Prose "A sitemap lists the URLs that search engines should show, and this is not one of them.", "`HTTP/1.1 301 Moved Permanently` with `Location: /new` for a listed URL", "the sitemap lists `/new`, which answers 200";
    PageRedirectedTemporarily Prose "Search engines then have to choose between two URLs.", "`HTTP/1.1 302 Found` with `Location: /login` for a listed URL", "`HTTP/1.1 200 OK` for a listed URL";
    PageRedirectChain Prose "Each redirect is another request, and crawlers give up after a few.", "`/a` redirects to `/b`, and `/b` to `/c`", "the sitemap lists `/c`, and `/a` and `/b` redirect directly to it";
    PageRedirectLoop Prose "Crawlers give up, so the page is never indexed.", "`/a` redirects to `/b`, and `/b` to `/a`", "`/a` redirects to `/b`, which answers 200";
    PageLogin Prose "Search engines have no account, so they cannot read the page.", "`HTTP/1.1 401 Unauthorized` for a listed URL", "`HTTP/1.1 200 OK` for a listed URL";
    PageNotAPage Prose "Search engines index pages and documents, not scripts or data. Images and videos belong in extensions.", "the sitemap lists `/style.css`", "the sitemap lists `/about`";
    PageSoft404 Prose "Google may treat a page that says \"not found\" as missing, whatever its status is.", "`HTTP/1.1 200 OK` with the text of the site's error page", "`HTTP/1.1 404 Not Found` for a page that does not exist, and no entry for it";
    PageNoindex Prose "The sitemap asks to index the page and the page asks not to, so search engines leave it out.", "`<meta name=\"robots\" content=\"noindex\">` on a listed page", "a listed page without `noindex`";
    PageNoindexAgent Prose "This search engine leaves the page out, and others do not.", "`<meta name=\"googlebot\" content=\"noindex\">` on a listed page", "a listed page without `noindex`";
    PageNoindexUnclear Prose "Search engines read such a directive in different ways, so some index the page and some do not.", "`<meta name=\"robots\" content=\"noindex\">` in the body of a listed page", "a listed page without `noindex`";
    PageNoindexEverywhere Prose "A setting of a test system that was published by mistake removes a whole site from search engines.", "`X-Robots-Tag: noindex` on most pages of a host", "no `noindex` on the listed pages";
    PageExpired Prose "Search engines drop the page after this date.", "`<meta name=\"robots\" content=\"unavailable_after: 2020-01-01\">` on a listed page", "a listed page without `unavailable_after`";
    PageExpiryInvalid Prose "The page then stays in search results after the day on which it should leave them.", "`<meta name=\"robots\" content=\"unavailable_after: next summer\">` on a listed page", "`<meta name=\"robots\" content=\"unavailable_after: 2027-08-31\">`";
    PageCanonicalElsewhere Prose "The page says that another URL should be indexed, and search engines usually follow it.", "`<link rel=\"canonical\" href=\"https://example.com/b\">` on the listed page `/a`", "`<link rel=\"canonical\" href=\"https://example.com/a\">` on the listed page `/a`";
    PageCanonicalBroken Prose "Search engines then ignore the canonical, or index neither of the two pages.", "the canonical of a listed page answers 404", "the canonical of a listed page answers 200 and has no `noindex`";
    PageCanonicalSeveral Prose "Search engines cannot tell which one is meant. Often a theme and a plugin each write one.", "two `<link rel=\"canonical\">` with different URLs on a listed page", "one `<link rel=\"canonical\">` on a listed page";
    PageCanonicalInvalid Prose "Search engines ignore a canonical that is not a URL.", "`<link rel=\"canonical\" href=\"https://\">` on a listed page", "`<link rel=\"canonical\" href=\"https://example.com/a\">` on a listed page";
    PageCanonicalBody Prose "Visitors can often write into the body of a page, so Google reads canonicals in the head only.", "`<link rel=\"canonical\">` after `<body>`", "`<link rel=\"canonical\">` within `<head>`";
    PageRefresh Prose "Google takes an immediate refresh for a permanent redirect, and a later one for a temporary one.", "`<meta http-equiv=\"refresh\" content=\"0; url=/b\">` on a listed page", "a listed page without a refresh";
    PageEmptyWithoutJavaScript Prose "Not every search engine runs JavaScript, and those that do index such pages later.", "`<body><div id=\"app\"></div><script src=\"/app.js\"></script></body>`", "the content of the page in its HTML";
    PageDuplicate Prose "Search engines show one of several equal pages and ignore the others.", "`/tea` and `/tea?color=green` have the same text", "the sitemap lists `/tea` only";
    PageHreflangNoReturn Prose "Links must go both ways, so that no site can claim the pages of another.", "`/de` names `/en` as its English version, and `/en` names no versions", "`/de` and `/en` name both versions";
    PageHreflangNoSelf Prose "Google asks each version to list itself and all others; without the page, the set is not complete.", "`/de` names `/en` as its English version, and no German version", "`/de` names `/de` as its German version and `/en` as its English one";
    PageHreflangBroken Prose "Search engines ignore a version that cannot be indexed.", "a page names a version that answers 404", "a page names versions that answer 200 and have no `noindex`";
    PageHreflangDiffers Prose "Google treats both places as equal, so links that differ contradict each other.", "the page names the versions `de` and `en`, and its entry `de` and `fr`", "the page and its entry name the same versions";
    PageLastModOld Prose "Search engines that trust the date do not fetch the page again and miss the change.", "the text of a page changed on 2026-01-30, and its `lastmod` is 2026-01-01", "the `lastmod` is 2026-01-30";
    PageLastModUnfounded Prose "Google ignores the `lastmod` of a site if its pages often have not changed on that date.", "the `lastmod` is 2026-01-30, and the text of the page has been the same since 2026-01-01", "the `lastmod` is 2026-01-01";
    PageLastModDiffers Prose "One of the two dates is wrong, and Google uses `lastmod` only where it is consistently right.", "the `lastmod` is 2026-01-30, and `article:modified_time` on the page is 2025-06-01", "both dates are 2026-01-30";
    PageOrphan Prose "Visitors of the site cannot find the page, and often nobody maintains it any more.", "no page of the site links to the listed page `/old-offer`", "another page of the site links to each listed page";
    PageUnlisted Prose "The sitemap is not complete, so search engines may find the page late.", "pages of the site link to `/new-offer`, and the sitemap does not list it", "the sitemap lists `/new-offer`";
    PageCrawlIncomplete Prose "A page that was not crawled, or was crawled long ago, may have the link that seems to be missing.", "a crawl that reached its limit of pages", "a crawl that fetched all pages it found, on the day of the check";

    // A move
    MoveMissing Prose "Visitors and search engines lose the page, and the new page does not inherit the links to the old URL.", "the server answers 404 to the old URL", "`HTTP/1.1 301 Moved Permanently` with `Location: https://new.example.com/tea` for the old URL";
    MoveNotRedirected Prose "Search engines see two sites with the same pages, and may keep showing the old one.", "the server answers 200 to the old URL", "`HTTP/1.1 301 Moved Permanently` with `Location: https://new.example.com/tea` for the old URL";
    MoveTemporary Prose "Search engines keep showing the old URL, because a temporary redirect says that it will come back.", "`HTTP/1.1 302 Found` with `Location: https://new.example.com/tea` for the old URL", "`HTTP/1.1 301 Moved Permanently` with `Location: https://new.example.com/tea` for the old URL";
    MoveChain Prose "Each redirect is another request that visitors wait for, and crawlers give up after a few.", "`http://example.com/tea` redirects to `https://example.com/tea`, and that to `https://new.example.com/tea`", "both old URLs redirect to `https://new.example.com/tea`";
    MoveLoop Prose "Crawlers and browsers give up, so nobody reaches the new page.", "the old URL redirects to the new one, and the new one to the old one", "the old URL redirects to the new one, which answers 200";
    MoveFailing Prose "Nobody reaches the new page as long as the old server does not send a redirect.", "the server of the old URLs was switched off", "the server of the old URLs runs for a year or longer, and redirects";
    MoveBlocked Prose "A crawler that may not fetch the old URL never sees its redirect.", "robots.txt on the old host has `Disallow: /`", "robots.txt on the old host allows all old URLs";
    MoveNotListed Prose "The redirect leads to a page that the new site may not know, often another spelling of a listed URL.", "the old URL redirects to `/tea`, and the new set lists `/tea/`", "the old URL redirects to `/tea/`";
    MoveTargetBroken Prose "Search engines drop the old URL and cannot index what it leads to.", "the old URL redirects to a page with `noindex`", "the old URL redirects to a page that answers 200, without `noindex`";
    MoveToHome Prose "Google may treat a redirect of a page to the home page as a soft 404, so the links to the old URL are lost.", "all old URLs redirect to `https://new.example.com/`", "each old URL redirects to the page that replaces it";
}
