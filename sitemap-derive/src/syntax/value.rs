//! Parses and checks the value after an attribute's `=`.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprPath, Lit, LitStr, Member, Path, Token, UnOp};

use crate::report::errors::Errors;
use crate::report::suggest::did_you_mean_text;
use crate::syntax::attr::{Attr, Value, is_closure};
use crate::text::fields::Fields;
use crate::text::{date, locale};

/// A role's value that a struct, an enum or a variant sets for all of its records.
pub(crate) enum Shared {
    Constant(Constant),
    /// A function that computes the value for each record.
    Method(Callable),
}

/// A function that an attribute names, or a closure in its place.
pub(crate) struct Callable {
    expr: Expr,
    /// The last part of the path. `None` for a closure.
    pub(crate) name: Option<String>,
}

impl ToTokens for Callable {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.expr.to_tokens(tokens);
    }
}

impl Callable {
    fn of(expr: &Expr) -> Option<Self> {
        let expr = ungrouped(expr).clone();
        let name = match &expr {
            Expr::Path(path) => Some(path.path.segments.last()?.ident.unraw().to_string()),
            _ if is_a_closure(&expr) => None,
            _ => return None,
        };
        Some(Self { expr, name })
    }
}

fn is_a_closure(expr: &Expr) -> bool {
    matches!(expr, Expr::Verbatim(tokens) if tokens.clone().into_iter().next().is_some_and(|first| is_closure(&first)))
}

pub(crate) enum Constant {
    /// A date in one of the six W3C forms.
    LastMod(LitStr),
    /// The name of a variant of `ChangeFreq`.
    ChangeFreq(&'static str),
    /// A number from 0.0 to 1.0.
    Priority(f64),
    Locales(Vec<LitStr>),
    /// An expression that the compiler type-checks.
    Expr(Expr),
}

/// Returns the path if it names a function. Functions and constants are told apart by their names: a function's name
/// starts with a lowercase letter.
fn as_method(expr: &Expr) -> Option<Callable> {
    Callable::of(expr).filter(|function| function.name.as_deref().is_some_and(is_function_name))
}

fn is_function_name(name: &str) -> bool {
    name.trim_start_matches('_').starts_with(char::is_lowercase)
}

/// Returns an example of a function for an attribute.
fn example_of_function(attribute: &str) -> String {
    let name = match attribute {
        "loc" => "path",
        "lastmod" => "modified",
        "changefreq" => "frequency",
        "priority" => "weight",
        "skip_if" => "is_draft",
        "list_if" => "is_published",
        name => name,
    };
    format!("{attribute} = Self::{name}")
}

/// Returns the attribute that means the opposite of `skip_if` or `list_if`.
fn opposite(attribute: &Ident) -> Option<&'static str> {
    let pairs = [("skip_if", "list_if"), ("list_if", "skip_if")];
    pairs.into_iter().find(|(name, _)| attribute == name).map(|(_, other)| other)
}

/// Reports a value that names a function in another form than a path: in quotes, as a call, as a closure or negated.
///
/// `needs_function` is true for attributes that do not accept constants.
pub(crate) fn without_misspelt_function(attr: Attr, needs_function: bool, errors: &mut Errors) -> Attr {
    let name = &attr.name;
    let Value::Expr(expr) = &attr.value else { return attr };
    let problem = match (ungrouped(expr), opposite(name)) {
        (Expr::Unary(not), Some(other)) if matches!(not.op, UnOp::Not(_)) => {
            let path = written_path(&not.expr).unwrap_or_else(|| "Self::is_draft".to_owned());
            format!("is negated; write `{other} = {path}`")
        }
        (expr, None) if is_a_closure(expr) && name != "with" => {
            format!("is a closure; write a function, as in `{}`", example_of_function(&name.to_string()))
        }
        (expr, _) => {
            let Some(path) = written_path(expr) else { return attr };
            let (is_text, is_call) = (as_text(expr).is_some(), !matches!(expr, Expr::Path(_)));
            // `priority = half()` calls a `const fn`, and `lastmod = "today"` is no function.
            let is_certain = match as_text(expr) {
                Some(text) => {
                    text.value().contains("::") || text.value().contains("()") || text.value().contains('_')
                }
                None => path.starts_with("Self::"),
            };
            if !is_call || !needs_function && !is_certain {
                return attr;
            }
            // A conversion is usually a function beside the type.
            let path = if name == "with" && is_text { path.trim_start_matches("Self::") } else { &path };
            let form = if is_text { "in quotes" } else { "a call" };
            format!("is {form}; write `{name} = {path}`")
        }
    };
    errors.at(expr, format!("the value of `{name}` {problem}"));
    Attr { name: attr.name, value: Value::Reported }
}

