//! The facts that a page states about itself.
