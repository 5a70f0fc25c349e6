//! The error messages for text in braces that is not a placeholder. They suggest the placeholder that the user may have
//! meant.

use crate::text::dates::{self, Directive};
use crate::text::fields::Fields;
use crate::text::path::{Step, is_ident, steps};

pub(super) fn empty_placeholder(inside: &str, fields: Fields<'_>) -> String {
    let star = if inside.starts_with('*') { "*" } else { "" };
    let field = fields.0.first().map_or("slug", String::as_str);
    format!("empty placeholder `{{{inside}}}` in the URL template; name a field, as in `{{{star}{field}}}`")
}

/// Returns the error message for text in braces that is not a placeholder.
pub(super) fn not_a_placeholder(inside: &str, fields: Fields<'_>) -> String {
    format!("`{{{inside}}}` is not a placeholder of a URL template{}", remedy(inside, fields))
}

/// The ways in which other languages write a path of fields.
const SEPARATORS: &[(&str, &str)] = &[
    ("::", "."),
    ("->", "."),
    ("?.", "."),
    ("/", "."),
    ("['", "."),
    ("[\"", "."),
    ("[", "."),
    ("']", ""),
    ("\"]", ""),
    ("]", ""),
];

fn remedy(inside: &str, fields: Fields<'_>) -> String {
    let bare = inside.trim_matches(|ch: char| ch.is_whitespace() || ch == '%').replace("r#", "");
    let (text, is_method) = without_owner(&bare);
    // The text would be valid without spaces, the type, `self.` or `r#`, or with other separators.
    let normal = SEPARATORS.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
    for text in [text, &normal] {
        if text != inside && steps(text).is_some_and(|steps| is_known(&steps, fields)) {
            return format!("; write `{{{text}}}`");
        }
    }
    if is_method && is_ident(text) {
        return format!("; write `{{{text}()}}` for a method");
    }
    if let Some(query) = query_of(text, fields) {
        return format!("; write `{query}` after the path");
    }
    let bare =
        text.trim_start_matches(['*', '.', '&', ':', '$', '<', '@', '+', '#', '/', ';', '=', '-', ' ']);
    let name = &bare[..bare.find(|ch: char| !is_in_path(ch)).unwrap_or(bare.len())];
    let name = name.trim_end_matches('.');
    let after = bare.strip_prefix(name).unwrap_or_default().trim_start();
    if let Some(format) =
        directives(after).or_else(|| directives(inside).filter(|_| !inside.starts_with(is_in_path)))
    {
        let name = if inside.starts_with(is_in_path) { name } else { "" };
        let field = meant(name.split('.').next().unwrap_or_default(), fields);
        let field = field.as_deref().or_else(|| fields.date()).unwrap_or("published");
        return format!("; write `{{{field}:{format}}}` for a date");
    }
    if after.starts_with('(') && steps(&format!("{name}()")).is_some() {
        return format!("; write a method without arguments, as in `{{{name}()}}`");
    }
    if after.starts_with(',') {
        let names = bare.split(',').map(|name| format!("{{{}}}", name.trim()));
        return format!(
            "; write each field in its own braces, as in `{}`",
            names.collect::<Vec<_>>().join("/")
        );
    }
    let Some(path) = meant(name, fields) else {
        return fields.placeholders().map_or_else(
            || "; the record has no fields, so add the field".to_owned(),
            |known| format!("; use {known}"),
        );
    };
    if is_rest(text, after) {
        return format!("; write `{{*{path}}}` for the rest of the path");
    }
    let spec = after.strip_prefix(':').filter(|spec| !matches!(*spec, "" | "?"));
    if let Some(format) = spec.and_then(dates::translated) {
        return format!("; write `{{{path}:{format}}}` for a date");
    }
    if spec.is_some_and(|spec| !is_format(spec)) {
        return format!(", which has no patterns; write `{{{path}}}`");
    }
    if spec.is_some() || after.starts_with('|') {
        let field = path.split('.').next().unwrap_or_default();
        return format!(
            ", which cannot format a value; write `{{{field}}}`, and mark the field `{field}` with \
             `#[sitemap(param, with = path)]`"
        );
    }
    format!("; write only a field or a method, as in `{{{path}}}`")
}

/// Removes `self.` or `Type::` before a name. Returns true if there was a type, as only methods have one.
fn without_owner(text: &str) -> (&str, bool) {
    if let Some(rest) = text.strip_prefix("self.") {
        return (rest, false);
    }
    match text.rsplit_once("::") {
        Some((owner, name)) if owner.starts_with(char::is_uppercase) => (name, true),
        _ => (text, false),
    }
}

/// Translates `?slug,id` of RFC 6570, a part of the query.
fn query_of(text: &str, fields: Fields<'_>) -> Option<String> {
    let names: Vec<_> = text.strip_prefix('?')?.split(',').map(str::trim).collect();
    let pairs = names.iter().map(|name| fields.contains(name).then(|| format!("{name}={{{name}}}")));
    Some(format!("?{}", pairs.collect::<Option<Vec<_>>>()?.join("&")))
}

/// Returns the date format within other syntax, as in `|date:"%Y"`.
fn directives(text: &str) -> Option<String> {
    let format = text.get(text.find('%')?..)?.trim_end_matches(['"', '\'', ')', ' ']);
    Directive::at_start(format)?;
    Some(format.to_owned())
}

fn is_known(steps: &[Step], fields: Fields<'_>) -> bool {
    steps.first().is_some_and(|step| step.is_call || fields.contains(&step.name))
}

/// Corrects the first name of a path if there is a field with a similar name.
fn meant(name: &str, fields: Fields<'_>) -> Option<String> {
    if steps(name).is_some_and(|steps| is_known(&steps, fields)) {
        return Some(name.to_owned());
    }
    fields.similar(name.split('.').next().unwrap_or_default()).map(str::to_owned)
}

/// Returns true for text that means "the rest of the path" in the syntax of other frameworks.
fn is_rest(text: &str, after: &str) -> bool {
    const ENDS: [&str; 11] = ["*", "+", "**", ":path", ":.*", ":.+", ":*", ":**", ":(.*)", ":(.+)", ":.*?"];
    text.starts_with(['*', '.', '+']) || text.ends_with("..") || ENDS.contains(&after)
}

/// Returns true for a format specifier of Rust's `format!`. In the routes of other frameworks, any other text after a
/// `:` is a pattern or a type.
fn is_format(spec: &str) -> bool {
    let is_type = is_ident(spec) && spec.chars().count() > 1;
    !is_type && !spec.contains(['[', '\\', '(', '*', '|', '{']) && !spec.ends_with('+')
}

fn is_in_path(ch: char) -> bool {
    ch.is_alphanumeric() || matches!(ch, '_' | '-' | '.')
}