/// Returns the path to a function in a path, a call, or either of them in quotes.
fn written_path(expr: &Expr) -> Option<String> {
    match ungrouped(expr) {
        Expr::Path(path) => Some(path.to_token_stream().to_string().replace(' ', "")),
        Expr::Paren(paren) => written_path(&paren.expr),
        Expr::Call(call) if call.args.iter().all(is_self) => written_path(&call.func),
        Expr::MethodCall(call) if is_self(&call.receiver) => Some(format!("Self::{}", call.method)),
        expr => {
            let text = as_text(expr)?.value();
            let path = text.strip_suffix("()").unwrap_or(&text);
            let name = path.strip_prefix("self.").unwrap_or(path);
            let is_path = name.split("::").all(|part| {
                part.chars().all(|ch| ch.is_alphanumeric() || ch == '_')
                    && !part.starts_with(|ch: char| ch.is_numeric())
            });
            let is_name = is_path && is_function_name(name) && !name.contains("::");
            if is_name {
                Some(format!("Self::{name}"))
            } else {
                (is_path && path == name).then(|| path.to_owned())
            }
        }
    }
}

fn is_self(expr: &Expr) -> bool {
    match ungrouped(expr) {
        Expr::Path(path) => path.path.is_ident("self"),
        Expr::Reference(reference) => is_self(&reference.expr),
        _ => false,
    }
}

/// Returns the path of the function that returns each record's location, or `None` if the value is meant as a URL
/// template.
pub(crate) fn loc_method(attr: &Attr) -> Option<Callable> {
    match &attr.value {
        Value::Expr(expr) => as_method(expr),
        _ => None,
    }
}

/// Parses the path of the function that returns the images, videos, news or alternates of each record.
pub(crate) fn method(attr: Attr, errors: &mut Errors) -> Option<Shared> {
    let name = attr.name.clone();
    let example = format!("a function, as in `{name} = Self::{name}`, or mark a field with `{name}`");
    let function = Callable::of(&Expr::Path(path(attr, &example, errors)?))?;
    if !function.name.as_deref().is_some_and(is_function_name) {
        errors.at(&function, format!("the value of `{name}` is not a function; write {example}"));
        return None;
    }
    Some(Shared::Method(function))
}

/// Parses the function that decides whether to skip or to list a record.
pub(crate) fn condition(attr: Attr, errors: &mut Errors) -> Option<Shared> {
    let example = example_of_function(&attr.name.to_string());
    callable(attr, &format!("`{example}`"), errors).map(Shared::Method)
}

/// Parses the path of a function, or a closure.
pub(crate) fn callable(attr: Attr, example: &str, errors: &mut Errors) -> Option<Callable> {
    if let Value::Expr(expr) = &attr.value
        && is_a_closure(expr)
    {
        return Callable::of(expr);
    }
    Callable::of(&Expr::Path(path(attr, example, errors)?))
}

/// Removes the invisible groups that a `macro_rules` variable puts around an expression.
fn ungrouped(expr: &Expr) -> &Expr {
    match expr {
        Expr::Group(group) => ungrouped(&group.expr),
        expr => expr,
    }
}

