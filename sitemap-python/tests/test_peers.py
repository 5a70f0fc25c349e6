"""What ultimate-sitemap-parser and advertools promise by their own tests, where it makes sense here.

Each test states the behaviour that the peer tests. These of their tests have no counterpart:

- the tree of sitemaps as nested objects, its pickles, and callbacks that select sitemaps: here, entries are a stream, and the
  column `sitemap` names the sitemap of each entry;
- `stories` of news with a title from RSS and Atom: here, feeds have URLs and dates;
- headers that a client has by default, and replaced clients: there is one client, and its options are tested;
- an index that lists a robots.txt as a sitemap is a failed sitemap there. Here, it is a text without a URL;
- a document with entities is refused there. Here, entities are never expanded, and the entries are read;
- a homepage whose usual paths are tried without being asked: here, that needs `probe=True`;
- columns that exist only if an entry has a value: here, a table always has the same columns;
- a download that is retried because the status is 5xx: the tests of the command have it.
"""

from __future__ import annotations

import gzip
from datetime import datetime, timezone

import pytest
import sitemap
from conftest import Server, index, urlset

PAGE = "<loc>https://example.com/about</loc>"


def read(server: Server, path: str) -> tuple[list[str], list[sitemap.Finding]]:
    problems: list[sitemap.Finding] = []
    table = sitemap.read(server.url(path), allow_private=True, problems=problems)
    return table["loc"].to_pylist(), problems


def robots(server: Server, *paths: str) -> bytes:
    lines = "".join(f"Sitemap: {server.url(path)}\n" for path in paths)
    return f"User-agent: *\nDisallow: /whatever\n\n{lines}".encode()


def test_the_home_page_leads_to_the_sitemaps_of_robots_txt(server: Server) -> None:
    server.files |= {"/robots.txt": robots(server, "/a.xml", "/b.xml")}
    server.files |= {"/a.xml": urlset(PAGE), "/b.xml": urlset("<loc>https://example.com/b</loc>")}
    assert read(server, "/") == (["https://example.com/about", "https://example.com/b"], [])


def test_a_robots_txt_can_be_named(server: Server) -> None:
    server.files |= {"/robots.txt": robots(server, "/a.xml"), "/a.xml": urlset(PAGE)}
    assert read(server, "/robots.txt") == (["https://example.com/about"], [])


def test_spaces_in_robots_txt(server: Server) -> None:
    server.files |= {"/robots.txt": f"User-agent: *\n Sitemap:{server.url('/a.xml')}    ".encode()}
    server.files |= {"/a.xml": urlset(PAGE)}
    assert read(server, "/robots.txt")[0] == ["https://example.com/about"]


def test_a_byte_order_mark_in_robots_txt_and_sitemap(server: Server) -> None:
    bom = b"\xef\xbb\xbf"
    server.files |= {"/robots.txt": bom + robots(server, "/a.xml"), "/a.xml": bom + urlset(PAGE)}
    assert read(server, "/robots.txt")[0] == ["https://example.com/about"]


def test_a_site_without_robots_txt_has_its_sitemap_at_the_usual_path(server: Server) -> None:
    server.files |= {"/sitemap.xml": urlset(PAGE)}
    assert read(server, "/")[0] == ["https://example.com/about"]


def test_a_site_without_sitemaps_is_an_error(server: Server) -> None:
    server.files |= {"/robots.txt": b"User-agent: *\nDisallow: /whatever\n"}
    with pytest.raises(sitemap.SitemapError, match="sitemap"):
        read(server, "/")


def test_unpublished_sitemaps_are_found_by_a_probe(server: Server) -> None:
    server.files |= {"/robots.txt": robots(server, "/public.xml"), "/public.xml": urlset(PAGE)}
    server.files |= {"/sitemap.xml": urlset("<loc>https://example.com/private</loc>")}
    found = sitemap.read(server.url("/"), allow_private=True, probe=True)["loc"].to_pylist()
    assert sorted(found) == ["https://example.com/about", "https://example.com/private"]


