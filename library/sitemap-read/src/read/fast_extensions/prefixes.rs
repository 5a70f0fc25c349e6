//! The prefixes that the document's root declares.

use super::super::limits::ReadLimits;
use super::super::namespace::{Namespaces, Space};

/// The prefixes of an entry's elements, each with its colon. Prefixes are only included if their namespaces need no
/// finding.
#[derive(Debug)]
pub(in super::super) struct Prefixes {
    /// The prefix of the protocol's own elements. Usually empty.
    pub(super) core: Vec<u8>,
    extensions: Vec<Prefix>,
}

/// A prefix of an extension, with its colon.
#[derive(Debug)]
pub(super) struct Prefix {
    pub(super) text: Vec<u8>,
    pub(super) space: Space,
    /// The first bytes of the prefix as a number, because comparing numbers is faster than comparing short strings.
    start: u64,
    /// The bits of `start` that are part of the prefix.
    mask: u64,
}

impl Prefix {
    fn new(text: Vec<u8>, space: Space) -> Self {
        let (mut start, mut mask) = ([0; 8], [0; 8]);
        for ((start, mask), byte) in start.iter_mut().zip(&mut mask).zip(&text) {
            (*start, *mask) = (*byte, 0xFF);
        }
        Self { text, space, start: u64::from_ne_bytes(start), mask: u64::from_ne_bytes(mask) }
    }

    /// Returns `true` if a name starts with the prefix.
    #[inline]
    pub(super) fn starts(&self, name: &[u8]) -> bool {
        match name.first_chunk() {
            Some(start) if u64::from_ne_bytes(*start) & self.mask != self.start => false,
            Some(_) if self.text.len() <= 8 => true,
            _ => name.starts_with(&self.text),
        }
    }
}

impl Prefixes {
    /// Returns the prefixes in scope, or `None` if the general parser must read all entries. `root` is the prefix of
    /// the root element, without its colon.
    pub(in super::super) fn new(names: &Namespaces, limits: &ReadLimits) -> Option<Self> {
        // The deepest element is `news:name`, on the fourth level. The general parser counts namespaces only for tags
        // that have attributes.
        if limits.depth < 4 || names.mark() > 2 * limits.attributes {
            return None;
        }
        let with_colon = |prefix: &[u8]| [prefix, b":"].concat();
        let space_of = |name: &[u8]| {
            let resolved = names.resolve(name);
            resolved.problem.is_none().then_some(resolved.space)
        };
        let core = if names.unprefixed_is_core() { Vec::new() } else { with_colon(names.root_prefix()) };
        if space_of(&[&core, &b"url"[..]].concat()) != Some(Space::Core) {
            return None;
        }
        let mut extensions: Vec<Prefix> = Vec::new();
        // The general parser ends a prefix at the first colon in the name.
        let is_usable = |prefix: &&[u8]| !prefix.is_empty() && !prefix.contains(&b':');
        for prefix in names.prefixes().filter(is_usable) {
            let prefix = with_colon(prefix);
            let space = space_of(&[&prefix, &b"x"[..]].concat());
            if let Some(space) = space.filter(|space| *space != Space::Core)
                && !extensions.iter().any(|other| other.text == prefix)
            {
                extensions.push(Prefix::new(prefix, space));
            }
        }
        Some(Self { core, extensions })
    }

    /// Returns the prefix at the start of a name.
    #[inline]
    pub(super) fn of(&self, name: &[u8]) -> Option<&Prefix> {
        self.extensions.iter().find(|prefix| prefix.starts(name))
    }

    /// Returns `true` if `start` may be the start of one of the prefixes.
    pub(super) fn any_starts_with(&self, start: &[u8]) -> bool {
        self.extensions.iter().any(|prefix| prefix.text.starts_with(start))
    }
}