/// Returns the text of a string literal, or of `concat!` with literals.
fn as_text(expr: &Expr) -> Option<LitStr> {
    match ungrouped(expr) {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Str(text) => Some(text.clone()),
            _ => None,
        },
        Expr::Macro(call) if call.mac.path.segments.last()?.ident == "concat" => {
            let parts = call.mac.parse_body_with(Punctuated::<Lit, Token![,]>::parse_terminated).ok()?;
            let text: Option<String> = parts.iter().map(displayed).collect();
            Some(LitStr::new(&text?, call.mac.path.get_ident()?.span()))
        }
        _ => None,
    }
}

/// Returns a literal as `concat!` writes it.
fn displayed(literal: &Lit) -> Option<String> {
    Some(match literal {
        Lit::Str(text) => text.value(),
        Lit::Char(letter) => letter.value().to_string(),
        Lit::Bool(bool) => bool.value().to_string(),
        Lit::Int(number) => number.base10_digits().to_owned(),
        Lit::Float(number) => number.base10_digits().to_owned(),
        _ => return None,
    })
}

fn is_literal(expr: &Expr) -> bool {
    matches!(ungrouped(expr), Expr::Lit(_))
}

/// Reports a value that names a field of the record, such as `lastmod = updated_at` or `skip_if = !self.published`.
pub(crate) fn without_field(mut attr: Attr, fields: Fields<'_>, errors: &mut Errors) -> Attr {
    let name = &attr.name;
    let Value::Expr(expr) = &attr.value else { return attr };
    let Some((field, is_whole)) = named_field(expr, fields) else { return attr };
    // `changefreq = "weekly"` is a frequency, even if the record has a field `weekly`.
    if name == "loc" && as_text(expr).is_some() || name == "changefreq" && is_frequency(&field) {
        return attr;
    }
    let negated = matches!(ungrouped(expr), Expr::Unary(not) if matches!(named_field(&not.expr, fields), Some((_, true))));
    let message = if let (true, Some(other)) = (negated, opposite(name)) {
        format!(
            "the value of `{name}` negates the field `{field}`; mark the field with `#[sitemap({other})]`"
        )
    } else if is_whole && *name == field {
        format!(
            "the value of `{name}` is the field `{field}`, which already has this role; remove the attribute"
        )
    } else if is_whole {
        format!("the value of `{name}` is the field `{field}`; mark the field with `#[sitemap({name})]`")
    } else {
        format!(
            "the value of `{name}` depends on the field `{field}`; mark the field with \
             `#[sitemap({name}, with = path)]`"
        )
    };
    errors.at(expr, message);
    attr.value = Value::Reported;
    attr
}

/// Returns the field that an expression uses, and `true` if the expression consists of nothing else.
fn named_field(expr: &Expr, fields: Fields<'_>) -> Option<(String, bool)> {
    let known = |name: String| fields.contains(&name).then_some(name);
    match ungrouped(expr) {
        Expr::Path(path) => known(path.path.get_ident()?.unraw().to_string()).map(|field| (field, true)),
        Expr::Lit(_) => {
            let text = as_text(expr)?.value();
            known(text)
                .filter(|text| !text.starts_with(|ch: char| ch.is_ascii_digit()))
                .map(|field| (field, true))
        }
        Expr::Field(access) => {
            let member = match &access.member {
                Member::Named(ident) => ident.unraw().to_string(),
                Member::Unnamed(index) => index.index.to_string(),
            };
            if matches!(ungrouped(&access.base), Expr::Path(path) if path.path.is_ident("self")) {
                return known(member).map(|field| (field, true));
            }
            named_field(&access.base, fields).map(|(field, _)| (field, false))
        }
        Expr::Reference(reference) => named_field(&reference.expr, fields),
        Expr::Paren(paren) => named_field(&paren.expr, fields),
        Expr::Unary(unary) => named_field(&unary.expr, fields).map(|(field, _)| (field, false)),
        Expr::MethodCall(call) => named_field(&call.receiver, fields).map(|(field, _)| (field, false)),
        _ => None,
    }
}

