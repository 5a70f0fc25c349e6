//! Checks everything outside of tags: text, references, comments, processing instructions and CDATA sections.

use memchr::memmem;

use super::chars::{Bad, blank_end, char_at, is_blank, name_end, plain_end, starts_name};
use super::declaration::{self, is_declaration};
use super::doctype;
use super::entity::{Entities, Expansion};
use super::names::Prefixes;
use super::reference::{Reference, Step, Stop, reference};
use super::violation::Violations;
use crate::rule::Rule;

/// The state of the check.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "the flags are independent of each other")]
pub(super) struct Content {
    pub(super) violations: Violations,
    part: Part,
    is_started: bool,
    is_done: bool,
    pub(super) open: Open,
    pub(super) prefixes: Prefixes,
    pub(super) entities: Entities,
    /// The current tag's attributes. Kept here to reuse the memory.
    pub(super) attributes: Vec<Attribute>,
    has_doctype: bool,
    /// True if the text since the last markup already has a violation. Damaged text often contains many damaged
    /// characters, so only the first one is noted.
    is_noted: bool,
    /// True if the document declares ASCII as its encoding.
    is_ascii: bool,
    pub(super) checked: u64,
    #[cfg(test)]
    pub(super) steps: u64,
}

/// The ranges of an attribute's name and raw value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attribute {
    pub(super) name: (usize, usize),
    pub(super) value: (usize, usize),
}

/// The parts of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    BeforeRoot,
    Root,
    AfterRoot,
}

/// The open elements: their concatenated names, and where each name and each element starts.
#[derive(Debug)]
pub(super) struct Open {
    names: Vec<u8>,
    starts: Vec<OpenElement>,
    /// The number of elements that were already open before the current entity.
    base: usize,
}

#[derive(Clone, Copy, Debug)]
struct OpenElement {
    name: usize,
    offset: u64,
    /// The number of prefixes in scope before the element.
    prefixes: usize,
}

impl Open {
    const fn new() -> Self {
        Self { names: Vec::new(), starts: Vec::new(), base: 0 }
    }

    pub(super) fn push(&mut self, name: &[u8], offset: u64, prefixes: usize) {
        self.starts.push(OpenElement { name: self.names.len(), offset, prefixes });
        self.names.extend_from_slice(name);
    }

    /// Returns the innermost element's name and the offset of its start tag. Ignores elements that were opened outside
    /// the current entity, because an entity can't close them.
    pub(super) fn last(&self) -> Option<(&[u8], u64)> {
        let last = self.starts.last().filter(|_| self.starts.len() > self.base)?;
        Some((&self.names[last.name..], last.offset))
    }

    /// Closes the innermost element. Returns the number of prefixes in scope before it.
    pub(super) fn pop(&mut self) -> usize {
        let Some(last) = self.starts.pop() else { return 0 };
        self.names.truncate(last.name);
        last.prefixes
    }

    pub(super) const fn len(&self) -> usize {
        self.starts.len()
    }
}

impl Content {
    pub(super) const fn new(max_violations: usize) -> Self {
        Self {
            violations: Violations::new(max_violations),
            part: Part::BeforeRoot,
            is_started: false,
            is_done: false,
            open: Open::new(),
            prefixes: Prefixes::new(),
            entities: Entities::new(),
            attributes: Vec::new(),
            has_doctype: false,
            is_noted: false,
            is_ascii: false,
            checked: 0,
            #[cfg(test)]
            steps: 0,
        }
    }

    /// Returns `true` if the check has ended, either at the end of the document or at a violation of its structure.
    pub(super) const fn is_done(&self) -> bool {
        self.is_done
    }

    /// Checks the next part of the document. Returns how many bytes were processed. The caller must pass the rest
    /// again, together with more bytes.
    pub(super) fn read(&mut self, text: &[u8], at_end: bool) -> usize {
        #[cfg(test)]
        {
            self.steps += text.len() as u64;
        }
        let mut at = 0;
        if !self.is_started {
            match self.start(text, at_end) {
                Ok(start) => at = start,
                Err(Stop::Cut) => return 0,
                Err(Stop::Done) => return self.done(text),
            }
        }
        at = match self.read_from(text, at, at_end) {
            Ok(at) => at,
            Err(_) => return self.done(text),
        };
        if at_end {
            self.end(text, at);
            return self.done(text);
        }
        self.checked += at as u64;
        self.violations.advance(text, at);
        at
    }

