//! The rules for each entry of a document, and those for all entries together.

use std::sync::Arc;

use crate::read::{Document, DocumentKind, PageItem, SitemapItem, SitemapReader, Span, Value, quoted};
use crate::rule::Rule;
use sitemap_core::Dialect;
use sitemap_core::value::Precision;
use sitemap_core::{LastMod, Loc, Priority};

use super::attached::{Attachments, has_any};
use super::engine::Engine;
use super::hreflang;
use super::log::{Log, LoggedPage};
use super::options::CheckOptions;
use super::others::{Child, Others};
use super::page;
use super::role::{Role, role_of};
use super::same::Same;
use super::scope::Scope;
use super::sink::Sink;

/// The maximum number of entries that the XML schema of 2006 allowed in an index.
const CHILDREN_IN_2006: u64 = 1_000;

/// The state of the check of one document.
pub(super) struct DocumentState {
    document: Option<Document>,
    is_v0_84: bool,
    pub(super) root_prefix: Vec<u8>,
    now: Option<i64>,
    max_bytes: u64,
    pub(super) scope: Scope,
    pub(super) newest: Option<(LastMod, i64)>,
    pages: u64,
    lastmods: Same<LastMod>,
    priorities: Same<Priority>,
    asks_hints: bool,
    asks_ignored_versions: bool,
    role: Role,
    attachments: Attachments,
    too_large: Option<Span>,
    pub(super) children: Vec<Child>,
    sitemaps: u64,
}

impl DocumentState {
    pub(super) fn new(
        document: Option<Document>,
        name: &str,
        served_at: Option<Loc<'static>>,
        options: &CheckOptions,
    ) -> Self {
        let dialect = document.and_then(|document| document.dialect).unwrap_or_default();
        Self {
            document,
            is_v0_84: dialect == Dialect::V0_84,
            root_prefix: Vec::new(),
            now: options.now.map(|now| now.timestamp()),
            max_bytes: dialect.limits().bytes,
            newest: None,
            pages: 0,
            lastmods: Same::default(),
            priorities: Same::default(),
            asks_hints: options.engines.has(Engine::Google) || options.engines.has(Engine::Bing),
            asks_ignored_versions: options.engines.has(Engine::Yandex),
            role: role_of(served_at.as_ref(), name),
            scope: Scope::new(served_at),
            attachments: Attachments::default(),
            too_large: None,
            children: Vec::new(),
            sitemaps: 0,
        }
    }

    fn is(&self, kind: DocumentKind) -> bool {
        self.document.is_some_and(|document| document.kind == kind)
    }

    /// Checks the root element and the file name.
    pub(super) fn head(
        &self,
        reader: &SitemapReader<'_>,
        document: Document,
        name: &str,
        sink: &mut Sink<'_>,
    ) {
        let root = reader.root_span().unwrap_or(Span::START);
        let name = match self.scope.served_at() {
            Some(loc) => loc.as_str().split(['?', '#']).next().unwrap_or_default().to_owned(),
            None => name.to_owned(),
        };
        let has_extension = |extension: &str| {
            name.len() >= extension.len()
                && name.as_bytes()[name.len() - extension.len()..].eq_ignore_ascii_case(extension.as_bytes())
        };
        if has_extension(".gz") && !document.gzip {
            sink.add_found(Rule::GzipName, Span::START, &name);
        }
        match document.kind {
            DocumentKind::UrlSet | DocumentKind::Index => {
                reader.inspect_root(&mut |note| sink.note(&note));
                if !self.root_prefix.is_empty() {
                    let prefix = String::from_utf8_lossy(&self.root_prefix).into_owned();
                    sink.add_found(Rule::RootPrefixed, root, &prefix);
                }
            }
            DocumentKind::Text => {
                let is_named = has_extension(".txt") || has_extension(".txt.gz");
                if self.scope.served_at().is_some() && !is_named {
                    sink.add_found(Rule::TextName, Span::START, &name);
                }
            }
            _ => {
                sink.add(Rule::FeedUnsupported, root);
                let namespace = reader.root_namespace();
                if namespace.contains("purl.org/atom/ns") {
                    sink.add_found(Rule::FeedAtom03, root, namespace);
                }
            }
        }
    }