fn expr(attr: Attr, example: &str, errors: &mut Errors) -> Option<Expr> {
    match attr.value {
        Value::Expr(expr) => Some(expr),
        Value::Reported => None,
        Value::Flag | Value::Missing => {
            errors.at(&attr.name, format!("`{}` has no value; write {example}", attr.name));
            None
        }
        Value::List(list) => {
            errors.at(list, format!("the value of `{}` is a list; write {example}", attr.name));
            None
        }
        Value::Parenthesized(tokens) => {
            let (name, inner) = (&attr.name, tokens.to_string());
            let inner = inner.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or_default();
            let is_value = !inner.is_empty() && !inner.contains([',', '=']);
            let remedy = if is_value { format!("`{name} = {inner}`") } else { example.to_owned() };
            errors.at(tokens, format!("the value of `{name}` is in parentheses; write {remedy}"));
            None
        }
        Value::Other(tokens) => {
            errors.at(tokens, format!("the value of `{}` is not an expression; write {example}", attr.name));
            None
        }
    }
}

/// Reports an error if a flag has a value. Returns true if it has none.
pub(crate) fn flag(attr: &Attr, remedy: &str, errors: &mut Errors) -> bool {
    let tokens = match &attr.value {
        Value::Flag | Value::Reported => return true,
        Value::Missing => attr.name.to_token_stream(),
        Value::Other(tokens) | Value::Parenthesized(tokens) => tokens.clone(),
        Value::Expr(expr) => expr.to_token_stream(),
        Value::List(list) => list.to_token_stream(),
    };
    errors.at(tokens, format!("unexpected value for `{}`; {remedy}", attr.name));
    false
}

/// Parses a string literal.
pub(crate) fn text(attr: Attr, example: &str, errors: &mut Errors) -> Option<LitStr> {
    let name = attr.name.clone();
    let expr = expr(attr, example, errors)?;
    match as_text(&expr) {
        Some(text) if text.suffix().is_empty() => return Some(text),
        Some(_) => {
            errors.at(&expr, format!("the value of `{name}` is a string with a suffix; write {example}"));
        }
        None if is_literal(&expr) => errors.at(
            &expr,
            format!("the value of `{name}` is `{}`, not a string; write {example}", expr.to_token_stream()),
        ),
        None => errors.at(
            &expr,
            format!(
                "the value of `{name}` is not a string literal, so it cannot be checked while compiling; \
                 write {example}"
            ),
        ),
    }
    None
}

/// Parses the time zone for times without an offset, in minutes east of UTC.
pub(crate) fn zone(attr: Attr, errors: &mut Errors) -> Option<i16> {
    let text = text(attr, "`zone = \"UTC\"` or an offset like `zone = \"+02:00\"`", errors)?;
    match date::minutes_of_zone(&text.value()) {
        Ok(minutes) => Some(minutes),
        Err(problem) => {
            errors.at(&text, format!("zone {} {problem}", text.token()));
            None
        }
    }
}

/// Parses the unit of a Unix time, and returns how many of it make a second.
pub(crate) fn unix(attr: Attr, errors: &mut Errors) -> Option<i64> {
    if matches!(attr.value, Value::Flag) {
        return Some(1);
    }
    let text = text(attr, "`unix` for seconds, or `unix = \"ms\"`", errors)?;
    let units = [("s", 1), ("ms", 1_000), ("us", 1_000_000), ("ns", 1_000_000_000)];
    let found = units.iter().find(|(unit, _)| *unit == text.value());
    if found.is_none() {
        errors.at(&text, format!("unknown unit {}; use one of \"s\", \"ms\", \"us\", \"ns\"", text.token()));
    }
    found.map(|(_, per_second)| *per_second)
}