    fn done(&mut self, text: &[u8]) -> usize {
        (self.is_done, self.checked) = (true, u64::MAX);
        text.len()
    }

    /// Ends the check because a construct is too long.
    pub(super) fn give_up(&mut self, rest: &[u8]) {
        let what = "a single tag, comment or DOCTYPE exceeds the limit of the reader";
        self.violations.add(Rule::ReadLimit, what, rest, (0, 0));
        self.done(rest);
    }

    /// Reads constructs until the text ends or a construct is cut off. Returns the offset of the first byte that wasn't
    /// read.
    fn read_from(&mut self, text: &[u8], mut at: usize, at_end: bool) -> Step {
        while at < text.len() {
            let step = if text[at] == b'<' {
                let step = self.markup(text, at, at_end);
                self.is_noted = false;
                step
            } else {
                self.text(text, at, at_end)
            };
            match step {
                Ok(next) => at = next,
                Err(Stop::Cut) => break,
                Err(Stop::Done) => return Err(Stop::Done),
            }
        }
        Ok(at)
    }

    /// Reads the byte order mark and the XML declaration.
    fn start(&mut self, text: &[u8], at_end: bool) -> Step {
        const MARK: &[u8] = b"\xEF\xBB\xBF";
        if text.len() < 9 && !at_end {
            return Err(Stop::Cut);
        }
        let start = if text.starts_with(MARK) { MARK.len() } else { 0 };
        if !is_declaration(&text[start..]) {
            self.violations.skip_mark(start);
            self.is_started = true;
            return Ok(start);
        }
        let len = memmem::find(&text[start..], b"?>");
        if len.is_none() && !at_end {
            return Err(Stop::Cut);
        }
        self.violations.skip_mark(start);
        self.is_started = true;
        let Some(len) = len else { return Ok(start) };
        let inner = &text[start + 5..start + len];
        match declaration::read(inner) {
            Ok(declaration) => {
                self.entities.is_standalone = declaration.is_standalone;
                self.encoding(declaration.encoding, start > 0, text, (start, start + len + 2));
            }
            Err((_, what)) => {
                self.violations.add(Rule::DeclarationMalformed, what, text, (start, start + len + 2));
            }
        }
        Ok(start + len + 2)
    }

    /// Compares the declared encoding with the byte order mark. The text is always UTF-8, because the reader converts
    /// and reports other encodings.
    fn encoding(&mut self, name: Option<&[u8]>, has_mark: bool, text: &[u8], declaration: (usize, usize)) {
        let Some(name) = name else { return };
        let is = |known: &[u8]| name.eq_ignore_ascii_case(known);
        if is(b"us-ascii") || is(b"ascii") {
            self.is_ascii = true;
        } else if has_mark && !is(b"utf-8") && !is(b"utf8") {
            let what = "the declared encoding does not match the byte order mark";
            self.violations.add(Rule::EncodingMismatch, what, text, declaration);
        }
    }

    /// Reads text up to the next markup.
    fn text(&mut self, text: &[u8], start: usize, at_end: bool) -> Step {
        if self.part != Part::Root {
            return self.text_outside(text, start);
        }
        // Between elements, there is usually only a line end and some indentation.
        let mut at = blank_end(text, start);
        loop {
            at = plain_end(text, at);
            let cut = |at| if at > start { Ok(at) } else { Err(Stop::Cut) };
            match text.get(at) {
                None | Some(b'<') => return Ok(at),
                Some(b'&') => match self.reference(text, at, text.len()) {
                    Ok(end) => at = end,
                    Err(Stop::Cut) if at_end => {
                        self.violations.add(Rule::AmpersandRaw, "", text, (at, at + 1));
                        at += 1;
                    }
                    Err(Stop::Cut) => return cut(at),
                    Err(Stop::Done) => return Err(Stop::Done),
                },
                Some(b']') if text[at..].starts_with(b"]]>") => {
                    self.violations.add(Rule::CDataEnd, "", text, (at, at + 3));
                    at += 3;
                }
                Some(b']') if text.len() - at < 3 && !at_end => return cut(at),
                Some(b']') => at += 1,
                Some(_) => match self.character(text, at) {
                    Some(len) => at += len,
                    None if at_end => at = self.cut_off(text, at),
                    None => return cut(at),
                },
            }
        }
    }

