"""Checking."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
import sitemap
from conftest import Server, index, urlset
from sitemap._model import Severity

FRAGMENT = urlset("<loc>https://example.com/#a</loc>", "<loc>https://example.com/b c</loc>")


def test_a_finding_has_rule_place_message_and_remedy() -> None:
    report = sitemap.check(urlset("<loc>https://example.com/#a</loc>"))
    assert (report.files, report.pages, report.errors, report.warnings, report.ok) == (1, 1, 0, 1, True)
    assert list(report) == [
        sitemap.Finding(
            "loc-fragment",
            "warning",
            'a URL has a fragment, which crawlers ignore, found "https://example.com/#a"',
            "remove the `#` and everything after it",
            "https://example.com/#a",
            "<bytes>",
            "<bytes>",
            3,
            11,
            110,
            22,
        )
    ]
    assert str(report.findings[0]).startswith("<bytes>:3:11: warning[loc-fragment]: a URL has a fragment")


def test_every_severity_is_one_of_the_type() -> None:
    source = urlset("<loc>https://example.com/#a</loc><lastmod>2026-01</lastmod><priority>7</priority>")
    severities = {finding.severity for finding in sitemap.check(source)}
    assert severities == {"error", "warning", "note"} == set(get_args(Severity))


def test_a_good_sitemap_has_no_findings() -> None:
    report = sitemap.check(urlset("<loc>https://example.com/</loc>"))
    assert (len(report), report.counts, report.ok) == (0, {}, True)


def test_rules_can_be_allowed_and_denied() -> None:
    allowed = sitemap.check(FRAGMENT, allow=["loc-fragment"])
    assert (allowed.counts.get("loc-fragment"), allowed.allowed) == (None, {"loc-fragment": 1})
    assert sitemap.check(FRAGMENT, deny="loc-fragment").errors == sitemap.check(FRAGMENT).errors + 1
    assert sitemap.check(urlset("<loc>https://example.com/#a</loc>"), strict=True).errors == 1
    with pytest.raises(sitemap.SitemapError, match="did you mean `loc-fragment`"):
        sitemap.check(FRAGMENT, allow=["loc-fragmnt"])


def test_engines_add_rules() -> None:
    page = urlset("<loc>https://example.com/</loc><priority>0.8</priority>")
    assert len(sitemap.check(page)) == 0
    assert len(sitemap.check(page, engines=["google"])) == 1


def test_findings_beyond_the_limit_are_counted() -> None:
    pages = urlset(*(f"<loc>https://example.com/#{number}</loc>" for number in range(5)))
    report = sitemap.check(pages, max_findings=2)
    assert (len(report), report.counts["loc-fragment"], report.omitted["loc-fragment"]) == (
        len(report.findings),
        5,
        3,
    )
    assert sitemap.check(pages, max_findings=0).omitted == {}


def test_an_index_is_followed_or_not(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").write_bytes(index("https://example.com/1.xml"))
    (tmp_path / "1.xml").write_bytes(FRAGMENT)
    assert (sitemap.check(tmp_path).files, sitemap.check(tmp_path).pages) == (2, 2)
    alone = sitemap.check(tmp_path, follow=False)
    assert (alone.files, alone.pages, alone.notes) == (1, 0, ("1 child sitemap not checked, because of `no_follow`",))


def test_the_url_decides_which_pages_belong() -> None:
    report = sitemap.check(urlset("<loc>https://other.example/</loc>"), at="https://example.com/sitemap.xml")
    assert "scope-unknown" in report.counts


def test_a_source_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(sitemap.SitemapError, match="cannot read"):
        sitemap.check(tmp_path / "missing.xml")


def test_a_child_without_an_answer_is_an_error(server: Server) -> None:
    server.files |= {"/sitemap.xml": index("http://127.0.0.1:9/a.xml", "http://127.0.0.1:9/b.xml")}
    message = (
        "the result is incomplete, because 2 sitemaps could not be read: cannot read `http://127.0.0.1:9/a.xml`: "
        "`127.0.0.1:9` refused the connection"
    )
    with pytest.raises(sitemap.SitemapError, match=f"^{message}$"):
        sitemap.check(server.url("/sitemap.xml"), allow_private=True, retries=0)
