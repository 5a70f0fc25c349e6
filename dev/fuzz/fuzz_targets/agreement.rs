//! Compares the derive with the library: both must accept the same hosts, ports, locales and dates, and the derive
//! accepts no path or base that the library refuses. The derive does not depend on the library, so both have these
//! rules.
#![no_main]
#![allow(dead_code)] // this target uses only a part of the derive's files

#[path = "../../../sitemap-derive/src/report"]
mod report {
    pub(crate) mod suggest;
}
#[path = "../../../sitemap-derive/src/text/mod.rs"]
mod text;

use libfuzzer_sys::fuzz_target;
use sitemap_core::extension::Hreflang;
use sitemap_core::{LastMod, Loc, Site};
use text::template::scan_base;
use text::{date, locale, url};

fuzz_target!(|text: &str| {
    assert_eq!(
        locale::problem(text).is_none(),
        text != "x-default" && Hreflang::parse(text).is_ok(),
        "locale {text:?}"
    );
    assert_eq!(date::problem(text).is_none(), LastMod::parse(text).is_ok(), "date {text:?}");

    // The derive refuses IPv6 addresses, and leaves them to `Site`. The length of a URL does not depend on its host alone.
    if !text.contains(['/', '?', '#', '[']) && text.len() < 1_000 {
        for scheme in ["http", "https"] {
            let derived = url::normal_origin(scheme, text).ok().map(|origin| format!("{origin}/"));
            let parsed = Loc::parse(format!("{scheme}://{text}/")).ok().map(String::from);
            if !needs_tables(text) || (derived.is_some() && parsed.is_some()) {
                assert_eq!(derived, parsed, "host {text:?}");
            }
        }
    }

    // The derive leaves `xn--` labels to the compiler.
    if let Ok(base) = scan_base(text)
        && !base.contains("xn--")
    {
        let site = Site::new(text).expect("the library accepts each `base` of the derive");
        assert_eq!(site.base(), format!("{base}/"));
    }
    if text.starts_with('/') && !text.contains(['{', '}']) {
        let whole = format!("https://example.com{text}");
        if let Ok(base) = scan_base(&whole) {
            let parsed = Loc::parse(whole).expect("the library accepts each path of the derive");
            assert_eq!(parsed.as_str().strip_suffix('/').unwrap_or(parsed.as_str()), base);
        }
    }
});

/// Returns true for hosts that the feature `url` of the library decides with Unicode's tables or as a browser does:
/// names in other scripts, escapes, `xn--` labels, and short spellings of IPv4 addresses.
fn needs_tables(authority: &str) -> bool {
    let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
    let last = host.strip_suffix('.').unwrap_or(host).rsplit('.').next().unwrap_or_default();
    !host.is_ascii()
        || host.contains('%')
        || host.to_ascii_lowercase().contains("xn--")
        || last.starts_with(|ch: char| ch.is_ascii_digit())
}
