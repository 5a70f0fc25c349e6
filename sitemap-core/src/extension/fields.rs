//! The values in one extension element, such as `video:video`, in schema order.

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};

use super::error::{ExtensionError, ExtensionErrorKind, excerpt};
use super::table::{Field, Form, Item, Kind, List, Place, Table};
use super::text::{ANY_LENGTH, checked, date_remedy, full_date};
use crate::value::{LastMod, Loc};

/// The values in one extension element, such as `video:video`. A `Table` lists the fields that the element can have.
///
/// All values are valid and none is missing, unless they were read from a document. Writers call `check`, which rejects
/// an element with invalid or missing values.
#[derive(Clone)]
pub struct Fields<'a> {
    table: &'static Table,
    /// Pairs of field number and value, sorted by field number. A field number is an index into the fields of `table`.
    /// Values of the same field keep the order in which they were added.
    values: Vec<(u8, Value<'a>)>,
    /// True if the values were read from a document, so some may be invalid or missing.
    is_unchecked: bool,
}

/// One value of an element.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value<'a> {
    /// A string, one of a few fixed words, or a list stored as one string.
    Text(Cow<'a, str>),
    /// A URL.
    Loc(Loc<'a>),
    /// A whole number, or a rating in ten-thousandths: 42,000 stands for 4.2.
    Number(u64),
    /// A date.
    Date(LastMod),
    /// `yes` (true) or `no` (false).
    Flag(bool),
    /// A child element with its own values.
    Group(Fields<'a>),
    /// The original spelling of a value that the field does not allow. Such values only come from documents that were
    /// read.
    Invalid(Cow<'a, str>),
}

impl<'a> Fields<'a> {
    /// Returns an element without values.
    #[must_use]
    pub const fn new(table: &'static Table) -> Self {
        Self { table, values: Vec::new(), is_unchecked: false }
    }

    /// Returns an empty element for values that are read from a document. They may be [invalid](Value::Invalid), and
    /// required values may be missing.
    #[must_use]
    pub const fn unchecked(table: &'static Table) -> Self {
        Self { table, values: Vec::new(), is_unchecked: true }
    }

    /// Like [`unchecked`](Self::unchecked), but reserves memory for this number of values.
    #[must_use]
    pub fn unchecked_with(table: &'static Table, values: usize) -> Self {
        Self { table, values: Vec::with_capacity(values), is_unchecked: true }
    }

    /// Returns the table that describes the element.
    #[must_use]
    pub const fn table(&self) -> &'static Table {
        self.table
    }

    /// Returns each value with its field, in schema order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Field, &Value<'a>)> {
        self.values.iter().map(|(at, value)| (&self.table.fields[usize::from(*at)], value))
    }

    /// Returns the attributes of a child element without a table of its own, such as `video:player_loc`. Its attributes
    /// are fields of the parent element.
    pub fn attributes_of(&self, child: &Field) -> impl Iterator<Item = (&'static Field, &Value<'a>)> {
        let place = Place::AttributeOf(child.name);
        self.iter().filter(move |(field, _)| field.place == place)
    }

    /// Checks a value and adds it to its field. Replaces the earlier value if the field allows only one.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the field does not allow the value, or already contains as many values as it
    /// allows.
    pub fn add(&mut self, at: u8, value: Value<'a>) -> Result<(), ExtensionError> {
        let field = &self.table.fields[usize::from(at)];
        let value = check(field, value)?;
        if field.most > 1 && self.count(at) == field.most {
            return Err(self.too_many(at));
        }
        self.put(at, value);
        Ok(())
    }

    /// Like [`add`](Self::add), but without a check.
    pub fn put(&mut self, at: u8, value: Value<'a>) {
        // Documents usually follow the schema's order, so most values are simply appended.
        if self.values.last().is_none_or(|(last, _)| *last < at) {
            self.values.push((at, value));
            return;
        }
        let end = self.values.partition_point(|(of, _)| *of <= at);
        if self.table.fields[usize::from(at)].most == 1 && end > 0 && self.values[end - 1].0 == at {
            self.values[end - 1].1 = value;
        } else {
            self.values.insert(end, (at, value));
        }
    }

    pub(super) fn with(mut self, at: u8, value: Value<'a>) -> Result<Self, ExtensionError> {
        self.add(at, value)?;
        Ok(self)
    }

    /// Adds a value without a check. Replaces the earlier value if the field allows only one. `None` removes all values
    /// of the field.
    pub(super) fn with_option(mut self, at: u8, value: Option<Value<'a>>) -> Self {
        match value {
            Some(value) => self.put(at, value),
            None => self.values.retain(|(of, _)| *of != at),
        }
        self
    }

    /// Sets a list of words or strings. An empty list removes the value, or is an error if the field is required.
    pub(super) fn with_list<T: AsRef<str>>(
        mut self,
        at: u8,
        items: impl IntoIterator<Item = T>,
    ) -> Result<Self, ExtensionError> {
        let field = &self.table.fields[usize::from(at)];
        let Kind::List(list) = field.kind else { return Err(mismatch(field, "a list")) };
        self.values.retain(|(of, _)| *of != at);
        self.add_list(at, field, list, items)?;
        Ok(self)
    }

    /// Adds a list of words or strings. An empty list adds nothing, or is an error if the field is required.
    pub(super) fn add_list<T: AsRef<str>>(
        &mut self,
        at: u8,
        field: &Field,
        list: List,
        items: impl IntoIterator<Item = T>,
    ) -> Result<(), ExtensionError> {
        let joined = join(field, list, items)?;
        if !joined.is_empty() {
            self.put(at, Value::Text(joined.into()));
        } else if field.is_required {
            let remedy = "add an item or leave the element out";
            return Err(ExtensionError::new(
                field.name,
                ExtensionErrorKind::Empty,
                "is an empty list",
                remedy,
            ));
        }
        Ok(())
    }

    /// Returns `true` if no required value is missing, so that [`missing`](Self::missing) would return `None`.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let present = self.values.iter().fold(0_u64, |present, (at, _)| present | 1 << at);
        let (required, one_of) = self.table.masks;
        let needs = |(at, _): &(u8, Value<'a>)| self.table.fields[usize::from(*at)].needs;
        required & !present == 0
            && (one_of == 0 || one_of & present != 0)
            && self.values.iter().filter_map(needs).all(|needed| present & (1 << needed) != 0)
    }

    /// Returns the name of the first required value that is missing. If the element needs at least one of several
    /// values and has none, returns all their names, joined by "or".
    #[must_use]
    pub fn missing(&self) -> Option<String> {
        if self.is_complete() {
            return None;
        }
        let named = |at: u8| format!("`{}`", self.table.fields[usize::from(at)].label());
        let is_absent = |at: u8| self.get(at).is_none();
        for (at, field) in (0..).zip(self.table.fields) {
            if field.is_required && is_absent(at) {
                return Some(named(at));
            }
            if let Some(needed) = field.needs.filter(|needed| !is_absent(at) && is_absent(*needed)) {
                return Some(named(needed));
            }
        }
        let one_of = self.table.one_of;
        let lacks_all = !one_of.is_empty() && one_of.iter().all(|at| is_absent(*at));
        lacks_all.then(|| one_of.iter().map(|at| named(*at)).collect::<Vec<_>>().join(" or "))
    }

    /// Returns the values, or an error if a required value is missing.
    pub(super) fn complete(self) -> Result<Self, ExtensionError> {
        match self.missing() {
            None => Ok(self),
            Some(missing) => Err(incomplete(self.table.element, &missing)),
        }
    }

    /// Returns an error if a value that was read from a document is invalid, or if a required value is missing.
    #[inline]
    pub(super) fn check(&self) -> Result<(), ExtensionError> {
        if !self.is_unchecked {
            return Ok(());
        }
        self.check_present()?;
        self.missing().map_or(Ok(()), |missing| Err(incomplete(self.table.element, &missing)))
    }

    /// Returns an error if a value that was read from a document is invalid.
    pub(super) fn check_present(&self) -> Result<(), ExtensionError> {
        if !self.is_unchecked {
            return Ok(());
        }
        for (at, field) in (0..).zip(self.table.fields) {
            if field.most > 1 && self.count(at) > field.most {
                return Err(self.too_many(at));
            }
            for value in self.all(at) {
                match value {
                    Value::Invalid(text) => return Err(refusal(field, text)),
                    Value::Group(fields) => fields.check()?,
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Returns the error for a value beyond the maximum number of values in a field.
    #[cold]
    #[must_use]
    pub fn too_many(&self, at: u8) -> ExtensionError {
        let field = &self.table.fields[usize::from(at)];
        let count = self.count(at).max(field.most + 1);
        let found = format!("occurs {count} times in one `{}`", self.table.element);
        let remedy = format!("use at most {}", field.most);
        ExtensionError::new(field.name, ExtensionErrorKind::TooMany, found, remedy)
    }

    /// Returns `true` if a field has a value, valid or invalid.
    #[must_use]
    #[inline]
    pub fn has(&self, at: u8) -> bool {
        // Documents usually follow the schema's order, so comparing with the last value is often enough.
        self.values.last().is_some_and(|(last, _)| *last >= at) && self.get(at).is_some()
    }

    /// Returns the number of values of a field, valid and invalid.
    #[must_use]
    pub fn count(&self, at: u8) -> usize {
        self.all(at).count()
    }

    /// Returns the first value of a field, valid or invalid.
    #[must_use]
    pub fn get(&self, at: u8) -> Option<&Value<'a>> {
        self.all(at).next()
    }

    pub(super) fn all(&self, at: u8) -> impl Iterator<Item = &Value<'a>> {
        let start = self.values.partition_point(|(of, _)| *of < at);
        self.values[start..].iter().take_while(move |(of, _)| *of == at).map(|(_, value)| value)
    }

    /// Returns a string, valid or invalid.
    pub(super) fn text(&self, at: u8) -> Option<&str> {
        match self.get(at)? {
            Value::Text(text) | Value::Invalid(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn texts(&self, at: u8) -> impl Iterator<Item = &str> {
        self.all(at).filter_map(|value| match value {
            Value::Text(text) | Value::Invalid(text) => Some(&**text),
            _ => None,
        })
    }

    /// Returns the items of a list, valid or invalid.
    pub(super) fn items(&self, at: u8) -> impl Iterator<Item = &str> {
        let list = match self.table.fields[usize::from(at)].kind {
            Kind::List(list) => Some(list),
            _ => None,
        };
        self.text(at)
            .into_iter()
            .flat_map(move |text| list.map(|list| split(list, text)).into_iter().flatten())
    }

    pub(super) fn loc(&self, at: u8) -> Option<&Loc<'a>> {
        match self.get(at)? {
            Value::Loc(loc) => Some(loc),
            _ => None,
        }
    }

    pub(super) fn number(&self, at: u8) -> Option<u64> {
        match self.get(at)? {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns a number from a field whose maximum fits into a `u32`.
    pub(super) fn small_number(&self, at: u8) -> Option<u32> {
        self.number(at).and_then(|number| number.try_into().ok())
    }

    pub(super) fn date(&self, at: u8) -> Option<LastMod> {
        match self.get(at)? {
            Value::Date(date) => Some(*date),
            _ => None,
        }
    }

    pub(super) fn flag(&self, at: u8) -> Option<bool> {
        match self.get(at)? {
            Value::Flag(flag) => Some(*flag),
            _ => None,
        }
    }

    pub(super) fn groups(&self, at: u8) -> impl Iterator<Item = &Fields<'a>> {
        self.all(at).filter_map(|value| match value {
            Value::Group(fields) => Some(fields),
            _ => None,
        })
    }

    pub(super) fn group(&self, at: u8) -> Option<&Fields<'a>> {
        self.groups(at).next()
    }

    /// Removes and returns a valid URL.
    pub(super) fn take_loc(&mut self, at: u8) -> Option<Loc<'a>> {
        let place = self.values.iter().position(|(of, value)| *of == at && matches!(value, Value::Loc(_)))?;
        match self.values.remove(place).1 {
            Value::Loc(loc) => Some(loc),
            _ => None,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    pub(super) fn into_owned(self) -> Fields<'static> {
        let values = self.values.into_iter().map(|(at, value)| (at, value.into_owned()));
        Fields { table: self.table, values: values.collect(), is_unchecked: self.is_unchecked }
    }
}

impl PartialEq for Fields<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.table, other.table) && self.values == other.values
    }
}

impl Eq for Fields<'_> {}

impl Hash for Fields<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.values.hash(state);
    }
}

