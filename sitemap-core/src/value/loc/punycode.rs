//! Punycode, which encodes the non-ASCII characters of a host name. It is checked in a `const fn`, because derived code
//! checks the hosts of its URL templates at compile time.

const BASE: u32 = 36;
const MAX: u32 = 26;

/// Returns `true` if the text after `xn--` is valid Punycode for at least one non-ASCII character.
///
/// Source: RFC 3492, section 6.2.
#[must_use]
pub const fn is_punycode(text: &str) -> bool {
    let digits = text.as_bytes();
    // The characters before the last hyphen are ASCII. `length` counts all characters of the name.
    let (mut next, mut length) = (0, 0_u32);
    let (mut index, mut plain) = (0, 0_u32);
    while index < digits.len() {
        if digits[index] == b'-' {
            next = index + 1;
            length = plain;
        }
        index += 1;
        plain = plain.saturating_add(1);
    }
    if next == 1 || next == digits.len() {
        return false;
    }
    let (mut code, mut bias, mut at) = (128_u32, 72, 0_u32);
    let mut is_first = true;
    while next < digits.len() {
        let (before, mut weight, mut step) = (at, 1_u32, BASE);
        loop {
            if next == digits.len() {
                return false;
            }
            let digit = match digits[next] {
                letter @ b'a'..=b'z' => (letter - b'a') as u32,
                number @ b'0'..=b'9' => (number - b'0') as u32 + 26,
                _ => return false,
            };
            next += 1;
            let Some(more) = digit.checked_mul(weight) else { return false };
            let Some(sum) = at.checked_add(more) else { return false };
            at = sum;
            let threshold = threshold(step, bias);
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
    true
}

const fn threshold(step: u32, bias: u32) -> u32 {
    match step.saturating_sub(bias) {
        0 => 1,
        large if large > MAX => MAX,
        threshold => threshold,
    }
}

/// Returns Punycode's bias for the next number. The bias adapts to the size of the previous numbers, which keeps most
/// numbers short.
///
/// Source: RFC 3492, section 6.1.
const fn adapt(delta: u32, length: u32, is_first: bool) -> u32 {
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
    fn punycode_of_the_rfc_is_read() {
        // Samples from RFC 3492, section 7.1: Arabic, simplified and traditional Chinese, Czech, Hebrew and others.
        for text in [
            "egbpdaj6bu4bxfgehfvwxn",
            "ihqwcrb4cv8a8dqg056pqjye",
            "ihqwctvzc91f659drss3x8bo0yb",
            "proprostnemluvesky-uyb24dma41a",
            "4dbcagdahymbxekheh6e0a7fei0b",
            "i1baa7eci9glrd9b2ae1bj0hfcgg6iyaf8o0a1dig0cd",
            "n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa",
            "3b-ww4c5e180e575a65lsy2b",
            "bcher-kva",
            "strae-oqa",
        ] {
            assert!(is_punycode(text), "{text}");
        }
        for text in
            ["", "-", "a-", "bcher-kv", "bcher-kva-", "-a", "-9pao", "a b", "99999999999", "bcher-kv\u{e4}"]
        {
            assert!(!is_punycode(text), "{text}");
        }
    }
}
