//! Records the dialect and file size of each section, so that an update writes files like the existing ones.

use std::collections::BTreeMap;
use std::fmt;

use crate::dialect::Dialect;

/// The dialect and the maximum number of URLs per file, for each section that doesn't use the defaults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Formats(BTreeMap<String, FileFormat>);

/// The dialect and the maximum file size of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileFormat {
    pub(crate) dialect: Dialect,
    /// The maximum number of URLs per file.
    pub(crate) urls: u64,
}

impl Default for FileFormat {
    fn default() -> Self {
        Self { dialect: Dialect::V0_9, urls: Dialect::V0_9.limits().urls }
    }
}

impl Formats {
    pub(super) fn set(&mut self, section: &str, format: FileFormat) {
        if format == FileFormat::default() {
            self.0.remove(section);
        } else {
            self.0.insert(section.to_owned(), format);
        }
    }

    /// Returns the format of a section, or `None` if it is the default or was never recorded.
    pub(crate) fn get(&self, section: &str) -> Option<FileFormat> {
        self.0.get(section).copied()
    }

    /// Drops the formats of all other sections.
    pub(super) fn retain(&mut self, is_kept: impl Fn(&str) -> bool) {
        self.0.retain(|section, _| is_kept(section));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Parses the output of `Display`. Skips anything it can't parse, such as a dialect of a later version.
    pub(super) fn parse(text: &str) -> Self {
        let parse = |section: &str| {
            let words: Vec<&str> = section.split(' ').collect();
            let [name, dialect, urls] = words[..] else { return None };
            let dialect =
                [Dialect::V0_9, Dialect::V0_84].into_iter().find(|known| known.version() == dialect)?;
            Some((name.to_owned(), FileFormat { dialect, urls: urls.parse().ok().filter(|urls| *urls > 0)? }))
        };
        Self(text.split(';').filter_map(parse).collect())
    }
}

impl fmt::Display for Formats {
    /// Writes a string such as `posts 0.84 50000;shop 0.9 1000`. Section names contain neither spaces nor semicolons.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (section, FileFormat { dialect, urls })) in self.0.iter().enumerate() {
            let separator = if at == 0 { "" } else { ";" };
            write!(f, "{separator}{section} {} {urls}", dialect.version())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_formats_can_be_read_again() {
        let mut formats = Formats::default();
        formats.set("posts", FileFormat { dialect: Dialect::V0_84, urls: 50_000 });
        formats.set("shop", FileFormat { urls: 1000, ..FileFormat::default() });
        formats.set("usual", FileFormat::default());
        assert_eq!(formats.to_string(), "posts 0.84 50000;shop 0.9 1000");
        assert_eq!(Formats::parse(&formats.to_string()), formats);
        formats.retain(|section| section == "shop");
        formats.set("shop", FileFormat::default());
        assert!(formats.is_empty());
    }

    #[test]
    fn what_is_not_understood_is_left_out() {
        for text in
            ["", ";", "posts", "posts 0.84", "posts 1.0 7", "posts 0.9 x", "posts 0.9 0", "posts 0.9 7 7"]
        {
            assert!(Formats::parse(text).is_empty(), "{text}");
        }
    }
}
