//! Finds placeholders in the syntax of other frameworks, such as `:slug` and `<slug>`. They are plain text in our URL
//! templates, so every record would get the same URL.
//!
//! Most of these characters are legal in a URL, so a match is reported only if it names a field or is a whole path
//! segment. Each message also explains how to write the character literally.

use crate::text::fields::Fields;
use crate::text::lexer::Piece;
use crate::text::path::is_ident;
use crate::text::placeholder::Placeholder;

/// Stands in for a real placeholder in the text that is searched.
const VALUE: char = '\0';

/// Returns an error message for each placeholder in another framework's syntax.
pub(super) fn problems(template: &[Piece], fields: Fields<'_>) -> Vec<String> {
    let mut problems = Vec::new();
    for pair in template.windows(2) {
        if let [Piece::Text(text), Piece::Placeholder(value)] = pair
            && text.ends_with('$')
        {
            problems.push(format!(
                "the `$` in `${value}` is plain text in this URL template; write `{value}`, or `%24{value}` for a \
                 dollar sign"
            ));
        }
    }
    let text: String = template
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Placeholder(_) => VALUE.to_string(),
        })
        .collect();
    let (path, query) = text.split_once('?').unwrap_or((&text, ""));
    let segments = path.split('/').map(|segment| (segment, false));
    let values = query.split(['/', '?', '&', '=']).map(|value| (value, true));
    problems.extend(segments.chain(values).filter_map(|(text, in_query)| problem(text, in_query, fields)));
    if text.contains("&amp;") {
        problems.push("URL template contains `&amp;`; write `&`, which is escaped in the sitemap".to_owned());
    }
    problems
}

/// Searches one path segment or query value.
fn problem(text: &str, in_query: bool, fields: Fields<'_>) -> Option<String> {
    in_braces(text, fields)
        .or_else(|| in_angle_brackets(text, fields))
        .or_else(|| in_brackets(text, in_query, fields))
        .or_else(|| after_colon(text, in_query, fields))
        .or_else(|| whole(text, fields))
        .or_else(|| after_percent(text, fields))
}

/// Finds `{{slug}}`. The lexer has already replaced the doubled braces with single ones.
fn in_braces(text: &str, fields: Fields<'_>) -> Option<String> {
    let inside = between(text, '{', '}')?;
    let placeholder = Placeholder::parse(inside.trim(), fields).ok()?;
    fields.contains(placeholder.field()?).then(|| {
        format!(
            "`{{{{{inside}}}}}` is plain text in this URL template, because doubled braces are literal braces; \
             write `{placeholder}` for the field"
        )
    })
}

/// Finds `<slug>`, `<str:slug>` and `<path..>`, and every other angle bracket, since these are never legal in a URL.
fn in_angle_brackets(text: &str, fields: Fields<'_>) -> Option<String> {
    let at = text.find(['<', '>'])?;
    let Some(inside) = between(text, '<', '>').filter(|inside| !inside.is_empty()) else {
        let found = &text[at..=at];
        let code = if found == "<" { "%3C" } else { "%3E" };
        return Some(format!(
            "URL template contains `{found}`, which is not allowed in a URL; remove it, or write `{code}`"
        ));
    };
    let parts = || inside.split(':').map(|part| part.trim_end_matches('.')).rev();
    let is_rest = inside.ends_with("..") || inside.starts_with("path:") || inside.ends_with(":path");
    let name = parts().find(|part| fields.contains(part)).or_else(|| parts().next());
    Some(plain_text(&format!("<{inside}>"), name.unwrap_or_default(), is_rest, "", fields))
}

/// Finds `[slug]`, `[...slug]` and `[[...slug]]`. Brackets after a name are normal in a query, as in `filter[slug]=…`.
fn in_brackets(text: &str, in_query: bool, fields: Fields<'_>) -> Option<String> {
    let inside = between(text, '[', ']')?;
    let name = inside.trim_start_matches(['[', '.']);
    let found = if inside.starts_with('[') { format!("[{inside}]]") } else { format!("[{inside}]") };
    let is_whole = text == found;
    let is_field = fields.contains(name);
    let is_placeholder = if in_query { is_whole && is_field } else { is_whole || is_field };
    (is_placeholder && is_ident(name))
        .then(|| plain_text(&found, name, inside.contains("..."), "`%5B` for a bracket", fields))
}

/// Finds `:slug` and `:slug*`. Colons are normal in a query, as in `q=author:slug`.
fn after_colon(text: &str, in_query: bool, fields: Fields<'_>) -> Option<String> {
    text.match_indices(':').find_map(|(at, _)| {
        let name = leading_name(&text[at + 1..]);
        let is_whole = at == 0 && name.len() + 1 == text.len();
        let is_field = fields.contains(name);
        let is_placeholder = if in_query { at == 0 && is_field } else { is_whole || is_field };
        let is_rest = text[at + 1 + name.len()..].starts_with(['*', '+']);
        (is_placeholder && is_ident(name))
            .then(|| plain_text(&format!(":{name}"), name, is_rest, "`%3A` for a colon", fields))
    })
}

/// Finds segments like `*path` and `$slug`.
fn whole(text: &str, fields: Fields<'_>) -> Option<String> {
    let name = text.trim_start_matches(['*', '$']);
    let (is_rest, literal) = match text.strip_suffix(name)? {
        "*" | "**" => (true, "`%2A` for a star"),
        "$" => (false, "`%24` for a dollar sign"),
        _ => return None,
    };
    (is_ident(name) && fields.contains(name)).then(|| plain_text(text, name, is_rest, literal, fields))
}

/// Finds `%s`, `%d` and `%(slug)s`.
fn after_percent(text: &str, fields: Fields<'_>) -> Option<String> {
    text.match_indices('%').find_map(|(at, _)| {
        let after = &text[at + 1..];
        let (name, letter) = match after.strip_prefix('(').and_then(|after| after.split_once(')')) {
            Some((name, letter)) => (name, letter),
            None => ("", after),
        };
        let is_end = |after: &str| !after.starts_with(char::is_alphanumeric);
        letter.strip_prefix(['s', 'd']).filter(|after| is_end(after))?;
        let found = format!("%{}{}", &after[..after.len() - letter.len()], &letter[..1]);
        Some(plain_text(&found, name, false, "`%25` for a percent sign", fields))
    })
}

/// Returns the error message for a placeholder in another framework's syntax. `literal` is how to write it if the user
/// meant it as plain text.
fn plain_text(found: &str, name: &str, is_rest: bool, literal: &str, fields: Fields<'_>) -> String {
    let star = if is_rest { "*" } else { "" };
    let or = if literal.is_empty() { "" } else { ", or " };
    let problem = format!("`{found}` is plain text in this URL template");
    match fields.similar(name) {
        Some(field) => format!("{problem}; write `{{{star}{field}}}` for the field{or}{literal}"),
        None => match fields.placeholders() {
            Some(known) => format!("{problem}; write {known} for a field{or}{literal}"),
            None => format!("{problem}; remove it{or}{literal}"),
        },
    }
}

fn between(text: &str, open: char, close: char) -> Option<&str> {
    let (_, after) = text.split_once(open)?;
    after.split_once(close).map(|(inside, _)| inside)
}

fn leading_name(text: &str) -> &str {
    let end = text.find(|ch: char| !ch.is_alphanumeric() && ch != '_').unwrap_or(text.len());
    &text[..end]
}
