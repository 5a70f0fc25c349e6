//! Finds placeholders in the syntax of other frameworks, such as `:slug` and `<slug>`. They are plain text in our URL
//! templates, so every record would get the same URL.
//!
//! Most of these characters are legal in a URL, so a match is reported only if it names a field or is a whole path
//! segment. Each message also explains how to write the character literally.

use crate::text::fields::Fields;
use crate::text::lexer::Piece;
use crate::text::locale::means_locale;
use crate::text::path::is_ident;
use crate::text::placeholder::Placeholder;

/// Stands in for a real placeholder in the text that is searched.
const VALUE: char = '\0';

/// Returns an error message for each placeholder in another framework's syntax.
pub(super) fn problems(template: &[Piece], fields: Fields<'_>) -> Vec<String> {
    let mut problems = Vec::new();
    for pair in template.windows(2) {
        if let [Piece::Text(text), Piece::Placeholder(value)] = pair
            && let Some((sign, _, name)) = SIGNS.iter().find(|(sign, ..)| text.ends_with(*sign))
        {
            let code = format!("%{:02X}", u32::from(*sign));
            problems.push(format!(
                "the `{sign}` in `{sign}{value}` is plain text in this URL template; write `{value}`, or `{code}{value}` \
                 for a {name}"
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
    let with_mark = if query.is_empty() { &text } else { path };
    let segments = with_mark.split('/').map(|segment| (segment, false));
    let values = query.split(['/', '?', '&', '=']).map(|value| (value, true));
    let all = segments.chain(values).filter_map(|(text, in_query)| problem(text, in_query, fields));
    for problem in all {
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    }
    if problems.is_empty() {
        problems.extend(rest_without_name(path, fields));
        problems.extend(empty_pair(&text).map(str::to_owned));
    }
    problems
}

/// The signs before a placeholder in other frameworks, the code of each, and its name.
const SIGNS: &[(char, &str, &str)] = &[('$', "%24", "dollar sign"), ('%', "%25", "percent sign")];

/// Finds a query without pairs, and `&` without a pair.
fn empty_pair(text: &str) -> Option<&'static str> {
    if text.contains("&amp;") {
        return Some("URL template contains `&amp;`; write `&`, which is escaped in the sitemap");
    }
    let (_, query) = text.split_once('?')?;
    if query.is_empty() {
        return Some("URL template ends with `?`, so its query is empty; remove the `?`");
    }
    let is_empty = query.split('&').any(str::is_empty);
    is_empty.then_some("URL template has an empty pair in the query; write one `&` between two pairs")
}

/// Finds `*` or `**` at the end of the path.
fn rest_without_name(path: &str, fields: Fields<'_>) -> Option<String> {
    let last = path.rsplit('/').next().filter(|last| matches!(*last, "*" | "**"))?;
    let name =
        ["path", "file", "slug", "name"].into_iter().find(|name| fields.contains(name)).unwrap_or("path");
    Some(format!(
        "`{last}` is plain text in this URL template; write `{{*{name}}}` for the rest of the path, or `%2A` for a star"
    ))
}

/// Searches one path segment or query value.
fn problem(text: &str, in_query: bool, fields: Fields<'_>) -> Option<String> {
    in_braces(text, fields)
        .or_else(|| in_parentheses(text, fields))
        .or_else(|| in_angle_brackets(text, fields))
        .or_else(|| in_brackets(text, in_query, fields))
        .or_else(|| after_colon(text, in_query, fields))
        .or_else(|| whole(text, in_query, fields))
        .or_else(|| after_percent(text, fields))
        .or_else(|| illegal(text))
}

/// Finds characters that are never legal in a URL.
fn illegal(text: &str) -> Option<String> {
    const ILLEGAL: [char; 5] = ['<', '>', '\\', '^', '`'];
    let found = text.chars().find(|ch| ILLEGAL.contains(ch))?;
    let code = u32::from(found);
    Some(format!(
        "URL template contains `{found}`, which is not allowed in a URL; remove it, or write `%{code:02X}`"
    ))
}

/// Finds `{{slug}}` and `{{post.slug}}`. The lexer has already replaced the doubled braces with single ones.
fn in_braces(text: &str, fields: Fields<'_>) -> Option<String> {
    let inside = between(text, '{', '}')?;
    let placeholder = Placeholder::parse(inside.trim(), fields).ok()?;
    let name = placeholder.steps.iter().map(|step| step.name.as_str()).find(|name| fields.contains(name));
    let is_path = placeholder.steps.len() > 1;
    let problem = format!(
        "`{{{{{inside}}}}}` is plain text in this URL template, because doubled braces are literal braces"
    );
    match name {
        Some(name) if placeholder.field() == Some(name) => {
            Some(format!("{problem}; write `{placeholder}` for the field"))
        }
        Some(name) => Some(format!("{problem}; write `{{{name}}}` for the field")),
        None if is_path => {
            let known = fields.placeholders().unwrap_or_else(|| "a field in single braces".to_owned());
            Some(format!("{problem}; write {known}"))
        }
        None => None,
    }
}

/// Finds `(slug)`, `(:any)`, `$(slug)` and regular expressions such as `([a-z]+)`.
fn in_parentheses(text: &str, fields: Fields<'_>) -> Option<String> {
    let at = text.find('(')?;
    let inside = between(text, '(', ')')?;
    let name = inside.trim_start_matches(':');
    let is_group = text.starts_with('(') && text.ends_with(')') || text[..at].ends_with('$');
    let is_pattern =
        [".*", ".+", "[", "\\"].iter().any(|pattern| inside.contains(pattern)) && !inside.contains('<');
    let is_named = is_group
        && is_ident(name)
        && (fields.contains(name) || inside.starts_with(':') && !fields.0.is_empty());
    let dollar = if text[..at].ends_with('$') { "$" } else { "" };
    let is_other = ['%', ':'].iter().any(|sign| text[..at].contains(*sign));
    (!is_other && (is_pattern || is_named)).then(|| {
        plain_text(
            &format!("{dollar}({inside})"),
            name,
            inside.starts_with(".*"),
            "`%28` for a parenthesis",
            fields,
        )
    })
}

/// Finds `<slug>`, `<str:slug>` and `<path..>`.
fn in_angle_brackets(text: &str, fields: Fields<'_>) -> Option<String> {
    let inside = between(text, '<', '>').filter(|inside| !inside.is_empty())?;
    let name = inside.trim_matches(|ch: char| ch.is_whitespace() || "%=-".contains(ch));
    let parts = || name.split(':').map(|part| part.trim_end_matches('.')).rev();
    let is_rest = inside.ends_with("..") || inside.starts_with("path:") || inside.ends_with(":path");
    let name = parts().find(|part| fields.contains(part)).or_else(|| parts().next());
    Some(plain_text(&format!("<{inside}>"), name.unwrap_or_default(), is_rest, "", fields))
}

/// Finds `[slug]`, `[slug=integer]`, `[...slug]` and `[[...slug]]`. Brackets after a name are normal in a query, as in `filter[slug]=…`.
fn in_brackets(text: &str, in_query: bool, fields: Fields<'_>) -> Option<String> {
    let inside = between(text, '[', ']')?;
    let name = leading_name(inside.trim_start_matches(['[', '.']));
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
        let after = &text[at + 1 + name.len()..];
        let is_rest = after.starts_with(['*', '+']);
        let mark = if after.starts_with('?') { "?" } else { "" };
        (is_placeholder && is_ident(name))
            .then(|| plain_text(&format!(":{name}{mark}"), name, is_rest, "`%3A` for a colon", fields))
    })
}

/// The signs before a field at the start of a segment, whether they mean the rest of the path, and their names.
const LEADING: &[(&str, bool, &str)] = &[
    ("**", true, "`%2A` for a star"),
    ("*", true, "`%2A` for a star"),
    ("...", true, ""),
    ("$", false, "`%24` for a dollar sign"),
    ("@", false, "`%40` for an at sign"),
];

/// Finds segments like `*path`, `$slug` and `@slug`, `$slug.html`, and `$1`.
fn whole(text: &str, in_query: bool, fields: Fields<'_>) -> Option<String> {
    let (sign, is_rest, literal) = LEADING.iter().find(|(sign, ..)| text.starts_with(sign))?;
    let after = &text[sign.len()..];
    let name = leading_name(after);
    let is_number = *sign == "$"
        && !in_query
        && !fields.0.is_empty()
        && name == after
        && !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_digit());
    let is_field = fields.contains(name) && is_ident(name) && (name == after || *sign == "$");
    (is_field || is_number).then(|| plain_text(&format!("{sign}{name}"), name, *is_rest, literal, fields))
}

