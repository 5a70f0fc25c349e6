//! Recognises words that a program generated.

/// Returns whether a word is a hash, an identifier or a time in seconds, which means nothing to a reader.
pub(super) fn is_token(word: &[u8]) -> bool {
    if word.len() < 7 || !word.iter().any(u8::is_ascii_digit) {
        return false;
    }
    is_timestamp(word) || is_identifier(word) || is_hexadecimal(word) || is_base64(word)
}

/// Seconds or milliseconds since 1970, between the years 2001 and 2286.
fn is_timestamp(word: &[u8]) -> bool {
    matches!(word.len(), 10 | 13) && word[0] == b'1' && word.iter().all(u8::is_ascii_digit)
}

/// Sixteen or more digits, such as a hash that happens to contain no letters. Prices and article numbers are shorter.
fn is_identifier(word: &[u8]) -> bool {
    word.len() >= 16 && word.iter().all(u8::is_ascii_digit)
}

/// Seven or more hexadecimal digits, with both letters and digits, and possibly the hyphens of a UUID.
fn is_hexadecimal(word: &[u8]) -> bool {
    let is_uuid = word.len() == 36 && memchr::memchr_iter(b'-', word).count() == 4;
    word.iter().all(|&byte| byte.is_ascii_hexdigit() || (is_uuid && byte == b'-'))
        && word.iter().any(u8::is_ascii_alphabetic)
}

/// Sixteen or more base64 characters, with letters of both cases, and digits in more than one place.
fn is_base64(word: &[u8]) -> bool {
    let is_digit_start = |pair: &&[u8]| !pair[0].is_ascii_digit() && pair[1].is_ascii_digit();
    word.len() >= 16
        && word.iter().all(|&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'_' | b'='))
        && word.iter().any(u8::is_ascii_lowercase)
        && word.iter().any(u8::is_ascii_uppercase)
        && word.windows(2).filter(is_digit_start).count() >= 2
}

/// Returns whether the number before this word counts visits or replies.
pub(super) fn is_counted(word: &[u8]) -> bool {
    matches!(
        &*word.to_ascii_lowercase(),
        b"view"
            | b"views"
            | b"visit"
            | b"visits"
            | b"read"
            | b"reads"
            | b"comment"
            | b"comments"
            | b"reply"
            | b"replies"
            | b"like"
            | b"likes"
            | b"share"
            | b"shares"
            | b"vote"
            | b"votes"
    )
}
