//! The entities that a DOCTYPE declares, and the namespace declarations that its attribute lists set by default.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use memchr::memchr;

use super::names::Binding;
use super::reference::{Reference, reference};
use crate::rule::Rule;

/// The declarations of a DOCTYPE that are needed later.
#[derive(Debug)]
pub(super) struct Entities {
    general: BTreeMap<Box<[u8]>, Entity>,
    parameter: BTreeMap<Box<[u8]>, (Parameter, State)>,
    /// The namespaces that attribute lists declare by default, for each element.
    pub(super) defaults: BTreeMap<Box<[u8]>, Vec<Binding>>,
    /// The element and attribute of each namespace declaration whose type is a token. White space around a token is
    /// ignored.
    tokens: BTreeSet<[Box<[u8]>; 2]>,
    pub(super) is_standalone: bool,
    /// True if the DOCTYPE refers to declarations outside the document, or to parameter entities. These may declare
    /// entities that this check doesn't know about.
    pub(super) is_partial: bool,
    /// The expanded size of each open entity so far. The first number is the size of the document itself.
    sizes: Vec<u64>,
    /// The total size, in bytes, to which references in namespace declarations may still expand.
    replaceable: u64,
}

#[derive(Debug)]
struct Entity {
    kind: Kind,
    content: State,
    attribute: State,
    size: u64,
}

/// The kind of an entity.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// The entity's text. Character references in it have already been replaced.
    Internal(Arc<[u8]>),
    External,
    /// Not XML, such as an image.
    Unparsed,
}

/// A parameter entity's text. `None` if the entity is external.
type Parameter = Option<Arc<[u8]>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    New,
    Open,
    Checked(Result<(), Problem>),
}

