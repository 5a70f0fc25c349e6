//! The rules about the document as a whole.

macro_rules! document {
    ($then:ident $($rest:tt)*) => { $then! { $($rest)*
    [Document]
        DeclarationNotFirst = "declaration-not-first", Error from Xml {
            summary: "something precedes `<?xml`",
            reason: "XML parsers reject a document in which anything, even an empty line, precedes the \
                declaration.",
            remedy: "start the file with `<?xml`",
            wrong: Document("\n<?xml version=\"1.0\"?>\n<urlset xmlns=\"NS\">\n<url>\
                <loc>https://example.com/</loc></url>\n</urlset>"),
            right: Document("<?xml version=\"1.0\"?>\n<urlset xmlns=\"NS\">\n<url>\
                <loc>https://example.com/</loc></url>\n</urlset>"),
        }
        ContentBeforeRoot = "content-before-root", Error from Xml {
            summary: "text precedes the root element",
            reason: "XML parsers reject text before the root element. Usually a script printed a warning \
                into the file.",
            remedy: "remove everything before `<?xml` or the root element",
            wrong: Document("Warning: undefined index\n<urlset xmlns=\"NS\">\n<url>\
                <loc>https://example.com/</loc></url>\n</urlset>"),
            right: Document("<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>"),
        }
        ContentAfterRoot = "content-after-root", Error from Xml {
            summary: "content follows the root element",
            reason: "XML parsers reject content after the root element. Usually a script printed more into \
                the file.",
            remedy: "end the file with the root's end tag",
            wrong: Document("<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>\n\
                <p>0.2 s</p>"),
            right: Document("<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>"),
        }
        DeclarationMalformed = "declaration-malformed", Error from Xml {
            summary: "the XML declaration is not well-formed",
            reason: "XML parsers reject a declaration without a version, or with its parts in another order.",
            remedy: "write `<?xml version=\"1.0\" encoding=\"UTF-8\"?>`",
            wrong: Document("<?xml encoding=\"UTF-8\"?>\n<urlset xmlns=\"NS\">\n<url>\
                <loc>https://example.com/</loc></url>\n</urlset>"),
            right: Document("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"NS\">\n<url>\
                <loc>https://example.com/</loc></url>\n</urlset>"),
        }
        Doctype = "doctype", Warning from Practice {
            summary: "the document has a DOCTYPE, whose declarations are ignored",
            reason: "The protocol has no DTD, and many crawlers refuse documents with a DOCTYPE.",
            remedy: "remove the DOCTYPE",
            wrong: Document("<!DOCTYPE urlset>\n<urlset xmlns=\"NS\">\n<url>\
                <loc>https://example.com/</loc></url>\n</urlset>"),
            right: Document("<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>"),
        }
        RootMissing = "root-missing", Error from SitemapsOrg {
            summary: "the entries are not inside a `urlset` or `sitemapindex`",
            reason: "Crawlers recognise a sitemap by its root element.",
            remedy: "wrap the entries in a `urlset` or `sitemapindex` element",
            wrong: Document("<url><loc>https://example.com/</loc></url>"),
            right: Document("<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>"),
        }
        Truncated = "truncated", Error from Xml {
            summary: "the document ends before its root element is closed",
            reason: "The missing end shows that the file was cut off, so entries are probably lost.",
            remedy: "upload the whole file",
            wrong: Document("<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>"),
            right: Document("<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>"),
        }
        NamespaceMissing = "namespace-missing", Error from SitemapsOrg {
            summary: "the sitemap elements have no namespace",
            reason: "Without the namespace, the elements are not those of the protocol, and crawlers may \
                reject the file.",
            remedy: "declare `xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"` on the root",
            wrong: Document("<urlset>\n<url><loc>https://example.com/</loc></url>\n</urlset>"),
            right: Document("<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>"),
        }
        NamespaceUnknown = "namespace-unknown", Error from SitemapsOrg {
            summary: "the namespace of the sitemap elements is not the protocol's",
            reason: "A namespace is compared letter by letter, so `https` instead of `http` makes it another \
                namespace.",
            remedy: "declare `xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"` on the root",
            wrong: Document("<urlset xmlns=\"https://www.sitemaps.org/schemas/sitemap/0.9\">\n<url>\
                <loc>https://example.com/</loc></url>\n</urlset>"),
            right: Document("<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>"),
        }
        NamespaceUndeclared = "namespace-undeclared", Error from Xml {
            summary: "a namespace prefix is not declared",
            reason: "XML parsers reject elements whose prefix has no declaration.",
            remedy: "declare the prefix with an `xmlns:` attribute on the root",
            wrong: Entry("<x:id>1</x:id>"),
            right: Entry("<x:id xmlns:x=\"https://example.com/ns\">1</x:id>"),
        }
        ExtensionNamespace = "extension-namespace", Error from Google {
            summary: "the elements of an extension are in the wrong namespace",
            reason: "Crawlers recognise images, videos and news by their namespace and ignore elements in \
                another one.",
            remedy: "declare the extension's namespace exactly as the extension's documentation spells it",
            wrong: Document("\
                <urlset xmlns=\"NS\" xmlns:image=\"https://www.google.com/schemas/sitemap-image/1.1\">\n\
                <url><loc>https://example.com/</loc>\n<image:image>\
                <image:loc>https://example.com/i.png</image:loc></image:image></url>\n</urlset>"),
            right: Document("\
                <urlset xmlns=\"NS\" xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">\n\
                <url><loc>https://example.com/</loc>\n<image:image>\
                <image:loc>https://example.com/i.png</image:loc></image:image></url>\n</urlset>"),
        }
        TooManyEntries = "too-many-entries", Error from SitemapsOrg {
            summary: "the file has more than 50,000 entries",
            reason: "Search engines reject the file or ignore the entries after the first 50,000.",
            remedy: "split the file and list the parts in a sitemap index",
            wrong: Prose("a file with 50,001 entries"),
            right: Prose("two files with 25,000 and 25,001 entries, and an index that lists both"),
        }
        FileEmpty = "file-empty", Error from SitemapsOrg {
            summary: "the file has no content",
            reason: "An empty file is usually the result of a failed run.",
            remedy: "write the root element and at least one entry",
            wrong: Document("\n"),
            right: Document("<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>"),
        }
        FileHtml = "file-html", Error from Practice {
            summary: "the file is a web page, perhaps an error page",
            reason: "The server answers with a page, often an error page with status 200, so crawlers find \
                no sitemap.",
            remedy: "serve the sitemap itself at this URL",
            wrong: Document("<!doctype html>\n<html><title>Not found</title></html>"),
            right: Document("<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>"),
        }
        FileUnknown = "file-unknown", Error from SitemapsOrg {
            summary: "the file is not an XML sitemap, a sitemap index, a text sitemap or a feed",
            reason: "Crawlers read nothing from a file whose format they do not know.",
            remedy: "serve an XML sitemap, a sitemap index, a text sitemap or a feed, plain or \
                gzip-compressed",
            wrong: Document("{\"error\": 404}"),
            right: Document("<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>"),
        }
        FileUnreadable = "file-unreadable", Error from Practice {
            summary: "the file cannot be read",
            reason: "A file that cannot be read to its end was checked only in part.",
            remedy: "correct the error that the message names",
            wrong: Prose("a child sitemap whose download is interrupted"),
            right: Prose("a child sitemap that arrives completely"),
        }
        ReadLimit = "read-limit", Error from Practice {
            summary: "the file exceeds a limit of the reader, so the rest was not read",
            reason: "The reader limits size, depth and number of elements, so that no document can exhaust \
                the memory.",
            remedy: "raise the limit of the reader if you trust the file",
            wrong: Prose("a document with 100,000 nested elements"),
            right: Prose("a document in which elements are nested as the protocol nests them"),
        }
        TooLarge = "too-large", Error from SitemapsOrg {
            summary: "the file is larger than 52,428,800 bytes (10,485,760 in the 0.84 dialect) before \
                compression",
            reason: "Search engines reject larger files, whatever the size of the compressed file.",
            remedy: "split the file and list the parts in a sitemap index",
            wrong: Prose("a file of 60 MB, compressed to 5 MB"),
            right: Prose("two files of 30 MB, and an index that lists both"),
        }
        EmptySitemap = "empty-sitemap", Warning from Schema {
            summary: "the file has no entries",
            reason: "The schema requires an entry, and search consoles report an empty file as an error.",
            remedy: "list at least one entry or remove the file",
            wrong: Document("<urlset xmlns=\"NS\">\n</urlset>"),
            right: Document("<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>"),
        }
        RootPrefixed = "root-prefixed", Warning from Google {
            summary: "the root element has a namespace prefix, which some search engines report as an \
                incorrect namespace",
            engines: [Google],
            reason: "Google reports an incorrect namespace for such files, although XML allows the prefix.",
            remedy: "declare the sitemap namespace without a prefix",
            wrong: Document("<s:urlset xmlns:s=\"NS\">\n<s:url>\
                <s:loc>https://example.com/</s:loc></s:url>\n</s:urlset>"),
            right: Document("<urlset xmlns=\"NS\">\n<url><loc>https://example.com/</loc></url>\n</urlset>"),
        }
        AttributeUnknown = "attribute-unknown", Warning from Schema {
            summary: "an attribute is not part of the protocol",
            reason: "The schema has no such attribute, so strict validators reject the file.",
            remedy: "remove the attribute",
            wrong: Urlset("<url id=\"1\"><loc>https://example.com/</loc></url>"),
            right: Urlset("<url><loc>https://example.com/</loc></url>"),
        }
        XsdOrder = "xsd-order", Warning from Schema {
            summary: "the elements of an entry are not in the schema's order",
            reason: "The schema fixes the order of the elements, so strict validators reject the file.",
            remedy: "write `loc`, `lastmod`, `changefreq`, `priority`, then extensions",
            wrong: Urlset("<url><lastmod>2026-01-31</lastmod><loc>https://example.com/</loc></url>"),
            right: Urlset("<url><loc>https://example.com/</loc><lastmod>2026-01-31</lastmod></url>"),
        }
        NamespaceOld = "namespace-old", Note from Google {
            summary: "an extension is declared with the namespace of an older edition",
            reason: "Search engines may stop reading older editions of an extension.",
            remedy: "declare the namespace of the extension's current edition",
            wrong: Document("\
                <urlset xmlns=\"NS\" xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.0\">\n\
                <url><loc>https://example.com/</loc></url>\n</urlset>"),
            right: Document("\
                <urlset xmlns=\"NS\" xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\">\n\
                <url><loc>https://example.com/</loc></url>\n</urlset>"),
        }
        ExtensionDialect = "extension-dialect", Warning from Schema {
            summary: "an extension is used in the 0.84 dialect, which has no extensions",
            reason: "The extensions were made for 0.9, so programs that read 0.84 ignore or reject them.",
            remedy: "use the 0.9 dialect",
            wrong: Document("\
                <urlset xmlns=\"http://www.google.com/schemas/sitemap/0.84\" \
                xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">\n\
                <url><loc>https://example.com/</loc>\n<image:image>\
                <image:loc>https://example.com/i.png</image:loc></image:image></url>\n</urlset>"),
            right: Document("\
                <urlset xmlns=\"NS\" xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">\n\
                <url><loc>https://example.com/</loc>\n<image:image>\
                <image:loc>https://example.com/i.png</image:loc></image:image></url>\n</urlset>"),
        }
        GzipName = "gzip-name", Note from Practice {
            summary: "the file name ends in `.gz`, but the file is not compressed",
            reason: "Programs that trust the name try to decompress the file and fail.",
            remedy: "remove `.gz` from the name or compress the file",
            wrong: Prose("`sitemap.xml.gz` with plain XML in it"),
            right: Prose("`sitemap.xml` with plain XML in it"),
        }
        TextName = "text-name", Warning from Google {
            summary: "the name of a text sitemap does not end in `.txt`",
            engines: [Google],
            reason: "Google recommends the extension, because a text sitemap has no root element to \
                recognise it by.",
            remedy: "give the file the extension `.txt`",
            wrong: Prose("a text sitemap at `https://example.com/urls`"),
            right: Prose("a text sitemap at `https://example.com/urls.txt`"),
        }
        FeedAtom03 = "feed-atom-03", Warning from Google {
            summary: "the feed is Atom 0.3, which some search engines do not support",
            engines: [Google],
            reason: "Google reads Atom 1.0 and RSS 2.0 only.",
            remedy: "publish Atom 1.0, RSS 2.0 or an XML sitemap",
            wrong: Document("<feed xmlns=\"http://purl.org/atom/ns#\">\n<entry>\
                <link href=\"https://example.com/a\"/></entry>\n</feed>"),
            right: Document("<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<entry>\
                <link href=\"https://example.com/a\"/></entry>\n</feed>"),
        }
        FeedUnsupported = "feed-unsupported", Warning from Yandex {
            summary: "the file is a feed, which some search engines do not support as a sitemap",
            engines: [Yandex],
            reason: "Yandex reads XML and text sitemaps only.",
            remedy: "publish an XML or text sitemap",
            wrong: Document("<rss version=\"2.0\"><channel><link>https://example.com/</link>\n<item>\
                <link>https://example.com/a</link></item>\n</channel></rss>"),
            right: Document("<urlset xmlns=\"NS\">\n<url><loc>https://example.com/a</loc></url>\n</urlset>"),
        }
        HintsIgnored = "hints-ignored", Note from Google {
            summary: "search engines ignore `changefreq` and `priority`",
            engines: [Google, Bing],
            reason: "Google and Bing read neither value, so writing them only makes the file larger.",
            remedy: "omit `changefreq` and `priority` if you write for Google and Bing only",
            wrong: Entry("<changefreq>daily</changefreq><priority>0.8</priority>"),
            right: Entry("<lastmod>2026-01-30</lastmod>"),
        }
    } };
}
