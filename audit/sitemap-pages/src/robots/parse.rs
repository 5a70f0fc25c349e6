//! Parses the lines of a robots.txt into groups.

use sitemap_core::robots::lines;

use super::delay::{self, CrawlDelay};
use super::key::{Key, key_of};
use super::rules::RuleSet;
use super::token::product_token;

/// Reads the groups and rules of a robots.txt.
pub(super) fn parse(text: &[u8]) -> RuleSet {
    let mut parser = Parser { rules: RuleSet::default(), last: Last::Nothing, first_name: 0, delay: None };
    for line in lines(text) {
        let Some(field) = line.field else { continue };
        match key_of(&field).0 {
            Key::UserAgent => parser.name(product_token(field.value)),
            key @ (Key::Allow | Key::Disallow) => parser.rule(line.number, key == Key::Allow, field.value),
            Key::CrawlDelay => parser.delay(line.number, field.value),
            Key::Sitemap | Key::Other => {}
        }
    }
    parser.finish_delay();
    parser.rules.sort_names();
    parser.rules
}

struct Parser {
    rules: RuleSet,
    last: Last,
    /// The index of the first name that the next delay applies to.
    first_name: usize,
    /// The longest delay for these names.
    delay: Option<CrawlDelay>,
}

/// The last relevant line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Nothing,
    Name,
    Rule,
    Delay,
}

impl Parser {
    /// A name after a rule starts a group. A delay is not a rule of the protocol, so a name after a delay still belongs
    /// to the same group (RFC 9309 §2.2.4). But the delay applies only to the names before it: `User-agent: a`,
    /// `Crawl-delay: 10`, `User-agent: *`, `Disallow: /x` must not slow down every crawler.
    fn name(&mut self, name: &[u8]) {
        if self.last != Last::Name {
            self.finish_delay();
        }
        if matches!(self.last, Last::Nothing | Last::Rule) {
            self.rules.add_group();
        }
        self.last = Last::Name;
        if !name.is_empty() {
            self.rules.add_name(name);
        }
    }

    /// A rule before the first group has no effect. Neither does a rule without a pattern, except that the next name
    /// starts a new group.
    fn rule(&mut self, line: u64, is_allow: bool, pattern: &[u8]) {
        if self.last == Last::Nothing {
            return;
        }
        self.last = Last::Rule;
        if !pattern.is_empty() {
            self.rules.add_rule(line, is_allow, pattern);
        }
    }

    fn delay(&mut self, line: u64, value: &[u8]) {
        let Some(asked) = delay::parse(value) else { return };
        match self.last {
            Last::Nothing => return,
            // A name after a rule starts a group, and a delay in between doesn't change that.
            Last::Rule => {}
            Last::Name | Last::Delay => self.last = Last::Delay,
        }
        if self.delay.is_none_or(|delay| delay.asked < asked) {
            self.delay = Some(CrawlDelay { line, asked });
        }
    }

    /// Assigns the delay to the names before it, and starts a new list of names for the next delay.
    fn finish_delay(&mut self) {
        if let Some(delay) = self.delay.take() {
            self.rules.set_delay(self.first_name, delay);
        }
        self.first_name = self.rules.name_count();
    }
}