def test_compressed_sitemaps(server: Server) -> None:
    server.files |= {"/a.xml.gz": gzip.compress(urlset(PAGE)), "/b": gzip.compress(b"https://example.com/b\n")}
    server.files |= {"/sitemap.xml": gzip.compress(index(server.url("/a.xml.gz"), server.url("/b")))}
    assert read(server, "/sitemap.xml") == (["https://example.com/about", "https://example.com/b"], [])


def test_a_name_with_gz_whose_content_is_not_compressed(server: Server) -> None:
    server.files |= {"/a.xml.gz": urlset(PAGE)}
    assert read(server, "/a.xml.gz")[0] == ["https://example.com/about"]


def test_a_large_sitemap(server: Server) -> None:
    server.files |= {"/a.xml": urlset(*(f"<loc>https://example.com/{page}</loc>" for page in range(1_000)))}
    assert len(read(server, "/a.xml")[0]) == 1_000


def test_an_xml_document_as_bytes() -> None:
    assert [entry.loc for entry in sitemap.entries(urlset(PAGE, PAGE))] == ["https://example.com/about"] * 2


def test_the_children_of_an_index_as_bytes_are_problems() -> None:
    problems: list[sitemap.Finding] = []
    assert sitemap.read(index("https://example.com/a.xml"), problems=problems).num_rows == 0
    assert [problem.sitemap for problem in problems] == ["https://example.com/a.xml"]


def test_an_index_that_lists_itself_is_read_once(server: Server) -> None:
    server.files |= {"/sitemap.xml": index(server.url("/sitemap.xml"), server.url("/a.xml")), "/a.xml": urlset(PAGE)}
    assert read(server, "/sitemap.xml")[0] == ["https://example.com/about"]
    assert [path for path, _ in server.requests] == ["/sitemap.xml", "/a.xml"]
    report = sitemap.check(server.url("/sitemap.xml"), allow_private=True)
    assert "index-loop" in report.counts


def test_indexes_that_list_each_other_end(server: Server) -> None:
    server.files |= {"/sitemap.xml": index(server.url("/b.xml")), "/b.xml": index(server.url("/sitemap.xml"))}
    assert read(server, "/sitemap.xml")[0] == []


def test_a_redirect_to_the_home_page_is_a_problem(server: Server) -> None:
    server.files |= {"/sitemap.xml": index(server.url("/a.xml")), "/": b"<html><body>Home</body></html>"}
    server.redirects |= {"/a.xml": server.url("/")}
    locs, problems = read(server, "/sitemap.xml")
    assert locs == [] and problems


def test_a_missing_end_tag_loses_no_page(server: Server) -> None:
    whole = urlset(*(f"<loc>https://example.com/{page}</loc>" for page in range(50)))
    server.files |= {"/a.xml": whole.replace(b"</urlset>", b"").strip()}
    locs, problems = read(server, "/a.xml")
    assert len(locs) == 50 and "truncated" in {problem.rule for problem in problems}


def test_a_page_that_is_cut_off_is_not_read(server: Server) -> None:
    whole = urlset(*(f"<loc>https://example.com/page-{page}</loc>" for page in range(50)))
    server.files |= {"/a.xml": whole[: whole.index(b"page-49") + 5]}
    locs, problems = read(server, "/a.xml")
    assert locs[-1] == "https://example.com/page-48" and len(locs) == 49
    assert "truncated" in {problem.rule for problem in problems}


def test_a_document_without_a_namespace_is_read(server: Server) -> None:
    page = b"<urlset><url><loc>https://example.com/about</loc><changefreq>monthly</changefreq><priority>0.8</priority>"
    server.files |= {"/a.xml": page + b"<random_tag>x</random_tag></url></urlset>"}
    with pytest.warns(sitemap.SitemapWarning, match="the sitemap elements have no namespace"):
        (entry,) = sitemap.entries(server.url("/a.xml"), allow_private=True)
    assert (entry.loc, entry.changefreq, entry.priority) == ("https://example.com/about", "monthly", 0.8)


def test_entities_are_not_expanded(server: Server) -> None:
    bomb = b'<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;">]>'
    server.files |= {"/a.xml": bomb + urlset("<loc>https://example.com/&b;</loc>", PAGE).split(b"?>", 1)[1]}
    locs, problems = read(server, "/a.xml")
    assert "https://example.com/about" in locs and not any("lol" in loc for loc in locs)
    assert problems


