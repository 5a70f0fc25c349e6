//! The rules about XML syntax and the elements of entries.

macro_rules! markup {
    ($then:ident $($rest:tt)*) => { $then! { $($rest)*
    [Markup]
        TagCase = "tag-case", Error from Xml {
            summary: "the letter case of an element name is wrong",
            reason: "Names in XML are case-sensitive, so `LastMod` and `lastmod` are different elements.",
            remedy: "write the element name in the letter case of its specification",
            wrong: Entry("<LastMod>2026-01-31</LastMod>"),
            right: Entry("<lastmod>2026-01-31</lastmod>"),
        }
        TagUnclosed = "tag-unclosed", Error from Xml {
            summary: "an element is not closed",
            reason: "XML parsers stop at the next end tag, so this entry and all after it are lost.",
            remedy: "close the element",
            wrong: Entry("<lastmod>2026-01-31"),
            right: Entry("<lastmod>2026-01-31</lastmod>"),
        }
        TagUnmatched = "tag-unmatched", Error from Xml {
            summary: "an end tag has no start tag",
            reason: "XML parsers stop at an end tag that closes nothing.",
            remedy: "remove or correct the end tag",
            wrong: Entry("</lastmod>"),
            right: Entry("<lastmod>2026-01-31</lastmod>"),
        }
        TagMalformed = "tag-malformed", Error from Xml {
            summary: "a tag is not well-formed",
            reason: "XML parsers stop at a tag with a syntax error.",
            remedy: "correct the tag",
            wrong: Urlset("< url><loc>https://example.com/</loc></url>"),
            right: Urlset("<url><loc>https://example.com/</loc></url>"),
        }
        MarkupStray = "markup-stray", Error from Xml {
            summary: "a `<` does not start a tag",
            reason: "XML parsers take every `<` for the start of a tag and stop.",
            remedy: "write `&lt;`",
            wrong: Entry("<x:a xmlns:x=\"https://example.com/ns\">1 < 2</x:a>"),
            right: Entry("<x:a xmlns:x=\"https://example.com/ns\">1 &lt; 2</x:a>"),
        }
        AmpersandRaw = "ampersand-raw", Error from SitemapsOrg {
            summary: "an `&` is not escaped",
            reason: "XML parsers take `&` for the start of an entity and stop.",
            remedy: "write `&amp;`",
            wrong: Loc("https://example.com/?a=1&b=2"),
            right: Loc("https://example.com/?a=1&amp;b=2"),
        }
        EntityUnknown = "entity-unknown", Error from Xml {
            summary: "an entity is not one of the five that XML predefines",
            reason: "XML knows only `&amp;`, `&lt;`, `&gt;`, `&quot;` and `&apos;`; the entities of HTML \
                stop the parser.",
            remedy: "write the character itself, or `&amp;` for an `&`",
            wrong: Loc("https://example.com/caf&eacute;"),
            right: Loc("https://example.com/caf%C3%A9"),
        }
        AttributeTwice = "attribute-twice", Error from Xml {
            summary: "a tag has an attribute twice",
            reason: "XML parsers reject a tag that has an attribute twice.",
            remedy: "keep one of the two attributes",
            wrong: Entry("<x:a xmlns:x=\"https://example.com/ns\" b=\"1\" b=\"2\"/>"),
            right: Entry("<x:a xmlns:x=\"https://example.com/ns\" b=\"1\"/>"),
        }
        CommentDashes = "comment-dashes", Error from Xml {
            summary: "a comment contains `--`",
            reason: "XML forbids `--` within comments, and parsers stop there.",
            remedy: "replace `--` by a single dash, and end the comment with `-->`",
            wrong: Entry("<!-- old -- remove -->"),
            right: Entry("<!-- old - remove -->"),
        }
        CDataEnd = "cdata-end", Error from Xml {
            summary: "text contains `]]>`",
            reason: "XML allows `]]>` only at the end of a CDATA section.",
            remedy: "write `]]&gt;`",
            wrong: Entry("<x:a xmlns:x=\"https://example.com/ns\">a]]>b</x:a>"),
            right: Entry("<x:a xmlns:x=\"https://example.com/ns\">a]]&gt;b</x:a>"),
        }
        InstructionMalformed = "instruction-malformed", Error from Xml {
            summary: "a processing instruction is not well-formed",
            reason: "XML parsers stop at an instruction without a valid name, such as the remains of a PHP \
                tag.",
            remedy: "correct or remove the processing instruction",
            wrong: Entry("<?= $date ?>"),
            right: Entry("<?note checked?>"),
        }
        DoctypeMalformed = "doctype-malformed", Error from Xml {
            summary: "the DOCTYPE does not end, or is in the wrong place",
            reason: "XML parsers stop at such a DOCTYPE.",
            remedy: "remove the DOCTYPE",
            wrong: Document("<!DOCTYPE urlset>\n<!DOCTYPE urlset>\n<urlset xmlns=\"NS\">\n<url>\
                <loc>https://example.com/</loc></url>\n</urlset>"),
            right: Document("<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>"),
        }
        NamespaceInvalid = "namespace-invalid", Error from Xml {
            summary: "a name or declaration breaks the rules of namespaces",
            reason: "XML parsers that know namespaces stop at such a name or declaration.",
            remedy: "correct the name or the declaration",
            wrong: Entry("<x:a xmlns:x=\"\"/>"),
            right: Entry("<x:a xmlns:x=\"https://example.com/ns\"/>"),
        }
        TextStray = "text-stray", Warning from Schema {
            summary: "text appears between elements",
            reason: "The schema allows no text there. Often a tag around the text is missing.",
            remedy: "remove the text",
            wrong: Entry("2026-01-31"),
            right: Entry("<lastmod>2026-01-31</lastmod>"),
        }
        ElementUnknown = "element-unknown", Warning from Schema {
            summary: "an element is not part of the protocol",
            reason: "Crawlers ignore the element, and strict validators reject the file.",
            remedy: "remove the element or move it to another namespace",
            wrong: Entry("<title>Tea</title>"),
            right: Entry("<x:title xmlns:x=\"https://example.com/ns\">Tea</x:title>"),
        }
        ElementMisplaced = "element-misplaced", Error from SitemapsOrg {
            summary: "an element is in a place where the protocol does not allow it",
            reason: "A file is either a urlset or an index, and crawlers ignore the entries of the other \
                kind.",
            remedy: "list pages as `url` in a urlset, and sitemaps as `sitemap` in a sitemap index",
            wrong: Urlset("<sitemap><loc>https://example.com/a.xml</loc></sitemap>"),
            right: Urlset("<url><loc>https://example.com/a</loc></url>"),
        }
        ElementDuplicate = "element-duplicate", Error from SitemapsOrg {
            summary: "an element occurs a second time in one entry and is ignored",
            reason: "Crawlers take one of the two values, and not all take the same one.",
            remedy: "keep one of the two elements",
            wrong: Entry("<priority>0.5</priority><priority>0.6</priority>"),
            right: Entry("<priority>0.5</priority>"),
        }
    } };
}
