//! Tests of elements from other namespaces.

use super::*;

fn own() -> Namespace<'static> {
    Namespace::new("x", "urn:example:x?a=1&b='2'").unwrap()
}

fn written(element: Element<'_>) -> String {
    let options = WriteOptions::new().namespace(own());
    written_with(options, &entry().with_elements(vec![element]))
}

#[test]
fn are_escaped_and_declared_once() {
    let element = Element::new(own(), "outer")
        .unwrap()
        .with_attribute("a", "<\"'&>\t\r\n")
        .unwrap()
        .with_text("1 < 2 & \"3\"")
        .unwrap()
        .with_child(Element::new(own(), "inner").unwrap().with_attribute("größe", "1").unwrap())
        .unwrap()
        .with_text("\r\n")
        .unwrap();
    assert_eq!(
        written(element.clone()),
        "<x:outer a=\"&lt;&quot;&apos;&amp;&gt;&#9;&#13;&#10;\">1 &lt; 2 &amp; &quot;3&quot;\
         <x:inner größe=\"1\"/>&#13;\n</x:outer>"
    );
    let options = WriteOptions::new().namespace(own());
    let xml = document(options, &entry().with_elements(vec![element.clone(), element])).unwrap();
    assert_eq!(xml.matches(" xmlns:x=\"urn:example:x?a=1&amp;b=&apos;2&apos;\"").count(), 1);
}

#[test]
fn of_a_namespace_that_is_not_declared_are_an_error() {
    let other = Namespace::new("y", "urn:y").unwrap();
    let inner = Element::new(other, "inner").unwrap();
    let outer = Element::new(own(), "outer").unwrap().with_child(inner).unwrap();
    let options = WriteOptions::new().namespace(own());
    let error = document(options, &entry().with_elements(vec![outer])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the entry has an element of a namespace that its sitemap does not declare, found `y` \"urn:y\" in \
         \"https://example.com/\"; declare it with `WriteOptions::namespace`"
    );
    assert!(!error.is_invalid_record());
}

#[test]
fn have_attributes_of_namespaces() {
    let element = Element::new(own(), "e")
        .unwrap()
        .with_qualified_attribute(Namespace::xml(), "lang", "de")
        .unwrap()
        .with_attribute("a", "1")
        .unwrap()
        .with_qualified_attribute(own(), "a", "<2>")
        .unwrap();
    assert_eq!(written(element.clone()), "<x:e a=\"1\" xml:lang=\"de\" x:a=\"&lt;2&gt;\"/>");
    assert_eq!(
        refused(element.clone().with_qualified_attribute(own(), "a", "3")),
        "`x:e` has an attribute named \"a\", which an earlier attribute of this namespace already has; use another name"
    );
    let other = Namespace::new("y", "urn:y").unwrap();
    let element = element.with_qualified_attribute(other, "a", "3").unwrap();
    let options = WriteOptions::new().namespace(own());
    let error = document(options, &entry().with_elements(vec![element])).unwrap_err().to_string();
    assert!(error.contains("found `y` \"urn:y\" in \"https://example.com/\";"), "{error}");
}

#[test]
fn share_a_prefix_with_one_namespace_only() {
    let later = Namespace::new("x", "urn:later").unwrap();
    let options = WriteOptions::new().namespace(own()).namespace(later.clone());
    let xml = document(options, &entry().with_elements(vec![Element::new(later, "e").unwrap()])).unwrap();
    assert!(xml.contains("0.9\" xmlns:x=\"urn:later\">"), "{xml}");
    for prefix in ["", "xml", "XMLNS", "xmlfoo", "image", "video", "news", "xhtml", "a:b", "1", "a b"] {
        assert!(Namespace::new(prefix, "urn:x").is_err(), "{prefix:?}");
    }
    for uri in ["", " ", "urn: x", "urn:\u{1}"] {
        assert!(Namespace::new("x", uri).is_err(), "{uri:?}");
    }
}

#[test]
fn have_names_that_xml_knows() {
    for name in ["", "1a", "-a", "a b", "a:b", "a>", "a/", "a\u{1}", "×"] {
        assert!(Element::new(own(), name).is_err(), "{name:?}");
        assert!(Element::new(own(), "e").unwrap().with_attribute(name, "").is_err(), "{name:?}");
    }
    assert_eq!(
        refused(Element::new(own(), "a:b")),
        "`x` has an element named \"a:b\"; use an XML name without a prefix: letters, digits, `-`, `_` and `.`, \
         starting with a letter or `_`"
    );
    let element = Element::new(own(), "e").unwrap().with_attribute("a", "1").unwrap();
    assert_eq!(
        refused(element.clone().with_attribute("a", "2")),
        "`x:e` has an attribute named \"a\", which an earlier attribute already has; use another name"
    );
    assert_eq!(
        refused(element.clone().with_attribute("xmlns", "urn:x")),
        "`x:e` has an attribute named \"xmlns\", which declares a namespace; use another name"
    );
    assert_eq!(
        refused(element.with_text("\0")),
        "`x:e` has U+0000, a character that XML forbids, in \"\\0\"; remove the character"
    );
}

#[test]
fn are_at_most_32_deep() {
    let nested = |depth| {
        let innermost = Element::new(own(), "e").unwrap();
        (1..depth).try_fold(innermost, |inner, _| Element::new(own(), "e").unwrap().with_child(inner))
    };
    assert!(written(nested(32).unwrap()).contains("<x:e/>"));
    assert_eq!(refused(nested(33)), "`x:e` has 33 levels of elements; use at most 32");
}

#[test]
fn of_baidu_say_how_a_page_suits_telephones() {
    let baidu = Namespace::new("mobile", "http://www.baidu.com/schemas/sitemap-mobile/1/").unwrap();
    let element = Element::new(baidu.clone(), "mobile").unwrap().with_attribute("type", "pc,mobile").unwrap();
    assert_eq!(
        document(WriteOptions::new().namespace(baidu), &entry().with_elements(vec![element])).unwrap(),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:mobile=\"http://www.baidu.com/schemas/sitemap-mobile/1/\">\n\
         <url><loc>https://example.com/</loc><mobile:mobile type=\"pc,mobile\"/></url>\n\
         </urlset>\n"
    );
}

#[test]
fn of_resourcesync_describe_a_resource() {
    let rs = Namespace::new("rs", "http://www.openarchives.org/rs/terms/").unwrap();
    let element = Element::new(rs.clone(), "md")
        .unwrap()
        .with_attribute("change", "updated")
        .unwrap()
        .with_attribute("hash", "md5:1584abdf8ebdc9802ac0c6a7402c03b6")
        .unwrap();
    let options = WriteOptions::new().namespace(rs);
    assert_eq!(
        written_with(options, &entry().with_elements(vec![element])),
        "<rs:md change=\"updated\" hash=\"md5:1584abdf8ebdc9802ac0c6a7402c03b6\"/>"
    );
}
