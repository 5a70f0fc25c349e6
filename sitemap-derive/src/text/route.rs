//! Converts the path of a URL template to a web framework's route.

use crate::text::dates::Directive;
use crate::text::path::Step;
use crate::text::placeholder::{DateItem, Placeholder};
use crate::text::template::{Part, Template};

/// A template's route in the syntax of three routers. `None` if a router cannot express the route.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Routes {
    pub(crate) axum: Option<String>,
    pub(crate) actix_web: String,
    pub(crate) rocket: Option<String>,
}

impl Routes {
    pub(crate) fn of(template: &Template) -> Self {
        let segments = segments(template);
        let join = |written: Vec<String>| format!("/{}", written.join("/"));
        Self {
            axum: segments.iter().map(|segment| axum(segment)).collect::<Option<_>>().map(join),
            actix_web: join(segments.iter().map(|segment| actix_web(segment)).collect()),
            rocket: segments.iter().map(|segment| rocket(segment)).collect::<Option<_>>().map(join),
        }
    }
}

/// A part of a path segment.
enum Bit {
    /// Percent-encoded text. Never empty.
    Text(String),
    /// The name of a parameter.
    Param(String),
    /// The name of a parameter that matches the rest of the path.
    Rest(String),
}

/// Splits a template's path into segments.
fn segments(template: &Template) -> Vec<Vec<Bit>> {
    let mut path = Path::default();
    for (at, part) in template.parts.iter().enumerate() {
        match part {
            Part::Text(text) => {
                let origin = if at == 0 && template.absolute { origin_len(text) } else { 0 };
                if !path.text(&text[origin..]) {
                    break;
                }
            }
            Part::Value(placeholder, _) => path.placeholder(placeholder),
            // Optional pairs only occur in the query.
            Part::Joined(_) | Part::Optional(..) => break,
        }
    }
    path.segments.push(path.segment);
    // The leading slash ends an empty segment.
    if path.segments.len() > 1 {
        path.segments.remove(0);
    }
    path.segments
}

fn origin_len(text: &str) -> usize {
    let host = text.find("://").map_or(0, |at| at + 3);
    text[host..].find(['/', '?']).map_or(text.len(), |at| host + at)
}

#[derive(Default)]
struct Path {
    segments: Vec<Vec<Bit>>,
    segment: Vec<Bit>,
    names: Vec<String>,
}

impl Path {
    /// Adds text. Returns false if the query starts within it.
    fn text(&mut self, text: &str) -> bool {
        let path = text.split('?').next().unwrap_or_default();
        for (at, text) in path.split('/').enumerate() {
            if at > 0 {
                self.segments.push(std::mem::take(&mut self.segment));
            }
            if !text.is_empty() {
                self.segment.push(Bit::Text(text.to_owned()));
            }
        }
        path.len() == text.len()
    }

    fn placeholder(&mut self, placeholder: &Placeholder) {
        let name = name(&placeholder.steps);
        if placeholder.date.is_empty() {
            let name = self.unique(&name);
            self.segment.push(if placeholder.rest { Bit::Rest(name) } else { Bit::Param(name) });
        }
        for item in &placeholder.date {
            match item {
                DateItem::Text(text) => {
                    self.text(text);
                }
                DateItem::Directive(directive) => {
                    let part = match directive {
                        Directive::Year => "year",
                        Directive::Month | Directive::ShortMonth => "month",
                        Directive::Day | Directive::ShortDay => "day",
                    };
                    let name = self.unique(&format!("{name}_{part}"));
                    self.segment.push(Bit::Param(name));
                }
            }
        }
    }

    /// Returns the name, with a number appended if the path already has a parameter with this name.
    fn unique(&mut self, name: &str) -> String {
        let count = self.names.iter().filter(|other| *other == name).count();
        self.names.push(name.to_owned());
        if count == 0 { name.to_owned() } else { format!("{name}_{}", count + 1) }
    }
}

/// Returns a parameter's name. Routers require an identifier.
fn name(steps: &[Step]) -> String {
    let names: Vec<_> = steps.iter().map(|step| step.name.as_str()).collect();
    let name = names.join("_");
    if name.starts_with(|first: char| first.is_ascii_digit()) { format!("_{name}") } else { name }
}

