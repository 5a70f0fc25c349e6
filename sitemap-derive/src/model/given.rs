//! The names of the attributes on an item.

use proc_macro2::Ident;

use crate::report::errors::Errors;

/// The names of an item's attributes, including attributes with an invalid value.
#[derive(Default)]
pub(crate) struct Given(Vec<Ident>);

impl Given {
    /// Adds a name. If the item already has this attribute, reports an error and returns false.
    pub(crate) fn add(&mut self, name: &Ident, errors: &mut Errors) -> bool {
        let is_first = self.get(&name.to_string()).is_none();
        if is_first {
            self.0.push(name.clone());
        } else {
            errors.at(name, format!("`{name}` is given twice; remove one"));
        }
        is_first
    }

    /// Returns the identifier of an attribute, so that errors can point to it. Returns `None` if the item does not have
    /// it.
    pub(crate) fn get(&self, name: &str) -> Option<&Ident> {
        self.0.iter().find(|given| *given == name)
    }
}