impl fmt::Debug for Fields<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct(self.table.element);
        for (field, value) in self.iter() {
            match value {
                Value::Group(fields) => shown.field(field.json, fields),
                Value::Text(text) | Value::Invalid(text) => shown.field(field.json, text),
                _ => shown.field(field.json, &value.text(field)),
            };
        }
        shown.finish()
    }
}

impl Value<'_> {
    fn into_owned(self) -> Value<'static> {
        match self {
            Self::Text(text) => Value::Text(Cow::Owned(text.into_owned())),
            Self::Loc(loc) => Value::Loc(loc.into_owned()),
            Self::Number(number) => Value::Number(number),
            Self::Date(date) => Value::Date(date),
            Self::Flag(flag) => Value::Flag(flag),
            Self::Group(fields) => Value::Group(fields.into_owned()),
            Self::Invalid(text) => Value::Invalid(Cow::Owned(text.into_owned())),
        }
    }

    /// Formats the value for an element or attribute, without XML escapes.
    #[must_use]
    pub fn text(&self, field: &Field) -> Cow<'_, str> {
        match self {
            Self::Text(text) | Self::Invalid(text) => Cow::Borrowed(text),
            Self::Loc(loc) => Cow::Borrowed(loc.as_str()),
            _ => {
                let mut text = String::new();
                // Writing to a `String` never fails.
                let _ = self.show(field, &mut text);
                Cow::Owned(text)
            }
        }
    }

    /// Writes the value for an element or attribute, without XML escapes.
    pub(crate) fn show(&self, field: &Field, out: &mut impl fmt::Write) -> fmt::Result {
        match self {
            Self::Text(text) | Self::Invalid(text) => out.write_str(text),
            Self::Loc(loc) => out.write_str(loc.as_str()),
            // `{:?}` formats a rating with at least one decimal place and no exponent: exponents start below 0.0001,
            // the smallest rating above 0.
            Self::Number(number) if matches!(field.kind, Kind::Rating) => {
                write!(out, "{:?}", from_ten_thousandths(*number))
            }
            Self::Number(number) => write!(out, "{number}"),
            Self::Date(date) => write!(out, "{date}"),
            // The schema also allows capitals, as in `Yes`, but Google only documents lower case.
            Self::Flag(flag) => out.write_str(if *flag { "yes" } else { "no" }),
            Self::Group(_) => Ok(()),
        }
    }

    /// Converts a rating from 0.0 to 5.0 to a [`Value::Number`] in ten-thousandths.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtensionError`] if the rating is not between 0.0 and 5.0.
    pub fn rating(field: &Field, rating: f64) -> Result<Self, ExtensionError> {
        if !(0.0..=5.0).contains(&rating) {
            let found = format!("is {rating:?}");
            let remedy = "use a number from 0.0 to 5.0";
            return Err(ExtensionError::new(field.name, ExtensionErrorKind::Range, found, remedy));
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked above
        Ok(Self::Number((rating * 10_000.0).round() as u64))
    }
}

