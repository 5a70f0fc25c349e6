//! Minimal documents that break a rule. A rule only needs one here if its examples are descriptions. Examples that are
//! documents are tested in `examples.rs`, and the rules about pages in `sitemap-pages`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use sitemap_read::{
    CheckOptions, Checker, Engine, Example, OpenedSitemap, ReadLimits, ReadOptions, Report, Rule,
};

use super::{Files, NAMESPACE, index, now, options, report, urlset};

/// A document that breaks a rule, and the options to check it with.
pub(super) struct Case {
    pub(super) rule: Rule,
    pub(super) document: Vec<u8>,
    pub(super) options: CheckOptions,
    /// The document's URL and the other files in its set. `None` if the document is checked alone.
    pub(super) set: Option<(&'static str, Files)>,
}

pub(super) fn with(rule: Rule, options: CheckOptions, document: impl Into<Vec<u8>>) -> Case {
    Case { rule, document: document.into(), options, set: None }
}

pub(super) fn case(rule: Rule, document: impl Into<Vec<u8>>) -> Case {
    with(rule, options(), document)
}

/// Returns a case with a single page that has `more` after its `loc`.
pub(super) fn entry(rule: Rule, more: &str) -> Case {
    case(rule, page(more))
}

pub(super) fn page(more: &str) -> String {
    urlset(&format!("<url><loc>https://example.com/a</loc>{more}</url>"))
}

pub(super) fn loc(rule: Rule, url: &str) -> Case {
    case(rule, urlset(&format!("<url><loc>{url}</loc></url>")))
}

fn lastmod(rule: Rule, date: &str) -> Case {
    entry(rule, &format!("<lastmod>{date}</lastmod>"))
}

pub(super) fn engine(rule: Rule, engine: Engine, document: impl Into<Vec<u8>>) -> Case {
    with(rule, options().engine(engine), document)
}

const INDEX: &str = "https://example.com/i/sitemap.xml";

/// Returns a case with a set: an index at [`INDEX`] with the entries `children`, and the child sitemaps in `files`.
pub(super) fn set<const N: usize>(rule: Rule, children: &str, files: [(&str, String); N]) -> Case {
    Case { set: Some((INDEX, Files::new(files))), ..case(rule, index(children)) }
}

pub(super) fn child(loc: &str) -> String {
    format!("<sitemap><loc>https://example.com/i/{loc}</loc></sitemap>")
}

pub(super) const A: &str = "https://example.com/i/a.xml";
pub(super) const B: &str = "https://example.com/i/b.xml";

/// The recent section next to [`A`].
pub(super) const RECENT: &str = "https://example.com/i/sitemap-recent-00000-1-99aa06d3014798d8.xml";

pub(super) fn under_i(page: &str) -> String {
    urlset(&format!("<url><loc>https://example.com/i/{page}</loc><lastmod>2026-01-10</lastmod></url>"))
}

pub(super) fn gzip(text: &str) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(text.as_bytes()).unwrap();
    gzip.finish().unwrap()
}

pub(super) fn versions(of: &str, list: &[(&str, &str)]) -> String {
    let link = |(tag, page): &(&str, &str)| {
        format!("<xhtml:link rel=\"alternate\" hreflang=\"{tag}\" href=\"https://example.com/{page}\"/>")
    };
    let links: String = list.iter().map(link).collect();
    format!("<url><loc>https://example.com/{of}</loc>{links}</url>\n")
}

pub(super) fn pages(count: usize, more: &str) -> String {
    let page = |n| format!("<url><loc>https://example.com/{n}</loc>{more}</url>\n");
    urlset(&(0..count).map(page).collect::<String>())
}

pub(super) fn news(date: &str) -> String {
    format!(
        "<news:news><news:publication><news:name>N</news:name><news:language>en</news:language>\
         </news:publication><news:publication_date>{date}</news:publication_date>\
         <news:title>T</news:title></news:news>"
    )
}

fn video(more: &str) -> String {
    format!(
        "<video:video><video:thumbnail_loc>https://example.com/t.png</video:thumbnail_loc>\
         <video:title>T</video:title><video:description>D</video:description>\
         <video:content_loc>https://example.com/v.mp4</video:content_loc>{more}</video:video>"
    )
}

fn rss(item: &str) -> String {
    format!("<rss version=\"2.0\"><channel><link>https://example.com/</link>{item}</channel></rss>")
}

pub(super) fn limited(limits: impl FnOnce(&mut ReadLimits)) -> CheckOptions {
    let mut chosen = ReadLimits::default();
    limits(&mut chosen);
    options().read(ReadOptions::new().limits(chosen))
}

