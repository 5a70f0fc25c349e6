//! The error messages for text in braces that is not a placeholder. They suggest the placeholder that the user may have
//! meant.

use crate::text::fields::Fields;
use crate::text::path::{Step, is_ident, steps};

pub(super) fn empty_placeholder(inside: &str, fields: Fields<'_>) -> String {
    let star = if inside.starts_with('*') { "*" } else { "" };
    let field = fields.0.first().map_or("slug", String::as_str);
    format!("empty placeholder `{{{inside}}}` in the URL template; name a field, as in `{{{star}{field}}}`")
}

/// Returns the error message for text in braces that is not a placeholder.
pub(super) fn not_a_placeholder(inside: &str, fields: Fields<'_>) -> String {
    let problem = format!("`{{{inside}}}` is not a placeholder of a URL template");
    let text = inside.trim().replace("r#", "");
    let text = text.strip_prefix("self.").unwrap_or(&text);
    // The text would be valid without spaces, `self.` or `r#`.
    if text != inside && steps(text).is_some_and(|steps| is_known(&steps, fields)) {
        return format!("{problem}; write `{{{text}}}`");
    }
    let bare = text.trim_start_matches(['*', '.', '&', ':', '$', '<', '@']);
    let name = &bare[..bare.find(|ch: char| !is_in_path(ch)).unwrap_or(bare.len())];
    let name = name.trim_end_matches('.');
    let after = bare.strip_prefix(name).unwrap_or_default().trim_start();
    if after.starts_with('(') && steps(name).is_some() {
        return format!("{problem}; write a method without arguments, as in `{{{name}()}}`");
    }
    let Some(path) = meant(name, fields) else {
        return fields.placeholders().map_or_else(
            || format!("{problem}; the record has no fields, so add the field"),
            |known| format!("{problem}; use {known}"),
        );
    };
    if is_rest(text, after) {
        return format!("{problem}; write `{{*{path}}}` for the rest of the path");
    }
    let spec = after.strip_prefix(':').filter(|spec| !matches!(*spec, "" | "?"));
    if let Some(format) = spec.and_then(date_format) {
        return format!("{problem}; write `{{{path}:{format}}}` for a date");
    }
    if spec.is_some_and(|spec| !is_format(spec)) {
        return format!("{problem}, which has no patterns; write `{{{path}}}`");
    }
    if spec.is_some() || after.starts_with('|') {
        let field = path.split('.').next().unwrap_or_default();
        return format!(
            "{problem}, which cannot format a value; write `{{{field}}}`, and mark the field `{field}` with \
             `#[sitemap(param, with = path)]`"
        );
    }
    format!("{problem}; write only a field or a method, as in `{{{path}}}`")
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
    text.starts_with(['*', '.']) || text.ends_with("..") || ENDS.contains(&after)
}

/// Translates a date format such as `yyyy-MM-dd`. Returns `None` if the text is not a date format.
fn date_format(spec: &str) -> Option<String> {
    const LETTERS: [(char, char, &str); 3] = [('Y', 'y', "%Y"), ('M', 'm', "%m"), ('D', 'd', "%d")];
    let mut format = String::new();
    let mut last = None;
    for ch in spec.chars() {
        match LETTERS.iter().find(|(upper, lower, _)| ch == *upper || ch == *lower) {
            Some((letter, _, _)) if last == Some(*letter) => {}
            Some((letter, _, directive)) => {
                format.push_str(directive);
                last = Some(*letter);
            }
            None if matches!(ch, '/' | '-' | '.' | '_') => {
                format.push(ch);
                last = None;
            }
            None => return None,
        }
    }
    format.contains("%Y").then_some(format)
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