/// Converts ten-thousandths back to a rating.
pub(super) fn from_ten_thousandths(number: u64) -> f64 {
    #[allow(clippy::cast_precision_loss)] // at most 50,000
    let number = number as f64;
    number / 10_000.0
}

/// Checks a value and returns it as sitemaps spell it.
///
/// # Errors
///
/// Returns an [`ExtensionError`] if the field does not allow the value.
pub fn check<'a>(field: &'static Field, value: Value<'a>) -> Result<Value<'a>, ExtensionError> {
    match (field.kind, value) {
        (Kind::Text(most), Value::Text(text)) => checked(field.name, text, most).map(Value::Text),
        (Kind::Form(form), Value::Text(text)) => {
            let text = checked(field.name, text, ANY_LENGTH)?;
            form.check(field, &text)?;
            Ok(Value::Text(text))
        }
        (Kind::Word(words), Value::Text(text)) => {
            word(field, words, &text).map(|word| Value::Text(Cow::Borrowed(word)))
        }
        (Kind::List(list), Value::Text(text)) => {
            let joined = join(field, list, split(list, &text))?;
            checked(field.name, joined, ANY_LENGTH).map(Value::Text)
        }
        (Kind::Number { least, most, remedy }, Value::Number(number)) => {
            if (least..=most).contains(&number) {
                return Ok(Value::Number(number));
            }
            Err(ExtensionError::new(field.name, ExtensionErrorKind::Range, format!("is {number}"), remedy))
        }
        (Kind::Date { minutes }, Value::Date(date)) => full_date(field.name, date, minutes).map(Value::Date),
        (Kind::Rating, value @ Value::Number(_))
        | (Kind::Loc, value @ Value::Loc(_))
        | (Kind::Flag, value @ Value::Flag(_)) => Ok(value),
        (Kind::Group(table), Value::Group(fields)) if std::ptr::eq(table, fields.table) => {
            fields.complete().map(Value::Group)
        }
        (kind, _) => Err(mismatch(field, kind.noun())),
    }
}