fn bytes() -> Vec<Case> {
    let whole = page("");
    let zipped = gzip(&whole);
    let mut damaged = gzip(&pages(2_000, ""));
    let middle = damaged.len() / 2;
    damaged[middle..middle + 40].fill(0xAA);
    let latin: Vec<u8> = page("<!-- x -->").bytes().map(|b| if b == b'x' { 0xFC } else { b }).collect();
    let in_loc = String::from_utf8_lossy(&latin).replace("/a<", "/\u{FC}<");
    let latin: Vec<u8> = in_loc.chars().filter_map(|ch| u8::try_from(u32::from(ch)).ok()).collect();
    vec![
        case(Rule::GzipTruncated, &zipped[..zipped.len() - 10]),
        case(Rule::GzipDamaged, damaged),
        case(Rule::GzipTwice, {
            let mut twice = GzEncoder::new(Vec::new(), Compression::default());
            twice.write_all(&zipped).unwrap();
            twice.finish().unwrap()
        }),
        case(Rule::EncodingNotUtf8, whole.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()),
        case(Rule::EncodingMismatch, format!("<?xml version=\"1.0\" encoding=\"utf-16\"?>{whole}")),
        case(Rule::Utf8Invalid, latin),
        entry(
            Rule::CharacterForbidden,
            "<image:image><image:loc>https://example.com/i</image:loc><image:title>&#1;</image:title></image:image>",
        ),
    ]
}

fn documents() -> Vec<Case> {
    let whole = page("");
    let entries = "<url><loc>https://example.com/a</loc></url>";
    let atom03 = "<feed xmlns=\"http://purl.org/atom/ns#\"><entry><link href=\"https://example.com/a\"/></entry></feed>";
    let too_large = limited(|limits| limits.bytes = 1_000);
    vec![
        case(Rule::DeclarationNotFirst, format!("\n<?xml version=\"1.0\"?>{whole}")),
        case(Rule::DeclarationMalformed, format!("<?xml encoding=\"UTF-8\"?>{whole}")),
        case(Rule::DoctypeMalformed, format!("<!DOCTYPE urlset><!DOCTYPE urlset>{whole}")),
        case(Rule::ContentBeforeRoot, format!("Warning: x\n{whole}")),
        case(Rule::ContentAfterRoot, format!("{whole}<p/>")),
        case(Rule::Doctype, format!("<!DOCTYPE urlset>{whole}")),
        case(Rule::RootMissing, entries),
        case(Rule::Truncated, whole.replace("</urlset>", "")),
        case(Rule::NamespaceMissing, format!("<urlset>{entries}</urlset>")),
        case(Rule::NamespaceUnknown, format!("<urlset xmlns=\"urn:x\">{entries}</urlset>")),
        entry(Rule::NamespaceUndeclared, "<x:y/>"),
        case(
            Rule::ExtensionNamespace,
            whole.replace("sitemap-image/1.1", "sitemap-image/9").replace(
                "</url>",
                "<image:image><image:loc>https://example.com/i</image:loc></image:image></url>",
            ),
        ),
        case(Rule::TooManyEntries, pages(50_001, "")),
        case(Rule::FileEmpty, " \n"),
        case(Rule::FileHtml, "<!doctype html><html></html>"),
        case(Rule::FileUnknown, "{\"error\": 404}"),
        with(
            Rule::ReadLimit,
            limited(|limits| limits.depth = 3),
            page("<x:a xmlns:x='urn:x'><x:b><x:c/></x:b></x:a>"),
        ),
        with(Rule::TooLarge, too_large, pages(50, "")),
        case(Rule::EmptySitemap, urlset("")),
        engine(
            Rule::RootPrefixed,
            Engine::Google,
            format!(
                "<s:urlset xmlns:s=\"{}\"><s:url><s:loc>https://example.com/a</s:loc></s:url></s:urlset>",
                &NAMESPACE[7..NAMESPACE.len() - 1]
            ),
        ),
        case(Rule::AttributeUnknown, whole.replace("<url>", "<url id=\"1\">")),
        case(Rule::XsdOrder, urlset("<url><priority>0.5</priority><loc>https://example.com/a</loc></url>")),
        case(Rule::NamespaceOld, whole.replace("sitemap-video/1.1", "sitemap-video/1.0")),
        case(
            Rule::ExtensionDialect,
            page("<image:image><image:loc>https://example.com/i</image:loc></image:image>")
                .replace("www.sitemaps.org/schemas/sitemap/0.9", "www.google.com/schemas/sitemap/0.84"),
        ),
        with(
            Rule::TextName,
            super::at("https://example.com/urls").engine(Engine::Google),
            "https://example.com/a\n",
        ),
        with(Rule::GzipName, super::at("https://example.com/a.xml.gz"), whole),
        engine(Rule::FeedAtom03, Engine::Google, atom03),
        engine(Rule::FeedUnsupported, Engine::Yandex, rss("<item><link>https://example.com/a</link></item>")),
        engine(Rule::HintsIgnored, Engine::Bing, page("<changefreq>daily</changefreq>")),
    ]
}

