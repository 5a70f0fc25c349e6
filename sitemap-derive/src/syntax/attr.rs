//! Parses `#[sitemap(…)]` into names and values. The module `model` interprets them.

use proc_macro2::{Delimiter, Ident, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Lit, LitStr, MacroDelimiter, Meta, Token, bracketed};

use crate::report::errors::Errors;

/// One item of an attribute: `name` or `name = value`.
pub(crate) struct Attr {
    pub(crate) name: Ident,
    pub(crate) value: Value,
}

pub(crate) enum Value {
    /// A name without `=`.
    Flag,
    Expr(Expr),
    /// `[a, b]`, which `syn` does not parse as an expression without its feature `full`.
    List(List),
    /// A name and `=`, but no value after it.
    Missing,
    /// A value whose error has already been reported.
    Reported,
    /// A value in parentheses after the name, without `=`.
    Parenthesized(TokenStream),
    /// Any other tokens.
    Other(TokenStream),
}

pub(crate) struct List {
    pub(crate) items: Vec<Expr>,
    tokens: TokenStream,
}

impl ToTokens for List {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.tokens.to_tokens(tokens);
    }
}

/// Parses the items of all `#[sitemap(…)]` attributes. `is_known` returns true for the name of an attribute.
pub(crate) fn read(attributes: &[Attribute], is_known: fn(&str) -> bool, errors: &mut Errors) -> Vec<Attr> {
    let mut found = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("sitemap")) {
        match &attribute.meta {
            Meta::List(list) if matches!(list.delimiter, MacroDelimiter::Paren(_)) => {
                let mut parser = |input: ParseStream<'_>| {
                    read_items(input, &mut found, is_known, errors);
                    Ok(())
                };
                // The result is always `Ok`, because the parser reports errors itself and consumes all tokens.
                let _ = Parser::parse2(&mut parser, list.tokens.clone());
            }
            meta => errors.at(meta, "`sitemap` attribute without parentheses; write `#[sitemap(…)]`"),
        }
    }
    found
}

fn read_items(
    input: ParseStream<'_>,
    found: &mut Vec<Attr>,
    is_known: fn(&str) -> bool,
    errors: &mut Errors,
) {
    while !input.is_empty() {
        let is_name = input.peek(Ident::peek_any) && !input.peek2(Token![::]) && !input.peek2(Token![.]);
        if !is_name {
            report_no_name(&rest_of_item(input), found.last(), errors);
        } else if let Ok(name) = Ident::parse_any(input) {
            let name = read_hyphens(name, input, is_known, errors);
            let has_operator = report_operator(&name, input, errors);
            let value = read_value(input, has_operator);
            found.push(Attr { name, value });
        }
        if !input.is_empty() && input.parse::<Token![,]>().is_err() {
            report_no_comma(input, errors);
        }
    }
}

fn report_no_name(item: &TokenStream, before: Option<&Attr>, errors: &mut Errors) {
    let number = before.and_then(|before| match &before.value {
        Value::Expr(Expr::Lit(whole)) => Some((&before.name, &whole.lit)),
        _ => None,
    });
    let first = item.clone().into_iter().next().map(|first| syn::parse2::<LitStr>(first.into()));
    match (syn::parse2::<Lit>(item.clone()), number, first) {
        (Ok(Lit::Str(text)), ..) if text.value().starts_with(['/', 'h']) => {
            errors.at(item, format!("URL template without a name; write `loc = {}`", text.token()));
        }
        (Ok(Lit::Int(fraction)), Some((name, Lit::Int(whole))), _) => {
            errors.at(item, format!("`,` within a number; write `{name} = {whole}.{fraction}`"));
        }
        (Err(_), _, Some(Ok(name))) => {
            errors.at(
                item,
                format!("sitemap attribute {} is in quotes; write `{} = …`", name.token(), name.value()),
            );
        }
        _ if item.is_empty() => errors.at(quote!(,), "no sitemap attribute before `,`; remove the `,`"),
        _ => errors.at(item, format!("`{item}` is not a sitemap attribute; write `name` or `name = value`")),
    }
}

fn report_no_comma(input: ParseStream<'_>, errors: &mut Errors) {
    if input.peek(Ident::peek_any)
        && let Ok(name) = Ident::parse_any(&input.fork())
    {
        errors.at(&name, format!("no `,` before `{name}`; add one"));
    } else {
        let item = rest_of_item(input);
        errors.at(&item, format!("unexpected `{item}` after an attribute; write `,` between attributes"));
        let _ = input.parse::<Token![,]>();
    }
}