    #[inline]
    pub(super) fn page(
        &mut self,
        page: &PageItem<'_>,
        others: &mut Others<'_>,
        options: &CheckOptions,
        log: &mut Log,
    ) {
        let entry = page.entry();
        let sink = &mut Sink { to: log, options };
        let loc_span = || page::place(page, Value::Loc);
        if self.is(DocumentKind::UrlSet) && !self.is_v0_84 {
            page.inspect(&self.root_prefix, &mut |note| sink.note(&note));
        }
        page::loc(page, !self.is(DocumentKind::Text), sink);
        if let Some(lastmod) = entry.lastmod() {
            let span = || page::place(page, Value::LastMod);
            let timestamp = lastmod.timestamp();
            page::lastmod((lastmod, timestamp), self.now, span, sink);
            self.lastmods.add(lastmod, span);
            if self.newest.is_none_or(|(_, newest)| newest < timestamp) {
                self.newest = Some((lastmod, timestamp));
            }
        }
        if let Some(priority) = entry.priority() {
            self.priorities.add(priority, || page::place(page, Value::Priority));
        }
        if self.asks_hints && (entry.changefreq().is_some() || entry.priority().is_some()) {
            self.asks_hints = false;
            let value = if entry.changefreq().is_some() { Value::ChangeFreq } else { Value::Priority };
            sink.add(Rule::HintsIgnored, page::place(page, value));
        }
        if options.engines.has(Engine::Yandex) {
            page::value_lengths(page, sink);
        }
        self.scope.page(entry.loc(), loc_span, sink, others.submissions);
        if has_any(entry) {
            self.attachments.check(page, self.now, self.is_v0_84, sink);
        }
        if self.role == Role::Pages && (!entry.alternates().is_empty() || !page.ignored_versions().is_empty())
        {
            hreflang::page(page, &mut self.asks_ignored_versions, others.fingerprints, log, options);
        }
        self.pages += 1;
        self.measure(page.offsets().end, || page.span());
        if options.duplicates {
            let url = entry.loc().as_str();
            let fingerprint = others.fingerprints.of(url);
            let sink = &mut Sink { to: log, options };
            if self.role == Role::Recent {
                if !Arc::make_mut(others.recent).add(fingerprint, entry.lastmod(), others.name) {
                    sink.add_found(Rule::DuplicateLoc, loc_span(), url);
                }
                return;
            }
            if let Some((date, recent)) = others.recent.other_date(fingerprint, entry.lastmod()) {
                let text = |date: Option<LastMod>| {
                    date.map_or_else(|| "no date".to_owned(), |date| format!("the date {date}"))
                };
                let value = if entry.lastmod().is_some() { Value::LastMod } else { Value::Loc };
                sink.add_with(Rule::RecentDateDiffers, page::place(page, value), || {
                    let (own, other) = (text(entry.lastmod()), text(*date));
                    format!("the page has {own}, but {other} in {recent}, found {}", quoted(url))
                });
            }
            log.urls.push_str(url);
            log.pages.push(LoggedPage { fingerprint, span: loc_span(), url_end: log.urls.len() });
        }
    }

    pub(super) fn sitemap(
        &mut self,
        sitemap: &SitemapItem<'_>,
        others: &mut Others<'_>,
        options: &CheckOptions,
        log: &mut Log,
    ) {
        let sink = &mut Sink { to: log, options };
        let span_of = |value| sitemap.value_span(value).unwrap_or_else(|| sitemap.span());
        if !self.is_v0_84 {
            sitemap.inspect(&self.root_prefix, &mut |note| sink.note(&note));
        }
        page::child_loc(sitemap, sink);
        let lastmod = sitemap.lastmod().map(|lastmod| (lastmod, span_of(Value::LastMod)));
        if let Some((lastmod, span)) = lastmod {
            page::lastmod((lastmod, lastmod.timestamp()), self.now, || span, sink);
        }
        self.scope.child(sitemap.loc(), || span_of(Value::Loc), sink, others.submissions);
        let fingerprint = others.fingerprints.of(sitemap.loc().as_str());
        let before = others.children.add(fingerprint, others.name);
        if let Some(before) = &before {
            sink.add_with(Rule::DuplicateChild, span_of(Value::Loc), || {
                let is_own = Arc::ptr_eq(before, others.name);
                let place = if is_own { String::new() } else { format!(" in {before}") };
                format!(
                    "the child sitemap is already listed{place}, found {}",
                    quoted(sitemap.loc().as_str())
                )
            });
        }
        self.sitemaps += 1;
        if self.sitemaps == CHILDREN_IN_2006 + 1 && !self.is_v0_84 {
            sink.add(Rule::IndexOver1000, sitemap.span());
        }
        self.measure(sitemap.offsets().end, || sitemap.span());
        // Keeps one child more than the check may open. When the check reaches this child, it reports the limit.
        if self.sitemaps <= options.max_children.saturating_add(1) {
            let loc = sitemap.loc().clone().into_owned();
            self.children.push(Child { loc, span: span_of(Value::Loc), lastmod, is_new: before.is_none() });
        }
    }

    #[inline]
    fn measure(&mut self, end: u64, span: impl FnOnce() -> Span) {
        if self.too_large.is_none() && end > self.max_bytes {
            self.too_large = Some(span());
        }
    }

    /// Applies the rules that need the whole document.
    pub(super) fn tail(&self, reader: &SitemapReader<'_>, sink: &mut Sink<'_>) {
        let bytes = reader.position().offset;
        if bytes > self.max_bytes {
            let span = self.too_large.unwrap_or_else(|| Span::new(reader.position(), 0));
            sink.add_with(Rule::TooLarge, span, || {
                format!("the file has more than {} bytes, found {bytes}", self.max_bytes)
            });
        }
        if self.document.is_some() && reader.entries() == 0 {
            sink.add(Rule::EmptySitemap, reader.root_span().unwrap_or(Span::START));
        }
        if self.role == Role::Recent {
            // One update may have set all dates.
            return;
        }
        if let Some((lastmod, span)) = self.lastmods.all_of(self.pages)
            && lastmod.precision() >= Precision::Minute
        {
            sink.add_found(Rule::LastModAllEqual, span, &lastmod.to_string());
        }
        if let Some((priority, span)) = self.priorities.all_of(self.pages) {
            sink.add_found(Rule::PriorityAllEqual, span, &priority.to_string());
        }
    }
}
