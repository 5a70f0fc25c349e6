//! Values of a video that have attributes of their own.

use std::borrow::Cow;

use crate::extension::error::ExtensionError;
use crate::extension::fields::{Fields, Value};
use crate::extension::group::{Lent, group};
use crate::extension::table::{Field, Form, Item, Kind, List, Table, table};
use crate::extension::text::ANY_LENGTH;
use crate::extension::words::words;
use crate::value::Loc;

table!(restriction = "video:restriction" {
    RELATIONSHIP = Field::attribute("video:restriction relationship", Kind::Word(Relationship::WORDS)).required(),
    COUNTRIES = Field::text("video:restriction", "countries", Kind::List(COUNTRY_LIST)).required(),
});

table!(platforms = "video:platform" {
    RELATIONSHIP = Field::attribute("video:platform relationship", Kind::Word(Relationship::WORDS)).required(),
    PLATFORMS = Field::text("video:platform", "platforms", Kind::List(PLATFORM_LIST)).required(),
});

table!(uploader = "video:uploader" {
    NAME = Field::text("video:uploader", "name", Kind::Text(255)).required(),
    INFO = Field::attribute("video:uploader info", Kind::Loc),
});

table!(segment = "video:content_segment_loc" {
    LOC = Field::text("video:content_segment_loc", "loc", Kind::Loc).required(),
    DURATION = Field::attribute("video:content_segment_loc duration", SECONDS),
});

table!(id = "video:id" {
    TYPE = Field::attribute("video:id type", Kind::Word(IdKind::WORDS)).required(),
    ID = Field::text("video:id", "id", Kind::Text(ANY_LENGTH)).required(),
});

/// The maximum duration of a video or a content segment, in seconds.
pub(super) const MAX_DURATION: u32 = 28_800;

pub(super) const SECONDS: Kind =
    Kind::Number { least: 1, most: MAX_DURATION as u64, remedy: "use 1 to 28800 seconds" };

const COUNTRY_LIST: List = List {
    separator: " ",
    item: Item::Form(Form {
        takes: |country| country.len() == 2 && country.bytes().all(|byte| byte.is_ascii_uppercase()),
        remedy: "write each country as two upper-case letters, like `DE`",
    }),
    most: usize::MAX,
};

const PLATFORM_LIST: List = List { separator: " ", item: Item::Word(Platform::WORDS), most: usize::MAX };

words! {
    /// Whether the countries or platforms in a list are allowed or denied.
    ///
    /// ```
    /// use sitemap_core::extension::video::Relationship;
    ///
    /// assert_eq!("deny".parse(), Ok(Relationship::Deny));
    /// assert_eq!(Relationship::Allow.as_str(), "allow");
    /// ```
    Relationship of "relationship" {
        /// Search results show the video only in the listed countries or on the listed platforms.
        Allow = "allow",
        /// Search results show the video everywhere except in the listed countries or on the listed platforms.
        Deny = "deny",
    }
}

words! {
    /// A platform for viewing videos.
    ///
    /// ```
    /// use sitemap_core::extension::video::Platform;
    ///
    /// assert_eq!("mobile".parse(), Ok(Platform::Mobile));
    /// assert_eq!(Platform::Tv.as_str(), "tv");
    /// ```
    Platform of "video:platform" {
        /// Browsers on desktop and laptop computers.
        Web = "web",
        /// Browsers on phones and tablets.
        Mobile = "mobile",
        /// Browsers on TVs, including TV devices and game consoles.
        Tv = "tv",
    }
}

/// The countries where search results may show a video, or those where they must not.
///
/// ```
/// use sitemap_core::extension::video::{Relationship, Restriction};
///
/// let restriction = Restriction::new(Relationship::Allow, ["DE", "AT"])?;
/// assert_eq!(restriction.relationship(), Some(Relationship::Allow));
/// assert!(restriction.countries().eq(["DE", "AT"]));
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[must_use]
pub struct Restriction<'a>(Lent<'a>);

group!(Restriction of restriction::TABLE);

