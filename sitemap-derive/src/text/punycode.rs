//! Checks the `xn--` labels of host names, as `sitemap-core` does without its feature `url`. A fuzz target compares the
//! two.

/// Returns `true` if a text is valid Punycode that encodes at least one character that is not ASCII.
///
/// Source: RFC 3492, section 6.2.
pub(crate) fn is_punycode(text: &str) -> bool {
    const BASE: u32 = 36;
    const MIN: u32 = 1;
    const MAX: u32 = 26;
    let (plain, encoded) = match text.rsplit_once('-') {
        Some(("", _)) => return false,
        Some(parts) => parts,
        None => ("", text),
    };
    let mut length = u32::try_from(plain.len()).unwrap_or(u32::MAX);
    let (mut code, mut bias, mut at) = (128_u32, 72, 0_u32);
    let mut digits = encoded.bytes().peekable();
    let mut is_first = true;
    while digits.peek().is_some() {
        let (before, mut weight, mut step) = (at, 1_u32, BASE);
        loop {
            let digit = match digits.next() {
                Some(letter @ b'a'..=b'z') => u32::from(letter - b'a'),
                Some(number @ b'0'..=b'9') => u32::from(number - b'0') + 26,
                _ => return false,
            };
            let Some(sum) = digit.checked_mul(weight).and_then(|more| at.checked_add(more)) else {
                return false;
            };
            at = sum;
            let threshold = step.saturating_sub(bias).clamp(MIN, MAX);
            if digit < threshold {
                break;
            }
            let Some(product) = weight.checked_mul(BASE - threshold) else { return false };
            weight = product;
            step += BASE;
        }
        length += 1;
        bias = adapt(at - before, length, is_first);
        is_first = false;
        let Some(sum) = code.checked_add(at / length) else { return false };
        code = sum;
        at = at % length + 1;
        if char::from_u32(code).is_none() {
            return false;
        }
    }
    !is_first
}

/// Returns Punycode's bias for the next number. The bias adapts to the size of the previous numbers, so that
/// Punycode needs few digits for most numbers.
///
/// Source: RFC 3492, section 6.1.
fn adapt(delta: u32, length: u32, is_first: bool) -> u32 {
    let mut delta = if is_first { delta / 700 } else { delta / 2 };
    delta += delta / length;
    let mut steps = 0;
    while delta > 35 * 26 / 2 {
        delta /= 35;
        steps += 36;
    }
    steps + 36 * delta / (delta + 38)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_encodes_at_least_one_character() {
        for text in ["bcher-kva", "fiqs8s", "strae-oqa"] {
            assert!(is_punycode(text), "{text}");
        }
        for text in ["", "-", "a-", "bcher-kv", "bcher-kva-", "-a", "99999999999"] {
            assert!(!is_punycode(text), "{text}");
        }
    }
}
