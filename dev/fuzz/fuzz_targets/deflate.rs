//! Compresses any text, in any pieces. Two decoders that others wrote must return the text, and the output must not be
//! larger than stored text.
#![no_main]

use std::io::Read as _;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use sitemap_deflate::Deflater;

/// A part of a text.
#[derive(Debug, Arbitrary)]
enum Part<'a> {
    Bytes(&'a [u8]),
    /// Bytes from before are repeated. The length is shifted, so that long ones are also tried.
    Repeat {
        distance: u16,
        len: u16,
        shift: u8,
    },
    /// The piece ends here.
    End,
}

fuzz_target!(|parts: Vec<Part<'_>>| {
    let (mut text, mut cuts) = (Vec::new(), vec![0]);
    for part in parts {
        match part {
            Part::Bytes(bytes) => text.extend_from_slice(bytes),
            Part::Repeat { distance, len, shift } => {
                let distance = usize::from(distance) + 1;
                if distance <= text.len() {
                    for _ in 0..usize::from(len) << (shift % 5) {
                        text.push(text[text.len() - distance]);
                    }
                }
            }
            Part::End => cuts.push(text.len()),
        }
        if text.len() > 4_000_000 {
            return;
        }
    }
    cuts.push(text.len());

    let (mut deflater, mut out) = (Deflater::new(), Vec::new());
    for (n, cut) in cuts.windows(2).enumerate() {
        let piece = &text[cut[0]..cut[1]];
        if n + 2 == cuts.len() {
            deflater.last_piece(piece, &mut out);
        } else {
            deflater.piece(piece, &mut out);
        }
    }
    assert!(out.len() <= text.len() + 5 * (text.len() / 0xFFFF + 1 + 2 * cuts.len()));

    let mut decoder = flate2::bufread::DeflateDecoder::new(out.as_slice());
    let mut found = Vec::with_capacity(text.len());
    decoder.read_to_end(&mut found).expect("zlib-rs decodes the text");
    assert!(found == text && decoder.into_inner().is_empty());
    assert!(miniz_oxide::inflate::decompress_to_vec(&out).expect("miniz decodes the text") == text);
});