impl Restriction<'_> {
    /// Creates a list of countries. [`Relationship::Allow`] allows only these countries. [`Relationship::Deny`] allows
    /// all others. Each country is an ISO 3166 code of two upper-case letters.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the list is empty, or a country is not two upper-case letters.
    pub fn new<C: AsRef<str>>(
        relationship: Relationship,
        countries: impl IntoIterator<Item = C>,
    ) -> Result<Self, ExtensionError> {
        let fields = Fields::new(&restriction::TABLE)
            .with(restriction::RELATIONSHIP, relationship.into())?
            .with_list(restriction::COUNTRIES, countries)?;
        Ok(Self(Lent::Owned(fields)))
    }

    /// Returns whether the listed countries are allowed or denied. `None` if the restriction was
    /// [read](crate::extension#elements-of-documents) from a document that does not state a valid relationship.
    #[must_use]
    pub fn relationship(&self) -> Option<Relationship> {
        self.0.text(restriction::RELATIONSHIP).and_then(Relationship::known)
    }

    /// Returns the listed countries.
    pub fn countries(&self) -> impl Iterator<Item = &str> {
        self.0.items(restriction::COUNTRIES)
    }
}

/// The platforms where search results may show a video, or those where they must not.
///
/// ```
/// use sitemap_core::extension::video::{Platform, Platforms, Relationship};
///
/// let platforms = Platforms::new(Relationship::Deny, [Platform::Tv])?;
/// assert_eq!(platforms.relationship(), Some(Relationship::Deny));
/// assert!(platforms.platforms().eq([Platform::Tv]));
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[must_use]
pub struct Platforms<'a>(Lent<'a>);

group!(Platforms of platforms::TABLE);

impl Platforms<'_> {
    /// Creates a list of platforms. [`Relationship::Allow`] allows only these platforms. [`Relationship::Deny`] allows
    /// all others.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the list is empty.
    pub fn new(
        relationship: Relationship,
        platforms: impl IntoIterator<Item = Platform>,
    ) -> Result<Self, ExtensionError> {
        let fields = Fields::new(&platforms::TABLE)
            .with(platforms::RELATIONSHIP, relationship.into())?
            .with_list(platforms::PLATFORMS, platforms.into_iter().map(Platform::as_str))?;
        Ok(Self(Lent::Owned(fields)))
    }

    /// Returns whether the listed platforms are allowed or denied. `None` if the list was
    /// [read](crate::extension#elements-of-documents) from a document that does not state a valid relationship.
    #[must_use]
    pub fn relationship(&self) -> Option<Relationship> {
        self.0.text(platforms::RELATIONSHIP).and_then(Relationship::known)
    }

    /// Returns the listed platforms.
    pub fn platforms(&self) -> impl Iterator<Item = Platform> {
        self.0.items(platforms::PLATFORMS).filter_map(Platform::known)
    }
}

/// The uploader of a video.
///
/// ```
/// use sitemap_core::Loc;
/// use sitemap_core::extension::video::Uploader;
///
/// let info = Loc::parse("https://example.com/users/grilly")?;
/// let uploader = Uploader::new("GrillyMcGrillerson")?.with_info(info.clone());
/// assert_eq!((uploader.name(), uploader.info()), ("GrillyMcGrillerson", Some(&info)));
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[must_use]
pub struct Uploader<'a>(Lent<'a>);

group!(Uploader of uploader::TABLE);

impl<'a> Uploader<'a> {
    /// Creates an uploader with only a name.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the name is blank, has more than 255 characters, or contains a character that
    /// XML forbids.
    pub fn new(name: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        let fields = Fields::new(&uploader::TABLE).with(uploader::NAME, Value::Text(name.into()))?;
        Ok(Self(Lent::Owned(fields)))
    }

    /// Sets the URL of a page about the uploader. It must be on the same host as the page with the video. See the
    /// [example](Self).
    pub fn with_info(self, info: Loc<'a>) -> Self {
        Self(self.0.put(uploader::INFO, Value::Loc(info)))
    }

