//! The rules about indexes and their child sitemaps.

macro_rules! sets {
    ($then:ident $($rest:tt)*) => { $then! { $($rest)*
    [Sets]
        ChildMissing = "child-missing", Error from SitemapsOrg {
            summary: "a child sitemap cannot be opened",
            reason: "Crawlers find none of the pages in a child sitemap that they cannot open.",
            remedy: "publish the file or remove it from the index",
            wrong: Prose("an index that lists `https://example.com/a.xml`, which the server answers with \
                404"),
            right: Prose("an index that lists only files that the server has"),
        }
        ChildOtherHost = "child-other-host", Error from SitemapsOrg {
            summary: "a child sitemap is on another host",
            reason: "An index may list sitemaps of its own host only, unless the owner has verified both \
                hosts.",
            remedy: "list the child sitemap in an index on the same host",
            wrong: Index("<sitemap><loc>https://example.com/a.xml</loc></sitemap>\n<sitemap>\
                <loc>https://example.org/b.xml</loc></sitemap>"),
            right: Index("<sitemap><loc>https://example.com/a.xml</loc></sitemap>\n<sitemap>\
                <loc>https://example.com/b.xml</loc></sitemap>"),
        }
        ChildOutside = "child-outside", Warning from Google {
            summary: "a child sitemap is outside the directory of its index",
            engines: [Google],
            reason: "Google asks that child sitemaps are in the directory of the index or below.",
            remedy: "put the index into the directory of its child sitemaps or above",
            wrong: Prose("`https://example.com/i/sitemap.xml` lists `https://example.com/a.xml`"),
            right: Prose("`https://example.com/sitemap.xml` lists `https://example.com/a.xml`"),
        }
        DuplicateChild = "duplicate-child", Warning from Practice {
            summary: "an index lists a child sitemap twice",
            reason: "The second entry tells crawlers nothing.",
            remedy: "list each sitemap once",
            wrong: Index("<sitemap><loc>https://example.com/a.xml</loc></sitemap>\n<sitemap>\
                <loc>https://example.com/a.xml</loc></sitemap>"),
            right: Index("<sitemap><loc>https://example.com/a.xml</loc></sitemap>\n<sitemap>\
                <loc>https://example.com/b.xml</loc></sitemap>"),
        }
        NestedIndex = "nested-index", Error from SitemapsOrg {
            summary: "an index lists another index",
            reason: "The protocol has one level of indexes, and search engines ignore a nested one.",
            remedy: "list the other index's child sitemaps directly",
            wrong: Prose("`sitemap.xml` lists the index `a.xml`, which lists `b.xml`"),
            right: Prose("`sitemap.xml` lists `b.xml`"),
        }
        IndexTooDeep = "index-too-deep", Error from Practice {
            summary: "an index is nested too deeply, so its child sitemaps were not checked",
            reason: "Search engines do not follow nested indexes, and the check follows only some levels.",
            remedy: "list all child sitemaps directly in one index",
            wrong: Prose("an index that lists an index that lists an index, and so on"),
            right: Prose("one index that lists all child sitemaps"),
        }
        IndexLoop = "index-loop", Warning from Practice {
            summary: "an index lists itself or one of its parent indexes",
            reason: "A crawler that follows such an index never ends, so crawlers stop.",
            remedy: "remove this entry from the index",
            wrong: Prose("`sitemap.xml` lists the index `a.xml`, which lists `sitemap.xml`"),
            right: Prose("`sitemap.xml` lists `b.xml`"),
        }
        IndexOver1000 = "index-over-1000", Note from Schema {
            summary: "an index lists more than 1,000 sitemaps, which the schema of 2006 did not allow",
            reason: "The schema of 2006 allowed 1,000 sitemaps. The protocol now allows 50,000, and current \
                programs read them.",
            remedy: "split the index only if you write for programs that use the schema of 2006",
            wrong: Prose("an index with 1,001 sitemaps"),
            right: Prose("an index with 1,000 sitemaps"),
        }
        IndexLastModStale = "index-lastmod-stale", Warning from SitemapsOrg {
            summary: "the `lastmod` of a child sitemap is older than the `lastmod` of a page in it",
            reason: "Crawlers that trust the date do not fetch the child sitemap again and miss the change.",
            remedy: "write the date of the sitemap file's last change",
            wrong: Prose("an index gives `a.xml` the `lastmod` 2026-01-01, and a page in `a.xml` has the \
                `lastmod` 2026-01-10"),
            right: Prose("the index gives `a.xml` the `lastmod` 2026-01-10"),
        }
        TooManyChildren = "too-many-children", Error from Practice {
            summary: "the set has more child sitemaps than the check opens",
            reason: "The child sitemaps after the limit were not checked.",
            remedy: "raise the limit to check all child sitemaps",
            wrong: Prose("an index with 60,000 child sitemaps, checked with the default limit"),
            right: Prose("an index with at most 50,000 child sitemaps"),
        }
        MixedDialects = "mixed-dialects", Warning from SitemapsOrg {
            summary: "one set or one document mixes the dialects 0.9 and 0.84",
            reason: "Programs that read only one of the dialects miss a part of the set.",
            remedy: "use one namespace in the whole set",
            wrong: Prose("an index of 0.9 lists a urlset of 0.84"),
            right: Prose("an index of 0.9 lists a urlset of 0.9"),
        }
    } };
}