fn markup() -> Vec<Case> {
    vec![
        entry(Rule::TagCase, "<LastMod>2026-01-01</LastMod>"),
        entry(Rule::TagUnclosed, "<lastmod>2026-01-01"),
        entry(Rule::TagUnmatched, "</lastmod>"),
        case(Rule::TagMalformed, urlset("< url><loc>https://example.com/a</loc></url>")),
        entry(Rule::MarkupStray, "<priority>0.5 < 1</priority>"),
        loc(Rule::AmpersandRaw, "https://example.com/?a&b=1"),
        loc(Rule::EntityUnknown, "https://example.com/?a&nbsp;b"),
        entry(Rule::AttributeTwice, "<x:a xmlns:x=\"urn:x\" b=\"1\" b=\"2\"/>"),
        entry(Rule::CommentDashes, "<!-- a -- b -->"),
        entry(Rule::CDataEnd, "<x:a xmlns:x=\"urn:x\">]]></x:a>"),
        entry(Rule::InstructionMalformed, "<?1?>"),
        entry(Rule::NamespaceInvalid, "<x:a xmlns:x=\"\"/>"),
        entry(Rule::TextStray, "text"),
        entry(Rule::ElementUnknown, "<title>x</title>"),
        case(Rule::ElementMisplaced, urlset("<sitemap><loc>https://example.com/a.xml</loc></sitemap>")),
        entry(Rule::ElementDuplicate, "<priority>0.5</priority><priority>0.6</priority>"),
        case(Rule::LocMissing, urlset("<url><lastmod>2026-01-01</lastmod></url>")),
        loc(Rule::LocEmpty, ""),
        case(Rule::LocAsText, urlset("<url>https://example.com/a</url>")),
        entry(Rule::LocTwice, "<loc>https://example.com/b</loc>"),
        case(Rule::LocTruncated, format!("<urlset {NAMESPACE}><url><loc>https://example.com/a")),
        loc(Rule::LocRelative, "/a"),
        loc(Rule::LocScheme, "ftp://example.com/a"),
        loc(Rule::LocHost, "https://exa mple.com/a"),
        loc(Rule::LocPort, "https://example.com:99999/a"),
        loc(Rule::LocCredentials, "https://me@example.com/a"),
        loc(Rule::LocCharacter, "https://example.com/a\nb"),
        loc(Rule::LocDotSegment, "https://example.com/a/../b"),
        loc(Rule::LocTooLong, &format!("https://example.com/{}", "a".repeat(2_028))),
        engine(
            Rule::LocTooLongYandex,
            Engine::Yandex,
            urlset(&format!("<url><loc>https://example.com/{}</loc></url>", "a".repeat(1_005))),
        ),
        loc(Rule::LocTooShort, "http://a.io"),
        loc(Rule::LocNotEncoded, "https://example.com/a b"),
        loc(Rule::LocDoubleEscaped, "https://example.com/?a&amp;amp;b"),
        loc(Rule::LocFragment, "https://example.com/#a"),
        case(Rule::DuplicateLoc, urlset("<url><loc>https://example.com/a</loc></url>\n".repeat(2).as_str())),
        set(
            Rule::PageInTwoFiles,
            &[child("a.xml"), child("b.xml")].concat(),
            [(A, under_i("1")), (B, under_i("1"))],
        ),
        set(
            Rule::RecentDateDiffers,
            &[RECENT, A].map(|url| format!("<sitemap><loc>{url}</loc></sitemap>")).concat(),
            [(RECENT, under_i("1").replace("-10<", "-31<")), (A, under_i("1"))],
        ),
        set(Rule::OutOfScope, &child("a.xml"), [(A, page(""))]),
        with(
            Rule::CrossSubmission,
            super::at("https://example.org/sitemap.xml")
                .also_lists("https://example.com/")
                .unwrap()
                .engine(Engine::Yandex),
            page(""),
        ),
    ]
}

