//! Compares the derive macro with the library. Both must accept the same hosts, ports, locales and dates, and the macro
//! must not accept a path or base that the library rejects. The macro does not depend on the library, so these rules
//! are implemented twice.
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

    // The macro rejects IPv6 addresses, because they belong in `Site`. The maximum length applies to the whole URL, so
    // keep the host short.
    if !text.contains(['/', '?', '#', '[']) && text.len() < 1_000 {
        for scheme in ["http", "https"] {
            let derived = url::normal_origin(scheme, text).ok().map(|origin| format!("{origin}/"));
            let parsed = Loc::parse(format!("{scheme}://{text}/")).ok().map(String::from);
            if !needs_tables(text) || (derived.is_some() && parsed.is_some()) {
                assert_eq!(derived, parsed, "host {text:?}");
            }
        }
    }

    // The macro does not check `xn--` labels; the compiler does.
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

/// Returns true for hosts that the library's feature `url` judges with Unicode tables or as a browser does: names in
/// other scripts, escapes, `xn--` labels, and short forms of IPv4 addresses.
fn needs_tables(authority: &str) -> bool {
    let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
    let last = host.strip_suffix('.').unwrap_or(host).rsplit('.').next().unwrap_or_default();
    !host.is_ascii()
        || host.contains('%')
        || host.to_ascii_lowercase().contains("xn--")
        || last.starts_with(|ch: char| ch.is_ascii_digit())
}
