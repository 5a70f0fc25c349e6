//! The size of pieces of text.

/// The approximate size in bytes of the pieces in which text is compressed or passed to other threads. Larger pieces
/// would make compressed files smaller, but by less than 1 %.
pub(super) const PIECE: usize = 512 * 1024;
