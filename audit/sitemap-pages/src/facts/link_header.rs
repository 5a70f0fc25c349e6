//! The `Link` header (RFC 8288).

/// A link in the header.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct HeaderLink {
    /// The target as written.
    pub(super) target: String,
    /// The value of the first `rel`.
    pub(super) rel: Option<String>,
    /// The value of `hreflang`.
    pub(super) hreflang: Option<String>,
    /// Whether the link is from a resource other than the page.
    pub(super) has_anchor: bool,
}

/// Reads the links of one header. Stops at the first syntax error.
pub(super) fn read(header: &str) -> Vec<HeaderLink> {
    let (mut links, mut rest) = (Vec::new(), header);
    loop {
        rest = rest.trim_start_matches([',', ' ', '\t']);
        let Some((target, after)) = rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) else {
            return links;
        };
        let mut link = HeaderLink { target: target.trim().to_owned(), ..HeaderLink::default() };
        rest = after.trim_start();
        while let Some(after) = rest.strip_prefix(';') {
            let after = after.trim_start();
            let end = after.find(['=', ';', ',']).unwrap_or(after.len());
            let name = after[..end].trim().to_ascii_lowercase();
            let value;
            (value, rest) = match after[end..].strip_prefix('=') {
                Some(after) => read_value(after.trim_start()),
                None => (String::new(), &after[end..]),
            };
            rest = rest.trim_start();
            match &*name {
                "rel" if link.rel.is_none() => link.rel = Some(value),
                "hreflang" if link.hreflang.is_none() => link.hreflang = Some(value),
                "anchor" => link.has_anchor = true,
                _ => {}
            }
        }
        links.push(link);
    }
}

/// Reads a parameter's value, which may be quoted. Returns the value and the rest of the header.
fn read_value(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([';', ',']).unwrap_or(text.len());
        return (text[..end].trim().to_owned(), &text[end..]);
    };
    let (mut value, mut chars) = (String::new(), quoted.chars());
    while let Some(char) = chars.next() {
        match char {
            '"' => break,
            '\\' => value.extend(chars.next()),
            char => value.push(char),
        }
    }
    (value, chars.as_str())
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn forms() {
        for (header, expected) in [
            (r#"<https://e.com/a>; rel="canonical""#, &["https://e.com/a canonical -"][..]),
            (r"</a,b;c>;rel=canonical", &["/a,b;c canonical -"]),
            (r#"<a>; rel="x y"; rel=z, <b>; rel=alternate; hreflang=de"#, &["a x y -", "b alternate de"]),
            (r#"<a>; title="b, <c>; rel=d\""; rel=e"#, &["a e -"]),
            (r#"<a> ; REL = "b" ; c, <d>;rel=e"#, &["a b -", "d e -"]),
            (r#"<a>; rel="b"; anchor="/c""#, &["a b - anchor"]),
            ("<a", &[]),
            ("<a>;", &["a - -"]),
            ("<a>;;;=;=,<b>", &["a - -", "b - -"]),
            ("a; rel=b", &[]),
            (r#"<a>; rel="b"#, &["a b -"]),
            ("", &[]),
        ] {
            let shown: Vec<_> = read(header)
                .iter()
                .map(|link| {
                    let text = |text: &Option<String>| text.clone().unwrap_or("-".to_owned());
                    let anchor = if link.has_anchor { " anchor" } else { "" };
                    format!("{} {} {}{anchor}", link.target, text(&link.rel), text(&link.hreflang))
                })
                .collect();
            assert_eq!(shown, expected, "{header}");
        }
    }
}