/// Returns the error for a value in a document that the field does not allow.
#[cold]
#[must_use]
pub fn refusal(field: &'static Field, text: &str) -> ExtensionError {
    let invalid = |found: String, remedy: Cow<'static, str>| {
        ExtensionError::new(field.name, ExtensionErrorKind::Invalid, found, remedy)
    };
    match field.kind {
        Kind::Text(_) | Kind::Form(_) | Kind::Word(_) | Kind::List(_) => {
            if let Err(error) = check(field, Value::Text(Cow::Borrowed(text))) {
                return error;
            }
        }
        Kind::Loc => {
            if let Err(error) = Loc::parse(text) {
                // The error message starts with `loc`, the name of a page's element. Strip this name.
                let message = error.to_string();
                let message = message.strip_prefix("`loc` ").unwrap_or(&message);
                return match message.rsplit_once("; ") {
                    Some((found, remedy)) => invalid(found.to_owned(), Cow::Owned(remedy.to_owned())),
                    None => invalid(message.to_owned(), "use an absolute `http` or `https` URL".into()),
                };
            }
        }
        Kind::Number { remedy, .. } if !remedy.is_empty() => {
            return invalid(found(field, text), remedy.into());
        }
        Kind::Date { minutes } => return invalid(found(field, text), date_remedy(minutes).into()),
        _ => {}
    }
    invalid(found(field, text), format!("use {}", field.kind.noun()).into())
}

