//! Tests of record types that set their section.

use sitemap_core::record::HasSection;
use sitemap_core::{Memory, Site, SitemapEntry, SitemapSet};

#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{0}", section = "posts")]
struct Post(u32);

#[derive(SitemapEntry)]
#[sitemap(rename_all = "lowercase", section = "static-pages")]
enum Page {
    About,
    Terms,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{kind}/{id}", section = "items")]
struct Item<T> {
    kind: &'static str,
    id: T,
}

#[test]
fn records_go_to_the_section_of_their_type() {
    let memory = Memory::new();
    let site = Site::new("https://example.com").unwrap();
    let mut run = SitemapSet::builder(site).storage(memory.clone()).replace().unwrap();
    run.add_all([Post(1), Post(2)]).unwrap();
    run.add_all([&Page::About, &Page::Terms]).unwrap();
    run.add_all(vec![Box::new(Post(3))]).unwrap();
    run.add(&Item { kind: "a", id: 7 }).unwrap();
    run.try_add_all([Ok::<_, std::io::Error>(Item { kind: "b", id: "x" })]).unwrap();
    run.section("posts").unwrap().add("/posts/by-hand").unwrap();
    let summary = run.commit().unwrap();

    let files: Vec<_> = summary.files().iter().map(|file| (file.name(), file.entries())).collect();
    assert_eq!(
        files,
        [("sitemap-posts-1.xml", 4), ("sitemap-static-pages-1.xml", 2), ("sitemap-items-1.xml", 2)]
    );
    let posts = String::from_utf8(memory.get("sitemap-posts-1.xml").unwrap().to_vec()).unwrap();
    assert!(
        posts.ends_with(
            "<url><loc>https://example.com/posts/1</loc></url>\n\
             <url><loc>https://example.com/posts/2</loc></url>\n\
             <url><loc>https://example.com/posts/3</loc></url>\n\
             <url><loc>https://example.com/posts/by-hand</loc></url>\n\
             </urlset>\n"
        ),
        "{posts}"
    );
    assert_eq!(<Item<u8> as HasSection>::SECTION, "items");
}

#[test]
fn a_section_name_written_by_hand_is_checked_at_run_time() {
    struct Row;

    impl SitemapEntry for Row {
        fn write_entries(&self, out: &mut sitemap_core::EntryWriter<'_>) -> Result<(), sitemap_core::Error> {
            "/".write_entries(out)
        }
    }

    impl HasSection for Row {
        const SECTION: &'static str = "a/b";
    }

    let site = Site::new("https://example.com").unwrap();
    let mut run = SitemapSet::builder(site).storage(Memory::new()).replace().unwrap();
    assert_eq!(
        run.add_all([Row]).unwrap_err().to_string(),
        "the section name \"a/b\" cannot be part of a file name; use 1 to 100 of the characters `A-Z a-z 0-9 - _`"
    );
}
