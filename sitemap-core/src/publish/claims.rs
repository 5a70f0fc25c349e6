//! The file names that the sections and hash buckets of a set use.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::error::{PublishError, PublishErrorKind};

/// The names of the sections and hash buckets in use. Each name can be claimed only once, so no two sections or buckets
/// share file names.
#[derive(Debug, Default)]
pub(super) struct Claims {
    /// The claimed names, keyed by their lower-case form.
    names: Mutex<BTreeMap<String, String>>,
}

impl Claims {
    /// Claims all of these names, or none if one of them is already claimed.
    ///
    /// # Errors
    ///
    /// Returns an error if a name equals a claimed name, or differs from it only in case.
    pub(super) fn claim(&self, new: &[impl AsRef<str>]) -> Result<(), PublishError> {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        for name in new.iter().map(AsRef::as_ref) {
            if let Some(other) = names.get(&name.to_ascii_lowercase()) {
                let (name, other) = (name.into(), other.as_str().into());
                return Err(PublishErrorKind::NameInUse { name, other }.into());
            }
        }
        names.extend(new.iter().map(|name| (name.as_ref().to_ascii_lowercase(), name.as_ref().to_owned())));
        Ok(())
    }
}
