//! Values of a video that have attributes.

use std::borrow::Cow;

use crate::extension::error::ExtensionError;
use crate::extension::fields::{Fields, Lent, Value, group};
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

/// The length of a video or of a part of one.
pub(super) const SECONDS: Kind =
    Kind::Number { least: 1, most: 28_800, expected: "must be between 1 and 28800 seconds" };

const COUNTRY_LIST: List = List {
    separator: " ",
    item: Item::Form(Form {
        takes: |country| country.len() == 2 && country.bytes().all(|byte| byte.is_ascii_uppercase()),
        expected: "must be countries of two upper-case letters; write them like `DE`",
    }),
    most: usize::MAX,
};

const PLATFORM_LIST: List = List { separator: " ", item: Item::Word(Platform::WORDS), most: usize::MAX };

words! {
    /// Whether a list names the places where a video can be played, or those where it cannot.
    Relationship of "relationship" {
        /// The video can be played there and nowhere else.
        Allow = "allow",
        /// The video can be played everywhere else.
        Deny = "deny",
    }
}

words! {
    /// A kind of device.
    Platform of "video:platform" {
        /// Browsers of desktop and laptop computers.
        Web = "web",
        /// Browsers of telephones and tablets.
        Mobile = "mobile",
        /// Television sets.
        Tv = "tv",
    }
}

/// The countries in which a video can be played.
///
/// ```
/// use sitemap_core::extension::video::{Relationship, Restriction};
///
/// let restriction = Restriction::new(Relationship::Allow, ["DE", "AT"])?;
/// assert!(restriction.countries().eq(["DE", "AT"]));
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[must_use]
pub struct Restriction<'a>(Lent<'a>);

group!(Restriction of restriction::TABLE);

impl Restriction<'_> {
    /// Returns a list of countries: two upper-case letters each, as in ISO 3166.
    ///
    /// # Errors
    ///
    /// If the list is empty or a country has another form.
    pub fn new<C: AsRef<str>>(
        relationship: Relationship,
        countries: impl IntoIterator<Item = C>,
    ) -> Result<Self, ExtensionError> {
        let fields = Fields::new(&restriction::TABLE)
            .with(restriction::RELATIONSHIP, relationship.into())?
            .with_list(restriction::COUNTRIES, countries)?;
        Ok(Self(Lent::Owned(fields)))
    }

    /// Returns whether the countries are allowed or denied.
    #[must_use]
    pub fn relationship(&self) -> Relationship {
        relationship(&self.0, restriction::RELATIONSHIP)
    }

    /// Returns the countries.
    pub fn countries(&self) -> impl Iterator<Item = &str> {
        self.0.items(restriction::COUNTRIES)
    }
}

fn relationship(fields: &Fields<'_>, at: u8) -> Relationship {
    fields.text(at).and_then(Relationship::known).unwrap_or(Relationship::Allow)
}

/// The devices on which a video can be played.
///
/// ```
/// use sitemap_core::extension::video::{Platform, Platforms, Relationship};
///
/// let platforms = Platforms::new(Relationship::Deny, [Platform::Tv])?;
/// assert!(platforms.platforms().eq([Platform::Tv]));
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[must_use]
pub struct Platforms<'a>(Lent<'a>);

group!(Platforms of platforms::TABLE);

