//! Tests the `tracing` events and the metrics of refreshes.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use metrics::{
    Counter, CounterFn, Gauge, GaugeFn, Histogram, HistogramFn, Key, KeyName, Metadata, Recorder,
    SharedString, Unit,
};
use sitemap_core::{Memory, Site};
use sitemap_serve::{LiveSitemap, SitemapService};
use sitemap_tests::Hooked;
use tracing::field::{Field, Visit};
use tracing::span;

/// A subscriber that collects all events as text and counts how often a span is entered and exited.
#[derive(Clone, Default)]
struct Reports(Arc<Mutex<Vec<String>>>, Arc<AtomicUsize>, Arc<AtomicUsize>);

impl tracing::Subscriber for Reports {
    fn enabled(&self, _: &tracing::Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        struct Text(String);

        impl Visit for Text {
            fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
                if field.name() != "time" {
                    write!(self.0, " {field}={value:?}").unwrap();
                }
            }
        }

        let mut text = Text(event.metadata().level().to_string());
        event.record(&mut text);
        self.0.lock().unwrap().push(text.0);
    }

    fn enter(&self, _: &span::Id) {
        self.1.fetch_add(1, Ordering::Relaxed);
    }

    fn exit(&self, _: &span::Id) {
        self.2.fetch_add(1, Ordering::Relaxed);
    }
}

/// Collects the events that a function emits on this thread.
///
/// With a single subscriber, `tracing` caches whether an event is wanted, as decided on the first thread that reaches
/// the event. That thread may belong to another test, without a subscriber. A second subscriber prevents the caching.
fn reported<R>(reports: &Reports, run: impl FnOnce() -> R) -> R {
    static SECOND: OnceLock<tracing::Dispatch> = OnceLock::new();

    SECOND.get_or_init(|| tracing::Dispatch::new(Reports::default()));
    tracing::subscriber::with_default(reports.clone(), run)
}

#[test]
fn refreshes_are_reported() {
    let reports = Reports::default();
    reported(&reports, || {
        let live = LiveSitemap::new(Site::new("https://example.com").unwrap());
        live.refresh(|_| Err("no database".into())).unwrap_err();
        for pages in [["/1", "/2"], ["/1", "/3"]] {
            live.refresh(|run| {
                run.section("always")?.add("/")?;
                run.section("pages")?.add_all(pages)?;
                Ok(())
            })
            .unwrap();
        }
        live.refresh(|_| Err("locked".into())).unwrap_err();
    });
    assert_eq!(
        *reports.0.lock().unwrap(),
        [
            "ERROR message=sitemap not refreshed; there is no set yet, so requests get 503 error=cannot read the records: no database",
            "INFO message=sitemap refreshed urls=3 files=2 changed=2 skipped=0",
            "INFO message=sitemap refreshed urls=3 files=2 changed=1 skipped=0",
            "ERROR message=sitemap not refreshed; the old set stays published error=cannot read the records: locked",
        ]
    );
}

#[test]
fn an_async_refresh_is_in_a_span_each_time_that_it_is_polled() {
    let reports = Reports::default();
    reported(&reports, || {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let live = LiveSitemap::new(Site::new("https://example.com").unwrap());
            live.refresh_async(async |run| {
                tokio::task::yield_now().await;
                Ok(run.section("pages")?.add("/")?)
            })
            .await
            .unwrap();
        });
    });
    assert_eq!(
        *reports.0.lock().unwrap(),
        ["INFO message=sitemap refreshed urls=1 files=1 changed=1 skipped=0"]
    );
    let (entered, left) = (reports.1.load(Ordering::Relaxed), reports.2.load(Ordering::Relaxed));
    assert!(entered >= 3 && entered == left, "{entered} {left}");
}

/// A recorder that keeps the sum of each metric and the number of recorded durations.
#[derive(Clone, Default)]
struct Metrics(Arc<Mutex<BTreeMap<String, f64>>>);

/// One metric of the recorder.
struct Metric {
    name: String,
    all: Metrics,
}

impl Metric {
    fn of(key: &Key, all: &Metrics) -> Arc<Self> {
        let labels = key.labels().map(|label| format!(" {}={}", label.key(), label.value()));
        Arc::new(Self { name: format!("{}{}", key.name(), labels.collect::<String>()), all: all.clone() })
    }

    fn set(&self, change: impl FnOnce(f64) -> f64) {
        let mut all = self.all.0.lock().unwrap();
        let value = all.entry(self.name.clone()).or_default();
        *value = change(*value);
    }
}