    /// Reads text outside the root element, where only white space is allowed.
    fn text_outside(&mut self, text: &[u8], start: usize) -> Step {
        let at = blank_end(text, start);
        if at == text.len() || text[at] == b'<' {
            return Ok(at);
        }
        if self.part == Part::AfterRoot {
            self.violations.add(Rule::ContentAfterRoot, "", text, (at, at));
            return Err(Stop::Done);
        }
        if !self.is_noted {
            self.is_noted = true;
            self.violations.add(Rule::ContentBeforeRoot, "", text, (at, at));
        }
        Ok(memchr::memchr(b'<', &text[at..]).map_or(text.len(), |len| at + len))
    }

    /// Checks a character that isn't plain ASCII. Returns its length, or `None` if it is cut off.
    fn character(&mut self, text: &[u8], at: usize) -> Option<usize> {
        let (rule, len) = match char_at(text, at) {
            Ok(ch) if !self.is_ascii => return Some(ch.len_utf8()),
            Ok(ch) => (Rule::EncodingMismatch, ch.len_utf8()),
            Err(Bad::Cut) => return None,
            Err(Bad::Utf8(len)) => (Rule::Utf8Invalid, len),
            Err(Bad::Forbidden(len)) => (Rule::CharacterForbidden, len),
        };
        if !self.is_noted {
            self.is_noted = true;
            self.violations.add(rule, "", text, (at, at + len));
        }
        Some(len)
    }

    /// Notes that the last character is cut off. Returns the end of the text.
    fn cut_off(&mut self, text: &[u8], at: usize) -> usize {
        if !self.is_noted {
            self.is_noted = true;
            self.violations.add(Rule::Utf8Invalid, "", text, (at, text.len()));
        }
        text.len()
    }

    /// Checks that XML allows all characters from `at` to `end`.
    pub(super) fn characters(&mut self, text: &[u8], at: usize, end: usize) {
        let (text, mut at) = (&text[..end], at);
        self.is_noted = false;
        loop {
            at = plain_end(text, at);
            match text.get(at) {
                None => return,
                Some(b'<' | b'&' | b']') => at += 1,
                Some(_) => {
                    at = match self.character(text, at) {
                        Some(len) => at + len,
                        None => self.cut_off(text, at),
                    };
                }
            }
        }
    }

    /// Reads the reference at offset `at`, which must end before `end`.
    fn reference(&mut self, text: &[u8], at: usize, end: usize) -> Step {
        let next = match reference(text, at, end)? {
            Reference::Raw(len) => {
                self.violations.add(Rule::AmpersandRaw, "", text, (at, at + len));
                at + len
            }
            Reference::Forbidden(end) => {
                self.violations.add(Rule::CharacterForbidden, "", text, (at, end));
                end
            }
            Reference::Character(_, end) => end,
            Reference::Entity((start, stop), end) => {
                self.entity(text, &text[start..stop], (at, end))?;
                end
            }
        };
        Ok(next)
    }

    /// Checks a reference to an entity in text. The entity must be declared, and its text must be well-formed.
    fn entity(&mut self, text: &[u8], name: &[u8], place: (usize, usize)) -> Result<(), Stop> {
        let replacement = match self.entities.open(name) {
            Expansion::Nothing => return Ok(()),
            Expansion::Text(replacement) => replacement,
            Expansion::Bad(rule, what) => {
                self.violations.add(rule, what, text, place);
                return Ok(());
            }
        };
        let outer = self.violations.pin;
        self.violations.pin = Some(self.violations.span(text, place.0, place.1));
        let step = self.replacement(&replacement);
        self.violations.pin = outer;
        if let Err((rule, what)) = self.entities.close(name) {
            self.violations.add(rule, what, text, place);
        }
        step
    }