#[cold]
fn mismatch(field: &Field, noun: &'static str) -> ExtensionError {
    let remedy = format!("use {noun}");
    ExtensionError::new(field.name, ExtensionErrorKind::Invalid, "has a value of the wrong kind", remedy)
}

/// Returns the error for an element that lacks a required value.
#[cold]
pub(super) fn incomplete(element: &'static str, missing: &str) -> ExtensionError {
    ExtensionError::new(element, ExtensionErrorKind::Incomplete, format!("has no {missing}"), "add one")
}

impl Kind {
    const fn noun(self) -> &'static str {
        match self {
            Self::Text(_) | Self::Form(_) | Self::Word(_) => "a text",
            Self::Loc => "a URL",
            Self::Number { .. } => "a whole number",
            Self::Rating => "a number from 0.0 to 5.0",
            Self::Date { .. } => "a date",
            Self::Flag => "`yes` or `no`",
            Self::List(_) => "a list",
            Self::Group(_) => "an element",
            Self::Ignored => "no value",
        }
    }
}

impl Form {
    fn check(self, field: &Field, text: &str) -> Result<(), ExtensionError> {
        if (self.takes)(text) {
            return Ok(());
        }
        Err(ExtensionError::new(field.name, ExtensionErrorKind::Invalid, found(field, text), self.remedy))
    }
}

/// Returns the part of an error message that quotes an invalid value, such as `is "x"`.
fn found(field: &Field, text: &str) -> String {
    let verb = if matches!(field.kind, Kind::List(_)) { "has the item" } else { "is" };
    format!("{verb} {}", excerpt(text))
}

/// Finds the allowed word that matches a string, either exactly or after conversion to lower case.
fn word(field: &Field, words: &'static [&'static str], text: &str) -> Result<&'static str, ExtensionError> {
    let lower = text.to_ascii_lowercase();
    words.iter().copied().find(|word| *word == text || *word == lower).ok_or_else(|| {
        let remedy = format!("use one of `{}`", words.join("`, `"));
        ExtensionError::new(field.name, ExtensionErrorKind::Invalid, found(field, text), remedy)
    })
}

/// Splits a list into its items without checking them.
pub fn split(list: List, text: &str) -> impl Iterator<Item = &str> {
    let is_separator = move |c: char| if list.separator == " " { c.is_whitespace() } else { c == ',' };
    text.split(is_separator).map(str::trim).filter(|item| !item.is_empty())
}

/// Checks one list item and returns it as sitemaps spell it.
///
/// # Errors
///
/// Returns an [`ExtensionError`] if the list does not allow the item.
pub fn check_item<'i>(field: &Field, list: List, item: &'i str) -> Result<&'i str, ExtensionError> {
    match list.item {
        Item::Word(words) => word(field, words, item),
        Item::Form(form) => form.check(field, item).map(|()| item),
    }
}

fn join<T: AsRef<str>>(
    field: &Field,
    list: List,
    items: impl IntoIterator<Item = T>,
) -> Result<String, ExtensionError> {
    let mut joined = String::new();
    let mut count = 0;
    for item in items {
        if !joined.is_empty() {
            joined.push_str(list.separator);
        }
        joined.push_str(check_item(field, list, item.as_ref())?);
        count += 1;
    }
    if count > list.most {
        let found = format!("has {count} items");
        let remedy = format!("use at most {}", list.most);
        return Err(ExtensionError::new(field.name, ExtensionErrorKind::TooMany, found, remedy));
    }
    Ok(joined)
}
