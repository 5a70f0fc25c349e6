//! Reads the declarations in a DOCTYPE's internal subset.

use std::sync::Arc;

use memchr::{memchr, memmem};

use super::chars::{blank_end, is_blank, name_end, starts_name};
use super::entity::{DEPTH, Entities, Kind};
use super::reference::{Reference, reference};
use crate::rule::Rule;

/// A problem in a DOCTYPE, and its offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    /// The offset in the DOCTYPE.
    pub(super) at: usize,
    pub(super) rule: Rule,
    pub(super) what: &'static str,
}

/// A position in declarations. All characters in the text have already been checked.
pub(super) struct Subset<'t, 'e> {
    text: &'t [u8],
    pub(super) at: usize,
    pub(super) entities: &'e mut Entities,
    /// The number of parameter entities that enclose the text.
    depth: usize,
}

type Done = Result<(), Problem>;

impl<'t, 'e> Subset<'t, 'e> {
    pub(super) const fn new(text: &'t [u8], at: usize, entities: &'e mut Entities, depth: usize) -> Self {
        Self { text, at, entities, depth }
    }

    pub(super) const fn problem(&self, what: &'static str) -> Problem {
        Problem { at: self.at, rule: Rule::DoctypeMalformed, what }
    }

    const fn problem_at(at: usize, rule: Rule, what: &'static str) -> Problem {
        Problem { at, rule, what }
    }

    pub(super) fn is_at(&self, token: &[u8]) -> bool {
        self.text[self.at..].starts_with(token)
    }

    pub(super) fn take(&mut self, token: &[u8]) -> bool {
        let is_at = self.is_at(token);
        self.at += if is_at { token.len() } else { 0 };
        is_at
    }

    pub(super) fn expect(&mut self, token: &[u8], what: &'static str) -> Done {
        if self.take(token) { Ok(()) } else { Err(self.problem(what)) }
    }

    /// Skips white space. Returns `true` if there was any.
    pub(super) fn blank(&mut self) -> bool {
        let start = self.at;
        self.at = blank_end(self.text, start);
        self.at > start
    }

    pub(super) fn need_blank(&mut self) -> Done {
        if self.blank() { Ok(()) } else { Err(self.problem("white space is missing in a declaration")) }
    }