    /// Checks an entity's text, which must consist of complete elements.
    fn replacement(&mut self, text: &[u8]) -> Result<(), Stop> {
        let depth = self.open.len();
        let base = std::mem::replace(&mut self.open.base, depth);
        let step = self.read_from(text, 0, true);
        self.open.base = base;
        if step? < text.len() || self.open.len() != depth {
            let what = "the text of an entity ends inside an element, comment or tag";
            self.violations.add(Rule::EntityMalformed, what, text, (0, 0));
            return Err(Stop::Done);
        }
        Ok(())
    }

    /// Reads a tag, comment, processing instruction, CDATA section or DOCTYPE.
    fn markup(&mut self, text: &[u8], at: usize, at_end: bool) -> Step {
        let rest = &text[at..];
        match rest.get(1) {
            Some(b'/') => self.end_tag(text, at),
            Some(b'!') => self.bang(text, at, at_end),
            Some(b'?') => self.instruction(text, at),
            Some(byte) if *byte < 0x80 || rest.len() >= 5 || at_end => {
                if starts_name(text, at + 1) {
                    self.start_tag(text, at)
                } else {
                    self.stray(text, at)
                }
            }
            None if at_end => self.stray(text, at),
            _ => Err(Stop::Cut),
        }
    }

    /// Notes a `<` that doesn't start any markup. Inside the root, it is treated as text.
    fn stray(&mut self, text: &[u8], at: usize) -> Step {
        self.violations.add(Rule::MarkupStray, "", text, (at, at + 1));
        if self.part == Part::Root { Ok(at + 1) } else { Err(Stop::Done) }
    }

    /// Reads markup that starts with `<!`.
    fn bang(&mut self, text: &[u8], at: usize, at_end: bool) -> Step {
        let rest = &text[at..];
        if rest.starts_with(b"<!--") {
            return self.comment(text, at);
        }
        if rest.starts_with(b"<![CDATA[") {
            return self.cdata(text, at);
        }
        if rest.len() < 9 && !at_end {
            return Err(Stop::Cut);
        }
        if rest.starts_with(b"<!DOCTYPE") && !self.has_doctype && self.part == Part::BeforeRoot {
            return self.doctype(text, at);
        }
        let (rule, what, len) = if rest.starts_with(b"<!DOCTYPE") {
            (Rule::DoctypeMalformed, "a DOCTYPE is inside or after the root element, or is the second one", 9)
        } else {
            (Rule::TagMalformed, "`<!` starts neither a comment nor a CDATA section nor a DOCTYPE", 2)
        };
        self.violations.add(rule, what, text, (at, at + len));
        Err(Stop::Done)
    }

    fn doctype(&mut self, text: &[u8], at: usize) -> Step {
        let end = doctype::end(text, at).ok_or(Stop::Cut)?;
        self.has_doctype = true;
        self.characters(text, at, end);
        match doctype::read(&text[at..end], &mut self.entities) {
            Ok(()) => Ok(end),
            Err(problem) => {
                let start = (at + problem.at).min(end);
                let from = self.violations.offset(at);
                self.violations.add_from(
                    from,
                    problem.rule,
                    problem.what,
                    text,
                    (start, excerpt(text, start)),
                );
                Err(Stop::Done)
            }
        }
    }

    fn comment(&mut self, text: &[u8], at: usize) -> Step {
        let mut inner = at + 4;
        let mut is_reported = false;
        loop {
            let dashes = inner + memmem::find(&text[inner..], b"--").ok_or(Stop::Cut)?;
            match text.get(dashes + 2) {
                None => return Err(Stop::Cut),
                Some(b'>') => {
                    self.characters(text, at + 4, dashes);
                    return Ok(dashes + 3);
                }
                Some(_) if is_reported => {}
                // It isn't known yet whether the comment is closed later in the text. If it isn't, this text is read
                // again, so nothing may be noted yet.
                Some(_) if memmem::find(&text[dashes + 1..], b"-->").is_none() => return Err(Stop::Cut),
                Some(_) => {
                    is_reported = true;
                    let from = self.violations.offset(at);
                    self.violations.add_from(from, Rule::CommentDashes, "", text, (dashes, dashes + 2));
                }
            }
            inner = dashes + 1;
        }
    }