impl CounterFn for Metric {
    fn increment(&self, by: u64) {
        self.set(|value| value + f64::from(u32::try_from(by).unwrap()));
    }

    fn absolute(&self, _: u64) {
        unreachable!("only increments are recorded")
    }
}

impl GaugeFn for Metric {
    fn increment(&self, _: f64) {
        unreachable!("gauges are set")
    }

    fn decrement(&self, _: f64) {
        unreachable!("gauges are set")
    }

    fn set(&self, value: f64) {
        self.set(|_| value);
    }
}

impl HistogramFn for Metric {
    fn record(&self, seconds: f64) {
        assert!((0.0..60.0).contains(&seconds), "{seconds}");
        self.set(|count| count + 1.0);
    }
}

impl Recorder for Metrics {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(Metric::of(key, self))
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::from_arc(Metric::of(key, self))
    }

    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::from_arc(Metric::of(key, self))
    }
}

/// Runs a refresh on one instance. Meanwhile, another instance starts a refresh, which fails because it is overtaken.
fn overtake() {
    let storage = Memory::new();
    let options = LiveSitemap::options(Site::new("https://example.com").unwrap());
    let [slow, quick] = [(); 2].map(|()| LiveSitemap::on(storage.clone(), options.clone()));
    slow.refresh(|run| {
        assert!(quick.refresh(|_| Ok(())).unwrap_err().is_overtaken());
        Ok(run.section("pages")?.add("/")?)
    })
    .unwrap();
}

#[test]
fn a_refresh_that_is_left_to_another_instance_is_no_failure() {
    let reports = Reports::default();
    reported(&reports, overtake);
    assert_eq!(
        *reports.0.lock().unwrap(),
        [
            "DEBUG message=sitemap refresh left to another instance left=1",
            "INFO message=sitemap refreshed urls=1 files=1 changed=1 skipped=0",
        ]
    );
    let recorder = Metrics::default();
    metrics::with_local_recorder(&recorder, overtake);
    let found = recorder.0.lock().unwrap();
    let counters: Vec<_> = found.iter().filter(|(name, _)| name.contains("_total")).collect();
    let (left, success) = ("sitemap_refreshes_total result=left", "sitemap_refreshes_total result=success");
    assert_eq!(counters, [(&left.to_owned(), &1.0), (&success.to_owned(), &1.0)]);
}

#[test]
fn a_storage_that_fails_is_reported() {
    let reports = Reports::default();
    reported(&reports, || {
        let storage = Hooked::new(Memory::new(), |_| Err(io::Error::other("no answer")));
        let live = LiveSitemap::on(storage, LiveSitemap::options(Site::new("https://example.com").unwrap()));
        assert_eq!(live.service().respond_to("GET", "/sitemap.xml", [("", ""); 0]).status(), 503);
    });
    assert_eq!(
        *reports.0.lock().unwrap(),
        [
            "ERROR message=cannot read the published sitemap; requests get 503 until the storage answers error=no answer",
            "ERROR message=cannot read sitemap file file=\"sitemap.xml\" error=no answer",
        ]
    );
}

#[test]
fn refreshes_are_measured() {
    let recorder = Metrics::default();
    metrics::with_local_recorder(&recorder, || {
        let live = LiveSitemap::new(Site::new("https://example.com").unwrap());
        live.refresh(|_| Err("no database".into())).unwrap_err();
        live.refresh(|run| Ok(run.section("pages")?.add_all(["/1", "/2"])?)).unwrap();
        let storage = Hooked::new(Memory::new(), |_| Err(io::Error::other("no answer")));
        let service = SitemapService::new(storage);
        assert_eq!(service.respond_to("GET", "/sitemap.xml", [("", ""); 0]).status(), 503);
    });
    let mut found = recorder.0.lock().unwrap().clone();
    let date = found.remove("sitemap_last_success_timestamp_seconds").unwrap();
    assert!(date > 1_700_000_000.0, "{date}");
    let found: Vec<_> = found.iter().map(|(name, value)| format!("{name} {value}")).collect();
    assert_eq!(
        found,
        [
            "sitemap_files 1",
            "sitemap_refresh_duration_seconds 2",
            "sitemap_refreshes_total result=failure 1",
            "sitemap_refreshes_total result=success 1",
            "sitemap_storage_failures_total 1",
            "sitemap_urls 2",
        ]
    );
}
