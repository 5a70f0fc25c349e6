//! The elements that this crate distinguishes.

use super::bytes::is_name_end;

/// A five-bit code for each letter, in either case, and for each digit from 1 to 6. Bytes that end a name have the code
/// [`NAME_END`], all others [`NO_CODE`].
const CODES: [u8; 256] = {
    let mut codes = [NO_CODE; 256];
    let mut end = 0_u8;
    while end < 128 {
        if is_name_end(end) {
            codes[end as usize] = NAME_END;
        }
        end += 1;
    }
    let mut letter = b'a';
    while letter <= b'z' {
        codes[letter as usize] = letter & 31;
        codes[letter.to_ascii_uppercase() as usize] = letter & 31;
        letter += 1;
    }
    let mut digit = b'1';
    while digit <= b'5' {
        codes[digit as usize] = 26 + digit - b'0';
        digit += 1;
    }
    codes[b'6' as usize] = 0;
    codes
};

const NO_CODE: u8 = 32;
const NAME_END: u8 = 64;

/// Packs the name that starts at `start` into a number, with five bits per character and ignoring case. The name may
/// have up to 12 characters, which are letters or digits from 1 to 6. Returns the number and the position after the
/// name. If nothing ends the name, that position is the end of the text.
#[inline]
const fn pack(text: &[u8], start: usize) -> (Option<u64>, usize) {
    let (mut packed, mut all, mut at) = (0, 0, start);
    while at < text.len() {
        let code = CODES[text[at] as usize];
        if code == NAME_END {
            break;
        }
        all |= code;
        packed = packed << 5 | code as u64;
        at += 1;
    }
    (if at - start <= 12 && all & NO_CODE == 0 { Some(packed) } else { None }, at)
}

macro_rules! tags {
    ($($variant:ident $name:literal)*) => {
        /// An element, identified by its name. All other names, such as those of custom elements, are [`Tag::Other`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(crate) enum Tag { $($variant,)* Other }

        impl Tag {
            /// Returns the tag whose name starts at `start`, ignoring case, and the position after the name. If nothing
            /// ends the name, that position is the end of the text.
            #[inline]
            pub(super) fn at(text: &[u8], start: usize) -> (Self, usize) {
                let (packed, end) = pack(text, start);
                let Some(packed) = packed else { return (Self::Other, end) };
                // Most tag names are one or two characters long.
                let short = usize::try_from(packed).ok().and_then(|packed| SHORT_NAMES.get(packed));
                (short.copied().unwrap_or_else(|| Self::of_packed(packed)), end)
            }

            #[expect(non_upper_case_globals, reason = "constants named after the variants")]
            fn of_packed(name: u64) -> Self {
                $(const $variant: u64 = packed($name);)*
                match name {
                    $($variant => Self::$variant,)*
                    _ => Self::Other,
                }
            }
        }

        /// Tags with names of one or two characters, indexed by the ten-bit number of the name.
        #[expect(clippy::cast_possible_truncation, reason = "ten bits")]
        static SHORT_NAMES: [Tag; 1 << 10] = {
            let mut tags = [Tag::Other; 1 << 10];
            $(if $name.len() <= 2 {
                tags[packed($name) as usize] = Tag::$variant;
            })*
            tags
        };
    };
}

const fn packed(name: &[u8]) -> u64 {
    match pack(name, 0) {
        (Some(packed), _) => packed,
        (None, _) => panic!("the name does not fit"),
    }
}

