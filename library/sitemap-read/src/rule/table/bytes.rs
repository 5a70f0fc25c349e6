//! The rules about compression and encoding.

macro_rules! bytes {
    ($then:ident $($rest:tt)*) => { $then! { $($rest)*
    [Bytes]
        GzipTruncated = "gzip-truncated", Error from Rfc(1952) {
            summary: "the compressed file ends too early",
            reason: "An upload that was cut off loses the entries at its end, and some crawlers then drop \
                the whole file.",
            remedy: "upload the whole file",
            wrong: Prose("the first half of a `sitemap.xml.gz`, after an upload that failed"),
            right: Prose("the whole `sitemap.xml.gz`"),
        }
        GzipDamaged = "gzip-damaged", Error from Rfc(1952) {
            summary: "the compressed file is damaged, or other bytes follow it",
            reason: "A crawler cannot decompress the rest of the file, so the entries there are lost.",
            remedy: "compress and upload the file again",
            wrong: Prose("a `sitemap.xml.gz` that was uploaded as text, which changed some bytes"),
            right: Prose("the `sitemap.xml.gz` as `gzip` wrote it"),
        }
        GzipTwice = "gzip-twice", Warning from Rfc(9110) {
            summary: "the file is compressed twice",
            reason: "A crawler decompresses a file once and then finds compressed bytes instead of XML.",
            remedy: "serve a `.gz` file without `Content-Encoding: gzip`",
            wrong: Prose("`sitemap.xml.gz` served with `Content-Encoding: gzip`, compressed a second time"),
            right: Prose("`sitemap.xml.gz` served as it is stored"),
        }
        EncodingNotUtf8 = "encoding-not-utf8", Error from SitemapsOrg {
            summary: "the file is not UTF-8",
            reason: "The protocol requires UTF-8, and not every crawler reads other encodings.",
            remedy: "save the file as UTF-8",
            wrong: Prose("a sitemap saved as UTF-16"),
            right: Prose("the same sitemap saved as UTF-8"),
        }
        EncodingMismatch = "encoding-mismatch", Error from Xml {
            summary: "the declared encoding is unknown or does not match the bytes of the file",
            reason: "A parser that trusts the declaration reads the wrong characters, or stops.",
            remedy: "declare `encoding=\"UTF-8\"` and save the file as UTF-8",
            wrong: Document("<?xml version=\"1.0\" encoding=\"utf-16\"?>\n<urlset xmlns=\"NS\">\n<url>\
                <loc>https://example.com/</loc></url>\n</urlset>"),
            right: Document("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"NS\">\n<url>\
                <loc>https://example.com/</loc></url>\n</urlset>"),
        }
        Utf8Invalid = "utf8-invalid", Error from SitemapsOrg {
            summary: "some bytes are not valid UTF-8",
            reason: "XML parsers stop at bytes that are not UTF-8, so the entries after them are lost.",
            remedy: "save the file as UTF-8",
            wrong: Prose("a URL with `é` as the single byte E9 of Latin-1"),
            right: Prose("the same URL with `é` as the two bytes C3 A9 of UTF-8"),
        }
        CharacterForbidden = "character-forbidden", Error from Xml {
            summary: "the file contains a character or a character reference that XML does not allow",
            reason: "XML parsers stop at such a character, even if it is written as a reference.",
            remedy: "remove the character",
            wrong: Entry("<image:image><image:loc>https://example.com/i&#1;</image:loc></image:image>"),
            right: Entry("<image:image><image:loc>https://example.com/i</image:loc></image:image>"),
        }
    } };
}