    /// Returns the name of the uploader.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.text(uploader::NAME).unwrap_or_default()
    }

    /// Returns the URL of the page about the uploader.
    #[must_use]
    pub fn info(&self) -> Option<&Loc<'a>> {
        self.0.loc(uploader::INFO)
    }
}

/// A content segment: one media file of a video that is split into several files.
///
/// ```
/// use sitemap_core::Loc;
/// use sitemap_core::extension::video::Segment;
///
/// let segment = Segment::new(Loc::parse("https://media.example.com/1-1.mp4")?).with_duration(300)?;
/// assert_eq!(segment.loc().unwrap().as_str(), "https://media.example.com/1-1.mp4");
/// assert_eq!(segment.duration(), Some(300));
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[must_use]
pub struct Segment<'a>(Lent<'a>);

group!(Segment of segment::TABLE);

impl<'a> Segment<'a> {
    /// Creates a segment with only a URL.
    pub fn new(loc: Loc<'a>) -> Self {
        Self(Lent::Owned(Fields::new(&segment::TABLE).with_option(segment::LOC, Some(Value::Loc(loc)))))
    }

    /// Sets the duration, in seconds. See the [example](Self).
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the duration is not between 1 and 28,800 seconds.
    pub fn with_duration(self, seconds: u32) -> Result<Self, ExtensionError> {
        Ok(Self(self.0.with(segment::DURATION, Value::Number(seconds.into()))?))
    }

    /// Returns the URL of the media file. `None` if the segment was [read](crate::extension#elements-of-documents) from
    /// a document without a valid URL for it.
    #[must_use]
    pub fn loc(&self) -> Option<&Loc<'a>> {
        self.0.loc(segment::LOC)
    }

    /// Returns the duration, in seconds.
    #[must_use]
    pub fn duration(&self) -> Option<u32> {
        self.0.small_number(segment::DURATION)
    }
}

/// An identifier of a video.
///
/// ```
/// use sitemap_core::extension::video::{Id, IdKind};
///
/// let id = Id::new(IdKind::TmsProgram, "EP123456")?;
/// assert_eq!((id.kind(), id.text()), (Some(IdKind::TmsProgram), "EP123456"));
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[must_use]
pub struct Id<'a>(Lent<'a>);

group!(Id of id::TABLE);

words! {
    /// The kind of a video identifier, such as a series identifier from TMS.
    ///
    /// ```
    /// use sitemap_core::extension::video::IdKind;
    ///
    /// assert_eq!("tms:program".parse(), Ok(IdKind::TmsProgram));
    /// assert_eq!(IdKind::Url.as_str(), "url");
    /// ```
    IdKind of "video:id type" {
        /// A series identifier from TMS (Tribune Media Services).
        TmsSeries = "tms:series",
        /// A program identifier from TMS (Tribune Media Services).
        TmsProgram = "tms:program",
        /// A series identifier from Rovi.
        RoviSeries = "rovi:series",
        /// A program identifier from Rovi.
        RoviProgram = "rovi:program",
        /// A Freebase identifier.
        Freebase = "freebase",
        /// A URL.
        Url = "url",
    }
}

impl<'a> Id<'a> {
    /// Returns an identifier.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the string is blank or contains a character that XML forbids.
    pub fn new(kind: IdKind, text: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        let fields =
            Fields::new(&id::TABLE).with(id::TYPE, kind.into())?.with(id::ID, Value::Text(text.into()))?;
        Ok(Self(Lent::Owned(fields)))
    }

    /// Returns the kind of the identifier. `None` if the identifier was [read](crate::extension#elements-of-documents)
    /// from a document without a valid kind for it.
    #[must_use]
    pub fn kind(&self) -> Option<IdKind> {
        self.0.text(id::TYPE).and_then(IdKind::known)
    }

    /// Returns the identifier as a string.
    #[must_use]
    pub fn text(&self) -> &str {
        self.0.text(id::ID).unwrap_or_default()
    }
}
