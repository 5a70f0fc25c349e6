//! What a page tells robots about itself, in `<meta name="robots">` and the `X-Robots-Tag` header.

use super::date::parse_date;
use super::place::Place;
use sitemap_core::LastMod;

/// The maximum number of directives in a list. Any further ones are ignored.
const MOST_READ: usize = 2000;

/// A robots directive, such as `noindex`.
///
/// ```
/// use sitemap_pages::facts::{PageFacts, Place, Response, RobotsRule};
///
/// let url = "https://example.com/";
/// let headers = [("X-Robots-Tag", "googlebot: nofollow, unavailable_after: Sunday, 22-Nov-26 10:00:00 GMT")];
/// let body = b"<!doctype html><meta name=robots content='NoIndex'>";
/// let robots = PageFacts::of(&Response::new(url, 200, &headers, body)).robots;
///
/// assert_eq!((robots[0].agent.as_deref(), &robots[0].rule), (Some("googlebot"), &RobotsRule::NoFollow));
/// let RobotsRule::UnavailableAfter { date, .. } = &robots[1].rule else { panic!() };
/// assert_eq!(date.unwrap().to_string(), "2026-11-22T10:00:00Z");
/// assert_eq!((robots[2].agent.as_deref(), &robots[2].rule, robots[2].place), (None, &RobotsRule::NoIndex, Place::Head));
/// assert!(robots[2].applies_to("googlebot"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "state", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct RobotsDirective {
    /// The robot that the directive is for, in lower case, or `None` for all robots.
    pub agent: Option<String>,
    /// The directive.
    pub rule: RobotsRule,
    /// The part of the response that contains the directive.
    pub place: Place,
    /// Whether only a space separates the directive from its neighbours. Search engines document commas and may not
    /// recognise a space.
    pub is_loose: bool,
}

/// The meaning of a directive.
///
/// ```
/// use sitemap_pages::facts::RobotsRule;
///
/// assert!(RobotsRule::None.is_noindex());
/// assert!(!RobotsRule::NoFollow.is_noindex());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "state", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum RobotsRule {
    /// `all`, which changes nothing.
    All,
    /// `index`, which changes nothing.
    Index,
    /// `follow`, which changes nothing.
    Follow,
    /// `noindex`
    NoIndex,
    /// `nofollow`
    NoFollow,
    /// `none`, which means `noindex` and `nofollow`.
    None,
    /// `indexifembedded`, which allows a `noindex` page to be indexed when another page embeds it.
    IndexIfEmbedded,
    /// `unavailable_after`, which acts like `noindex` from a certain date on.
    UnavailableAfter {
        /// The date as written.
        text: String,
        /// The date, or `None` if it's not in a format that search engines accept. The directive then has no effect.
        date: Option<LastMod>,
    },
    /// Any other directive, in lower case, such as `max-snippet:50`. None of these prevents a page from being indexed.
    Other(String),
}

impl RobotsDirective {
    /// Returns whether the directive is for a robot. Ignores case.
    pub fn applies_to(&self, agent: &str) -> bool {
        self.agent.as_ref().is_none_or(|own| own.eq_ignore_ascii_case(agent))
    }

    /// Returns `true` if search engines certainly recognise the directive: it is in a header or in the head, and
    /// separated from others by a comma.
    ///
    /// ```
    /// use sitemap_pages::facts::{PageFacts, Response};
    ///
    /// let url = "https://example.com/";
    /// let headers = [("X-Robots-Tag", "noindex")];
    /// let body = b"<!doctype html><meta name=robots content='noindex nofollow'>";
    /// let robots = PageFacts::of(&Response::new(url, 200, &headers, body)).robots;
    /// assert!(robots[0].is_clear() && !robots[1].is_clear());
    /// ```
    pub fn is_clear(&self) -> bool {
        self.place != Place::Body && !self.is_loose
    }
}

