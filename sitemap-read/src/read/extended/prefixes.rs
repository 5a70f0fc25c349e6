//! The prefixes that the root of a document declares.

use super::super::limits::ReadLimits;
use super::super::namespace::{Namespaces, Space};

/// The prefixes of an entry's elements, each with its colon. Contains only prefixes whose namespaces need no finding.
#[derive(Debug)]
pub(in super::super) struct Prefixes {
    /// The prefix of the protocol's own elements. Usually empty.
    pub(super) core: Vec<u8>,
    extensions: Vec<(Vec<u8>, Space)>,
}

impl Prefixes {
    /// Returns the prefixes in scope, or `None` if the general parser must read all entries. `root` is the prefix of
    /// the document's root, without its colon.
    pub(in super::super) fn new(names: &Namespaces, limits: &ReadLimits) -> Option<Self> {
        // `news:name` is the deepest element, on the fourth level. The general parser counts the namespaces only in
        // tags that have attributes.
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
        let mut extensions: Vec<(Vec<u8>, Space)> = Vec::new();
        // The general parser ends a prefix at the first colon of a name.
        let is_usable = |prefix: &&[u8]| !prefix.is_empty() && !prefix.contains(&b':');
        for prefix in names.prefixes().filter(is_usable) {
            let prefix = with_colon(prefix);
            let space = space_of(&[&prefix, &b"x"[..]].concat());
            if let Some(space) = space.filter(|space| *space != Space::Core)
                && !extensions.iter().any(|(other, _)| *other == prefix)
            {
                extensions.push((prefix, space));
            }
        }
        Some(Self { core, extensions })
    }

    /// Returns the prefix at the start of a name, and its vocabulary.
    #[inline]
    pub(super) fn of(&self, name: &[u8]) -> Option<(&[u8], Space)> {
        let found = self.extensions.iter().find(|(prefix, _)| name.starts_with(prefix));
        found.map(|(prefix, space)| (&**prefix, *space))
    }

    /// Returns `true` if `start` may be the start of one of the prefixes.
    pub(super) fn any_starts_with(&self, start: &[u8]) -> bool {
        self.extensions.iter().any(|(prefix, _)| prefix.starts_with(start))
    }
}
