//! Tells pages from other HTML files by their paths.

use std::path::Path;

use super::skipped::Reason;

/// Folders in which web frameworks and documentation generators put pieces of pages.
const FRAMEWORK_FOLDERS: [&str; 6] = ["_app", "_astro", "_gatsby", "_next", "_nuxt", "_static"];

/// How the names of the files start that search engines use to verify a site's owner, and what follows.
///
/// Sources: the help pages of Google Search Console, Yandex Webmaster, Baidu, Naver and Pinterest.
const VERIFICATION_NAMES: [(&str, Rest); 5] = [
    ("google", Rest::Hexadecimal),
    ("yandex_", Rest::Hexadecimal),
    ("naver", Rest::Hexadecimal),
    ("baidu_verify_", Rest::Any),
    ("pinterest-", Rest::Hexadecimal),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rest {
    /// At least five hexadecimal digits.
    Hexadecimal,
    Any,
}

/// Returns the reason why a file is not a page, judging by its path relative to the folder of the site.
pub(super) fn not_a_page(relative: &Path) -> Option<Reason> {
    let segments: Vec<&str> = relative.iter().filter_map(|segment| segment.to_str()).collect();
    let (name, folders) = segments.split_last()?;
    let stem = name.rsplit_once('.').map_or(*name, |(stem, _)| stem);
    if is_error_page(folders, stem) {
        return Some(Reason::ErrorPage);
    }
    if folders.iter().any(|folder| FRAMEWORK_FOLDERS.contains(folder)) {
        return Some(Reason::Framework);
    }
    (folders.is_empty() && is_verification(stem)).then_some(Reason::Verification)
}

/// Returns `true` for the page that servers send for missing pages: `404.html` or `404/index.html`, at the root or in
/// the folder of a language. Elsewhere, 404 can be the number of an item.
fn is_error_page(folders: &[&str], stem: &str) -> bool {
    let (([parent @ .., "404"], "index") | (parent, "404")) = (folders, stem) else { return false };
    match parent {
        [] => true,
        [folder] => is_language(folder),
        _ => false,
    }
}

/// Returns `true` for a language such as `de`, `pt-br` or `zh_Hans`.
fn is_language(folder: &str) -> bool {
    let mut parts = folder.split(['-', '_']);
    let language = parts.next().unwrap_or_default();
    let is_code = language.len() == 2 && language.bytes().all(|byte| byte.is_ascii_lowercase());
    is_code
        && parts
            .all(|part| matches!(part.len(), 2..=4) && part.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

fn is_verification(stem: &str) -> bool {
    VERIFICATION_NAMES.iter().any(|(start, rest)| {
        stem.strip_prefix(start).is_some_and(|code| match rest {
            Rest::Hexadecimal => code.len() >= 5 && code.bytes().all(|byte| byte.is_ascii_hexdigit()),
            Rest::Any => !code.is_empty(),
        })
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Reason, not_a_page};

    #[test]
    fn error_pages_are_at_the_root_or_in_the_folder_of_a_language() {
        for path in [
            "404.html",
            "404.htm",
            "404/index.html",
            "de/404.html",
            "pt-br/404/index.html",
            "zh_Hans/404.html",
        ] {
            assert_eq!(not_a_page(Path::new(path)), Some(Reason::ErrorPage), "{path}");
        }
        for path in [
            "1404.html",
            "404/map.html",
            "items/404.html",
            "stores/ca/404/index.html",
            "item/404/index.html",
            "de/faq/404.html",
        ] {
            assert_eq!(not_a_page(Path::new(path)), None, "{path}");
        }
    }

    #[test]
    fn pieces_of_frameworks_and_proofs_of_ownership_are_not_pages() {
        for (path, reason) in [
            ("_gatsby/slices/menu-1.html", Some(Reason::Framework)),
            ("docs/_static/macros.html", Some(Reason::Framework)),
            ("_modules/oak.html", None),
            ("google1a2b3c4d5e6f7a8b.html", Some(Reason::Verification)),
            ("yandex_0123456789abcdef.html", Some(Reason::Verification)),
            ("baidu_verify_code-x1.html", Some(Reason::Verification)),
            ("google.html", None),
            ("google-maps.html", None),
            ("blog/google1a2b3c4d5e6f7a8b.html", None),
        ] {
            assert_eq!(not_a_page(Path::new(path)), reason, "{path}");
        }
    }
}