impl RobotsRule {
    /// Returns whether the directive removes the page from the index immediately.
    pub fn is_noindex(&self) -> bool {
        matches!(self, Self::NoIndex | Self::None)
    }

    /// Returns the directive with this name and no value.
    fn plain(name: &str) -> Option<Self> {
        Some(match name {
            "all" => Self::All,
            "index" => Self::Index,
            "follow" => Self::Follow,
            "noindex" => Self::NoIndex,
            "nofollow" => Self::NoFollow,
            "none" => Self::None,
            "indexifembedded" => Self::IndexIfEmbedded,
            "nosnippet"
            | "notranslate"
            | "noimageindex"
            | "noarchive"
            | "nocache"
            | "nositelinkssearchbox"
            | "noodp"
            | "noydir"
            | "noai"
            | "noimageai"
            | "noyaca" => Self::Other(name.to_owned()),
            _ => return None,
        })
    }
}

/// Returns whether the name of a `<meta>`, in lower case, names a robot.
pub(super) fn is_robots_name(name: &str) -> bool {
    name == "robots"
        || name.ends_with("bot")
        || matches!(name, "googlebot-news" | "googlebot-image" | "yandex" | "slurp" | "teoma" | "baiduspider")
}

/// Parses the content of a `<meta>` whose name, in lower case, names a robot.
pub(super) fn read_meta(name: &str, content: &str, place: Place, into: &mut Vec<RobotsDirective>) {
    let agent = (name != "robots").then(|| name.to_owned());
    read(content, agent, false, place, into);
}

/// Parses an `X-Robots-Tag` header. A name before a colon is the robot that all following directives are for, unless it
/// is the name of a directive with a value.
pub(super) fn read_header(value: &str, into: &mut Vec<RobotsDirective>) {
    read(value, None, true, Place::Header, into);
}

fn read(
    list: &str,
    mut agent: Option<String>,
    has_agents: bool,
    place: Place,
    into: &mut Vec<RobotsDirective>,
) {
    let mut rest = list;
    while !rest.is_empty() && into.len() < MOST_READ {
        let (item, after) = rest.split_once(',').unwrap_or((rest, ""));
        let name = item.split(':').next().unwrap_or_default().trim().to_ascii_lowercase();
        let has_colon = item.contains(':');
        if has_colon && name == "unavailable_after" {
            let value = rest.split_once(':').map_or("", |(_, value)| value);
            let (date, after) = split_date(value);
            rest = after;
            let rule = RobotsRule::UnavailableAfter { text: date.to_owned(), date: parse_date(date) };
            into.push(RobotsDirective { agent: agent.clone(), rule, place, is_loose: false });
        } else if has_agents && has_colon && is_agent(&name) {
            // After the colon, there can be another directive with a value.
            rest = rest.split_once(':').map_or("", |(_, value)| value);
            agent = Some(name);
        } else {
            read_item(item, agent.as_ref(), place, into);
            rest = after;
        }
    }
}

/// Parses one item of a list: a directive, or several separated by spaces.
fn read_item(item: &str, agent: Option<&String>, place: Place, into: &mut Vec<RobotsDirective>) {
    let item = item.trim().to_ascii_lowercase();
    let name = item.split(':').next().unwrap_or_default().trim();
    let mut push =
        |rule, is_loose| into.push(RobotsDirective { agent: agent.cloned(), rule, place, is_loose });
    let words: Option<Vec<_>> = item.split_ascii_whitespace().map(RobotsRule::plain).collect();
    match (RobotsRule::plain(name), words) {
        (Some(rule), _) => push(rule, false),
        (None, Some(rules)) => rules.into_iter().for_each(|rule| push(rule, true)),
        (None, None) => push(RobotsRule::Other(item), false),
    }
}

/// Returns whether a word before a colon names a robot: it is a token, but not the name of a directive.
fn is_agent(name: &str) -> bool {
    !name.is_empty()
        && RobotsRule::plain(name).is_none()
        && !matches!(name, "max-snippet" | "max-image-preview" | "max-video-preview")
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte))
}

