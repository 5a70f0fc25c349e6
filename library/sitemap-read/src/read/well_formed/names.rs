//! Checks namespaces: which prefixes are in scope, and whether names use them correctly.

use std::collections::BTreeMap;

use super::chars::starts_name;

const XML: &[u8] = b"http://www.w3.org/XML/1998/namespace";
const XMLNS: &[u8] = b"http://www.w3.org/2000/xmlns/";

/// The prefixes in scope, with their namespaces.
#[derive(Debug, Default)]
pub(super) struct Prefixes {
    bound: Vec<Bound>,
    /// The index of the innermost binding of each prefix.
    innermost: BTreeMap<Box<[u8]>, usize>,
    /// The undeclared prefixes that have been reported.
    reported: Vec<Box<[u8]>>,
}

/// A prefix in scope, its namespace, and the index of the outer binding that it hides.
#[derive(Debug)]
struct Bound {
    prefix: Box<[u8]>,
    uri: Box<[u8]>,
    hidden: Option<usize>,
}

/// Up to this many bindings, searching all of them is faster than using the map.
const FEW: usize = 16;

/// The maximum number of undeclared prefixes to report.
const MAX_REPORTED: usize = 64;

impl Prefixes {
    pub(super) const fn mark(&self) -> usize {
        self.bound.len()
    }

    pub(super) fn restore(&mut self, mark: usize) {
        for bound in self.bound.drain(mark.min(self.bound.len())..).rev() {
            match bound.hidden {
                Some(hidden) => self.innermost.insert(bound.prefix, hidden),
                None => self.innermost.remove(&bound.prefix),
            };
        }
    }

    /// Returns the namespace of a prefix.
    pub(super) fn uri(&self, prefix: &[u8]) -> Option<&[u8]> {
        if prefix == b"xml" {
            return Some(XML);
        }
        let bound = if self.bound.len() <= FEW {
            self.bound.iter().rev().find(|bound| *bound.prefix == *prefix)?
        } else {
            &self.bound[*self.innermost.get(prefix)?]
        };
        Some(&bound.uri)
    }

    /// Binds a prefix. On failure, returns what is wrong with the declaration.
    pub(super) fn bind(&mut self, prefix: &[u8], uri: &[u8]) -> Result<(), &'static str> {
        match (prefix, uri) {
            (b"xml", XML) => return Ok(()),
            (b"xml", _) => return Err("the prefix `xml` is bound to another namespace"),
            (b"xmlns", _) => return Err("the prefix `xmlns` is declared"),
            (_, XML) => return Err("the namespace of `xml` is bound to another prefix"),
            (_, XMLNS) => return Err("the namespace of `xmlns` is bound to a prefix"),
            ([_, ..], []) => return Err("a prefix is bound to no namespace"),
            _ => {}
        }
        let hidden = self.innermost.insert(prefix.into(), self.bound.len());
        self.bound.push(Bound { prefix: prefix.into(), uri: uri.into(), hidden });
        Ok(())
    }

    /// Returns `true` if this undeclared prefix hasn't been reported yet.
    pub(super) fn report(&mut self, prefix: &[u8]) -> bool {
        let is_new =
            self.reported.len() < MAX_REPORTED && !self.reported.iter().any(|seen| **seen == *prefix);
        if is_new {
            self.reported.push(prefix.into());
        }
        is_new
    }
}

/// Splits a name into its prefix, which may be empty, and its local part. Returns `None` if it isn't a qualified name.
pub(super) fn qualified(name: &[u8]) -> Option<(&[u8], &[u8])> {
    let Some(colon) = memchr::memchr(b':', name) else {
        return Some((b"", name));
    };
    let (prefix, local) = (&name[..colon], &name[colon + 1..]);
    let is_fine = !prefix.is_empty() && starts_name(local, 0) && !local.contains(&b':');
    is_fine.then_some((prefix, local))
}
