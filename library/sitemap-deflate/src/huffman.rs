//! Huffman codes with a limited length.

/// The most symbols of a code.
const MOST: usize = 288;

/// Returns the lengths of the best code for these frequencies, or of a good one if the best is longer than `limit`.
///
/// At least two symbols have a code, because some decoders refuse a code with a single one.
pub(crate) fn lengths<const N: usize>(frequencies: &[u32; N], limit: usize) -> [u8; N] {
    let mut lengths = [0; N];
    let mut used: Vec<(u32, usize)> =
        frequencies.iter().copied().zip(0..).filter(|(frequency, _)| *frequency > 0).collect();
    let unused = frequencies.iter().zip(0..).filter(|(frequency, _)| **frequency == 0);
    used.extend(unused.map(|(_, symbol)| (1, symbol)).take(2_usize.saturating_sub(used.len())));
    used.sort_unstable();
    let counts = limited(&depths(&used), limit);
    // The rarest symbols have the longest codes.
    let by_frequency = (0..16).rev().flat_map(|len: u8| std::iter::repeat_n(len, counts[usize::from(len)]));
    for ((_, symbol), len) in used.iter().zip(by_frequency) {
        lengths[*symbol] = len;
    }
    lengths
}

/// Returns the number of leaves at each depth of the Huffman tree.
///
/// This is the algorithm of Moffat and Katajainen (1995): one array holds first frequencies, then parents, then depths.
fn depths(used: &[(u32, usize)]) -> [usize; 33] {
    let count = used.len();
    let mut nodes = [0_usize; MOST];
    for (node, (frequency, _)) in nodes.iter_mut().zip(used) {
        *node = *frequency as usize;
    }
    let (mut leaf, mut root) = (0, 0);
    for next in 0..count - 1 {
        let mut sum = 0;
        for _ in 0..2 {
            if leaf >= count || (root < next && nodes[root] < nodes[leaf]) {
                sum += nodes[root];
                nodes[root] = next;
                root += 1;
            } else {
                sum += nodes[leaf];
                leaf += 1;
            }
        }
        nodes[next] = sum;
    }
    // The last inner node is the root of the tree.
    nodes[count - 2] = 0;
    for next in (0..count - 2).rev() {
        nodes[next] = nodes[nodes[next]] + 1;
    }
    let mut depths = [0; 33];
    let (mut inner, mut available, mut depth) = (count - 1, 1, 0);
    while available > 0 {
        let at_depth = nodes[..inner].iter().rev().take_while(|node| **node == depth).count();
        inner -= at_depth;
        depths[depth.min(32)] += available - at_depth;
        available = 2 * at_depth;
        depth += 1;
    }
    depths
}

/// Shortens the codes that are longer than `limit`, and lengthens others for it.
fn limited(depths: &[usize; 33], limit: usize) -> [usize; 16] {
    let mut counts = [0; 16];
    for (depth, count) in depths.iter().enumerate() {
        counts[depth.min(limit)] += count;
    }
    let mut total: usize = (1..=limit).map(|len| counts[len] << (limit - len)).sum();
    while total > 1 << limit {
        // A longest code becomes the neighbour of a shorter one, which is lengthened by a bit.
        let Some(len) = (1..limit).rev().find(|len| counts[*len] > 0) else { break };
        counts[limit] -= 1;
        counts[len] -= 1;
        counts[len + 1] += 2;
        total -= 1;
    }
    counts
}

/// Returns the canonical code of each symbol, with the bits in the order in which they are written.
pub(crate) fn codes<const N: usize>(lengths: &[u8; N]) -> [u16; N] {
    let mut counts = [0_u16; 16];
    for len in lengths.iter().filter(|len| **len > 0) {
        counts[usize::from(*len)] += 1;
    }
    let (mut next, mut code) = ([0_u16; 16], 0);
    for len in 1..16 {
        code = (code + counts[len - 1]) << 1;
        next[len] = code;
    }
    lengths.map(|len| {
        if len == 0 {
            return 0;
        }
        let next = &mut next[usize::from(len)];
        *next += 1;
        (*next - 1).reverse_bits() >> (16 - len)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn codes_are_those_of_the_rfc() {
        // The example in section 3.2.2: A to H.
        let codes = codes(&[3, 3, 3, 3, 3, 2, 4, 4]);
        let expected: [(u16, u8); 8] =
            [(0b010, 3), (0b011, 3), (0b100, 3), (0b101, 3), (0b110, 3), (0b00, 2), (0b1110, 4), (0b1111, 4)];
        assert_eq!(codes, expected.map(|(code, len)| code.reverse_bits() >> (16 - len)));
    }

    #[test]
    fn lengths_follow_the_frequencies() {
        assert_eq!(lengths(&[5, 9, 12, 13, 16, 45], 15), [4, 4, 3, 3, 3, 1]);
        assert_eq!(lengths(&[0, 0, 0], 15), [1, 1, 0]);
        assert_eq!(lengths(&[0, 7, 0], 15), [1, 1, 0]);
        // The best code for Fibonacci numbers has nine bits.
        let fibonacci = [1, 1, 2, 3, 5, 8, 13, 21, 34, 55];
        assert_eq!(lengths(&fibonacci, 15), [9, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
        assert_eq!(lengths(&fibonacci, 5).iter().max(), Some(&5));
    }

    proptest! {
        /// A code is complete and within its limit, and rarer symbols have no shorter codes.
        #[test]
        fn lengths_are_a_code(
            frequencies in any::<[u8; 19]>(),
            shift in prop::array::uniform19(0_u32..20),
            limit in 5_usize..16,
        ) {
            let mut scaled = [0; 19];
            for ((scaled, frequency), shift) in scaled.iter_mut().zip(frequencies).zip(shift) {
                *scaled = u32::from(frequency) << shift;
            }
            let lengths = lengths(&scaled, limit);
            let kraft: usize = lengths.iter().filter(|len| **len > 0).map(|len| 1 << (limit - usize::from(*len))).sum();
            prop_assert_eq!(kraft, 1 << limit);
            for (one, len) in scaled.iter().zip(lengths) {
                prop_assert!(*one == 0 || len > 0);
                for (other, other_len) in scaled.iter().zip(lengths) {
                    prop_assert!(one <= other || other_len == 0 || *other == 0 || len <= other_len);
                }
            }
        }
    }
}