/// Splits a date from what comes after its comma. A comma after a weekday is part of the date.
fn split_date(value: &str) -> (&str, &str) {
    let first = value.find(',').unwrap_or(value.len());
    let end = if is_weekday(value[..first].trim()) {
        value[first..].match_indices(',').nth(1).map(|(at, _)| first + at)
    } else {
        Some(first)
    };
    let end = end.unwrap_or(value.len());
    (value[..end].trim(), value.get(end + 1..).unwrap_or_default())
}

/// Returns whether a word is the English name of a weekday, or its first three letters.
fn is_weekday(word: &str) -> bool {
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        .iter()
        .any(|day| word.eq_ignore_ascii_case(day) || word.eq_ignore_ascii_case(&day[..3]))
}

#[cfg(test)]
mod tests {
    use super::{Place, RobotsDirective, RobotsRule, read_header, read_meta};

    fn shown(directives: &[RobotsDirective]) -> Vec<String> {
        let show = |directive: &RobotsDirective| {
            let agent = directive.agent.as_deref().unwrap_or("*");
            let loose = if directive.is_loose { " (loose)" } else { "" };
            match &directive.rule {
                RobotsRule::UnavailableAfter { text, date } => {
                    format!(
                        "{agent} until {text} = {}{loose}",
                        date.map_or("void".to_owned(), |date| date.to_string())
                    )
                }
                RobotsRule::Other(name) => format!("{agent} ({name}){loose}"),
                rule => format!("{agent} {rule:?}{loose}"),
            }
        };
        directives.iter().map(show).collect()
    }

    #[test]
    fn headers() {
        for (value, expected) in [
            ("noindex", &["* NoIndex"][..]),
            (" NOINDEX , nofollow ", &["* NoIndex", "* NoFollow"]),
            ("googlebot: noindex, nofollow", &["googlebot NoIndex", "googlebot NoFollow"]),
            ("noindex, Bot: nofollow", &["* NoIndex", "bot NoFollow"]),
            ("max-snippet: 50, noindex", &["* (max-snippet: 50)", "* NoIndex"]),
            ("bot: max-image-preview:large", &["bot (max-image-preview:large)"]),
            (
                "unavailable_after: Sunday, 22-Nov-26 10:00:00 GMT, noindex",
                &["* until Sunday, 22-Nov-26 10:00:00 GMT = 2026-11-22T10:00:00Z", "* NoIndex"],
            ),
            (
                "bot: unavailable_after: 22 Nov 2026 10:00:00 PST, none",
                &["bot until 22 Nov 2026 10:00:00 PST = 2026-11-22T18:00:00Z", "bot None"],
            ),
            ("unavailable_after: 2026-11-22", &["* until 2026-11-22 = 2026-11-22"]),
            ("unavailable_after: soon, noindex", &["* until soon = void", "* NoIndex"]),
            ("unavailable_after: Soon, 22-Nov-26", &["* until Soon = void", "* (22-nov-26)"]),
            ("unavailable_after: sun, garbage, none", &["* until sun, garbage = void", "* None"]),
            ("unavailable_after", &["* (unavailable_after)"]),
            ("unavailable_after:", &["* until  = void"]),
            ("noindex: yes", &["* NoIndex"]),
            ("noindex nofollow", &["* NoIndex (loose)", "* NoFollow (loose)"]),
            ("a b: noindex", &["* (a b: noindex)"]),
            (",,:,noindex", &["* (:)", "* NoIndex"]),
            ("", &[]),
        ] {
            let mut found = Vec::new();
            read_header(value, &mut found);
            assert_eq!(shown(&found), expected, "{value}");
        }
    }

    #[test]
    fn meta_has_no_agents() {
        let mut found = Vec::new();
        read_meta("bingbot", "noindex, other: nofollow", Place::Head, &mut found);
        assert_eq!(shown(&found), ["bingbot NoIndex", "bingbot (other: nofollow)"]);
    }
}
