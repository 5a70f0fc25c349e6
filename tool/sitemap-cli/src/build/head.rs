//! The directives for crawlers in the head of an HTML file.

use std::io::{self, Read};
use std::ops::ControlFlow;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{IoReader, Span, Tokenizer};

/// The maximum number of bytes to read from a file. This is enough, because directives come early in the head.
const MAX_BYTES: u64 = 1024 * 1024;

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    /// True if `<meta name="robots">` contains `noindex` or `none`.
    pub(super) noindex: bool,
    /// The `href` of `<link rel="canonical">`, as written.
    pub(super) canonical: Option<String>,
    /// The `href` of `<base>`, as written.
    pub(super) base: Option<String>,
    /// The URL in `<meta http-equiv="refresh">`, as written.
    pub(super) refresh: Option<String>,
}

/// Reads an HTML file up to the end of its head.
pub(super) fn read(html: impl Read) -> io::Result<Head> {
    let mut head = Head::default();
    let mut tag = Tag::default();
    let callback = |event: CallbackEvent<'_>, _: Span<()>| -> Option<ControlFlow<()>> {
        match event {
            CallbackEvent::OpenStartTag { name } => tag.open(name),
            CallbackEvent::AttributeName { name } => tag.attribute = Attribute::of(name),
            CallbackEvent::AttributeValue { value } => tag.set(value),
            CallbackEvent::CloseStartTag { .. } => {
                if tag.name == Name::Body {
                    return Some(ControlFlow::Break(()));
                }
                head.add(&tag);
                tag.name = Name::Other;
            }
            CallbackEvent::EndTag { name: b"head" } => return Some(ControlFlow::Break(())),
            _ => {}
        }
        None
    };
    let mut emitter = CallbackEmitter::new(callback);
    emitter.naively_switch_states(true);
    for token in Tokenizer::new_with_emitter(IoReader::new(html.take(MAX_BYTES)), emitter) {
        if token?.is_break() {
            break;
        }
    }
    Ok(head)
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Name {
    Meta,
    Link,
    Base,
    Body,
    #[default]
    Other,
}

#[derive(Clone, Copy, Debug, Default)]
enum Attribute {
    Name,
    HttpEquiv,
    Content,
    Rel,
    Href,
    #[default]
    Other,
}

impl Attribute {
    fn of(name: &[u8]) -> Self {
        match name {
            b"name" => Self::Name,
            b"http-equiv" => Self::HttpEquiv,
            b"content" => Self::Content,
            b"rel" => Self::Rel,
            b"href" => Self::Href,
            _ => Self::Other,
        }
    }
}

/// A start tag with those attributes that can contain directives.
#[derive(Debug, Default)]
struct Tag {
    name: Name,
    attribute: Attribute,
    values: [String; 5],
}

impl Tag {
    fn open(&mut self, name: &[u8]) {
        self.name = match name {
            b"meta" => Name::Meta,
            b"link" => Name::Link,
            b"base" => Name::Base,
            b"body" => Name::Body,
            _ => Name::Other,
        };
        self.attribute = Attribute::Other;
        self.values.iter_mut().for_each(String::clear);
    }

    fn set(&mut self, value: &[u8]) {
        if self.name == Name::Other {
            return;
        }
        if let Some(slot) = self.values.get_mut(self.attribute as usize) {
            slot.push_str(&String::from_utf8_lossy(value));
        }
    }

    fn value(&self, attribute: Attribute) -> &str {
        self.values.get(attribute as usize).map_or("", |value| value.trim())
    }
}

impl Head {
    fn add(&mut self, tag: &Tag) {
        let href = tag.value(Attribute::Href);
        match tag.name {
            Name::Meta if tag.value(Attribute::Name).eq_ignore_ascii_case("robots") => {
                let mut words = tag.value(Attribute::Content).split(',').map(str::trim);
                self.noindex |= words
                    .any(|word| word.eq_ignore_ascii_case("noindex") || word.eq_ignore_ascii_case("none"));
            }
            Name::Meta if tag.value(Attribute::HttpEquiv).eq_ignore_ascii_case("refresh") => {
                self.refresh = self.refresh.take().or_else(|| target(tag.value(Attribute::Content)));
            }
            Name::Link if !href.is_empty() => {
                let mut words = tag.value(Attribute::Rel).split_ascii_whitespace();
                if self.canonical.is_none() && words.any(|word| word.eq_ignore_ascii_case("canonical")) {
                    self.canonical = Some(href.to_owned());
                }
            }
            Name::Base if !href.is_empty() && self.base.is_none() => self.base = Some(href.to_owned()),
            _ => {}
        }
    }
}

/// Returns the URL of a refresh directive such as `0; url=…`, or `None` if the page only reloads itself.
fn target(content: &str) -> Option<String> {
    let (_, rest) = content.split_once([';', ','])?;
    let rest = rest.trim_start();
    let url = match rest.get(..3) {
        Some(key) if key.eq_ignore_ascii_case("url") => rest[3..].trim_start().strip_prefix('=')?.trim(),
        _ => rest,
    };
    let url = url.trim_matches(['"', '\'']);
    (!url.is_empty()).then(|| url.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(html: &str) -> Head {
        read(html.as_bytes()).unwrap()
    }

    #[test]
    fn robots_words_in_any_case_and_order() {
        for html in [
            "<meta name=robots content=noindex>",
            "<META NAME='Robots' CONTENT='nofollow, NOINDEX'>",
            "<!doctype html><html><head><title>a</title><meta content=\"none\" name=\"robots\"/></head>",
        ] {
            assert!(head(html).noindex, "{html}");
        }
        for html in [
            "<meta name=robots content='index, follow'>",
            "<meta name=description content=noindex>",
            "<title><meta name=robots content=noindex></title>",
            "<script>'<meta name=robots content=noindex>'</script>",
            "<!-- <meta name=robots content=noindex> -->",
            "<head></head><body><meta name=robots content=noindex>",
        ] {
            assert!(!head(html).noindex, "{html}");
        }
    }

    #[test]
    fn canonical_base_and_refresh() {
        let found = head(
            "<base href=/b/><link rel=stylesheet href=x.css><link rel='Canonical nofollow' href=' /a?b&amp;c '>\
             <link rel=canonical href=/second><meta http-equiv=Refresh content='0; URL=\"../new.html\"'>",
        );
        assert_eq!(found.base.as_deref(), Some("/b/"));
        assert_eq!(found.canonical.as_deref(), Some("/a?b&c"));
        assert_eq!(found.refresh.as_deref(), Some("../new.html"));
        assert_eq!(head("<meta http-equiv=refresh content=30>").refresh, None);
    }

    #[test]
    fn other_bytes_contain_no_directives() {
        for bytes in [&b""[..], b"\xFF\xFE\0", b"<", b"<meta", b"<meta name=robots content=\"noindex"] {
            assert_eq!(read(bytes).unwrap(), Head::default());
        }
    }
}