pub(super) type Problem = (Rule, &'static str);

/// The text that a reference stands for.
pub(super) enum Expansion {
    /// Nothing needs to be checked, because the text is external or has been checked already.
    Nothing,
    /// This text must be checked. After that, [`Entities::close`] must be called.
    Text(Arc<[u8]>),
    Bad(Rule, &'static str),
}

/// The maximum nesting depth of entities.
pub(super) const DEPTH: usize = 40;
/// The maximum total size, in bytes, to which all references in a document may expand.
const MAX_SIZE: u64 = 10_000_000;
/// The maximum number of namespaces that a DOCTYPE's attribute lists may declare by default. Every start tag of an
/// element declares all of the element's namespaces again, so without this limit, a single tag could take arbitrarily
/// long.
const MAX_DEFAULTS: usize = 100;

const CONTAINS_ITSELF: Problem = (Rule::EntityMalformed, "an entity contains itself");
const TOO_DEEP: Problem = (Rule::EntityMalformed, "entities are nested too deeply");
const TOO_LARGE: Problem =
    (Rule::ReadLimit, "the entities of the document stand for more than 10,000,000 bytes");
const TOO_MANY_DEFAULTS: Problem =
    (Rule::ReadLimit, "the attribute lists of the DOCTYPE declare more than 100 namespaces");
const UNPARSED: Problem = (Rule::EntityMalformed, "a reference names an unparsed entity");

impl Entities {
    pub(super) const fn new() -> Self {
        Self {
            general: BTreeMap::new(),
            parameter: BTreeMap::new(),
            defaults: BTreeMap::new(),
            tokens: BTreeSet::new(),
            is_standalone: false,
            is_partial: false,
            sizes: Vec::new(),
            replaceable: MAX_SIZE,
        }
    }

    /// Declares an entity. Later declarations of the same entity are ignored.
    pub(super) fn declare(&mut self, name: &[u8], kind: Kind) {
        let entity = Entity { kind, content: State::New, attribute: State::New, size: 0 };
        self.general.entry(name.into()).or_insert(entity);
    }

    pub(super) fn declare_parameter(&mut self, name: &[u8], text: Parameter) {
        self.parameter.entry(name.into()).or_insert((text, State::New));
    }

    /// Returns the declarations in a parameter entity the first time that it is referenced. The entity stays open until
    /// [`close_parameter`](Self::close_parameter) is called.
    pub(super) fn open_parameter(&mut self, name: &[u8]) -> Result<Parameter, Problem> {
        let is_partial = std::mem::replace(&mut self.is_partial, true);
        match self.parameter.get_mut(name) {
            Some((_, State::Open)) => Err(CONTAINS_ITSELF),
            Some((Some(text), state @ State::New)) => {
                *state = State::Open;
                Ok(Some(text.clone()))
            }
            Some((None, _) | (_, State::Checked(_))) => Ok(None),
            None if is_partial && !self.is_standalone => Ok(None),
            None => Err((Rule::EntityUnknown, "a parameter entity is not declared")),
        }
    }

    pub(super) fn close_parameter(&mut self, name: &[u8]) {
        if let Some((_, state)) = self.parameter.get_mut(name) {
            *state = State::Checked(Ok(()));
        }
    }

    /// Adds a namespace that an element's attribute list declares by default. Later declarations of the same prefix are
    /// ignored.
    pub(super) fn declare_default(
        &mut self,
        element: &[u8],
        prefix: &[u8],
        uri: &[u8],
    ) -> Result<(), Problem> {
        let number: usize = self.defaults.values().map(Vec::len).sum();
        let defaults = self.defaults.entry(element.into()).or_default();
        if defaults.iter().any(|(known, _)| **known == *prefix) {
            return Ok(());
        }
        if number >= MAX_DEFAULTS {
            return Err(TOO_MANY_DEFAULTS);
        }
        defaults.push((prefix.into(), uri.into()));
        Ok(())
    }

    pub(super) fn declare_token(&mut self, element: &[u8], attribute: &[u8]) {
        self.tokens.insert([element.into(), attribute.into()]);
    }

    pub(super) fn is_token(&self, element: &[u8], attribute: &[u8]) -> bool {
        !self.tokens.is_empty() && self.tokens.contains(&[element.into(), attribute.into()])
    }

    /// Returns the problem with a reference to an undeclared entity. Returns `Ok` if the entity may be declared
    /// somewhere that this check can't see.
    fn undeclared(&self) -> Result<(), Problem> {
        if self.is_partial && !self.is_standalone { Ok(()) } else { Err((Rule::EntityUnknown, "")) }
    }

    /// Adds an entity's size to the innermost open entity, or to the document.
    fn grow(&mut self, size: u64) -> Result<(), Problem> {
        if self.sizes.is_empty() {
            self.sizes.push(0);
        }
        let last = self.sizes.len() - 1;
        let before = self.sizes[last];
        self.sizes[last] = before.saturating_add(size);
        // Report this only once for each text that exceeds the limit.
        if before <= MAX_SIZE && self.sizes[last] > MAX_SIZE { Err(TOO_LARGE) } else { Ok(()) }
    }

    /// Returns the replacement text for an entity reference in text.
    pub(super) fn open(&mut self, name: &[u8]) -> Expansion {
        if is_predefined(name) {
            return Expansion::Nothing;
        }
        let depth = self.sizes.len();
        let size = match self.general.get_mut(name) {
            None => return self.undeclared().err().map_or(Expansion::Nothing, Expansion::from),
            Some(entity) => match (&entity.kind, entity.content) {
                (Kind::External, _) => return Expansion::Nothing,
                (Kind::Unparsed, _) => return UNPARSED.into(),
                (_, State::Open) => return CONTAINS_ITSELF.into(),
                (_, State::New) if depth > DEPTH => return TOO_DEEP.into(),
                (Kind::Internal(text), State::New) => {
                    entity.content = State::Open;
                    let text = text.clone();
                    if self.sizes.is_empty() {
                        self.sizes.push(0);
                    }
                    self.sizes.push(text.len() as u64);
                    return Expansion::Text(text);
                }
                (_, State::Checked(_)) => entity.size,
            },
        };
        self.grow(size).err().map_or(Expansion::Nothing, Expansion::from)
    }

    /// Records that an entity's text has been checked.
    pub(super) fn close(&mut self, name: &[u8]) -> Result<(), Problem> {
        let size = self.sizes.pop().unwrap_or_default();
        if let Some(entity) = self.general.get_mut(name) {
            (entity.content, entity.size) = (State::Checked(Ok(())), size);
        }
        self.grow(size)
    }

    /// Checks a reference to an entity in an attribute value. Unlike in text, the entity must be internal and must not
    /// contain `<`.
    pub(super) fn in_attribute(&mut self, name: &[u8]) -> Result<(), Problem> {
        let size = self.attribute_size(name, 0)?;
        self.grow(size)
    }

    /// Returns the expanded size of an entity's text.
    fn attribute_size(&mut self, name: &[u8], depth: usize) -> Result<u64, Problem> {
        if is_predefined(name) {
            return Ok(1);
        }
        let Some(entity) = self.general.get_mut(name) else {
            return self.undeclared().map(|()| 0);
        };
        let text = match (&entity.kind, entity.attribute) {
            (_, State::Checked(outcome)) => {
                let size = entity.size;
                return outcome.map(|()| size);
            }
            (_, State::Open) => return Err(CONTAINS_ITSELF),
            (Kind::External, _) => {
                return Err((
                    Rule::EntityMalformed,
                    "the value of an attribute refers to an external entity",
                ));
            }
            (Kind::Unparsed, _) => return Err(UNPARSED),
            (Kind::Internal(text), State::New) => text.clone(),
        };
        entity.attribute = State::Open;
        let outcome = self.attribute_text(&text, depth);
        if let Some(entity) = self.general.get_mut(name) {
            entity.attribute = State::Checked(outcome.map(|_| ()));
            entity.size = outcome.unwrap_or_default();
        }
        outcome
    }

    fn attribute_text(&mut self, text: &[u8], depth: usize) -> Result<u64, Problem> {
        if depth >= DEPTH {
            return Err(TOO_DEEP);
        }
        if text.contains(&b'<') {
            return Err((
                Rule::EntityMalformed,
                "the value of an attribute refers to an entity that contains `<`",
            ));
        }
        let (mut at, mut size) = (0, text.len() as u64);
        while let Some(len) = memchr(b'&', &text[at..]) {
            match reference(text, at + len, text.len()) {
                Ok(Reference::Character(_, end)) => at = end,
                Ok(Reference::Entity((start, stop), end)) => {
                    size = size.saturating_add(self.attribute_size(&text[start..stop], depth + 1)?);
                    at = end;
                }
                Ok(Reference::Forbidden(_)) => {
                    return Err((
                        Rule::CharacterForbidden,
                        "an entity refers to a character that XML does not allow",
                    ));
                }
                Ok(Reference::Raw(_)) | Err(_) => {
                    return Err((
                        Rule::EntityMalformed,
                        "the text of an entity contains an `&` that is not escaped",
                    ));
                }
            }
        }
        if size > MAX_SIZE { Err(TOO_LARGE) } else { Ok(size) }
    }

    /// Returns an attribute's value with all references replaced.
    pub(super) fn value<'t>(&mut self, raw: &'t [u8]) -> Cow<'t, [u8]> {
        /// The maximum number of references to replace, so that entities can't exhaust memory or time.
        const MOST: usize = 1_000;
        if memchr(b'&', raw).is_none() {
            return Cow::Borrowed(raw);
        }
        let mut value = Vec::new();
        let mut left = Left { references: MOST, bytes: self.replaceable };
        self.append(raw, &mut value, &mut left);
        self.replaceable = left.bytes;
        Cow::Owned(value)
    }

    fn append(&self, text: &[u8], value: &mut Vec<u8>, left: &mut Left) {
        /// The maximum length of the value, in bytes. Once it is reached, no more references to entities are replaced.
        const LONGEST: usize = 64 * 1024;
        let mut at = 0;
        while let Some(len) = memchr(b'&', &text[at..]) {
            value.extend_from_slice(&text[at..at + len]);
            at += len;
            let end = match reference(text, at, text.len()) {
                Ok(Reference::Character(ch, end)) => {
                    value.extend_from_slice(ch.encode_utf8(&mut [0; 4]).as_bytes());
                    end
                }
                Ok(Reference::Entity((start, stop), end)) => {
                    let name = &text[start..stop];
                    if let Some(ch) = predefined(name) {
                        value.push(ch);
                    } else if let Some(Kind::Internal(text)) =
                        self.general.get(name).map(|entity| &entity.kind)
                        && value.len() < LONGEST
                        && left.take(text.len() as u64)
                    {
                        self.append(text, value, left);
                    }
                    end
                }
                _ => at + 1,
            };
            at = end;
        }
        value.extend_from_slice(&text[at..]);
    }
}

/// The remaining number of references and bytes that may be replaced.
struct Left {
    references: usize,
    bytes: u64,
}

impl Left {
    /// Deducts a reference that expands to `bytes` bytes. Returns `false` if less than that remains.
    const fn take(&mut self, bytes: u64) -> bool {
        let is_enough = self.references > 0 && self.bytes >= bytes;
        if is_enough {
            self.references -= 1;
            self.bytes -= bytes;
        }
        is_enough
    }
}

impl From<Problem> for Expansion {
    fn from((rule, what): Problem) -> Self {
        Self::Bad(rule, what)
    }
}

fn predefined(name: &[u8]) -> Option<u8> {
    Some(match name {
        b"amp" => b'&',
        b"lt" => b'<',
        b"gt" => b'>',
        b"quot" => b'"',
        b"apos" => b'\'',
        _ => return None,
    })
}

fn is_predefined(name: &[u8]) -> bool {
    predefined(name).is_some()
}