def test_plain_text(server: Server) -> None:
    text = "\n\nhttps://example.com/foo\n\n\nhttps://example.com/bar\n\nSome other stuff\n"
    server.files |= {"/a.txt": text.encode()}
    locs, problems = read(server, "/a.txt")
    assert locs == ["https://example.com/foo", "https://example.com/bar"] and len(problems) == 1


RSS = """<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>Tea</title>
<link>https://example.com</link><description>x</description>
<item><title>One</title><link>https://example.com/1</link><pubDate>Sat, 31 Jan 2026 10:00:00 +0100</pubDate></item>
<item><title>Two</title><link>https://example.com/2</link></item></channel></rss>"""

ATOM = """<?xml version="1.0" encoding="UTF-8"?><feed xmlns="{ns}"{version}><title>Tea</title>
<link rel="self" href="https://example.com/feed"/>
<entry><title>One</title><link href="https://example.com/1"/>
<link rel="edit" href="https://example.com/1?edit"/><{date}>2026-01-31T09:00:00Z</{date}></entry></feed>"""


def test_feeds(server: Server) -> None:
    nine = datetime(2026, 1, 31, 9, tzinfo=timezone.utc)
    server.files |= {"/rss": RSS.encode()}
    entries = list(sitemap.entries(server.url("/rss"), allow_private=True))
    assert [(entry.loc, entry.lastmod) for entry in entries] == [
        ("https://example.com/1", nine),
        ("https://example.com/2", None),
    ]
    atom = ATOM.format(ns="http://www.w3.org/2005/Atom", version="", date="updated")
    old = ATOM.format(ns="http://purl.org/atom/ns#", version=' version="0.3"', date="modified")
    for feed in (atom, old):
        server.files |= {"/atom": feed.encode()}
        (entry,) = sitemap.entries(server.url("/atom"), allow_private=True)
        assert (entry.loc, entry.lastmod) == ("https://example.com/1", nine)


def test_feeds_without_items(server: Server) -> None:
    server.files |= {"/rss": RSS.split("<item>")[0].encode() + b"</channel></rss>"}
    assert read(server, "/rss")[0] == []


LINKS = """<loc>https://example.com/{page}</loc><xhtml:link {link}/>"""


def test_incomplete_links_to_languages_are_left_out(server: Server) -> None:
    links = ['rel="alternate" href="https://example.com/fr"', 'rel="alternate" hreflang="en-GB"']
    entries = [LINKS.format(page=number, link=link) for number, link in enumerate(links)]
    server.files |= {"/a.xml": urlset(*entries, head=' xmlns:xhtml="http://www.w3.org/1999/xhtml"')}
    problems: list[sitemap.Finding] = []
    table = sitemap.read(server.url("/a.xml"), allow_private=True, problems=problems)
    assert table["alternates"].to_pylist() == [None, None]
    assert len(problems) == 2


def test_a_sitemap_that_is_not_xml_is_an_error(server: Server) -> None:
    server.files |= {"/a.xml": b"<!DOCTYPE html><html><body>Not found</body></html>"}
    with pytest.raises(sitemap.SitemapError):
        read(server, "/a.xml")


def test_failed_children_do_not_lose_the_others(server: Server) -> None:
    server.files |= {"/sitemap.xml": index(server.url("/no.xml"), server.url("/a.xml")), "/a.xml": urlset(PAGE)}
    locs, problems = read(server, "/sitemap.xml")
    assert locs == ["https://example.com/about"]
    assert [str(problem) for problem in problems] == [f"{server.url('/no.xml')}: error: status 404: not found"]


def test_headers_reach_the_children_of_a_robots_txt(server: Server) -> None:
    server.files |= {"/robots.txt": robots(server, "/a.xml"), "/a.xml": urlset(PAGE)}
    sitemap.read(server.url("/robots.txt"), allow_private=True, headers={"X-Test": "header"})
    assert {path: {k.lower(): v for k, v in headers.items()}.get("x-test") for path, headers in server.requests} == {
        "/robots.txt": "header",
        "/a.xml": "header",
    }