    fn cdata(&mut self, text: &[u8], at: usize) -> Step {
        let inner = at + 9;
        let end = inner + memmem::find(&text[inner..], b"]]>").ok_or(Stop::Cut)?;
        match self.part {
            Part::Root => self.characters(text, inner, end),
            Part::BeforeRoot => {
                self.violations.add(Rule::ContentBeforeRoot, "", text, (at, end + 3));
            }
            Part::AfterRoot => {
                self.violations.add(Rule::ContentAfterRoot, "", text, (at, end + 3));
                return Err(Stop::Done);
            }
        }
        Ok(end + 3)
    }

    fn instruction(&mut self, text: &[u8], at: usize) -> Step {
        let len = memmem::find(&text[at + 2..], b"?>").ok_or(Stop::Cut)?;
        let (start, end) = (at + 2, at + 2 + len);
        let target_end = name_end(&text[..end], start);
        let target = &text[start..target_end];
        let from = self.violations.offset(at);
        let is_in_entity = self.violations.pin.is_some();
        let mut add = |rule, what| self.violations.add_from(from, rule, what, text, (at, end + 2));
        if target == b"xml" && !is_in_entity {
            add(Rule::DeclarationNotFirst, "");
        } else if target.eq_ignore_ascii_case(b"xml") {
            add(Rule::InstructionMalformed, "the target of a processing instruction is `xml`");
        } else if !starts_name(text, start) {
            add(Rule::InstructionMalformed, "the target of a processing instruction is not a name");
        } else if target_end < end && !is_blank(text[target_end]) {
            add(Rule::InstructionMalformed, "no white space follows the target of a processing instruction");
        } else if target.contains(&b':') {
            add(Rule::NamespaceInvalid, "the target of a processing instruction contains a colon");
        }
        self.characters(text, target_end, end);
        Ok(end + 2)
    }

    /// Opens an element. Fails if the root has already been closed.
    pub(super) fn push(&mut self, text: &[u8], (at, end): (usize, usize), name: &[u8]) -> Result<(), Stop> {
        if self.part == Part::AfterRoot {
            let shown = excerpt(&text[..end], at);
            self.violations.add(Rule::ContentAfterRoot, "", text, (at, shown));
            return Err(Stop::Done);
        }
        self.part = Part::Root;
        self.open.push(name, self.violations.offset(at), self.prefixes.mark());
        Ok(())
    }

    /// Closes the innermost element.
    pub(super) fn pop(&mut self) {
        let prefixes = self.open.pop();
        self.prefixes.restore(prefixes);
        if self.open.len() == 0 {
            self.part = Part::AfterRoot;
        }
    }

    /// Checks that nothing is open at the end of the document.
    fn end(&mut self, text: &[u8], at: usize) {
        let rest = &text[at..];
        let open =
            self.open.last().map(|(name, offset)| (String::from_utf8_lossy(name).into_owned(), offset));
        let inside = [
            ("<!--", "comment"),
            ("<![CDATA[", "CDATA section"),
            ("<?", "processing instruction"),
            ("<!", "DOCTYPE"),
        ];
        if at < text.len() {
            let what = inside
                .iter()
                .find(|(start, _)| rest.starts_with(start.as_bytes()))
                .map_or("tag", |(_, what)| what);
            let what = format!("the document ends inside a {what}");
            self.violations.add(Rule::Truncated, &what, text, (at, excerpt(text, at)));
        } else if let Some((name, offset)) = open {
            let what = format!("the document ends before `{name}` is closed");
            self.violations.add_from(offset, Rule::Truncated, &what, text, (at, at));
        } else if self.part == Part::BeforeRoot {
            self.violations.add(Rule::Truncated, "the document has no root element", text, (at, at));
        }
    }
}

/// Returns the end of a short excerpt that starts at offset `at`, for a message.
pub(super) fn excerpt(text: &[u8], at: usize) -> usize {
    const LONGEST: usize = 60;
    let most = text.len().min(at + LONGEST);
    memchr::memchr3(b'>', b'\n', b'\r', &text[at..most]).map_or(most, |len| at + len + 1)
}
