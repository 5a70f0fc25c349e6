//! Bits, packed into bytes from the lowest bit up.

/// A writer that appends bits to a vector.
pub(crate) struct Writer<'a> {
    out: &'a mut Vec<u8>,
    /// The bits that do not fill a byte yet.
    bits: u64,
    /// The number of these bits, at most seven between two calls.
    count: u32,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out, bits: 0, count: 0 }
    }

    /// Appends the lowest `count` bits, at most 32. All other bits must be zero.
    pub(crate) fn put(&mut self, bits: u32, count: u32) {
        self.bits |= u64::from(bits) << self.count;
        self.count += count;
        while self.count >= 8 {
            self.out.push(self.bits.to_le_bytes()[0]);
            self.bits >>= 8;
            self.count -= 8;
        }
    }

    /// Appends zeros up to the next whole byte.
    pub(crate) fn align(&mut self) {
        if self.count > 0 {
            self.put(0, 8 - self.count);
        }
    }

    /// Appends whole bytes, after [`align`](Self::align).
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    /// Appends the bits that `fill` writes, whose number must be `len`.
    pub(crate) fn many(&mut self, len: usize, fill: impl FnOnce(&mut Words<'_>)) {
        let start = self.out.len();
        let end = start + len / 8 + 1;
        // The last word may begin in the last byte.
        self.out.resize(end + 8, 0);
        let mut words = Words { out: &mut self.out[start..], at: 0, bits: self.bits, count: self.count };
        fill(&mut words);
        words.flush();
        let Words { at, bits, count, .. } = words;
        debug_assert_eq!(at * 8 + count as usize, len + self.count as usize, "the number of bits differs");
        (self.bits, self.count) = (bits, count);
        self.out.truncate(start + at);
    }
}

/// A writer that stores a whole word at a time, into room that is there already.
pub(crate) struct Words<'a> {
    out: &'a mut [u8],
    at: usize,
    bits: u64,
    count: u32,
}

impl Words<'_> {
    /// Appends the lowest `count` bits. Up to 56 bits fit between two calls of [`flush`](Self::flush).
    #[inline]
    pub(crate) fn put(&mut self, bits: u64, count: u32) {
        self.bits |= bits << self.count;
        self.count += count;
    }

    /// Stores the whole bytes.
    #[inline]
    pub(crate) fn flush(&mut self) {
        if let Some(word) = self.out.get_mut(self.at..).and_then(|rest| rest.first_chunk_mut()) {
            *word = self.bits.to_le_bytes();
        }
        self.at += (self.count >> 3) as usize;
        self.bits >>= self.count & !7;
        self.count &= 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_fill_bytes_from_the_lowest() {
        let mut out = vec![9];
        let mut writer = Writer::new(&mut out);
        writer.put(0b1, 1);
        writer.put(0b0110, 4);
        writer.many(45, |words| {
            words.put(0b111, 3);
            words.flush();
            words.put(0x123_4567_89AB, 42);
        });
        writer.align();
        writer.bytes(&[7]);
        assert_eq!(out, [9, 0b1110_1101, 0xAB, 0x89, 0x67, 0x45, 0x23, 0x01, 7]);
    }
}