    pub(super) fn name(&mut self) -> Result<&'t [u8], Problem> {
        if !starts_name(self.text, self.at) {
            return Err(self.problem("a name is missing in a declaration"));
        }
        self.token()
    }

    /// Reads a name that must not contain a colon, such as an entity's name.
    fn plain_name(&mut self) -> Result<&'t [u8], Problem> {
        let at = self.at;
        let name = self.name()?;
        if name.contains(&b':') {
            let what = "the name of an entity or notation contains a colon";
            return Err(Self::problem_at(at, Rule::NamespaceInvalid, what));
        }
        Ok(name)
    }

    /// Reads the production `Nmtoken`.
    fn token(&mut self) -> Result<&'t [u8], Problem> {
        let start = self.at;
        self.at = name_end(self.text, start);
        if self.at == start {
            return Err(self.problem("a name is missing in a declaration"));
        }
        Ok(&self.text[start..self.at])
    }

    /// Reads a quoted literal and returns it without its quotes.
    fn literal(&mut self) -> Result<&'t [u8], Problem> {
        let Some(&quote @ (b'"' | b'\'')) = self.text.get(self.at) else {
            return Err(self.problem("a value in quotes is missing in a declaration"));
        };
        let start = self.at + 1;
        let Some(len) = memchr(quote, &self.text[start..]) else {
            return Err(self.problem("a value in a declaration does not end"));
        };
        self.at = start + len + 1;
        Ok(&self.text[start..start + len])
    }

    /// Reads an entity's external identifier. Its system identifier must not have a fragment.
    fn external_entity(&mut self) -> Done {
        let start = self.at;
        self.external_id(false)?;
        if self.text[start..self.at].contains(&b'#') {
            let what = "the system identifier of an entity contains `#`";
            return Err(Self::problem_at(start, Rule::DoctypeMalformed, what));
        }
        Ok(())
    }

    /// Reads the production `ExternalID`. In a notation, a public identifier may stand without a system identifier.
    pub(super) fn external_id(&mut self, is_notation: bool) -> Done {
        if self.take(b"SYSTEM") {
            self.need_blank()?;
            self.literal()?;
            return Ok(());
        }
        self.expect(b"PUBLIC", "`SYSTEM` or `PUBLIC` is missing in a declaration")?;
        self.need_blank()?;
        let at = self.at;
        let public = self.literal()?;
        let is_allowed = |&byte: &u8| {
            byte.is_ascii_alphanumeric()
                || matches!(byte, b' ' | b'\r' | b'\n')
                || b"-'()+,./:=?;!*#@$_%".contains(&byte)
        };
        if !public.iter().all(is_allowed) {
            let what = "a public identifier contains a character that it must not contain";
            return Err(Self::problem_at(at, Rule::DoctypeMalformed, what));
        }
        let before = self.at;
        let has_blank = self.blank();
        if is_notation && !self.is_at(b"\"") && !self.is_at(b"'") {
            self.at = before;
            return Ok(());
        }
        if !has_blank {
            return Err(self.problem("white space is missing in a declaration"));
        }
        self.literal()?;
        Ok(())
    }

    /// Reads declarations until the text ends or something else follows.
    pub(super) fn declarations(&mut self) -> Done {
        loop {
            self.blank();
            if self.is_at(b"<!--") {
                self.comment()?;
            } else if self.is_at(b"<?") {
                self.instruction()?;
            } else if self.take(b"<!ENTITY") {
                self.entity()?;
            } else if self.take(b"<!ELEMENT") {
                self.element()?;
            } else if self.take(b"<!ATTLIST") {
                self.attributes()?;
            } else if self.take(b"<!NOTATION") {
                self.notation()?;
            } else if self.is_at(b"%") {
                self.parameter()?;
            } else {
                return Ok(());
            }
        }
    }

    fn comment(&mut self) -> Done {
        let start = self.at + 4;
        let dashes = memmem::find(&self.text[start..], b"--").map(|len| start + len);
        match dashes {
            Some(dashes) if self.text.get(dashes + 2) == Some(&b'>') => {
                self.at = dashes + 3;
                Ok(())
            }
            Some(at) => Err(Self::problem_at(at, Rule::CommentDashes, "")),
            None => Err(self.problem("a comment in a DOCTYPE does not end")),
        }
    }

    fn instruction(&mut self) -> Done {
        let start = self.at;
        self.at += 2;
        let target = self.plain_name()?;
        let bad = |what| Err(Self::problem_at(start, Rule::InstructionMalformed, what));
        if target.eq_ignore_ascii_case(b"xml") {
            return bad("the target of a processing instruction is `xml`");
        }
        if !self.is_at(b"?>") && !self.text.get(self.at).is_some_and(|&byte| is_blank(byte)) {
            return bad("no white space follows the target of a processing instruction");
        }
        let Some(len) = memmem::find(&self.text[self.at..], b"?>") else {
            return bad("a processing instruction does not end");
        };
        self.at += len + 2;
        Ok(())
    }

    fn end(&mut self) -> Done {
        self.blank();
        self.expect(b">", "a declaration is not well-formed")
    }

    fn entity(&mut self) -> Done {
        self.need_blank()?;
        if self.take(b"%") {
            self.need_blank()?;
            let name = self.plain_name()?;
            self.need_blank()?;
            let text = if self.is_at(b"\"") || self.is_at(b"'") {
                Some(self.entity_value()?)
            } else {
                self.external_entity()?;
                None
            };
            self.entities.declare_parameter(name, text);
            return self.end();
        }
        let name = self.plain_name()?;
        self.need_blank()?;
        let kind = if self.is_at(b"\"") || self.is_at(b"'") {
            Kind::Internal(self.entity_value()?)
        } else {
            self.external_entity()?;
            let has_blank = self.blank();
            if self.is_at(b"NDATA") {
                if !has_blank {
                    return Err(self.problem("white space is missing in a declaration"));
                }
                self.take(b"NDATA");
                self.need_blank()?;
                self.plain_name()?;
                Kind::Unparsed
            } else {
                Kind::External
            }
        };
        self.entities.declare(name, kind);
        self.end()
    }

    /// Reads an entity's value and replaces the character references in it.
    fn entity_value(&mut self) -> Result<Arc<[u8]>, Problem> {
        let start = self.at + 1;
        let raw = self.literal()?;
        let mut value = Vec::with_capacity(raw.len());
        let mut at = 0;
        while let Some(len) = raw[at..].iter().position(|&byte| matches!(byte, b'&' | b'%')) {
            value.extend_from_slice(&raw[at..at + len]);
            at += len;
            let bad = |rule, what| Err(Self::problem_at(start + at, rule, what));
            if raw[at] == b'%' {
                return bad(
                    Rule::DoctypeMalformed,
                    "a `%` in the value of an entity, where the internal subset allows no parameter entity",
                );
            }
            let end = match reference(raw, at, raw.len()) {
                Ok(Reference::Character(ch, end)) => {
                    value.extend_from_slice(ch.encode_utf8(&mut [0; 4]).as_bytes());
                    end
                }
                Ok(Reference::Entity(_, end)) => {
                    value.extend_from_slice(&raw[at..end]);
                    end
                }
                Ok(Reference::Forbidden(_)) => return bad(Rule::CharacterForbidden, ""),
                Ok(Reference::Raw(_)) | Err(_) => return bad(Rule::AmpersandRaw, ""),
            };
            at = end;
        }
        value.extend_from_slice(&raw[at..]);
        Ok(value.into())
    }

    fn element(&mut self) -> Done {
        self.need_blank()?;
        self.name()?;
        self.need_blank()?;
        if !self.take(b"EMPTY") && !self.take(b"ANY") {
            self.model()?;
        }
        self.end()
    }

    /// Reads the productions `Mixed` and `children`.
    fn model(&mut self) -> Done {
        self.expect(b"(", "the content of an element is not declared")?;
        self.blank();
        if self.take(b"#PCDATA") {
            return self.mixed();
        }
        // The separator of each open group. It isn't known until the group's first item has been read.
        let mut groups: Vec<Option<u8>> = vec![None];
        loop {
            self.blank();
            if self.take(b"(") {
                groups.push(None);
                continue;
            }
            self.name()?;
            self.repeats();
            // After an item, the group continues or ends. A group that ends becomes an item of the outer group.
            loop {
                self.blank();
                let Some(group) = groups.last_mut() else { return Ok(()) };
                match self.text.get(self.at) {
                    Some(b')') => {
                        self.at += 1;
                        groups.pop();
                        self.repeats();
                        if groups.is_empty() {
                            return Ok(());
                        }
                    }
                    Some(&separator @ (b'|' | b',')) if group.is_none_or(|known| known == separator) => {
                        *group = Some(separator);
                        self.at += 1;
                        break;
                    }
                    _ => return Err(self.problem("the content of an element is not well-formed")),
                }
            }
        }
    }

    fn mixed(&mut self) -> Done {
        let mut has_names = false;
        loop {
            self.blank();
            if self.take(b")") {
                break;
            }
            self.expect(b"|", "the content of an element is not well-formed")?;
            self.blank();
            self.name()?;
            has_names = true;
        }
        if !self.take(b"*") && has_names {
            return Err(self.problem("a `*` is missing after mixed content"));
        }
        Ok(())
    }

    fn repeats(&mut self) {
        if matches!(self.text.get(self.at), Some(b'?' | b'*' | b'+')) {
            self.at += 1;
        }
    }

    fn attributes(&mut self) -> Done {
        self.need_blank()?;
        let element = self.name()?;
        loop {
            let has_blank = self.blank();
            if self.take(b">") {
                return Ok(());
            }
            if !has_blank {
                return Err(self.problem("white space is missing in a declaration"));
            }
            let at = self.at;
            let name = self.name()?;
            self.need_blank()?;
            let is_namespace = name.starts_with(b"xmlns");
            if !self.attribute_type()? && is_namespace {
                self.entities.declare_token(element, name);
            }
            self.need_blank()?;
            if self.take(b"#REQUIRED") || self.take(b"#IMPLIED") {
                continue;
            }
            if self.take(b"#FIXED") {
                self.need_blank()?;
            }
            let value = self.default_value()?;
            self.default_namespace(at, element, name, value)?;
        }
    }

    /// Reads an attribute's type. Returns `true` if it is `CDATA`.
    fn attribute_type(&mut self) -> Result<bool, Problem> {
        const TYPES: [&[u8]; 7] =
            [b"IDREFS", b"IDREF", b"ID", b"ENTITY", b"ENTITIES", b"NMTOKENS", b"NMTOKEN"];
        if self.take(b"CDATA") {
            return Ok(true);
        }
        if TYPES.iter().any(|word| self.take(word)) {
            return Ok(false);
        }
        let is_notation = self.take(b"NOTATION");
        if is_notation {
            self.need_blank()?;
        }
        self.expect(b"(", "the type of an attribute is not declared")?;
        loop {
            self.blank();
            if is_notation {
                self.name()?;
            } else {
                self.token()?;
            }
            self.blank();
            if self.take(b")") {
                return Ok(false);
            }
            self.expect(b"|", "the type of an attribute is not well-formed")?;
        }
    }

    /// Reads an attribute's default value. Entities in it must already be declared.
    fn default_value(&mut self) -> Result<&'t [u8], Problem> {
        let start = self.at + 1;
        let value = self.literal()?;
        if let Some(at) = memchr(b'<', value) {
            let what = "the default value of an attribute contains `<`";
            return Err(Self::problem_at(start + at, Rule::DoctypeMalformed, what));
        }
        let mut at = 0;
        while let Some(len) = memchr(b'&', &value[at..]) {
            at += len;
            let bad = |rule, what| Err(Self::problem_at(start + at, rule, what));
            at = match reference(value, at, value.len()) {
                Ok(Reference::Character(_, end)) => end,
                Ok(Reference::Entity((from, to), end)) => {
                    match self.entities.in_attribute(&value[from..to]) {
                        Ok(()) => end,
                        Err((rule, what)) => return bad(rule, what),
                    }
                }
                Ok(Reference::Forbidden(_)) => return bad(Rule::CharacterForbidden, ""),
                Ok(Reference::Raw(_)) | Err(_) => return bad(Rule::AmpersandRaw, ""),
            };
        }
        Ok(value)
    }

    /// Records a namespace that the attribute at offset `at` declares by default.
    fn default_namespace(&mut self, at: usize, element: &[u8], name: &[u8], value: &[u8]) -> Done {
        let prefix = match name {
            b"xmlns" => b"",
            _ => match name.strip_prefix(b"xmlns:") {
                Some(prefix) => prefix,
                None => return Ok(()),
            },
        };
        let uri = self.entities.value(value).into_owned();
        let declared = self.entities.declare_default(element, prefix, &uri);
        declared.map_err(|(rule, what)| Self::problem_at(at, rule, what))
    }

    fn notation(&mut self) -> Done {
        self.need_blank()?;
        self.plain_name()?;
        self.need_blank()?;
        self.external_id(true)?;
        self.end()
    }

    /// Reads a reference to a parameter entity, and the declarations in the entity.
    fn parameter(&mut self) -> Done {
        let at = self.at;
        self.at += 1;
        let name = self.plain_name()?;
        self.expect(b";", "a reference to a parameter entity does not end")?;
        let bad = |rule, what| Err(Self::problem_at(at, rule, what));
        let text = match self.entities.open_parameter(name) {
            Ok(None) => return Ok(()),
            Ok(Some(text)) => text,
            Err((rule, what)) => return bad(rule, what),
        };
        if self.depth >= DEPTH {
            return bad(Rule::EntityMalformed, "parameter entities are nested too deeply");
        }
        let mut inner = Subset::new(&text, 0, self.entities, self.depth + 1);
        let outcome = inner.declarations();
        let is_whole = inner.at == text.len();
        self.entities.close_parameter(name);
        match outcome {
            Err(problem) => Err(Problem { at, ..problem }),
            Ok(()) if is_whole => Ok(()),
            Ok(()) => {
                bad(Rule::DoctypeMalformed, "a parameter entity contains something other than declarations")
            }
        }
    }
}