impl Platforms<'_> {
    /// Returns a list of devices.
    ///
    /// # Errors
    ///
    /// If the list is empty.
    pub fn new(
        relationship: Relationship,
        platforms: impl IntoIterator<Item = Platform>,
    ) -> Result<Self, ExtensionError> {
        let fields = Fields::new(&platforms::TABLE)
            .with(platforms::RELATIONSHIP, relationship.into())?
            .with_list(platforms::PLATFORMS, platforms.into_iter().map(Platform::as_str))?;
        Ok(Self(Lent::Owned(fields)))
    }

    /// Returns whether the devices are allowed or denied.
    #[must_use]
    pub fn relationship(&self) -> Relationship {
        relationship(&self.0, platforms::RELATIONSHIP)
    }

    /// Returns the devices.
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
    /// Returns an uploader with nothing but a name.
    ///
    /// # Errors
    ///
    /// If the name is empty, has more than 255 characters or one that XML forbids.
    pub fn new(name: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        let fields = Fields::new(&uploader::TABLE).with(uploader::NAME, Value::Text(name.into()))?;
        Ok(Self(Lent::Owned(fields)))
    }

    /// Sets a page about the uploader, which must be on the same domain as the video's page. See the
    /// [example](Self).
    pub fn with_info(self, info: Loc<'a>) -> Self {
        Self(self.0.put(uploader::INFO, Value::Loc(info)))
    }

    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.text(uploader::NAME).unwrap_or_default()
    }

    /// Returns the page about the uploader.
    #[must_use]
    pub fn info(&self) -> Option<&Loc<'a>> {
        self.0.loc(uploader::INFO)
    }
}

/// One file of a video that is split into several.
///
/// ```
/// use sitemap_core::Loc;
/// use sitemap_core::extension::video::Segment;
///
/// let segment = Segment::new(Loc::parse("https://media.example.com/1-1.mp4")?).with_duration(300)?;
/// assert_eq!(segment.loc().as_str(), "https://media.example.com/1-1.mp4");
/// assert_eq!(segment.duration(), Some(300));
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[must_use]
pub struct Segment<'a>(Lent<'a>);

group!(Segment of segment::TABLE);

impl<'a> Segment<'a> {
    /// Returns a file with nothing but its URL.
    pub fn new(loc: Loc<'a>) -> Self {
        Self(Lent::Owned(Fields::new(&segment::TABLE).with_option(segment::LOC, Some(Value::Loc(loc)))))
    }

    /// Sets the length. See the [example](Self).
    ///
    /// # Errors
    ///
    /// If it is not between 1 and 28,800 seconds.
    pub fn with_duration(self, seconds: u32) -> Result<Self, ExtensionError> {
        Ok(Self(self.0.with(segment::DURATION, Value::Number(seconds.into()))?))
    }

    /// Returns the URL.
    #[must_use]
    pub fn loc(&self) -> &Loc<'a> {
        self.0.loc(segment::LOC).unwrap_or(Loc::NONE)
    }

    /// Returns the length in seconds.
    #[must_use]
    pub fn duration(&self) -> Option<u32> {
        self.0.small_number(segment::DURATION)
    }
}

/// The identifier of a video in a catalogue.
///
/// ```
/// use sitemap_core::extension::video::{Id, IdKind};
///
/// let id = Id::new(IdKind::TmsProgram, "EP123456")?;
/// assert_eq!((id.kind(), id.text()), (IdKind::TmsProgram, "EP123456"));
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[must_use]
pub struct Id<'a>(Lent<'a>);

group!(Id of id::TABLE);

words! {
    /// A catalogue of videos.
    IdKind of "video:id type" {
        /// A series at TMS.
        TmsSeries = "tms:series",
        /// A programme at TMS.
        TmsProgram = "tms:program",
        /// A series at Rovi.
        RoviSeries = "rovi:series",
        /// A programme at Rovi.
        RoviProgram = "rovi:program",
        /// Freebase.
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
    /// If the text is empty or has a character that XML forbids.
    pub fn new(kind: IdKind, text: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        let fields =
            Fields::new(&id::TABLE).with(id::TYPE, kind.into())?.with(id::ID, Value::Text(text.into()))?;
        Ok(Self(Lent::Owned(fields)))
    }

    /// Returns the catalogue.
    #[must_use]
    pub fn kind(&self) -> IdKind {
        self.0.text(id::TYPE).and_then(IdKind::known).unwrap_or(IdKind::Url)
    }

    /// Returns the text of the identifier.
    #[must_use]
    pub fn text(&self) -> &str {
        self.0.text(id::ID).unwrap_or_default()
    }
}
