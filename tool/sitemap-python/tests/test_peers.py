"""What ultimate-sitemap-parser 1.8.1 and advertools 0.18.0 promise by their own tests, where it makes sense here.

Each test states the behaviour that the peers test, with documents of its own. Their tests, and ours or why there is none:

ultimate-sitemap-parser, tests/test_helpers.py
    html_unescape_strip: the reader's tests (references, trimmed values)
    parse_iso8601_date, parse_iso8601_invalid_date: test_dates_of_entries
    parse_rfc2822_date, parse_rfc2822_date_invalid_date: test_dates_of_feeds
    is_http_url, strip_url_to_homepage: functions that are not public here
    gunzip: test_compressed_sitemaps
    gunzip_above_max_output_bytes: test_documents_have_a_limit
    url_retry_on_client_errors_quiet_404: the tests of the command (retries after 5xx, none after 404)
tests/tree
    301_redirect_to_root: test_a_redirect_to_the_home_page_is_a_problem
    cyclic_sitemap: test_indexes_that_list_each_other_end
    self_pointing_index: test_an_index_that_lists_itself_is_read_once
    known_path_redirects: test_usual_paths_that_redirect_to_a_known_sitemap
    sitemap_tree_for_homepage: test_the_home_page_leads_to_the_sitemaps_of_robots_txt
    sitemap_tree_for_homepage_gzip: test_compressed_sitemaps
    sitemap_tree_for_homepage_huge_sitemap: test_a_large_sitemap
    sitemap_tree_for_homepage_utf8_bom: test_a_byte_order_mark_in_robots_txt_and_sitemap
    max_recursion_level_xml: the tests of the command (indexes that are nested too deeply)
    max_recursion_level_sitemap_with_robots: none; an index that lists a robots.txt is a failed sitemap there, and here the
        robots.txt is a text without a URL
    truncated_sitemap_missing_close_urlset: test_a_missing_end_tag_loses_no_page
    truncated_sitemap_mid_url: test_a_page_that_is_cut_off_is_not_read
    sitemap_no_ns: test_a_document_without_a_namespace_is_read
    xml_pages: test_an_xml_document_as_bytes
    xml_index: test_the_children_of_an_index_as_bytes_are_problems
    extra_known_paths, normalize_homepage_url_…, skip_robots_txt: none; the usual paths are asked only with `probe=True`
    filter_callback, filter_list_callback: none; the column `sitemap` names the sitemap of each entry
    sitemap_tree_for_homepage_plain_text: test_plain_text
    sitemap_tree_for_homepage_robots_txt_no_content_type: test_a_robots_txt_can_be_named, whose server sends no type
    sitemap_tree_for_homepage_no_robots_txt: test_a_site_without_robots_txt_has_its_sitemap_at_the_usual_path
    sitemap_tree_for_homepage_robots_txt_weird_spacing: test_spaces_in_robots_txt
    sitemap_tree_for_homepage_rss_atom: test_feeds; `stories` have a title there, and only URLs and dates here
    sitemap_tree_for_homepage_rss_atom_empty: test_feeds_without_items
    pickle, tree_to_dict, page_to_dict: none; entries are a stream, not a tree of objects
    billion_laughs_attack: test_entities_are_not_expanded; the document is refused there, and its entries are read here
    sitemap_tree_for_homepage_prematurely_ending_xml: test_a_page_that_is_cut_off_is_not_read
    sitemap_tree_for_homepage_no_sitemap: test_a_site_without_sitemaps_is_an_error
    sitemap_tree_for_homepage_unpublished_sitemap: test_unpublished_sitemaps_are_found_by_a_probe
    xml_image: test_images_with_and_without_values
    hreflang: test_read.test_extensions_are_nested_columns
    missing_attrs: test_incomplete_links_to_languages_are_left_out
tests/web_client
    get, get_user_agent, get_not_found, get_nonexistent_domain: the tests of the command
    get_timeout: test_a_server_that_does_not_answer_in_time
    get_max_response_data_length: test_documents_have_a_limit; the rest is cut off there, and is an error here
    error_page_log, no_request_wait, request_wait…: none; there is one client, which has limits for each host
tests/cli, tests/integration: none; the command has other options, and the recorded sites are not ours

advertools, tests/test_sitemaps.py
    build_request_headers…: none; there is one client, whose options are tested in test_read.py
    regular_sitemap, sitemaps_offline: test_read.py
    gz_sitemap, zipped_sitemaps_offline: test_compressed_sitemaps
    gz_declared_but_regular_sitemap: test_a_name_with_gz_whose_content_is_not_compressed
    sitemap_index: test_an_index_that_lists_itself_is_read_once, test_failed_children_do_not_lose_the_others
    error_sitemap: test_a_document_that_is_no_xml_has_no_entries; it raises there, and has problems here
    image_sitemap: test_images_with_and_without_values
    video_sitemap: test_videos_with_values_of_no_use
    news_sitemap: test_news_with_spaces_around_values
    get_sitemaps_from_robotstxt: test_a_robots_txt_can_be_named
    request_headers_propagate_in_robots_recursion, …_in_sitemapindex_recursion:
        test_headers_reach_the_children_of_a_robots_txt, test_headers_reach_the_children_of_an_index
    A table there has a column only if an entry has a value. Here, it always has the same columns.
"""

