//! Compares the tokenizer with html5gum, which passes the standard's test suite.

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{DefaultEmitter, Span, State, Token as Theirs};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::tokenizer::{Token, Tokenizer};
use super::{Tag, unescape, unescape_text};

/// A token in a form in which the two tokenizers can be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Seen {
    Start(String, Vec<(String, String)>),
    End(String),
    Text(String),
    Comment,
}

fn push(seen: &mut Vec<Seen>, token: Seen) {
    match (seen.last_mut(), token) {
        (Some(Seen::Text(before)), Seen::Text(text)) => before.push_str(&text),
        (_, Seen::Text(text)) if text.is_empty() => {}
        (_, token) => seen.push(token),
    }
}

/// Returns text as browsers read it, without the characters that the tree builder drops or replaces.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace("\r\n", "\n").replace('\r', "\n").replace(['\0', '\u{fffd}'], "")
}

/// Browsers normalise line ends before they resolve references.
fn line_ends(bytes: &[u8]) -> Vec<u8> {
    let mut clean = bytes.to_vec();
    clean.retain({
        let mut next = bytes.iter().skip(1);
        move |&byte| next.next() != Some(&b'\n') || byte != b'\r'
    });
    clean.iter_mut().filter(|byte| **byte == b'\r').for_each(|byte| *byte = b'\n');
    clean
}

/// Returns a name as browsers read it. NUL is kept as a character, because it distinguishes two attributes.
fn name(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace('\0', "\u{fffd}").to_ascii_lowercase()
}

fn ours(html: &[u8]) -> Vec<Seen> {
    let (mut seen, mut tokens) = (Vec::new(), Tokenizer::new(html));
    while let Some(token) = tokens.next() {
        let token = match token {
            Token::Start { name: found, .. } => {
                let mut attributes: Vec<(String, String)> = Vec::new();
                for (key, value) in tokens.attributes().iter() {
                    if attributes.iter().all(|(known, _)| *known != name(key)) {
                        attributes.push((name(key), text(&unescape(value))));
                    }
                }
                attributes.sort();
                Seen::Start(name(found), attributes)
            }
            Token::End { name: found, .. } => Seen::End(name(found)),
            Token::Text(found) => Seen::Text(text(&unescape_text(&line_ends(found)))),
            Token::Raw { of, text: found } if of.resolves_references() => {
                Seen::Text(text(&unescape_text(&line_ends(found))))
            }
            Token::Raw { text: found, .. } => Seen::Text(text(found)),
            Token::Comment => Seen::Comment,
        };
        push(&mut seen, token);
    }
    seen
}

fn theirs(html: &[u8]) -> Vec<Seen> {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(false);
    let mut tokens = html5gum::Tokenizer::new_with_emitter(html, emitter);
    let mut seen = Vec::new();
    while let Some(Ok(token)) = tokens.next() {
        let token = match token {
            Theirs::StartTag(tag) => {
                let state = match Tag::of(&tag.name) {
                    Tag::Title | Tag::Textarea => Some(State::RcData),
                    Tag::Script => Some(State::ScriptData),
                    Tag::Plaintext => Some(State::PlainText),
                    found if found.is_raw() => Some(State::RawText),
                    _ => None,
                };
                if let Some(state) = state {
                    tokens.set_state(state);
                }
                let mut attributes: Vec<_> =
                    tag.attributes.iter().map(|(key, value)| (name(key), text(value))).collect();
                attributes.sort();
                Seen::Start(name(&tag.name), attributes)
            }
            Theirs::EndTag(tag) => Seen::End(name(&tag.name)),
            Theirs::String(found) => Seen::Text(text(&found)),
            Theirs::Comment(_) | Theirs::Doctype(_) => Seen::Comment,
            Theirs::Error(_) => continue,
        };
        push(&mut seen, token);
    }
    seen
}

fn assert_same(html: &[u8]) {
    let (ours, theirs) = (ours(html), theirs(html));
    assert_eq!(ours, theirs, "{}", String::from_utf8_lossy(html));
}

#[test]
fn corners_of_the_standard() {
    for html in [
        "<p>a<b c=d>e</p>",
        "<a href='x'title=\"y\"z>",
        "<a =b =c==d e = f>",
        "<a / b / c=/ d=/>e",
        "<a/>b</a/ c=d>",
        "<br/><p/ >",
        "<>a</>b< c<1</ d>e</1>f<!x>g<?y>h<",
        "a</",
        "a<!",
        "a<b",
        "a<b c='",
        "<!-->a<!--->b<!---->c<!--d-->e<!--f--!>g<!--h--i>j-->k<!---!>l-->m<!--",
        "<!--a--",
        "<!--a->-->b",
        "<!--a<!--b-->c",
        "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0\" \"http://www.w3.org/\"><p>",
        "<title>a<b>&amp;</titl></TITLE >c",
        "<title/>a</title>",
        "<textarea>a&lt;</textarea/x=y>b",
        "<style><!--</style>--></style>",
        "<script>a</script >b",
        "<script>a<!--<script>b</script>c--></script>d",
        "<script><!--<script></script></script>a",
        "<script><!--<script>--></script>a",
        "<script><!--></script>a-->",
        "<script><!---></script>a-->",
        "<script><!--a--</script>b",
        "<script><!--<scriptx></script>a",
        "<script><!--<script/</script/</script/>a",
        "<script><!-- <script --> </script>a",
        "<script>a</scrip",
        "<script>a</script",
        "<script>a</script b='",
        "<noscript><img></noscript>a",
        "<xmp><p></xmp><iframe><p></iframe><noembed><p></noembed><noframes><p></noframes>a",
        "<plaintext>a</plaintext><p>",
        "&amp;&ampa;&notit;&#65;&#x41;&#0;&#128;&nosuch;&",
        "<a b=&ampa c=&amp=d e='&notit;' f='&not;'>",
        "<![CDATA[a]]>b",
        "<A HREF=1 href=2 Href=3>",
        "<p\0x a\0b=c\0d>e\0f",
        "a\r\nb\rc<p d='e\r\nf'>",
        "<p\u{c}a\tb\nc>",
        "<é><a é=ü>",
        "<a b='c'/d>",
        "<a b=c/>d",
        "</p a='>'>b",
        "<a\">b",
        "<a 'b'=\"c\">",
        "<div </\0</title>",
    ] {
        assert_same(html.as_bytes());
        // Truncated documents must be read the same way too.
        (0..html.len()).for_each(|end| assert_same(&html.as_bytes()[..end]));
    }
}