tags! {
    A b"a" Address b"address" Area b"area" Article b"article" Aside b"aside" Base b"base" BaseFont b"basefont"
    BgSound b"bgsound" Blockquote b"blockquote" Body b"body" Br b"br" Button b"button" Caption b"caption"
    Center b"center" Col b"col" ColGroup b"colgroup" Dd b"dd" Details b"details" Dialog b"dialog" Dir b"dir"
    Div b"div" Dl b"dl" Dt b"dt" Embed b"embed" Fieldset b"fieldset" Figcaption b"figcaption" Figure b"figure"
    Footer b"footer" Form b"form" Frame b"frame" Frameset b"frameset" H1 b"h1" H2 b"h2" H3 b"h3" H4 b"h4" H5 b"h5"
    H6 b"h6" Head b"head" Header b"header" HGroup b"hgroup" Hr b"hr" Html b"html" Iframe b"iframe" Img b"img"
    Input b"input" Legend b"legend" Li b"li" Link b"link" Main b"main" Menu b"menu" Meta b"meta" Nav b"nav"
    NoEmbed b"noembed" NoFrames b"noframes" NoScript b"noscript" Object b"object" Ol b"ol" OptGroup b"optgroup"
    Option b"option" P b"p" Param b"param" Plaintext b"plaintext" Pre b"pre" Script b"script" Search b"search"
    Section b"section" Select b"select" Source b"source" Style b"style" Summary b"summary" Svg b"svg" Table b"table"
    Tbody b"tbody" Td b"td" Template b"template" Textarea b"textarea" Tfoot b"tfoot" Th b"th" Thead b"thead"
    Time b"time" Title b"title" Tr b"tr" Track b"track" Ul b"ul" Video b"video" Audio b"audio" Wbr b"wbr" Xmp b"xmp"
}

impl Tag {
    pub(crate) const COUNT: usize = Self::Other as usize + 1;

    /// Returns the tag with this name, ignoring case.
    #[cfg(test)]
    pub(super) fn of(name: &[u8]) -> Self {
        let (tag, end) = Self::at(name, 0);
        if end == name.len() { tag } else { Self::Other }
    }

    /// Returns whether the element's content is raw text, in which tags have no meaning.
    pub(crate) const fn is_raw(self) -> bool {
        matches!(
            self,
            Self::Script
                | Self::Style
                | Self::NoScript
                | Self::Title
                | Self::Textarea
                | Self::Iframe
                | Self::NoEmbed
        ) || matches!(self, Self::NoFrames | Self::Xmp | Self::Plaintext)
    }

    /// Returns whether character references in the element's raw text are resolved.
    #[cfg(test)]
    pub(crate) const fn resolves_references(self) -> bool {
        matches!(self, Self::Title | Self::Textarea)
    }

    /// Returns whether browsers start a new line at the element's tags.
    #[rustfmt::skip]
    pub(crate) const fn is_block(self) -> bool {
        matches!(
            self,
            Self::Address | Self::Article | Self::Aside | Self::Blockquote | Self::Body | Self::Caption | Self::Center
                | Self::Dd | Self::Details | Self::Dialog | Self::Dir | Self::Div | Self::Dl | Self::Dt
                | Self::Fieldset | Self::Figcaption | Self::Figure | Self::Footer | Self::Form | Self::H1 | Self::H2
                | Self::H3 | Self::H4 | Self::H5 | Self::H6 | Self::Header | Self::HGroup | Self::Hr | Self::Legend
                | Self::Li | Self::Main | Self::Menu | Self::Nav | Self::Ol | Self::OptGroup | Self::Option | Self::P
                | Self::Pre | Self::Search | Self::Section | Self::Select | Self::Summary | Self::Table | Self::Tbody
                | Self::Td | Self::Tfoot | Self::Th | Self::Thead | Self::Tr | Self::Ul | Self::Textarea | Self::Xmp
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Tag;

    #[test]
    fn names_in_any_case() {
        for (name, tag) in [("div", Tag::Div), ("DIV", Tag::Div), ("h1", Tag::H1), ("h6", Tag::H6)] {
            assert_eq!(Tag::of(name.as_bytes()), tag, "{name}");
        }
        for name in ["", "h7", "my-element", "h", "divv", "a\0", "blockquotesandmore"] {
            assert_eq!(Tag::of(name.as_bytes()), Tag::Other, "{name}");
        }
    }
}