from __future__ import annotations

import gzip
import warnings
from collections.abc import Callable
from datetime import datetime, timedelta, timezone

import pytest
import sitemap
from conftest import Server, index, urlset

PAGE = "<loc>https://example.com/about</loc>"


def read(server: Server, path: str) -> tuple[list[str], list[sitemap.Finding]]:
    problems: list[sitemap.Finding] = []
    table = sitemap.read(server.url(path), allow_private=True, problems=problems)
    return table["loc"].to_pylist(), problems


def entries(source: bytes) -> tuple[list[sitemap.Entry], list[str]]:
    """Returns the entries of a document, and the rules of its problems."""
    reading = sitemap.entries(source)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sitemap.SitemapWarning)
        found = list(reading)
    return found, [problem.rule or "" for problem in reading.problems]


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


def test_headers_reach_the_children_of_an_index(server: Server) -> None:
    server.files |= {"/sitemap.xml": index(server.url("/a.xml")), "/a.xml": urlset(PAGE)}
    sitemap.read(server.url("/sitemap.xml"), allow_private=True, headers={"X-Test": "header"})
    sent = [{k.lower(): v for k, v in headers.items()}.get("x-test") for _, headers in server.requests]
    assert sent == ["header", "header"]


def test_dates_of_entries() -> None:
    one = timezone(timedelta(hours=1))
    dates = {
        "1997-07-16": datetime(1997, 7, 16, tzinfo=timezone.utc),
        "1997-07-16T19:20+01:00": datetime(1997, 7, 16, 19, 20, tzinfo=one),
        "1997-07-16T19:20:30+01:00": datetime(1997, 7, 16, 19, 20, 30, tzinfo=one),
        "1997-07-16T19:20:30.45+01:00": datetime(1997, 7, 16, 19, 20, 30, 450_000, tzinfo=one),
        "2018-01-12T21:57:27Z": datetime(2018, 1, 12, 21, 57, 27, tzinfo=timezone.utc),
        "2021-06-18T112:13:04+00:00": None,
        "not a date": None,
        "": None,
    }
    source = urlset(*(f"<loc>https://example.com/</loc><lastmod>{date}</lastmod>" for date in dates))
    found, rules = entries(source)
    assert [entry.lastmod for entry in found] == list(dates.values())
    assert rules == ["lastmod-invalid", "lastmod-invalid", "value-empty"]


def test_dates_of_feeds() -> None:
    dates = {
        "Tue, 10 Aug 2010 20:43:53 -0000": datetime(2010, 8, 10, 20, 43, 53, tzinfo=timezone.utc),
        "Thu, 17 Dec 2009 12:04:56 +0200": datetime(2009, 12, 17, 10, 4, 56, tzinfo=timezone.utc),
        "Fri, 18 Jun 2021 112:13:04 UTC": None,
        "not a date": None,
    }
    item = "<item><link>https://example.com/{}</link><pubDate>{}</pubDate></item>\n"
    items = "".join(item.format(number, date) for number, date in enumerate(dates))
    found, rules = entries((RSS.split("<item>")[0] + items + "</channel></rss>").encode())
    assert [entry.lastmod for entry in found] == list(dates.values())
    assert rules == ["lastmod-invalid"] * 2


def test_usual_paths_that_redirect_to_a_known_sitemap(server: Server) -> None:
    server.files |= {"/robots.txt": robots(server, "/sitemap.xml"), "/sitemap.xml": urlset(PAGE)}
    server.redirects |= {"/sitemap-index.xml": server.url("/sitemap.xml"), "/sitemap.txt": server.url("/sitemap.xml")}
    table = sitemap.read(server.url("/"), allow_private=True, probe=True)
    assert table["loc"].to_pylist() == ["https://example.com/about"]
    assert "/sitemap-index.xml" in {path for path, _ in server.requests}