fn values() -> Vec<Case> {
    let today = || now("2026-01-31T12:00:00Z");
    vec![
        lastmod(Rule::LastModInvalid, "yesterday"),
        lastmod(Rule::LastModNoZone, "2026-01-01T10:00:00"),
        lastmod(Rule::LastModLowerCase, "2026-01-01t10:00:00Z"),
        lastmod(Rule::LastModBlank, "2026-01-01 10:00:00Z"),
        lastmod(Rule::LastModOffset, "2026-01-01T10:00:00+0100"),
        lastmod(Rule::LastModDateZone, "2026-01-01Z"),
        lastmod(Rule::LastMod24, "2026-01-01T24:00:00Z"),
        lastmod(Rule::LastModMail, "Sat, 09 Mar 2024 16:05:30 GMT"),
        entry(Rule::ChangeFreqCase, "<changefreq>Daily</changefreq>"),
        entry(Rule::ChangeFreqUnknown, "<changefreq>often</changefreq>"),
        entry(Rule::PriorityInvalid, "<priority>1.1</priority>"),
        engine(
            Rule::ValueTooLongYandex,
            Engine::Yandex,
            page(&format!("<priority>0.5{}</priority>", "0".repeat(98))),
        ),
        entry(Rule::ValueEmpty, "<priority/>"),
        lastmod(Rule::LastModPartial, "2026-01"),
        lastmod(Rule::LastModMinutes, "2026-01-01T10:00Z"),
        with(Rule::LastModFuture, today(), page("<lastmod>2026-03-01</lastmod>")),
        lastmod(Rule::LastModAncient, "1970-01-01"),
        case(Rule::LastModAllEqual, pages(10, "<lastmod>2026-01-01T10:00:00Z</lastmod>")),
        entry(Rule::ChangeFreqBlank, "<changefreq> daily</changefreq>"),
        case(Rule::PriorityAllEqual, pages(10, "<priority>0.5</priority>")),
        entry(Rule::ExtensionInvalid, &video("<video:duration>-1</video:duration>")),
        entry(Rule::ExtensionIncomplete, "<image:image><image:title>x</image:title></image:image>"),
        entry(
            Rule::TooManyImages,
            &"<image:image><image:loc>https://example.com/i</image:loc></image:image>".repeat(1_001),
        ),
        entry(
            Rule::ImageDeprecated,
            "<image:image><image:loc>https://example.com/i</image:loc><image:title>x</image:title></image:image>",
        ),
        case(Rule::VideoConflict, page(&video("")).replace("v.mp4", "a")),
        entry(Rule::VideoDeprecated, &video("<video:category>x</video:category>")),
        with(
            Rule::VideoExpired,
            today(),
            page(&video("<video:expiration_date>2025-01-01</video:expiration_date>")),
        ),
        case(Rule::NewsTooMany, pages(1_001, &news("2026-01-30"))),
        with(Rule::NewsTooOld, today(), page(&news("2026-01-01"))),
        with(Rule::NewsFuture, today(), page(&news("2026-03-01"))),
        entry(Rule::NewsDateMinutes, &news("2026-01-30T10:00Z")),
    ]
}

fn languages() -> Vec<Case> {
    let (both, self_and_c) = ([("de", "de"), ("en", "en")], [("de", "de"), ("fr", "fr")]);
    let three = [("de", "de"), ("en", "en"), ("fr", "fr")];
    vec![
        case(Rule::HreflangNoSelf, urlset(&versions("de", &[("en", "en")]))),
        case(
            Rule::HreflangNotReciprocal,
            urlset(&[versions("de", &both), versions("en", &[("en", "en")])].concat()),
        ),
        case(Rule::HreflangNotListed, urlset(&versions("de", &both))),
        case(
            Rule::HreflangSetsDiffer,
            urlset(&[versions("de", &three), versions("en", &both), versions("fr", &self_and_c)].concat()),
        ),
        case(Rule::HreflangTwice, urlset(&versions("de", &[("de", "de"), ("en", "en"), ("en", "x")]))),
        case(Rule::HreflangRegion, urlset(&versions("de", &[("de", "de"), ("en-UK", "en")]))),
        engine(Rule::HreflangIgnored, Engine::Yandex, urlset(&versions("de", &[("de", "de")]))),
        with(Rule::HreflangUnchecked, options().max_hreflang_pairs(1), urlset(&versions("de", &three))),
    ]
}