/// Parses the function that converts a field.
pub(crate) fn conversion(attr: Attr, errors: &mut Errors) -> Option<Callable> {
    let function =
        callable(without_misspelt_function(attr, true, errors), "`with = path::to::function`", errors)?;
    if function.to_token_stream().to_string() != "str :: parse" {
        return Some(function);
    }
    errors
        .at(&function, "`str::parse` needs the type to parse; write it as in `with = str::parse::<LastMod>`");
    None
}

/// Parses the path of a function or module.
pub(crate) fn path(attr: Attr, example: &str, errors: &mut Errors) -> Option<ExprPath> {
    let name = attr.name.clone();
    let expr = expr(attr, example, errors)?;
    match ungrouped(&expr) {
        Expr::Path(path) => return Some(path.clone()),
        Expr::Lit(_) if as_text(&expr).is_some() => {
            errors.at(&expr, format!("the value of `{name}` is a string, not a path; write {example}"));
        }
        _ => errors.at(&expr, format!("the value of `{name}` is not a path; write {example}")),
    }
    None
}

pub(crate) fn crate_path(attr: Attr, errors: &mut Errors) -> Option<Path> {
    let path = path(attr, "`crate = ::sitemap_core`", errors)?;
    let first = path.path.segments.first()?.ident.to_string();
    let absolute = path.path.leading_colon.is_some() || first == "crate" || first == "$crate";
    if absolute && path.qself.is_none() {
        return Some(path.path);
    }
    let found = path.to_token_stream().to_string().replace(' ', "");
    errors.at(
        &path,
        format!("`crate = {found}` is not an absolute path; start the path with `::` or `crate::`"),
    );
    None
}

pub(crate) fn changefreq(attr: Attr, errors: &mut Errors) -> Option<Shared> {
    let text = text_or_expr(attr, "`changefreq = \"weekly\"`", "\"weekly\" or a `ChangeFreq`", errors)?;
    let word = match text {
        Ok(word) => word,
        Err(expr) => {
            let Some((word, _)) =
                FREQUENCIES.iter().find(|(word, variant)| is_word(&expr, word) || is_word(&expr, variant))
            else {
                return Some(expr_or_method(expr));
            };
            errors.at(&expr, format!("change frequency without quotes; write `changefreq = \"{word}\"`"));
            return None;
        }
    };
    let found = word.value();
    if let Some((_, variant)) = FREQUENCIES.iter().find(|(name, _)| *name == found) {
        return Some(Shared::Constant(Constant::ChangeFreq(variant)));
    }
    let remedy = did_you_mean_text(&found, FREQUENCIES.iter().map(|(name, _)| *name));
    errors.at(word, format!("unknown change frequency {found:?}{remedy}"));
    None
}

/// Parses a string literal, or an expression that the compiler checks. `wanted` describes the values that the attribute
/// accepts.
fn text_or_expr(
    attr: Attr,
    example: &str,
    wanted: &str,
    errors: &mut Errors,
) -> Option<Result<LitStr, Expr>> {
    let name = attr.name.clone();
    let expr = expr(attr, example, errors)?;
    if let Some(text) = as_text(&expr) {
        return Some(Ok(text));
    }
    if is_literal(&expr) {
        let found = expr.to_token_stream();
        errors.at(&expr, format!("the value of `{name}` is `{found}`; write a string like {wanted}"));
        return None;
    }
    Some(Err(expr))
}

fn is_frequency(word: &str) -> bool {
    FREQUENCIES.iter().any(|(name, _)| *name == word)
}

fn expr_or_method(expr: Expr) -> Shared {
    match as_method(&expr) {
        Some(function) => Shared::Method(function),
        None => Shared::Constant(Constant::Expr(expr)),
    }
}

fn is_word(expr: &Expr, word: &str) -> bool {
    matches!(ungrouped(expr), Expr::Path(path) if path.path.is_ident(word))
}

const FREQUENCIES: &[(&str, &str)] = &[
    ("always", "Always"),
    ("hourly", "Hourly"),
    ("daily", "Daily"),
    ("weekly", "Weekly"),
    ("monthly", "Monthly"),
    ("yearly", "Yearly"),
    ("never", "Never"),
];

