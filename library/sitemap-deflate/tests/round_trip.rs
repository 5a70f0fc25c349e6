//! Compressed texts, decoded by two decoders that others wrote.

use std::io::Read as _;

use proptest::prelude::*;
use sitemap_deflate::Deflater;

/// Compresses the pieces to one stream. Both decoders must find their text in it, and nothing after it.
fn round_trip(pieces: &[&[u8]]) -> Vec<u8> {
    let (mut deflater, mut out) = (Deflater::new(), Vec::new());
    let (last, before) = pieces.split_last().unwrap();
    for piece in before {
        deflater.piece(piece, &mut out);
    }
    deflater.last_piece(last, &mut out);
    let text = pieces.concat();

    let mut decoder = flate2::bufread::DeflateDecoder::new(out.as_slice());
    let mut found = Vec::with_capacity(text.len());
    decoder.read_to_end(&mut found).unwrap();
    assert!(found == text && decoder.into_inner().is_empty(), "zlib-rs: {} bytes", text.len());

    assert!(miniz_oxide::inflate::decompress_to_vec(&out).unwrap() == text, "miniz: {} bytes", text.len());

    // At most five bytes for each stored block, and for the end of each piece.
    assert!(out.len() <= text.len() + 5 * (text.len() / 0xFFFF + 1 + 2 * pieces.len()));
    out
}

/// Random bytes (xorshift64), the same in every run.
fn noise(len: usize) -> Vec<u8> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[4]
    };
    std::iter::repeat_with(next).take(len).collect()
}

/// A sitemap whose entries differ in a number, a date and a priority.
fn sitemap(entries: usize) -> Vec<u8> {
    let entry = |n: usize| {
        format!(
            "<url><loc>https://www.example.com/catalog/item-{n}?size={}</loc><lastmod>2025-{:02}-{:02}</lastmod>\
             <priority>0.{}</priority></url>\n",
            n % 40,
            n / 28 % 12 + 1,
            n % 28 + 1,
            n % 10
        )
    };
    (0..entries).map(entry).collect::<String>().into_bytes()
}

#[test]
fn the_bytes_are_known() {
    // No text, and texts that are shorter than any match: blocks with the fixed codes.
    assert_eq!(round_trip(&[b""]), [3, 0]);
    assert_eq!(round_trip(&[b"a"]), [0x4B, 4, 0]);
    // From 144 on, the fixed codes of literals have nine bits.
    assert_eq!(round_trip(&[&[143]]), [0xEB, 7, 0]);
    assert_eq!(round_trip(&[&[144]]), [0x9B, 0, 0]);
    // The end of a piece is an empty stored block.
    assert_eq!(round_trip(&[b"", b""]), [0, 0, 0, 0xFF, 0xFF, 3, 0]);
    // One literal, and a match at distance 1.
    assert_eq!(round_trip(&[&[b'a'; 40]]), [0x4B, 0x24, 0x12, 0, 0]);
}

#[test]
fn the_bytes_of_a_sitemap_never_change() {
    // A published file is only replaced if its bytes differ. So another number here replaces all compressed files.
    let out = round_trip(&[&sitemap(20_000)]);
    let mut crc = flate2::Crc::new();
    crc.update(&out);
    assert_eq!((out.len(), crc.sum()), (155_516, 224_640_947));
}

#[test]
fn borders_of_words_matches_and_windows() {
    let text = sitemap(1_000);
    for len in (0..280).chain(32_755..32_790).chain(65_530..65_540) {
        round_trip(&[&text[..len]]);
        round_trip(&[&vec![b'x'; len]]);
    }
    let noise = noise(70_000);
    for gap in [32_758, 32_767, 32_768, 32_769, 65_535, 65_536, 65_537] {
        // The noise repeats at the farthest distance, next to it, and where 16 bits of a position are the same again.
        round_trip(&[&[&noise[..gap], &noise[..2_000]].concat()]);
        round_trip(&[&noise[..gap]]);
    }
}

