//! The site's pages. Each has its own text, plus the same navigation and footer as all others.

use std::fmt::Write;

/// The size of a page, in bytes.
const PAGE_BYTES: usize = 30_000;

/// How many pages each page links to, not counting the navigation.
const LINKS: usize = 20;

const WORDS: [&str; 32] = [
    "acorn", "bark", "branch", "canopy", "catkin", "cone", "crown", "forest", "grove", "hedge", "leaf",
    "moss", "needle", "nursery", "orchard", "park", "planting", "pollen", "ring", "root", "sapling", "seed",
    "shade", "shoot", "soil", "spring", "stem", "timber", "trunk", "twig", "winter", "wood",
];

/// A site with a fixed number of pages. Links lead from the first page to every other.
#[derive(Debug, Clone)]
pub struct PageSite {
    pages: usize,
    origin: String,
    navigation: String,
    footer: String,
}

impl PageSite {
    /// Returns a site whose URLs start with this origin, such as `http://127.0.0.1:8000`.
    #[must_use]
    pub fn new(pages: usize, origin: String) -> Self {
        let mut navigation = String::from("<nav><ul>\n");
        for number in 1..=60 {
            _ = writeln!(
                navigation,
                "<li><a href=\"{}\">{}</a></li>",
                path(number % pages),
                words(number, 3)
            );
        }
        navigation.push_str("</ul></nav>\n");
        let footer = format!("<footer><p>{}</p></footer>\n</body>\n</html>\n", words(7, 400));
        Self { pages, origin, navigation, footer }
    }

    /// Returns a page's body.
    #[must_use]
    pub fn page(&self, number: usize) -> String {
        let mut body = String::with_capacity(PAGE_BYTES + 1_000);
        let (title, url) = (words(number, 6), path(number));
        _ = write!(
            body,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title} {number}</title>\n\
             <link rel=\"canonical\" href=\"{}{url}\">\n</head>\n<body>\n{}<main>\n<h1>{title} {number}</h1>\n<ul>\n",
            self.origin, self.navigation
        );
        for child in (number * LINKS + 1..=number * LINKS + LINKS).take_while(|child| *child < self.pages) {
            _ = writeln!(body, "<li><a href=\"{}\">{}</a></li>", path(child), words(child, 4));
        }
        body.push_str("</ul>\n");
        let mut paragraph = number * 1_000;
        while body.len() + self.footer.len() < PAGE_BYTES {
            paragraph += 1;
            _ = writeln!(body, "<p>{}.</p>", words(paragraph, 60));
        }
        body.push_str("</main>\n");
        body.push_str(&self.footer);
        body
    }

    /// Returns the sitemap, which lists all pages.
    #[must_use]
    pub fn sitemap(&self) -> String {
        let mut xml = String::from(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
        );
        for url in self.urls() {
            _ = writeln!(xml, "<url><loc>{url}</loc></url>");
        }
        xml.push_str("</urlset>\n");
        xml
    }

    /// Returns the URLs of all pages.
    pub fn urls(&self) -> impl Iterator<Item = String> {
        (0..self.pages).map(|number| format!("{}{}", self.origin, path(number)))
    }

    /// Returns the number of pages.
    #[must_use]
    pub fn pages(&self) -> usize {
        self.pages
    }

    /// Returns the number of the page at this path.
    #[must_use]
    pub fn number(&self, path: &str) -> Option<usize> {
        let number = if path == "/" { 0 } else { path.strip_prefix("/page/")?.parse().ok()? };
        (number < self.pages).then_some(number)
    }
}

fn path(number: usize) -> String {
    if number == 0 { "/".to_owned() } else { format!("/page/{number}") }
}

/// Returns words that depend only on the seed.
fn words(seed: usize, count: usize) -> String {
    let mut state = (seed as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut text = String::with_capacity(count * 8);
    for at in 0..count {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        if at > 0 {
            text.push(' ');
        }
        let byte = state.to_le_bytes()[5];
        text.push_str(WORDS[usize::from(byte) % WORDS.len()]);
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::PageSite;

    #[test]
    fn pages_have_their_size_and_are_all_linked() {
        let site = PageSite::new(1_000, "http://localhost".to_owned());
        let mut linked = HashSet::from([0]);
        for number in 0..1_000 {
            let body = site.page(number);
            assert!((29_500..31_000).contains(&body.len()), "{}", body.len());
            let links = body.split("<a href=\"").skip(1);
            linked.extend(links.filter_map(|link| site.number(link.split('"').next()?)));
        }
        assert_eq!(linked.len(), 1_000);
        assert_ne!(site.page(1), site.page(2));
        assert_eq!(site.number("/page/1000"), None);
        assert_eq!(site.sitemap().matches("<loc>").count(), 1_000);
    }
}