pub(crate) fn priority(attr: Attr, errors: &mut Errors) -> Option<Shared> {
    let expr = expr(attr, "`priority = 0.8`", errors)?;
    let (negative, unsigned) = match ungrouped(&expr) {
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => (true, ungrouped(&unary.expr)),
        unsigned => (false, unsigned),
    };
    let Expr::Lit(literal) = unsigned else {
        return Some(expr_or_method(expr));
    };
    let found = expr.to_token_stream().to_string().replace(' ', "");
    let value: Option<f64> = match &literal.lit {
        Lit::Float(number) if matches!(number.suffix(), "" | "f32" | "f64") => number.base10_parse().ok(),
        Lit::Int(number) if matches!(number.suffix(), "" | "f32" | "f64") => {
            number.base10_digits().parse().ok()
        }
        _ => None,
    };
    let Some(value) = value.map(|value| if negative { -value } else { value }) else {
        let meant = found.trim_matches('"');
        let meant = if meant.parse::<f64>().is_ok() { meant } else { "0.8" };
        let problem = format!("the value of `priority` is `{found}`, not a number");
        errors.at(&expr, format!("{problem}; write `priority = {meant}`"));
        return None;
    };
    if (0.0..=1.0).contains(&value) {
        return Some(Shared::Constant(Constant::Priority(value.abs())));
    }
    errors.at(&expr, format!("`priority` {found} is out of range; write a number from 0.0 to 1.0"));
    None
}

pub(crate) fn lastmod(attr: Attr, errors: &mut Errors) -> Option<Shared> {
    let text = text_or_expr(attr, "`lastmod = \"2026-01-31\"`", "\"2026-01-31\" or a `LastMod`", errors)?;
    let text = match text {
        Ok(text) => text,
        Err(expr) => return Some(expr_or_method(expr)),
    };
    let found = text.value();
    if let Some(problem) = date::problem(&found) {
        errors.at(&text, format!("`lastmod` {found:?} {problem}"));
        return None;
    }
    Some(Shared::Constant(Constant::LastMod(text)))
}

pub(crate) fn locales(attr: Attr, errors: &mut Errors) -> Option<Shared> {
    let Value::List(list) = attr.value else {
        let expr = expr(attr, "`locales = [\"en\", \"de\"]`", errors)?;
        if is_literal(&expr) {
            let found = expr.to_token_stream();
            errors.at(
                &expr,
                format!(
                    "the value of `locales` is `{found}`, not a list; write `locales = [\"en\", \"de\"]`"
                ),
            );
            return None;
        }
        return Some(expr_or_method(expr));
    };
    if list.items.is_empty() {
        errors.at(&list, "`locales` is empty; name at least one locale, as in `locales = [\"en\", \"de\"]`");
    }
    let is_constant = |item: &Expr| matches!(ungrouped(item), Expr::Path(_)) && as_method(item).is_none();
    let is_text_or_constant = |item: &Expr| as_text(item).is_some() || is_constant(item);
    if list.items.iter().any(is_constant) && list.items.iter().all(is_text_or_constant) {
        return Some(Shared::Constant(Constant::Expr(Expr::Verbatim(list.to_token_stream()))));
    }
    let mut locales: Vec<LitStr> = Vec::new();
    for item in &list.items {
        let Some(text) = as_text(item) else {
            errors.at(
                item,
                format!(
                    "locale `{}` is not a string; write one like \"en\", or name a constant list as `locales = PATH`",
                    item.to_token_stream()
                ),
            );
            continue;
        };
        let tag = text.value();
        if let Some(problem) = locale::problem(&tag) {
            errors.at(text, problem);
        } else if locales.iter().any(|other| other.value().eq_ignore_ascii_case(&tag)) {
            errors.at(&text, format!("locale {tag:?} is given twice; remove one"));
        } else {
            locales.push(text);
        }
    }
    Some(Shared::Constant(Constant::Locales(locales)))
}