/// In axum, nothing may follow a parameter in its segment, and no segment may start with `:` or `*`.
fn axum(segment: &[Bit]) -> Option<String> {
    let write = |(at, bit): (usize, &Bit)| match bit {
        Bit::Text(text) if at == 0 && text.starts_with([':', '*']) => None,
        Bit::Text(text) => Some(text.clone()),
        Bit::Param(name) if at + 1 == segment.len() => Some(format!("{{{name}}}")),
        Bit::Param(_) => None,
        Bit::Rest(name) => Some(format!("{{*{name}}}")),
    };
    segment.iter().enumerate().map(write).collect()
}

/// actix-web compares decoded paths, but does not decode `%`, `/` and `+`.
fn actix_web(segment: &[Bit]) -> String {
    let write = |bit: &Bit| match bit {
        Bit::Text(text) => decoded(text),
        Bit::Param(name) => format!("{{{name}}}"),
        Bit::Rest(name) => format!("{{{name}:.+}}"),
    };
    segment.iter().map(write).collect()
}

/// In Rocket, a parameter must be a whole segment.
fn rocket(segment: &[Bit]) -> Option<String> {
    match segment {
        [] => Some(String::new()),
        [Bit::Text(text)] => Some(text.clone()),
        [Bit::Param(name)] => Some(format!("<{name}>")),
        [Bit::Rest(name)] => Some(format!("<{name}..>")),
        _ => None,
    }
}

/// Decodes the percent-encoding of a string, except for `%`, `/` and `+`. If the result would not be UTF-8, returns the
/// string unchanged.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digits =
            after.get(..2).filter(|digits| *first == b'%' && digits.iter().all(u8::is_ascii_hexdigit));
        let escaped =
            digits.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        match escaped {
            Some(byte) if !matches!(byte, b'%' | b'/' | b'+') => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::fields::Fields;
    use crate::text::template::scan;

    fn routes(template: &str) -> (Option<String>, String, Option<String>) {
        let Routes { axum, actix_web, rocket } = Routes::of(&scan(template, Fields(&[])).unwrap());
        (axum, actix_web, rocket)
    }

    #[test]
    fn placeholders_are_written_as_each_router_does() {
        for (template, axum, actix_web, rocket) in [
            ("/", "/", "/", "/"),
            ("/about", "/about", "/about", "/about"),
            ("/about/", "/about/", "/about/", "/about/"),
            ("/posts/{slug}", "/posts/{slug}", "/posts/{slug}", "/posts/<slug>"),
            ("/{a}/{*rest}", "/{a}/{*rest}", "/{a}/{rest:.+}", "/<a>/<rest..>"),
            ("/{0}/{1}?page={page}", "/{_0}/{_1}", "/{_0}/{_1}", "/<_0>/<_1>"),
            ("/x?page={page?}&q={q}", "/x", "/x", "/x"),
            ("https://example.com/x/{id}", "/x/{id}", "/x/{id}", "/x/<id>"),
            ("https://example.com?id={id}", "/", "/", "/"),
            (
                "/{author.slug}/{slug()}",
                "/{author_slug}/{slug}",
                "/{author_slug}/{slug}",
                "/<author_slug>/<slug>",
            ),
            ("/{slug}/{slug}", "/{slug}/{slug_2}", "/{slug}/{slug_2}", "/<slug>/<slug_2>"),
            (
                "/{day:%Y/%m}/x",
                "/{day_year}/{day_month}/x",
                "/{day_year}/{day_month}/x",
                "/<day_year>/<day_month>/x",
            ),
            ("/über/{id}", "/%C3%BCber/{id}", "/über/{id}", "/%C3%BCber/<id>"),
            ("/a%2Fb%FC", "/a%2Fb%FC", "/a%2Fb%FC", "/a%2Fb%FC"),
        ] {
            let expected = (Some(axum.to_owned()), actix_web.to_owned(), Some(rocket.to_owned()));
            assert_eq!(routes(template), expected, "{template}");
        }
    }

    #[test]
    fn some_routers_allow_no_text_next_to_a_placeholder() {
        for (template, axum, actix_web) in [
            ("/item-{id}", Some("/item-{id}"), "/item-{id}"),
            ("/item-{id}.html", None, "/item-{id}.html"),
            ("/{day:%Y-%m}", None, "/{day_year}-{day_month}"),
        ] {
            assert_eq!(routes(template), (axum.map(str::to_owned), actix_web.to_owned(), None), "{template}");
        }
        assert_eq!(routes("/*/a"), (None, "/*/a".to_owned(), Some("/*/a".to_owned())));
    }
}
