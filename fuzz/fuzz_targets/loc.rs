//! Addresses: what is accepted is ASCII, short enough, and stays as it is the second time.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sitemap_core::{Loc, Site};

fuzz_target!(|text: &str| {
    if let Ok(loc) = Loc::parse(text) {
        assert!(loc.as_str().is_ascii() && loc.as_str().len() <= Loc::MAX_LEN);
        assert!(!loc.as_str().contains([' ', '<', '>', '"']));
        let again = Loc::parse(loc.as_str()).expect("what was accepted");
        assert_eq!(again, loc);
    }
    if let Ok(site) = Site::new(text) {
        let root = site.resolve("/").expect("the base");
        assert!(site.covers(&root));
    }
});
