//! Parses arbitrary strings as URLs. An accepted URL must be ASCII and within the length limit, and parsing it again
//! must return the same URL.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sitemap_core::{Loc, Site};

fuzz_target!(|text: &str| {
    if let Ok(loc) = Loc::parse(text) {
        assert!(loc.as_str().is_ascii() && loc.as_str().len() <= Loc::MAX_LEN);
        assert!(!loc.as_str().contains([' ', '<', '>', '"']));
        let again = Loc::parse(loc.as_str()).expect("an accepted URL parses again");
        assert_eq!(again, loc);
    }
    if let Ok(site) = Site::new(text) {
        let root = site.resolve("/").expect("`/` resolves on every site");
        assert!(site.covers(&root));
    }
});