/// The words that random documents consist of.
const WORDS: [&str; 60] = [
    "<",
    ">",
    "/",
    "=",
    "\"",
    "'",
    "!",
    "-",
    "--",
    "?",
    " ",
    "\n",
    "&",
    ";",
    "#",
    "x",
    "<!--",
    "-->",
    "--!>",
    "<!",
    "</",
    "<p>",
    "</p>",
    "<div ",
    "<a href=",
    "<script>",
    "</script>",
    "<script",
    "</script",
    "<title>",
    "</title>",
    "<textarea>",
    "</textarea>",
    "<style>",
    "</style>",
    "<noscript>",
    "</noscript>",
    "<iframe>",
    "</iframe>",
    "&amp;",
    "&amp",
    "&not",
    "&#65;",
    "&#x",
    "a",
    "B",
    "class='c'",
    "<![CDATA[",
    "]]>",
    "<!doctype html>",
    "\0",
    "\r",
    "é",
    "<a",
    "<h1 id=x>",
    "</h1>",
    "/>",
    "<br/>",
    "<xmp>",
    "</xmp>",
];

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2_000,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn random_documents(words in proptest::collection::vec(0..WORDS.len(), 0..40)) {
        let html: String = words.iter().map(|&word| WORDS[word]).collect();
        assert_same(html.as_bytes());
    }
}

/// Compares the two tokenizers on all pages in the folder that `SITEMAP_PAGES_TREE` names, and on damaged copies of
/// them.
#[test]
#[ignore = "needs a folder of pages"]
fn real_pages() {
    let root = std::env::var_os("SITEMAP_PAGES_TREE").expect("set `SITEMAP_PAGES_TREE` to a folder of pages");
    let (mut folders, mut pages) = (vec![std::path::PathBuf::from(root)], 0);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if entry.file_type().unwrap().is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "html") {
                let mut html = std::fs::read(&path).unwrap();
                assert_eq!(ours(&html), theirs(&html), "{}", path.display());
                let mut random = html.len() as u64 ^ 0x9e37_79b9_7f4a_7c15;
                for _ in 0..20 {
                    random = random
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    let at = (random >> 33) as usize % html.len().max(1);
                    html[at..]
                        .first_mut()
                        .into_iter()
                        .for_each(|byte| *byte = b"<>\"'-!/= s"[(random >> 20) as usize % 10]);
                }
                assert_eq!(ours(&html), theirs(&html), "damaged {}", path.display());
                pages += 1;
            }
        }
    }
    assert_ne!(pages, 0);
    println!("{pages} pages, each twice");
}

/// Compares the speeds on the HTML files in the folder `HTML_FOLDER` and its subfolders.
///
///     HTML_FOLDER=… cargo test --release -p sitemap-pages --lib tokenizer_speed -- --ignored --nocapture
#[test]
#[ignore = "measures"]
#[expect(clippy::cast_precision_loss, reason = "sizes are small")]
fn tokenizer_speed() {
    fn read(folder: &std::path::Path, files: &mut Vec<Vec<u8>>) {
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                read(&entry, files);
            } else if entry.extension().is_some_and(|extension| extension == "html") {
                files.push(std::fs::read(entry).unwrap());
            }
        }
    }
    fn best(files: &[Vec<u8>], tags: impl Fn(&[u8]) -> usize) -> (f64, usize) {
        let round = || {
            let start = std::time::Instant::now();
            let found = files.iter().map(|file| tags(file)).sum();
            (start.elapsed().as_secs_f64(), found)
        };
        (0..5).map(|_| round()).min_by(|one, other| one.0.total_cmp(&other.0)).unwrap()
    }
    let mut files = Vec::new();
    read(std::env::var_os("HTML_FOLDER").unwrap().as_ref(), &mut files);
    let size = files.iter().map(Vec::len).sum::<usize>() as f64 / 1e6;
    let (ours, our_tags) = best(&files, |html| {
        let (mut tokens, mut tags) = (Tokenizer::new(html), 0);
        while let Some(token) = tokens.next() {
            tags += usize::from(matches!(token, Token::Start { .. }));
        }
        tags
    });
    let (theirs, their_tags) = best(&files, |html| {
        let mut tags = 0;
        let mut emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| -> Option<()> {
            tags += usize::from(matches!(event, CallbackEvent::OpenStartTag { .. }));
            None
        });
        emitter.naively_switch_states(true);
        html5gum::Tokenizer::new_with_emitter(html, emitter).for_each(drop);
        tags
    });
    println!(
        "{size:.1} MB: {:.0} MB/s and {our_tags} tags; html5gum: {:.0} MB/s and {their_tags} tags",
        size / ours,
        size / theirs
    );
}
