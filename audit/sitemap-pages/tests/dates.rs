//! Tests which pages of a generated site are reported as changed after an edit.

use sitemap_pages::content::{Blocks, ContentChange, Folder, SharedBlocks};

/// The template that all pages share.
#[derive(Clone)]
struct Template {
    slogan: &'static str,
    built: &'static str,
    year: u32,
    asset: &'static str,
    token: u64,
}

const TEMPLATE: Template = Template {
    slogan: "Wood for everyone",
    built: "2026-11-21 at 10:03",
    year: 2026,
    asset: "3f2a9c41",
    token: 0x3f2a_9c41_77d0_1be5,
};

const WORDS: [&str; 16] = [
    "oak", "elm", "ash", "beech", "birch", "cedar", "maple", "pine", "grows", "bends", "splits", "burns",
    "in", "under", "near", "without",
];

fn sentence(seed: usize) -> String {
    let mut random = (seed as u64).wrapping_mul(2_654_435_761);
    let mut word = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        WORDS[(random >> 40) as usize % WORDS.len()]
    };
    (0..12).map(|_| word()).collect::<Vec<_>>().join(" ")
}

fn title(number: usize) -> String {
    format!("{} {}", WORDS[number % 8], sentence(number.wrapping_add(70_000)))
}

/// Writes a page without `<main>`, so that shared blocks can be recognised only by counting.
fn page(
    number: usize,
    template: &Template,
    titles: &dyn Fn(usize) -> String,
    extra: &str,
) -> (Folder, Blocks) {
    let Template { slogan, built, year, asset, token } = template;
    let (before, next) = (number.wrapping_sub(1), number + 1);
    let token = token.wrapping_mul(number as u64 * 2 + 1);
    let html = format!(
        "<!DOCTYPE html><html><head><title>{title} | Woods</title><link rel=stylesheet href=/s-{asset}.css></head><body>\
         <div class=top><img src=/logo-{asset}.svg?v={year}> {slogan}</div><form><input type=hidden value={token:x}></form>\
         <p>Request {token:016x}a1</p><h1>{title}</h1><p>{one}</p><p>{two} {extra}</p><p>Costs {number} €</p>\
         <div><div><a href=/wood/{before}.html>{before_title}</a></div><div><a href=/wood/{next}.html>Next</a></div></div>\
         <div>Built {built}</div><div>© 2001–{year} Woods</div></body></html>",
        title = titles(number),
        before_title = titles(before),
        one = sentence(number * 3 + 1),
        two = sentence(number * 3 + 2),
    );
    (Folder::of(&format!("https://example.com/wood/{number}.html")), Blocks::of_html(html.as_bytes()))
}

fn site(pages: usize, template: &Template) -> Vec<(Folder, Blocks)> {
    (0..pages).map(|number| page(number, template, &title, "")).collect()
}

fn shared(pages: &[(Folder, Blocks)]) -> SharedBlocks {
    SharedBlocks::count(pages.iter().map(|(folder, blocks)| (*folder, &blocks[..])))
}

/// Returns the numbers of the pages that changed.
fn changed(before: &[(Folder, Blocks)], now: &[(Folder, Blocks)]) -> Vec<usize> {
    let (old, new) = (shared(before), shared(now));
    let pages = before.iter().zip(now).enumerate();
    let changed = pages.filter(|(_, ((folder, one), (_, other)))| {
        ContentChange::between((&old, one), (&new, other), *folder).is_change()
    });
    changed.map(|(number, _)| number).collect()
}

const NONE: [usize; 0] = [];

#[test]
fn a_new_template_changes_no_page() {
    let before = site(300, &TEMPLATE);
    for template in [
        Template { slogan: "Now with free delivery", ..TEMPLATE },
        Template { built: "2026-12-01 at 18:40", ..TEMPLATE },
        Template { year: 2027, ..TEMPLATE },
        Template { asset: "77d01be5", ..TEMPLATE },
        Template { token: 0x9b1c_66d2_01f3_a8e7, ..TEMPLATE },
    ] {
        assert_eq!(changed(&before, &site(300, &template)), NONE);
    }
}

#[test]
fn the_digests_of_unchanged_pages_stay() {
    let (before, now) =
        (site(300, &TEMPLATE), site(300, &Template { built: "2026-12-01 at 18:40", ..TEMPLATE }));
    let (old, new) = (shared(&before), shared(&now));
    for ((folder, one), (_, other)) in before.iter().zip(&now) {
        assert_eq!(old.digest(one, *folder), new.digest(other, *folder));
    }
    let digests: std::collections::HashSet<_> =
        now.iter().map(|(folder, blocks)| new.digest(blocks, *folder)).collect();
    assert_eq!(digests.len(), 300);
}

#[test]
fn edits_change_exactly_the_edited_pages() {
    let before = site(1000, &TEMPLATE);
    let edited: Vec<usize> = (0..1000).filter(|number| number * 7919 % 1000 < 100).collect();
    let now: Vec<_> = (0..1000)
        .map(|number| {
            let extra = if edited.contains(&number) { "A new sentence." } else { "" };
            page(number, &Template { built: "2026-12-01 at 18:40", slogan: "New", ..TEMPLATE }, &title, extra)
        })
        .collect();
    assert_eq!(edited.len(), 100);
    assert_eq!(changed(&before, &now), edited);
}

