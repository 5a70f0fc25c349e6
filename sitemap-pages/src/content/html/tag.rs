//! The elements that the crate tells apart.

/// The five bits for each letter, in both cases, and for each digit from 1 to 6. Other bytes have [`NO_CODE`].
const CODES: [u8; 256] = {
    let mut codes = [NO_CODE; 256];
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

/// The characters of a name that pass one after the other. Up to 12 letters and digits from 1 to 6 are packed into a
/// number, five bits a character, in any letter case.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackedName {
    packed: u64,
    all: u8,
    length: usize,
}

impl PackedName {
    pub(crate) const fn new() -> Self {
        Self { packed: 0, all: 0, length: 0 }
    }

    #[inline]
    pub(crate) const fn push(&mut self, byte: u8) {
        let code = CODES[byte as usize];
        self.all |= code;
        self.packed = self.packed << 5 | code as u64;
        self.length += 1;
    }

    /// Returns the number of a name that has one.
    const fn packed(self) -> Option<u64> {
        if self.length <= 12 && self.all & NO_CODE == 0 { Some(self.packed) } else { None }
    }
}

const fn pack(name: &[u8]) -> Option<u64> {
    let (mut packed, mut at) = (PackedName::new(), 0);
    while at < name.len() {
        packed.push(name[at]);
        at += 1;
    }
    packed.packed()
}

macro_rules! tags {
    ($($variant:ident $name:literal)*) => {
        /// An element by its name. All other names, such as those of custom elements, are [`Tag::Other`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(crate) enum Tag { $($variant,)* Other }

        impl Tag {
            /// Returns the tag of a name in any letter case.
            pub(crate) fn of(name: &[u8]) -> Self {
                let mut packed = PackedName::new();
                for &byte in name {
                    packed.push(byte);
                }
                Self::of_packed(packed)
            }

            /// Returns the tag of a name whose characters have passed.
            #[expect(non_upper_case_globals, reason = "constants named after the variants")]
            pub(crate) fn of_packed(name: PackedName) -> Self {
                $(const $variant: u64 = match pack($name) {
                    Some(packed) => packed,
                    None => panic!("the name does not fit"),
                };)*
                match name.packed() {
                    $(Some($variant) => Self::$variant,)*
                    _ => Self::Other,
                }
            }
        }
    };
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
    /// The number of tags.
    pub(crate) const COUNT: usize = Self::Other as usize + 1;

    /// Returns whether the element's content is text in which tags have no meaning.
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

    /// Returns whether character references have a meaning in the element's raw text.
    #[cfg(test)]
    pub(crate) const fn resolves_references(self) -> bool {
        matches!(self, Self::Title | Self::Textarea)
    }

    /// Returns whether a browser starts a new line at the element's tags.
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
