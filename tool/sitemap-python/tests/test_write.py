"""Publishing."""

from __future__ import annotations

import warnings
from datetime import date, datetime, timezone
from pathlib import Path
from typing import Any

import pandas
import polars
import pyarrow
import pytest
import sitemap
from conftest import urlset
from test_read import BROKEN, EXTENSIONS, TWO

BASE = "https://example.com"


def lines(folder: Path, name: str = "sitemap.xml") -> list[str]:
    return (folder / name).read_text().splitlines()[2:-1]


def test_urls_paths_mappings_and_entries_are_rows(tmp_path: Path) -> None:
    summary = sitemap.write(
        [
            "https://example.com/a",
            "/b",
            {"loc": "/c", "lastmod": date(2026, 1, 31), "changefreq": "daily", "priority": 0.8},
            {"loc": "/d", "lastmod": datetime(2026, 1, 31, 10), "priority": None},
            sitemap.Entry("https://example.com/e", datetime(2026, 1, 31, tzinfo=timezone.utc), "day"),
            sitemap.Entry("https://example.com/f", datetime(2026, 1, 31, tzinfo=timezone.utc)),
        ],
        tmp_path,
        base=BASE,
    )
    assert lines(tmp_path) == [
        "<url><loc>https://example.com/a</loc></url>",
        "<url><loc>https://example.com/b</loc></url>",
        "<url><loc>https://example.com/c</loc><lastmod>2026-01-31</lastmod><changefreq>daily</changefreq>"
        "<priority>0.8</priority></url>",
        "<url><loc>https://example.com/d</loc><lastmod>2026-01-31T10:00:00+00:00</lastmod></url>",
        "<url><loc>https://example.com/e</loc><lastmod>2026-01-31</lastmod></url>",
        "<url><loc>https://example.com/f</loc><lastmod>2026-01-31T00:00:00+00:00</lastmod></url>",
    ]
    assert (summary.urls, summary.entry_point, summary.skipped) == (6, "https://example.com/sitemap.xml", 0)
    assert summary.robots_txt == "Sitemap: https://example.com/sitemap.xml\n"
    assert [(file.name, file.entries, file.changed) for file in summary.files] == [("sitemap.xml", 6, True)]


TABLE = pyarrow.table(
    {
        "loc": ["/a", "/b"],
        "lastmod": pyarrow.array([datetime(2026, 1, 31, 10), None], pyarrow.timestamp("ns")),
        "priority": [0.8, None],
    }
)
WRITTEN = [
    "<url><loc>https://example.com/a</loc><lastmod>2026-01-31T10:00:00Z</lastmod><priority>0.8</priority></url>",
    "<url><loc>https://example.com/b</loc></url>",
]


@pytest.mark.parametrize(
    "rows", [TABLE, TABLE.to_pandas(), polars.DataFrame(TABLE), TABLE.to_reader()], ids=["table", "pandas", "polars", "reader"]
)
def test_tables_of_every_library_are_published(tmp_path: Path, rows: Any) -> None:
    assert sitemap.write(rows, tmp_path, base=BASE).urls == 2
    assert lines(tmp_path) == WRITTEN


def test_a_filtered_frame_of_pandas_is_published(tmp_path: Path) -> None:
    frame = sitemap.read(TWO).to_pandas()
    sitemap.write(frame[frame["changefreq"].isna()], tmp_path, base=BASE)
    assert lines(tmp_path) == [
        "<url><loc>https://example.com/b</loc><lastmod>2026-01-31T09:00:00.250000Z</lastmod></url>"
    ]


def test_dates_of_other_types_are_published(tmp_path: Path) -> None:
    table = pyarrow.table({"loc": ["/a", "/b"], "lastmod": [date(2026, 1, 31), None]})
    sitemap.write(table, tmp_path, base=BASE)
    assert lines(tmp_path)[0] == "<url><loc>https://example.com/a</loc><lastmod>2026-01-31</lastmod></url>"
    texts = pyarrow.table({"loc": ["/a"], "lastmod": ["2026-01"]})
    sitemap.write(texts, tmp_path, base=BASE, allow_shrink=True)
    assert lines(tmp_path) == ["<url><loc>https://example.com/a</loc><lastmod>2026-01</lastmod></url>"]


@pytest.mark.parametrize("form", ["table", "scan", "entries"])
def test_what_is_read_can_be_published(tmp_path: Path, form: str) -> None:
    read: dict[str, Any] = {"table": sitemap.read, "scan": sitemap.scan, "entries": sitemap.entries}
    sitemap.write(read[form](EXTENSIONS), tmp_path, base=BASE)
    again = sitemap.read(tmp_path).drop_columns("sitemap")
    assert again.equals(sitemap.read(EXTENSIONS).drop_columns("sitemap"))