#[test]
fn a_changed_price_is_a_change() {
    let before = site(300, &TEMPLATE);
    let mut now = before.clone();
    let html = |price: &str| Blocks::of_html(format!("<p>Costs {price} €</p>").as_bytes());
    let mut other = now[50].1.to_vec();
    let (old, new) = (html("50")[0], html("49")[0]);
    other.iter_mut().filter(|block| **block == old).for_each(|block| *block = new);
    now[50].1 = other.into();
    assert_eq!(changed(&before, &now), [50]);
}

#[test]
fn a_new_title_changes_no_neighbour() {
    let before = site(300, &TEMPLATE);
    let renamed = |number| if number == 50 { "Bamboo".to_owned() } else { title(number) };
    let now: Vec<_> = (0..300).map(|number| page(number, &TEMPLATE, &renamed, "")).collect();
    assert_eq!(changed(&before, &now), [50]);
}

#[test]
fn the_order_of_pages_does_not_count() {
    let mut pages = site(300, &TEMPLATE);
    let one = shared(&pages);
    pages.reverse();
    pages.swap(3, 200);
    assert_eq!(shared(&pages), one);
    assert!(!one.is_empty());
}

#[test]
fn small_sites() {
    let new = Template { slogan: "New", built: "2026-12-01 at 18:40", ..TEMPLATE };
    for pages in [1, 2] {
        assert_eq!(
            changed(&site(pages, &TEMPLATE), &site(pages, &new)).len(),
            pages,
            "nothing can be told apart"
        );
    }
    for pages in [3, 5, 9, 10, 19, 20, 30] {
        assert_eq!(changed(&site(pages, &TEMPLATE), &site(pages, &new)), NONE, "{pages} pages");
    }
}

/// Edits all pages in the folder that `SITEMAP_PAGES_TREE` names, and prints how many are reported as changed.
#[test]
#[ignore = "needs a folder of pages"]
fn real_pages() {
    let root = std::env::var("SITEMAP_PAGES_TREE").expect("set `SITEMAP_PAGES_TREE` to a folder of pages");
    let (mut folders, mut pages) = (vec![std::path::PathBuf::from(&root)], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if entry.file_type().unwrap().is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "html") {
                let name = path.strip_prefix(&root).unwrap().display().to_string();
                pages.push((name, String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned()));
            }
        }
    }
    pages.sort();
    let read = |edit: &dyn Fn(usize, &str) -> String| -> Vec<(Folder, Blocks)> {
        let read = |(number, (name, html)): (usize, &(String, String))| {
            (
                Folder::of(&format!("https://example.com/{name}")),
                Blocks::of_html(edit(number, html).as_bytes()),
            )
        };
        pages.iter().enumerate().map(read).collect()
    };
    let with = |html: &str, text: &str| html.replacen("</body>", &format!("{text}</body>"), 1);
    let stamp = |html: &str, day: u32| with(html, &format!("<div>Built 2026-11-{day} at 10:{day}</div>"));
    let before = read(&|number, html| {
        with(&stamp(html, 21), &format!("<p>Id {:016x}a1</p><img src=/l-3f2a9c41.png>", number * 99))
    });
    let template = read(&|_, html| with(html, "<div>A new footer with <a href=/help>help</a></div>"));
    let stamped = read(&|number, html| {
        with(&stamp(html, 28), &format!("<p>Id {:016x}b2</p><img src=/l-77d01be5.png>", number * 77 + 5))
    });
    let wanted = |number: usize| {
        number * 7919 % pages.len() < 100
            && ["</h1>", "</h2>"].iter().any(|mark| pages[number].1.contains(mark))
    };
    let edits = read(&|number, html| {
        let mark = if html.contains("</h1>") { "</h1>" } else { "</h2>" };
        let edit = format!("{mark}<p>A sentence about page {number}.</p>");
        let html = if wanted(number) { html.replacen(mark, &edit, 1) } else { html.to_owned() };
        with(&stamp(&html, 21), &format!("<p>Id {:016x}a1</p><img src=/l-3f2a9c41.png>", number * 99))
    });
    let wanted: Vec<usize> = (0..pages.len()).filter(|&number| wanted(number)).collect();
    let model = shared(&before);
    let own: usize = before.iter().map(|(folder, blocks)| model.own(blocks, *folder).count()).sum();
    let all: usize = before.iter().map(|(_, blocks)| blocks.len()).sum();
    let without: usize =
        before.iter().filter(|(folder, blocks)| model.own(blocks, *folder).next().is_none()).count();
    println!(
        "{} pages, {all} blocks, {} shapes shared, {own} own blocks, {without} pages without",
        pages.len(),
        model.len()
    );
    println!("template edit: {}", changed(&before, &template).len());
    println!("stamp, tokens, assets: {}", changed(&before, &stamped).len());
    let found = changed(&before, &edits);
    println!("{} edits: {}", wanted.len(), found.len());
    for number in (0..pages.len()).filter(|number| wanted.contains(number) != found.contains(number)) {
        println!("  not the same: {}", pages[number].0);
    }
    let target = pages.len() / 2;
    let title = |html: &str| html.split("<title>").nth(1)?.split("</title>").next().map(str::to_owned);
    let name = title(&pages[target].1).unwrap();
    let renamed = read(&|number, html| {
        with(
            &stamp(&html.replace(&name, "An entirely new name"), 21),
            &format!("<p>Id {:016x}a1</p><img src=/l-3f2a9c41.png>", number * 99),
        )
    });
    let mentions = pages.iter().filter(|(_, html)| html.contains(&name)).count();
    let moved = changed(&before, &renamed);
    println!(
        "title `{name}` of {} is on {mentions} pages: {:?}",
        pages[target].0,
        moved.iter().map(|&at| &pages[at].0).collect::<Vec<_>>()
    );
}
