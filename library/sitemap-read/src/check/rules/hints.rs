//! The rules about `changefreq` and `priority`, and about the length of values.

use sitemap_core::Priority;

use super::all_equal::AllEqual;
use super::visit::{Facts, Item, Visit};
use crate::check::options::CheckOptions;
use crate::check::sink::Sink;
use crate::read::{PageItem, Value};
use crate::rule::{Engine, Rule};

/// The maximum length in bytes of a date, change frequency or priority that Yandex reads.
const LONGEST_FOR_YANDEX: usize = 100;

/// The priorities of the pages in one document.
pub(super) struct Hints {
    priorities: AllEqual<Priority>,
    /// True until the first page with a `changefreq` or `priority`. Only set if a search engine ignores these values.
    asks_ignored: bool,
}

impl Hints {
    pub(super) fn new(options: &CheckOptions) -> Self {
        let asks_ignored = options.engines.has(Engine::Google) || options.engines.has(Engine::Bing);
        Self { priorities: AllEqual::default(), asks_ignored }
    }

    #[inline]
    pub(super) fn page(&mut self, visit: &mut Visit<'_, '_, PageItem<'_>>) {
        let (page, entry) = (visit.item, visit.item.entry());
        self.priorities.add(entry.priority(), || page.span_of(Value::Priority));
        if self.asks_ignored && (entry.changefreq().is_some() || entry.priority().is_some()) {
            self.asks_ignored = false;
            let value = if entry.changefreq().is_some() { Value::ChangeFreq } else { Value::Priority };
            visit.sink().add(Rule::HintsIgnored, page.span_of(value));
        }
        if visit.options.engines.has(Engine::Yandex) {
            lengths(visit);
        }
    }

    pub(super) fn end(&self, facts: &Facts, sink: &mut Sink<'_>) {
        if !facts.is_recent
            && let Some((priority, span)) = self.priorities.value()
        {
            sink.add_found(Rule::PriorityAllEqual, span, &priority.to_string());
        }
    }
}

#[cold]
fn lengths(visit: &mut Visit<'_, '_, PageItem<'_>>) {
    let page = visit.item;
    for value in [Value::LastMod, Value::ChangeFreq, Value::Priority] {
        if let Some(raw) = page.raw(value).filter(|raw| raw.len() > LONGEST_FOR_YANDEX) {
            let (span, found) = (page.span_of(value), String::from_utf8_lossy(raw));
            visit.sink().add_found(Rule::ValueTooLongYandex, span, &found);
        }
    }
}
