//! The `tracing` events of refreshes.

use std::fmt::{self, Write as _};
use std::sync::{Arc, Mutex};

use sitemap_core::Site;
use sitemap_serve::LiveSitemap;
use tracing::field::{Field, Visit};
use tracing::span;

/// A subscriber that collects all events as text.
#[derive(Clone, Default)]
struct Reports(Arc<Mutex<Vec<String>>>);

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

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

#[test]
fn refreshes_are_reported() {
    let reports = Reports::default();
    tracing::subscriber::with_default(reports.clone(), || {
        let live = LiveSitemap::new(Site::new("https://example.com").unwrap());
        live.refresh(|_| Err("no database".into())).unwrap_err();
        for pages in [["/1", "/2"], ["/1", "/3"]] {
            live.refresh(|publisher| {
                publisher.section("always")?.add("/")?;
                publisher.section("pages")?.add_all(pages)?;
                Ok(())
            })
            .unwrap();
        }
    });
    assert_eq!(
        *reports.0.lock().unwrap(),
        [
            "ERROR message=sitemap not refreshed; the old set stays published error=cannot read the records: no database",
            "INFO message=sitemap refreshed urls=3 files=2 changed=2 skipped=0",
            "INFO message=sitemap refreshed urls=3 files=2 changed=1 skipped=0",
        ]
    );
}