def test_a_server_that_does_not_answer_in_time(server: Server) -> None:
    server.files |= {"/a.xml": urlset(PAGE)}
    server.pause = 30
    with pytest.raises(sitemap.SitemapError, match="no complete response after 1 s; allow more with `timeout`"):
        sitemap.read(server.url("/a.xml"), allow_private=True, timeout=1)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_documents_have_a_limit(server: Server, pack: Callable[[bytes], bytes]) -> None:
    # Numbers, because the reader refuses a text that is compressed to almost nothing.
    numbers = " ".join(map(str, range(150_000))).encode()
    long = urlset(PAGE).replace(b"<urlset", b"<!--" + numbers + b"--><urlset", 1)
    server.files |= {"/a.xml": pack(long)}
    with pytest.raises(sitemap.SitemapError, match="more than 524288 bytes; allow more with `max_bytes`"):
        sitemap.read(server.url("/a.xml"), allow_private=True, max_bytes=1 << 19)
    assert sitemap.read(server.url("/a.xml"), allow_private=True, max_bytes=2 << 20).num_rows == 1


def test_a_document_that_is_no_xml_has_no_entries() -> None:
    problems: list[sitemap.Finding] = []
    source = b'<?xml version="1.0" encoding="UTF-8"?>\n<urlset><url is not closed</urlset>\n\n</url>\n'
    assert sitemap.read(source, problems=problems).num_rows == 0
    assert {"tag-malformed", "tag-unclosed", "loc-missing"} <= {problem.rule for problem in problems}
    assert sitemap.check(source).errors == 5


IMAGES = """<loc>https://example.com/two</loc><image:image><image:loc>https://example.com/3.jpg</image:loc>
<image:caption>Cups</image:caption><image:geo_location>Here</image:geo_location><image:title>Two cups</image:title>
<image:license>Free</image:license></image:image>"""


def test_images_with_and_without_values() -> None:
    plain = "".join(f"<image:image><image:loc>https://example.com/{one}.jpg</image:loc></image:image>" for one in (1, 2))
    head = ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    (one, two), rules = entries(urlset("<loc>https://example.com/one</loc>" + plain, IMAGES, head=head))
    assert one.images == (sitemap.Image("https://example.com/1.jpg"), sitemap.Image("https://example.com/2.jpg"))
    assert two.images == (sitemap.Image("https://example.com/3.jpg", "Cups", "Here", "Two cups", "Free"),)
    # The licence is to be a URL. It is kept.
    assert rules == ["extension-invalid"]


VIDEO = """<loc>https://example.com/film</loc><video:video><video:content_loc>None</video:content_loc>
<video:duration>18</video:duration><video:title><![CDATA[ Tea ]]></video:title>
<video:description><![CDATA[ ]]></video:description><video:publication_date>2026-01-31T16:03:31Z</video:publication_date>
<video:tag>a</video:tag><video:tag>b-c</video:tag><video:category>/drinks</video:category></video:video>
<lastmod>2026-01-31T16:01:00Z</lastmod>"""


def test_videos_with_values_of_no_use() -> None:
    head = ' xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'
    (entry,), rules = entries(urlset(VIDEO, head=head))
    (video,) = entry.videos
    assert (video.content_loc, video.duration, video.title, video.description) == ("None", 18, "Tea", None)
    assert (video.tags, video.category) == (("a", "b-c"), "/drinks")
    # The date after the video is that of the page.
    assert entry.lastmod == datetime(2026, 1, 31, 16, 1, tzinfo=timezone.utc)
    assert sorted(rules) == ["extension-incomplete", "extension-invalid"]


NEWS = """ <loc>https://example.com/news.html </loc> <lastmod>2026-01-31T21:57:45Z</lastmod> <news:news> <news:publication>
<news:name>The Tea Times</news:name> <news:language>en</news:language> </news:publication>
<news:publication_date>2026-01-30T09:00:01Z</news:publication_date> <news:title> Tea — Once More </news:title>
<news:keywords> Tea (2026), Cups and Pots </news:keywords> </news:news> <image:image> <image:loc>
https://example.com/tea.jpg </image:loc> </image:image> """


def test_news_with_spaces_around_values() -> None:
    head = ' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
    head += ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    (entry,), rules = entries(urlset(NEWS, head=head))
    assert rules == []
    assert (entry.loc, entry.images) == ("https://example.com/news.html", (sitemap.Image("https://example.com/tea.jpg"),))
    assert entry.news is not None
    assert entry.news.publication == sitemap.Publication("The Tea Times", "en")
    assert (entry.news.title, entry.news.keywords) == ("Tea — Once More", "Tea (2026), Cups and Pots")
