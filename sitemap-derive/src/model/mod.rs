//! The user's type and what its attributes mean.
//!
//! | file | what |
//! |---|---|
//! | `attributes` | the table of all attributes |
//! | `container`, `settings`, `field` | a type, its attributes, and its fields |
//! | `role`, `place`, `given` | what a field is for; where an attribute is; which attributes an item has |
//! | `read` | reads attributes as the table says |
//! | `misplaced` | the messages for unknown and misplaced names |

pub(crate) mod attributes;
pub(crate) mod container;
pub(crate) mod field;
pub(crate) mod given;
mod misplaced;
pub(crate) mod place;
mod read;
pub(crate) mod role;
pub(crate) mod settings;
