//! Documents that differ from valid ones by a few bytes or tokens.

/// A pseudo-random number generator, so that every run makes the same mutants.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(high).unwrap() % end.max(1)
    }

    fn of<'t, T: ?Sized>(&mut self, items: &[&'t T]) -> &'t T {
        items[self.below(items.len())]
    }
}

const SEEDS: [&str; 7] = [
    r#"<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/css" href="s.css"?>
<!-- made by hand -->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url>
    <loc>https://example.com/?a=1&amp;b=2</loc>
    <lastmod>2024-03-09</lastmod>
    <image:image><image:loc>https://example.com/&#252;.png</image:loc></image:image>
  </url>
  <url><loc><![CDATA[https://example.com/x?y=1&z=2]]></loc><priority>0.5</priority></url>
</urlset>
<!-- end -->
"#,
    r#"<?xml version='1.0' encoding='utf-8' standalone='yes'?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:x="urn:x">
<url><loc>https://example.com/de</loc>
<xhtml:link rel="alternate" hreflang="de" href="https://example.com/de"/>
<xhtml:link rel='alternate' hreflang='en' href='https://example.com/en?a=1&amp;b=&#x32;'/>
<x:note x:lang="de" lang="en" about="1 &lt; 2 &gt; 0">Grüße <x:b>日本語</x:b> &quot;x&apos;</x:note><?x target data?>
</url>
</urlset>"#,
    r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" kind="b">
<url><loc>https://example.com/</loc><note xmlns="urn:n" at="&#38;">&#x41; and ]] &gt; x</note></url>
</urlset>
"#,
    r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>https://example.com/a.xml</loc><lastmod>2024-03-09T16:05:30Z</lastmod></sitemap>
<!-- a comment with a dash - and text -->
<sitemap><loc>https://example.com/b.xml.gz</loc></sitemap>
</sitemapindex>"#,
    r#"<?xml version="1.0"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<link>https://example.com/</link><atom:link href="https://example.com/feed" rel="self"/>
<item><title><![CDATA[A & B <b>]]></title><link>https://example.com/1</link><dc:date>2024-03-09</dc:date></item>
</channel></rss>"#,
    r#"<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"><entry><link rel="alternate" href="https://example.com/1"/>
<updated>2024-03-09T16:05:30Z</updated><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">ünï</div></content></entry></feed>"#,
    r#"<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:v="urn:v" xmlns:w="urn:w"><s:url><s:loc>https://example.com/</s:loc>
<v:a v:x="1" w:x="2" x="3"><v:b xmlns:v="urn:other" v:x='4'></v:b ></v:a
></s:url></s:urlset>"#,
];

/// Tokens that a mutation inserts.
const TOKENS: [&[u8]; 88] = [
    b"<",
    b">",
    b"&",
    b"'",
    b"\"",
    b"--",
    b"-->",
    b"<!--",
    b"<!-- -- -->",
    b"<!-- x --->",
    b"]]>",
    b"]]",
    b"<![CDATA[",
    b"<?",
    b"?>",
    b"<?xml version=\"1.0\"?>",
    b"<?xml?>",
    b"<?XML x?>",
    b"<?a:b c?>",
    b"<?1?>",
    b"<?x?>",
    b"&amp;",
    b"&nbsp;",
    b"&amp",
    b"&#1;",
    b"&#0;",
    b"&#x110000;",
    b"&#xD800;",
    b"&#65;",
    b"&#x41;",
    b"&#;",
    b"&#x;",
    b"&x",
    b"&site;",
    b"&both;",
    b"&logo;",
    b"&unknown;",
    b"%pe;",
    b"</url>",
    b"<url>",
    b"<a/>",
    b"<a b=c/>",
    b"<a b='1'c='2'/>",
    b"<a b='1' b='2'/>",
    b"<a b/>",
    b"<p:a/>",
    b"<a p:b='1'/>",
    b"<a xmlns:p=''/>",
    b"<a xmlns:p='u'/>",
    b"<:a/>",
    b"<a:b:c/>",
    b"<a b='<'/>",
    b"<a b='&nbsp;'/>",
    b"<a b='&'/>",
    b" xmlns:x='urn:y'",
    b" p:q='1'",
    b" lang=\"x\"",
    b" xmlns=\"\"",
    b" xmlns:xml='u'",
    b" xmlns:xmlns='u'",
    b"\xFF",
    b"\xC0\x80",
    b"\xED\xA0\x80",
    b"\xF4\x90\x80\x80",
    b"\xE2\x82",
    b"\x00",
    b"\x01",
    b"\x0B",
    b"\x1F",
    b"\x7F",
    b"\xC2\x85",
    b"\xEF\xBF\xBE",
    b"\xEF\xBF\xBF",
    b"\xEF\xBB\xBF",
    b"\xC3\xBC",
    b"\xC2\xB7",
    b"1",
    b":",
    b"=",
    b"/",
    b" ",
    b"\n",
    b"!",
    b"?",
    b"<!DOCTYPE urlset>",
    b"<!ENTITY e \"x\">",
    b"<!DOCTYPE urlset SYSTEM \"u.dtd\">",
    b"version=\"1.0\"",
];

pub(super) fn seeds() -> Vec<Vec<u8>> {
    SEEDS.iter().map(|seed| seed.as_bytes().to_vec()).collect()
}

/// Returns endless mutants, each made by one to three mutations of a seed.
pub(super) fn mutants() -> impl Iterator<Item = Vec<u8>> {
    let mut random = Random(0x5157_E3A9_0042_1177);
    std::iter::repeat_with(move || {
        let mut document = random.of(&SEEDS).as_bytes().to_vec();
        for _ in 0..=random.below(3) {
            mutate(&mut document, &mut random);
        }
        document
    })
}

fn mutate(document: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(document.len());
    let len = random.below(12).min(document.len() - at);
    match random.below(9) {
        // Inserting a token is most likely to break a rule.
        0..=2 => {
            let token = random.of(&TOKENS);
            document.splice(at..at, token.iter().copied());
        }
        3 => {
            let token = random.of(&TOKENS);
            document.splice(at..at + len, token.iter().copied());
        }
        4 if at < document.len() => document[at] ^= 1 << random.below(8),
        5 => drop(document.drain(at..at + len)),
        6 => {
            let piece = document[at..at + len].to_vec();
            let to = random.below(document.len());
            document.splice(to..to, piece);
        }
        7 if random.below(4) == 0 => document.truncate(at),
        7 if at < document.len() => drop(document.remove(at)),
        8 if at < document.len() => {
            document[at] = random.of(&[b"<", b">", b"\"", b"'", b"&", b"/", b"=", b" ", b"-"])[0];
        }
        _ => {}
    }
}