def test_problems_of_a_scan_are_warned_of_before_the_set_is_replaced(tmp_path: Path) -> None:
    with pytest.warns(sitemap.SitemapWarning, match="1 problem, 1 entry left out; the first is <bytes>:4:"):
        assert sitemap.write(sitemap.scan(BROKEN), tmp_path, base=BASE).urls == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(sitemap.SitemapWarning, match="1 problem"):
            sitemap.write(sitemap.scan(BROKEN), tmp_path / "new", base=BASE)
    assert not (tmp_path / "new").exists()


def test_a_set_is_split_and_indexed(tmp_path: Path) -> None:
    summary = sitemap.write(
        (f"/{number}" for number in range(25)), tmp_path, base=BASE, max_urls=10, gzip=True, section="tea"
    )
    assert [file.name for file in summary.files] == [f"sitemap-tea-{number}.xml.gz" for number in (1, 2, 3)]
    assert [index.name for index in summary.indexes] == ["sitemap.xml"]
    assert sitemap.read(tmp_path)["loc"].to_pylist() == [f"{BASE}/{number}" for number in range(25)]


def test_an_invalid_page_is_an_error_with_its_row(tmp_path: Path) -> None:
    with pytest.raises(sitemap.SitemapError, match='row 2: .*found "ftp://example.com/x"'):
        sitemap.write(["/a", "ftp://example.com/x"], tmp_path, base=BASE)
    with pytest.raises(sitemap.SitemapError, match=r"row 2: .* is not under the base URL .*; change `base` or add `also_list`"):
        sitemap.write(["/a", "https://other.example/"], tmp_path, base=BASE)
    with pytest.raises(sitemap.SitemapError, match="row 1: .*unknown field `lastmd`, expected one of `loc`"):
        sitemap.write([{"loc": "/a", "lastmd": "2026"}], tmp_path, base=BASE)
    assert list(tmp_path.iterdir()) == []


def test_skipped_pages_are_in_the_summary(tmp_path: Path) -> None:
    summary = sitemap.write(["/a", "ftp://example.com/x"], tmp_path, base=BASE, on_invalid="skip")
    assert (summary.urls, summary.skipped) == (1, 1)
    assert len(summary.skipped_records) == 1 and "row 2: " in summary.skipped_records[0]


def test_an_unknown_column_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="unknown column `url`, expected one of `loc`.*; select or rename"):
        sitemap.write(pyarrow.table({"url": ["/a"]}), tmp_path, base=BASE)
    with pytest.raises(ValueError, match="the table has no column `loc`"):
        sitemap.write(pyarrow.table({"lastmod": ["2026"]}), tmp_path, base=BASE)


def test_a_wrong_row_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="row 2 is of the type `int`; give a URL, a mapping or an `Entry`"):
        sitemap.write(["/a", 5], tmp_path, base=BASE)
    with pytest.raises(TypeError, match="the rows are of the type `str`; give a list of rows"):
        sitemap.write("/a", tmp_path, base=BASE)


def test_an_empty_set_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(sitemap.SitemapError, match="no page to publish"):
        sitemap.write([], tmp_path, base=BASE)


def test_a_set_does_not_shrink_by_accident(tmp_path: Path) -> None:
    sitemap.write((f"/{number}" for number in range(1_000)), tmp_path, base=BASE)
    with pytest.raises(sitemap.SetShrunkError, match="allow the loss for this run with `allow_shrink`"):
        sitemap.write(["/a"], tmp_path, base=BASE)
    assert sitemap.read(tmp_path).num_rows == 1_000
    assert sitemap.write(["/a"], tmp_path, base=BASE, allow_shrink=True).urls == 1


def test_an_unchanged_set_is_not_written_again(tmp_path: Path) -> None:
    sitemap.write(["/a"], tmp_path, base=BASE)
    assert [file.changed for file in sitemap.write(["/a"], tmp_path, base=BASE).files] == [False]


def test_a_published_set_has_no_errors(tmp_path: Path) -> None:
    sitemap.write(sitemap.read(TWO), tmp_path, base=BASE)
    assert list(sitemap.check(tmp_path, at=BASE + "/")) == []


def test_temporary_files_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    import tempfile

    tempfile.tempdir = None
    sitemap.write(sitemap.read(urlset("<loc>https://example.com/</loc>")), tmp_path / "out", base=BASE)
    tempfile.tempdir = None
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