/// Finds `%s`, `%1$s`, `%(slug)s`, `%slug%`, and parts of dates such as `%Y`.
fn after_percent(text: &str, fields: Fields<'_>) -> Option<String> {
    const LITERAL: &str = "`%25` for a percent sign";
    text.match_indices('%').find_map(|(at, _)| {
        let after = &text[at + 1..];
        let is_end = |after: &str| !after.starts_with(char::is_alphanumeric);
        if let Some((name, _)) = after.split_once('%')
            && name.len() > 2
            && is_ident(name)
        {
            return Some(plain_text(&format!("%{name}%"), name, false, LITERAL, fields));
        }
        if fields.contains(leading_name(after)) {
            let name = leading_name(after);
            return Some(plain_text(&format!("%{name}"), name, false, LITERAL, fields));
        }
        let short = after.trim_start_matches('-');
        if short.starts_with(['Y', 'm']) && is_end(&short[1..]) {
            let found = &text[at..at + 2 + after.len() - short.len()];
            let date = fields.date().unwrap_or("published");
            return Some(format!(
                "`{found}` is plain text in this URL template; write a date as in `{{{date}:%Y/%m}}`, or {LITERAL}"
            ));
        }
        let number = after.trim_start_matches(|ch: char| ch.is_ascii_digit());
        let (name, letter) = match after.strip_prefix('(').and_then(|after| after.split_once(')')) {
            Some((name, letter)) => (name, letter),
            None => ("", number.strip_prefix('$').unwrap_or(after)),
        };
        letter.strip_prefix(['s', 'd']).filter(|after| is_end(after))?;
        let found = format!("%{}{}", &after[..after.len() - letter.len()], &letter[..1]);
        Some(plain_text(&found, name, false, LITERAL, fields))
    })
}

/// Returns the error message for a placeholder in another framework's syntax. `literal` is how to write it if the user
/// meant it as plain text.
fn plain_text(found: &str, name: &str, is_rest: bool, literal: &str, fields: Fields<'_>) -> String {
    let star = if is_rest { "*" } else { "" };
    let or = if literal.is_empty() { "" } else { ", or " };
    let problem = format!("`{found}` is plain text in this URL template");
    if means_locale(name) && !fields.contains(name) {
        return format!(
            "{problem}; write `{{locale}}`, with `locales = [\"en\", …]` on the type{or}{literal}"
        );
    }
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