/// Parses the rest of a name with hyphens, such as `x-default`, and returns it with `_` instead. If the result is an
/// attribute, reports the spelling as an error. Otherwise, the caller reports an unknown name.
fn read_hyphens(
    name: Ident,
    input: ParseStream<'_>,
    is_known: fn(&str) -> bool,
    errors: &mut Errors,
) -> Ident {
    let mut tokens = name.to_token_stream();
    let mut spelling = name.to_string();
    while input.peek(Token![-]) && input.peek2(Ident::peek_any) {
        let (Ok(hyphen), Ok(part)) = (input.parse::<Token![-]>(), Ident::parse_any(input)) else { break };
        spelling = format!("{spelling}-{part}");
        tokens.extend(quote!(#hyphen #part));
    }
    let known = spelling.replace('-', "_");
    if known == spelling {
        return name;
    }
    if is_known(&known) {
        errors.at(&tokens, format!("sitemap attribute `{spelling}` is written with `-`; write `{known}`"));
    }
    Ident::new(&known, name.span())
}

/// Skips an operator other than `=` between a name and its value, such as `:`, and reports it, or a missing operator.
/// Returns true after an error.
fn report_operator(name: &Ident, input: ParseStream<'_>, errors: &mut Errors) -> bool {
    if input.peek(Lit) {
        errors.at(name, format!("no `=` after the sitemap attribute `{name}`; write `{name} = …`"));
        return true;
    }
    if !input.peek(Token![:]) && !input.peek(Token![=>]) && !input.peek(Token![==]) {
        return false;
    }
    let mut operator = TokenStream::new();
    while let Ok(punct) = input.step(|cursor| cursor.punct().ok_or_else(|| cursor.error("no operator"))) {
        let is_joint = punct.spacing() == Spacing::Joint;
        punct.to_tokens(&mut operator);
        if !is_joint && !input.peek(Token![=]) {
            break;
        }
    }
    let found = operator.to_string().replace(' ', "");
    errors.at(operator, format!("`{found}` after the sitemap attribute `{name}`; write `{name} = …`"));
    true
}

fn read_value(input: ParseStream<'_>, has_operator: bool) -> Value {
    if input.peek(syn::token::Paren) {
        return Value::Parenthesized(rest_of_item(input));
    }
    if !has_operator && input.parse::<Token![=]>().is_err() {
        return Value::Flag;
    }
    if input.is_empty() || input.peek(Token![,]) {
        return Value::Missing;
    }
    let ahead = input.fork();
    if let Ok(list) = read_list(&ahead)
        && (ahead.is_empty() || ahead.peek(Token![,]))
    {
        input.advance_to(&ahead);
        return Value::List(list);
    }
    if is_full_expr(rest_of_item(&input.fork())) {
        return Value::Expr(Expr::Verbatim(rest_of_item(input)));
    }
    let ahead = input.fork();
    if let Ok(value) = ahead.parse::<Expr>() {
        input.advance_to(&ahead);
        return Value::Expr(value);
    }
    Value::Other(rest_of_item(input))
}

/// Returns true for an expression that `syn` does not parse without its feature `full`: a closure, a block, an
/// expression such as `match`, or a list with something after it, as in `[A, B][0]`.
fn is_full_expr(tokens: TokenStream) -> bool {
    const WITH_BLOCK: [&str; 5] = ["if", "match", "unsafe", "const", "loop"];
    let is_group = |token: &TokenTree, delimiter| matches!(token, TokenTree::Group(group) if group.delimiter() == delimiter);
    let is_comma = |token: TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
    let tokens: Vec<_> = tokens.into_iter().collect();
    match tokens.as_slice() {
        [TokenTree::Group(group)] => match group.delimiter() {
            // `{"en", "de"}` is not a block.
            Delimiter::Brace => !group.stream().into_iter().any(is_comma),
            Delimiter::None => is_full_expr(group.stream()),
            _ => false,
        },
        [TokenTree::Ident(word), rest @ ..] if WITH_BLOCK.iter().any(|keyword| word == keyword) => {
            rest.iter().any(|token| is_group(token, Delimiter::Brace))
        }
        [first, _, ..] => is_closure(first) || is_group(first, Delimiter::Bracket),
        _ => false,
    }
}

/// Returns true for the first token of a closure.
pub(super) fn is_closure(first: &TokenTree) -> bool {
    match first {
        TokenTree::Punct(punct) => punct.as_char() == '|',
        TokenTree::Ident(word) => word == "move",
        _ => false,
    }
}

/// Parses `[a, b]` or `&[a, b]`.
fn read_list(input: ParseStream<'_>) -> syn::Result<List> {
    let start = input.fork();
    input.parse::<Option<Token![&]>>()?;
    let content;
    bracketed!(content in input);
    let items = Punctuated::<Expr, Token![,]>::parse_terminated(&content)?;
    let mut tokens = TokenStream::new();
    while start.cursor() < input.cursor() {
        start.parse::<TokenTree>()?.to_tokens(&mut tokens);
    }
    Ok(List { items: items.into_iter().collect(), tokens })
}

/// Consumes and returns all tokens up to the next comma.
fn rest_of_item(input: ParseStream<'_>) -> TokenStream {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        match input.parse::<TokenTree>() {
            Ok(token) => token.to_tokens(&mut tokens),
            Err(_) => break,
        }
    }
    tokens
}
