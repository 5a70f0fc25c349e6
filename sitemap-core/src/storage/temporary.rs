//! The temporary names of files that don't have their final names yet.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Returns a temporary name for a file that will be called `name`.
///
/// Each call returns a different name, even across processes and machines.
///
/// ```
/// use sitemap_core::storage::{final_name, temporary_name};
///
/// let temporary = temporary_name("sitemap.xml");
/// assert_ne!(temporary, temporary_name("sitemap.xml"));
/// assert_eq!(final_name(&temporary), Some("sitemap.xml"));
/// ```
#[must_use]
pub fn temporary_name(name: &str) -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    /// A random number that identifies this process. The process id isn't enough, because a process on another machine
    /// that uses the same storage may have the same id.
    static PROCESS: LazyLock<u64> = LazyLock::new(|| RandomState::new().build_hasher().finish());

    format!(".{name}.{}-{}.tmp", *PROCESS, NUMBER.fetch_add(1, Ordering::Relaxed))
}

/// Returns the final name of a file with this [temporary name](temporary_name), or `None` if the name isn't a temporary
/// one.
///
/// ```
/// use sitemap_core::storage::final_name;
///
/// assert_eq!(final_name(".sitemap.xml.17-3.tmp"), Some("sitemap.xml"));
/// assert_eq!(final_name("sitemap.xml"), None);
/// ```
#[must_use]
pub fn final_name(temporary: &str) -> Option<&str> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (name, numbers) = temporary.strip_prefix('.')?.strip_suffix(".tmp")?.rsplit_once('.')?;
    let (process, number) = numbers.split_once('-')?;
    (!name.is_empty() && is_number(process) && is_number(number)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_exact_pattern_is_a_temporary_name() {
        for name in ["sitemap.xml", ".sitemap-manifest.jsonl", "sitemap-a_B-1.txt.gz"] {
            assert_eq!(final_name(&temporary_name(name)), Some(name));
            assert_eq!(final_name(name), None, "{name}");
        }
        for name in [
            ".sitemap.xml.tmp",
            "sitemap.xml.1-1.tmp",
            ".sitemap.xml.1-.tmp",
            ".sitemap.xml.-1.tmp",
            ".sitemap.xml.1-1-1.tmp",
            ".sitemap.xml.1-x.tmp",
            ".sitemap.xml.1-1.tmp.bak",
            "..1-1.tmp",
            "",
            ".tmp",
        ] {
            assert_eq!(final_name(name), None, "{name}");
        }
    }
}
