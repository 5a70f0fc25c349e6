//! Values of a video that are more than one text.

use std::borrow::Cow;

use crate::extension::error::{ExtensionError, ExtensionErrorKind, excerpt};
use crate::extension::image::owned;
use crate::extension::text::checked;
use crate::extension::words::words;
use crate::value::Loc;

words! {
    /// Whether a list names where a video may be played, or where it may not.
    Relationship of "relationship" {
        /// There and nowhere else.
        Allow = "allow",
        /// Everywhere else.
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

/// In which countries a video may be played.
///
/// ```
/// use sitemap_core::extension::video::{Relationship, Restriction};
///
/// let restriction = Restriction::new(Relationship::Allow, ["DE", "AT"])?;
/// assert_eq!(restriction.countries().collect::<Vec<_>>(), ["DE", "AT"]);
/// # Ok::<(), sitemap_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Restriction {
    relationship: Relationship,
    /// Each two letters and a blank, but for the last blank.
    countries: String,
}

impl Restriction {
    /// A list of countries by their two letters of ISO 3166, in upper case.
    ///
    /// # Errors
    ///
    /// If the list is empty or one has another form.
    pub fn new<C: AsRef<str>>(
        relationship: Relationship,
        countries: impl IntoIterator<Item = C>,
    ) -> Result<Self, ExtensionError> {
        let element = "video:restriction";
        let mut list = String::new();
        for country in countries {
            let country = country.as_ref();
            if country.len() != 2 || !country.bytes().all(|byte| byte.is_ascii_uppercase()) {
                let expected = "must be countries of two upper-case letters; write them like `DE`";
                let found = excerpt(country);
                return Err(ExtensionError::new(element, ExtensionErrorKind::Form, expected, found));
            }
            if !list.is_empty() {
                list.push(' ');
            }
            list.push_str(country);
        }
        refuse_empty(element, list.is_empty())?;
        Ok(Self { relationship, countries: list })
    }

    /// Whether these are allowed or denied.
    #[must_use]
    pub const fn relationship(&self) -> Relationship {
        self.relationship
    }

    /// The countries.
    pub fn countries(&self) -> impl Iterator<Item = &str> {
        self.countries.split(' ')
    }

    pub(crate) fn list(&self) -> &str {
        &self.countries
    }
}

/// On which devices a video may be played.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Platforms {
    relationship: Relationship,
    platforms: Vec<Platform>,
}

impl Platforms {
    /// A list of devices.
    ///
    /// # Errors
    ///
    /// If it is empty.
    pub fn new(
        relationship: Relationship,
        platforms: impl IntoIterator<Item = Platform>,
    ) -> Result<Self, ExtensionError> {
        let platforms: Vec<_> = platforms.into_iter().collect();
        refuse_empty("video:platform", platforms.is_empty())?;
        Ok(Self { relationship, platforms })
    }

    /// Whether these are allowed or denied.
    #[must_use]
    pub const fn relationship(&self) -> Relationship {
        self.relationship
    }

    /// The devices.
    #[must_use]
    pub fn platforms(&self) -> &[Platform] {
        &self.platforms
    }
}

fn refuse_empty(element: &'static str, is_empty: bool) -> Result<(), ExtensionError> {
    if !is_empty {
        return Ok(());
    }
    let expected = "must name at least one; leave it out otherwise";
    Err(ExtensionError::new(element, ExtensionErrorKind::Empty, expected, "none"))
}

/// Who uploaded a video.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Uploader<'a> {
    name: Cow<'a, str>,
    info: Option<Loc<'a>>,
}

impl<'a> Uploader<'a> {
    /// Someone by name.
    ///
    /// # Errors
    ///
    /// If the name is empty, has more than 255 characters or one that XML forbids.
    pub fn new(name: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        Ok(Self { name: checked("video:uploader", name, 255)?, info: None })
    }

    /// Sets a page about them, which must be on the same domain as the video's page.
    pub fn with_info(mut self, info: Loc<'a>) -> Self {
        self.info = Some(info);
        self
    }

    /// Their name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A page about them.
    #[must_use]
    pub const fn info(&self) -> Option<&Loc<'a>> {
        self.info.as_ref()
    }

    /// The same one, independent of what it was made from.
    pub fn into_owned(self) -> Uploader<'static> {
        Uploader { name: owned(self.name), info: self.info.map(Loc::into_owned) }
    }
}

/// One file of a video that is published as several.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Segment<'a> {
    loc: Loc<'a>,
    duration: Option<u32>,
}

impl<'a> Segment<'a> {
    /// A file by its address.
    pub const fn new(loc: Loc<'a>) -> Self {
        Self { loc, duration: None }
    }

    /// Sets its length.
    ///
    /// # Errors
    ///
    /// If it is not between 1 and 28,800 seconds.
    pub fn with_duration(mut self, seconds: u32) -> Result<Self, ExtensionError> {
        self.duration = Some(super::duration("video:content_segment_loc", seconds)?);
        Ok(self)
    }

    /// Its address.
    #[must_use]
    pub const fn loc(&self) -> &Loc<'a> {
        &self.loc
    }

    /// Its length in seconds.
    #[must_use]
    pub const fn duration(&self) -> Option<u32> {
        self.duration
    }

    /// The same file, independent of what it was made from.
    pub fn into_owned(self) -> Segment<'static> {
        Segment { loc: self.loc.into_owned(), duration: self.duration }
    }
}

/// What a video is called in a catalogue.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Id<'a> {
    kind: IdKind,
    text: Cow<'a, str>,
}

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
    /// A name in a catalogue.
    ///
    /// # Errors
    ///
    /// If the name is empty or has a character that XML forbids.
    pub fn new(kind: IdKind, text: impl Into<Cow<'a, str>>) -> Result<Self, ExtensionError> {
        Ok(Self { kind, text: checked("video:id", text, crate::extension::text::ANY_LENGTH)? })
    }

    /// The catalogue.
    #[must_use]
    pub const fn kind(&self) -> IdKind {
        self.kind
    }

    /// The name in it.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The same name, independent of what it was made from.
    pub fn into_owned(self) -> Id<'static> {
        Id { kind: self.kind, text: owned(self.text) }
    }
}