fn sets() -> Vec<Case> {
    let many: String = (0..1_001).map(|n| child(&format!("{n}.xml"))).collect();
    let both = [child("a.xml"), child("b.xml")].concat();
    let nested = || index(&child("b.xml"));
    let old =
        under_i("1").replace("www.sitemaps.org/schemas/sitemap/0.9", "www.google.com/schemas/sitemap/0.84");
    let files = || [(A, under_i("1")), (B, under_i("2"))];
    let with_options = |options, case| Case { options, ..case };
    vec![
        set(Rule::ChildMissing, &child("a.xml"), []),
        set(Rule::ChildOtherHost, "<sitemap><loc>https://example.org/a.xml</loc></sitemap>", []),
        with_options(
            options().engine(Engine::Google),
            set(Rule::ChildOutside, "<sitemap><loc>https://example.com/a.xml</loc></sitemap>", []),
        ),
        set(Rule::DuplicateChild, &child("a.xml").repeat(2), files()),
        set(Rule::NestedIndex, &child("a.xml"), [(A, nested()), (B, under_i("1"))]),
        with_options(
            options().max_index_depth(1),
            set(Rule::IndexTooDeep, &child("a.xml"), [(A, nested()), (B, under_i("1"))]),
        ),
        set(Rule::IndexLoop, &child("a.xml"), [(A, index(&child("sitemap.xml")))]),
        set(Rule::IndexOver1000, &many, []),
        set(
            Rule::IndexLastModStale,
            &child("a.xml").replace("</sitemap>", "<lastmod>2026-01-01</lastmod></sitemap>"),
            [(A, under_i("1"))],
        ),
        with_options(options().max_children(1), set(Rule::TooManyChildren, &both, files())),
        set(Rule::MixedDialects, &child("a.xml"), [(A, old)]),
    ]
}

fn others() -> Vec<Case> {
    vec![
        case(Rule::TextLineInvalid, "https://example.com/a\nb\n"),
        case(Rule::FeedLinkRelative, rss("<item><link>a</link></item>")),
        case(
            Rule::FeedDate,
            rss("<item><link>https://example.com/a</link><pubDate>2026-01-01 10:00</pubDate></item>"),
        ),
    ]
}

pub(super) fn check(case: Case) -> Report {
    let Some((served_at, mut files)) = case.set else {
        return report(case.options, &case.document);
    };
    files.by_loc.insert(served_at.to_owned(), case.document);
    files.check(case.options, served_at)
}

/// Breaks `file-unreadable`: checks a set with a child sitemap that fails while it is read. No document can break this
/// rule by its content.
fn unreadable() -> Report {
    struct Broken;
    impl std::io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("connection reset"))
        }
    }
    struct Source;
    impl sitemap_read::SitemapSource for Source {
        type Content = Broken;

        fn open(
            &mut self,
            loc: &sitemap_core::Loc<'_>,
            _: &str,
        ) -> Result<OpenedSitemap<Broken>, sitemap_read::OpenError> {
            Ok(OpenedSitemap::new(loc.as_str(), Broken))
        }
    }
    let mut checker = Checker::new(options());
    let index = index(&child("a.xml"));
    checker.check_set(OpenedSitemap::new(INDEX, index.as_bytes()), &mut Source).unwrap();
    checker.finish()
}

#[test]
fn rules_are_broken_by_their_documents() {
    let groups = [bytes(), documents(), markup(), values(), languages(), sets(), others()];
    let mut proved = BTreeSet::new();
    let mut silent = BTreeMap::new();
    for case in groups.into_iter().flatten() {
        let rule = case.rule;
        assert!(proved.insert(rule), "{rule} has two cases");
        let report = check(case);
        if !report.counts().contains_key(&rule) {
            silent.insert(rule, report.counts());
        }
        for (_, finding) in report.findings().filter(|(_, finding)| finding.rule() == rule) {
            assert_eq!(finding.severity(), rule.severity(), "{rule}");
            assert!(!finding.message().is_empty(), "{rule}");
        }
    }
    assert!(unreadable().counts().contains_key(&Rule::FileUnreadable));
    proved.insert(Rule::FileUnreadable);
    assert!(silent.is_empty(), "rules not reported for their documents: {silent:?}");
    let is_described =
        |rule: &&Rule| !rule.is_about_pages() && matches!(rule.wrong_example(), Example::Prose(_));
    let described = Rule::ALL.iter().filter(is_described);
    let missing: Vec<_> = described.filter(|rule| !proved.contains(rule)).collect();
    assert!(missing.is_empty(), "rules without a case: {missing:?}");
}
