//! The open elements, which determine what part of a page the current text belongs to.

use super::attributes::Attributes;
use super::tag::Tag;

/// The parts of a page that contain the current position, as a set of bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Region(u8);

impl Region {
    /// Within `<main>`.
    pub(crate) const MAIN: Self = Self(1);
    /// Within `<article>`.
    pub(crate) const ARTICLE: Self = Self(2);
    /// Within navigation.
    pub(crate) const NAVIGATION: Self = Self(4);
    /// Inside a header, a footer or an aside.
    pub(crate) const FRAME: Self = Self(8);
    /// Inside a template or a drawing, where everything is ignored.
    pub(crate) const INERT: Self = Self(16);

    /// Returns whether the position is inside any of the given parts.
    pub(crate) const fn is_in(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// No element.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Open {
    tag: Tag,
    outer: Region,
    /// The index of the previous open element with the same tag.
    same: u32,
    /// The index of the previous open element that shields outer elements from end tags inside it.
    wall: u32,
}

/// The stack of open container elements. Each step takes amortised constant time, however deep the nesting.
#[derive(Debug)]
pub(crate) struct Tree {
    open: Vec<Open>,
    last: [u32; Tag::COUNT],
    wall: u32,
    region: Region,
    mains: u32,
    articles: u32,
}

impl Tree {
    pub(crate) fn new() -> Self {
        Self {
            open: Vec::new(),
            last: [NONE; Tag::COUNT],
            wall: NONE,
            region: Region::default(),
            mains: 0,
            articles: 0,
        }
    }

    /// Returns the parts of the page that contain the current position.
    pub(crate) fn region(&self) -> Region {
        self.region
    }

    pub(crate) fn mains(&self) -> u32 {
        self.mains
    }

    /// Returns the number of `<article>` elements so far, without those inside other articles.
    pub(crate) fn articles(&self) -> u32 {
        self.articles
    }

    /// Enters an element if it is a container.
    pub(crate) fn start(&mut self, tag: Tag, attributes: &Attributes<'_>) {
        if !is_container(tag) {
            return;
        }
        if is_table_part(tag) {
            // A cell or row ends the previous one and everything open in it. Outside a table, browsers ignore the tag.
            let table = self.last[Tag::Table as usize];
            if table == NONE || self.is_in_template_since(table) {
                return;
            }
            if is_cell(tag) {
                self.leave(table as usize + 1);
            }
        }
        let outer = self.region;
        let part = if outer.is_in(Region::INERT) { Region::default() } else { part(tag, attributes) };
        if part.is_in(Region::MAIN) && !outer.is_in(Region::MAIN) {
            self.mains += 1;
        }
        if part.is_in(Region::ARTICLE) && !outer.is_in(Region::ARTICLE) {
            self.articles += 1;
        }
        let at = u32::try_from(self.open.len()).unwrap_or(NONE);
        self.open.push(Open { tag, outer, same: self.last[tag as usize], wall: self.wall });
        self.last[tag as usize] = at;
        if is_wall(tag) {
            self.wall = at;
        }
        self.region = outer.and(part);
    }

    /// Leaves the innermost open element with this tag, and all elements inside it. Does nothing if there is none, or
    /// if it is outside the current table cell or template.
    pub(crate) fn end(&mut self, tag: Tag) {
        let at = self.last[tag as usize];
        let reaches_across = matches!(tag, Tag::Table | Tag::Template | Tag::Svg);
        if at == NONE || (self.wall != NONE && at < self.wall && !reaches_across) {
            return;
        }
        self.leave(at as usize);
    }

    /// Returns whether the innermost element that stops end tags is a template, opened after the given element.
    fn is_in_template_since(&self, at: u32) -> bool {
        self.wall != NONE && self.wall > at && self.open[self.wall as usize].tag == Tag::Template
    }

    fn leave(&mut self, length: usize) {
        while self.open.len() > length {
            let Some(open) = self.open.pop() else { return };
            self.last[open.tag as usize] = open.same;
            self.wall = open.wall;
            self.region = open.outer;
        }
    }
}

#[rustfmt::skip]
const fn is_container(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Article | Tag::Aside | Tag::Caption | Tag::Details | Tag::Dialog | Tag::Div | Tag::Dl | Tag::Fieldset
            | Tag::Footer | Tag::Form | Tag::Header | Tag::Main | Tag::Menu | Tag::Nav | Tag::Object | Tag::Ol
            | Tag::Search | Tag::Section | Tag::Svg | Tag::Table | Tag::Td | Tag::Template | Tag::Th | Tag::Ul
    )
}

const fn is_cell(tag: Tag) -> bool {
    matches!(tag, Tag::Td | Tag::Th)
}

const fn is_table_part(tag: Tag) -> bool {
    matches!(tag, Tag::Td | Tag::Th | Tag::Caption)
}

const fn is_wall(tag: Tag) -> bool {
    matches!(tag, Tag::Td | Tag::Th | Tag::Caption | Tag::Object | Tag::Template | Tag::Table)
}

/// Returns the part of a page that an element starts, based on its name, or else on its `role` or `class`.
fn part(tag: Tag, attributes: &Attributes<'_>) -> Region {
    match tag {
        // A page can contain several `<main>` elements if it shows only one of them.
        Tag::Main if attributes.raw("hidden").is_none() => return Region::MAIN,
        Tag::Article => return Region::ARTICLE,
        Tag::Nav => return Region::NAVIGATION,
        Tag::Header | Tag::Footer | Tag::Aside | Tag::Search => return Region::FRAME,
        Tag::Template | Tag::Svg => return Region::INERT,
        _ => {}
    }
    if let Some(role) = attributes.raw("role") {
        match role.to_ascii_lowercase().trim_ascii() {
            b"main" => return Region::MAIN,
            b"navigation" => return Region::NAVIGATION,
            b"banner" | b"contentinfo" | b"complementary" | b"search" => return Region::FRAME,
            _ => {}
        }
    }
    let classes = attributes.raw("class").unwrap_or_default();
    if classes.split(u8::is_ascii_whitespace).any(is_navigation_class) {
        Region::NAVIGATION
    } else {
        Region::default()
    }
}

/// Returns whether a class is one that generators use for navigation. The list contains only unambiguous names.
fn is_navigation_class(class: &[u8]) -> bool {
    matches!(
        class,
        b"nav"
            | b"navbar"
            | b"navigation"
            | b"navheader"
            | b"navfooter"
            | b"breadcrumb"
            | b"breadcrumbs"
            | b"pagination"
            | b"pager"
            | b"sidebar"
            | b"sphinxsidebar"
    )
}