#[test]
fn borders_of_blocks() {
    const BLOCK: usize = 1024 * 1024;

    let text = sitemap(20_000);
    assert!(text.len() > 2 * BLOCK);
    for len in [BLOCK - 1, BLOCK, BLOCK + 1, BLOCK + 8, 2 * BLOCK + 5] {
        round_trip(&[&text[..len]]);
        round_trip(&[&vec![0; len]]);
    }
    round_trip(&[&noise(BLOCK + 100)]);
    // A block also ends after 32,768 matches: each of these has one for five bytes.
    let words = noise(40 * 5);
    let order = noise(100_000);
    let text: Vec<u8> =
        order.iter().flat_map(|n| words[usize::from(n % 40) * 5..].iter().take(5).copied()).collect();
    round_trip(&[&text]);
}

#[test]
fn codes_of_every_length() {
    // Fibonacci numbers as frequencies make the longest codes, beyond the limit of the encoder.
    let (mut text, mut one, mut two) = (Vec::new(), 1, 1);
    for byte in 0..24_u8 {
        text.extend(std::iter::repeat_n(byte, one));
        (one, two) = (two, one + two);
    }
    // In random order, so that the bytes are literals.
    let order = noise(4 * text.len());
    for (n, random) in order.as_chunks::<4>().0.iter().enumerate() {
        let other = u32::from_le_bytes(*random) as usize % text.len();
        text.swap(n, other);
    }
    round_trip(&[&text]);
}

#[test]
fn a_piece_does_not_depend_on_pieces_before() {
    let (text, noise) = (sitemap(3_000), noise(100_000));
    let alone = round_trip(&[&text]);
    let mut deflater = Deflater::new();
    for before in [&text, &noise] {
        deflater.piece(before, &mut Vec::new());
        let mut out = vec![1, 2, 3];
        deflater.last_piece(&text, &mut out);
        assert_eq!(out.strip_prefix(&[1, 2, 3]), Some(alone.as_slice()));
    }
}

#[test]
fn a_sitemap_is_as_small_as_with_zlib() {
    let text = sitemap(5_000);
    let mut zlib = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::new(2));
    std::io::Write::write_all(&mut zlib, &text).unwrap();
    assert!(round_trip(&[&text]).len() < zlib.finish().unwrap().len());
}

/// Texts that repeat themselves, at distances and with lengths that are often near a limit.
fn repetitive() -> impl Strategy<Value = Vec<u8>> {
    let step = prop_oneof![
        3 => prop::collection::vec(any::<u8>(), 0..12).prop_map(|bytes| (bytes, 0, 0)),
        3 => prop::collection::vec(b'a'..b'd', 0..12).prop_map(|bytes| (bytes, 0, 0)),
        3 => (1_usize..40, 1_usize..600).prop_map(|(distance, len)| (Vec::new(), distance, len)),
        2 => (32_700_usize..32_800, 3_usize..300).prop_map(|(distance, len)| (Vec::new(), distance, len)),
        1 => (1_usize..70_000, 1_usize..8_000).prop_map(|(distance, len)| (Vec::new(), distance, len)),
    ];
    prop::collection::vec(step, 0..30).prop_map(|steps| {
        let mut text = Vec::new();
        for (bytes, distance, len) in steps {
            text.extend(bytes);
            if distance > 0 && distance <= text.len() {
                for _ in 0..len {
                    text.push(text[text.len() - distance]);
                }
            }
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_text(text in prop::collection::vec(any::<u8>(), 0..3_000)) {
        round_trip(&[&text]);
    }

    #[test]
    fn any_repetition_in_any_pieces(text in repetitive(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..4)) {
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
        cuts.extend([0, text.len()]);
        cuts.sort_unstable();
        let pieces: Vec<&[u8]> = cuts.windows(2).map(|cut| &text[cut[0]..cut[1]]).collect();
        round_trip(&pieces);
        round_trip(&[&text]);
    }
}
