"""Reading as a table, as entries, and through Arrow's C stream."""

from __future__ import annotations

import gzip
import io
import subprocess
import sys
import warnings
from datetime import datetime, timezone
from pathlib import Path

import duckdb
import pandas
import polars
import pyarrow
import pytest
import sitemap
from conftest import Server, index, urlset
from sitemap._options import python_names

TWO = urlset(
    "<loc>https://example.com/a</loc><lastmod>2026-01-31</lastmod><changefreq>daily</changefreq><priority>0.8</priority>",
    "<loc>https://example.com/b</loc><lastmod>2026-01-31T10:00:00.25+01:00</lastmod>",
)


def test_the_columns_have_the_values_of_the_protocol() -> None:
    table = sitemap.read(TWO)
    assert table.column_names == [
        "loc",
        "lastmod",
        "lastmod_precision",
        "changefreq",
        "priority",
        "images",
        "videos",
        "news",
        "alternates",
        "elements",
        "sitemap",
    ]
    assert table.schema.field("lastmod").type == pyarrow.timestamp("us", tz="UTC")
    first, second = table.drop_columns(["images", "videos", "news", "alternates", "elements"]).to_pylist()
    assert first == {
        "loc": "https://example.com/a",
        "lastmod": datetime(2026, 1, 31, tzinfo=timezone.utc),
        "lastmod_precision": "day",
        "changefreq": "daily",
        "priority": 0.8,
        "sitemap": "<bytes>",
    }
    assert second == {
        "loc": "https://example.com/b",
        "lastmod": datetime(2026, 1, 31, 9, 0, 0, 250_000, tzinfo=timezone.utc),
        "lastmod_precision": "fraction",
        "changefreq": None,
        "priority": None,
        "sitemap": "<bytes>",
    }


def test_entries_are_dataclasses() -> None:
    first, second = sitemap.entries(TWO)
    assert first == sitemap.Entry(
        "https://example.com/a", datetime(2026, 1, 31, tzinfo=timezone.utc), "day", "daily", 0.8, sitemap="<bytes>"
    )
    assert second.lastmod == datetime(2026, 1, 31, 9, 0, 0, 250_000, tzinfo=timezone.utc)


@pytest.mark.parametrize("form", ["path", "text path", "folder", "file", "bytes", "gzip", "buffer"])
def test_every_source_gives_the_same_entries(tmp_path: Path, form: str) -> None:
    path = tmp_path / "sitemap.xml"
    path.write_bytes(gzip.compress(TWO) if form == "gzip" else TWO)
    sources: dict[str, sitemap.Source] = {
        "path": path,
        "text path": str(path),
        "folder": tmp_path,
        "file": path.open("rb"),
        "bytes": TWO,
        "gzip": path,
        "buffer": io.BytesIO(TWO),
    }
    table = sitemap.read(sources[form])
    assert table["loc"].to_pylist() == ["https://example.com/a", "https://example.com/b"]
    names = {"bytes": "<bytes>", "buffer": "<file>"}
    assert set(table["sitemap"].to_pylist()) == {names.get(form, str(path))}


def test_an_index_is_followed_from_a_server(server: Server) -> None:
    server.files["/sitemap.xml"] = index(server.url("/1.xml"), server.url("/2.xml"))
    server.files["/1.xml"] = TWO
    server.files["/2.xml"] = urlset("<loc>https://example.com/c</loc>")
    table = sitemap.read(server.url("/sitemap.xml"), allow_private=True)
    assert table["loc"].to_pylist() == [f"https://example.com/{name}" for name in "abc"]
    assert table["sitemap"].to_pylist() == [server.url("/1.xml")] * 2 + [server.url("/2.xml")]


def test_headers_are_sent_with_every_request(server: Server) -> None:
    server.files["/sitemap.xml"] = index(server.url("/1.xml"))
    server.files["/1.xml"] = TWO
    options = {"X-Team": "seo"}
    sitemap.read(server.url("/sitemap.xml"), allow_private=True, headers=options, user_agent="seo/1")
    assert [(path, headers["x-team"], headers["user-agent"]) for path, headers in map(lower, server.requests)] == [
        ("/sitemap.xml", "seo", "seo/1"),
        ("/1.xml", "seo", "seo/1"),
    ]


def lower(request: tuple[str, dict[str, str]]) -> tuple[str, dict[str, str]]:
    return request[0], {name.lower(): value for name, value in request[1].items()}


BROKEN = urlset("<loc>https://example.com/a</loc>", "<lastmod>2026-01-31</lastmod>", "<loc>https://example.com/c</loc>")


def test_an_entry_without_a_url_is_warned_of() -> None:
    with pytest.warns(sitemap.SitemapWarning, match=r"1 problem, 1 entry left out; the first is <bytes>:4:"):
        table = sitemap.read(BROKEN)
    assert table["loc"].to_pylist() == ["https://example.com/a", "https://example.com/c"]


def test_problems_are_collected_instead_of_a_warning() -> None:
    problems: list[sitemap.Finding] = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sitemap.read(BROKEN, problems=problems)
    assert [(one.rule, one.severity, one.line, one.sitemap) for one in problems] == [
        ("loc-missing", "error", 4, "<bytes>")
    ]
    assert problems[0].remedy and problems[0].remedy in str(problems[0])


def test_problems_that_are_not_kept_are_counted(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").write_bytes(index(*(f"https://example.com/{number}.xml" for number in range(11))))
    for number in range(11):
        (tmp_path / f"{number}.xml").write_bytes(urlset(*(["<lastmod>2026-01-31</lastmod>"] * 1_001)))
    for source, count, kept in [(tmp_path / "0.xml", 1_001, 1_000), (tmp_path, 11_011, 10_000)]:
        problems: list[sitemap.Finding] = []
        with pytest.warns(sitemap.SitemapWarning, match=f"^{count} problems; the list `problems` has {kept} of them$"):
            sitemap.read(source, problems=problems)
        assert len(problems) == kept
        with pytest.warns(sitemap.SitemapWarning, match=f"^{count} problems, .*; `problems` of `scan` has {kept} of them$"):
            sitemap.read(source)


def test_problems_before_an_error_are_reported() -> None:
    problems: list[sitemap.Finding] = []
    too_deep = "<loc>https://example.com/b</loc>" + 70 * "<x>" + 70 * "</x>"
    sitemap.read(
        urlset("<loc>https://example.com/a</loc>", "<lastmod>2026-01-31</lastmod>", too_deep), problems=problems
    )
    assert (problems[0].rule, problems[-1].rule) == ("loc-missing", None)


def test_entries_warn_after_the_last_one() -> None:
    reading = sitemap.entries(BROKEN)
    with pytest.warns(sitemap.SitemapWarning, match="1 entry left out"):
        assert len(list(reading)) == 2
    assert (reading.left_out, reading.problem_count) == (1, 1)


def test_a_missing_child_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").write_bytes(index("https://example.com/1.xml", "https://example.com/2.xml"))
    (tmp_path / "2.xml").write_bytes(TWO)
    problems: list[sitemap.Finding] = []
    assert len(sitemap.read(tmp_path, problems=problems)) == 2
    assert [str(problem) for problem in problems] == [
        "https://example.com/1.xml: error: no file `1.xml` in the folder of the index; put it there, or give the URL of the index"
    ]


def test_a_source_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(sitemap.SitemapError, match=r"cannot read `.*missing.xml`: no such file or directory"):
        sitemap.read(tmp_path / "missing.xml")
    with pytest.raises(sitemap.SitemapError, match=r"127\.0\.0\.1.*allow it with `allow_private`"):
        sitemap.read("http://127.0.0.1:9/sitemap.xml")


def test_only_options_are_translated() -> None:
    message = "cannot read `https://a.example/tea--gzip`, found \"a --base b\"; use `--max-bytes`, `--names=digest`"
    assert python_names(message) == (
        "cannot read `https://a.example/tea--gzip`, found \"a --base b\"; use `max_bytes`, `names=\"digest\"`"
    )
    assert python_names("run `git fetch --unshallow`") == "run `git fetch --unshallow`"
    assert python_names("invalid value 'x' for '--timeout <SECONDS>'") == "invalid value 'x' for 'timeout <SECONDS>'"


def test_a_wrong_option_is_an_error() -> None:
    with pytest.raises(TypeError, match="unknown option `time_out`, expected one of `allow_link_local`"):
        sitemap.read(TWO, time_out=5)  # type: ignore[call-arg]
    with pytest.raises(sitemap.SitemapError, match="invalid value '0' for 'timeout"):
        sitemap.read(TWO, timeout=0)
    with pytest.raises(TypeError, match="the source is of the type `int`; give a path"):
        sitemap.read(5)  # type: ignore[arg-type]


def test_a_limit_names_the_option_of_python() -> None:
    with pytest.raises(sitemap.SitemapError, match="more than 10 bytes; allow more with `max_bytes`"):
        sitemap.read(TWO, max_bytes=10)


def test_a_file_of_texts_is_an_error() -> None:
    with pytest.raises(sitemap.SitemapError, match="the file object returns text; open it with the mode `rb`"):
        sitemap.read(io.StringIO("x"))  # type: ignore[arg-type]


def test_a_file_object_may_fail() -> None:
    class Broken(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            raise OSError("the disk is gone")

    with pytest.raises(sitemap.SitemapError, match="the disk is gone"):
        sitemap.read(Broken())  # type: ignore[arg-type]


def test_other_libraries_take_a_scan() -> None:
    frame = polars.DataFrame(sitemap.scan(TWO))
    assert frame["loc"].to_list() == ["https://example.com/a", "https://example.com/b"]
    assert pandas.DataFrame.from_arrow(sitemap.scan(TWO))["priority"][0] == 0.8
    entries = pyarrow.RecordBatchReader.from_stream(sitemap.scan(TWO))
    assert duckdb.sql("select count(*), max(lastmod)::date::text from entries").fetchall() == [(2, "2026-01-31")]


SCAN_OF_FILE = """
import ctypes, io, sitemap
from conftest import urlset

class File:
    def __init__(self, content):
        self.content = io.BytesIO(content)

    def read(self, size):
        return self.content.read(min(size, 1000))

class Array(ctypes.Structure):
    _fields_ = [("length", ctypes.c_int64), ("rest", ctypes.c_int64 * 9)]

# A function of this kind keeps the lock, unlike those of `CFUNCTYPE`.
NEXT = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(Array))

class Stream(ctypes.Structure):
    _fields_ = [("get_schema", ctypes.c_void_p), ("get_next", NEXT), ("rest", ctypes.c_void_p * 3)]

pages = (f"<loc>https://example.com/{page}</loc>" for page in range(10_000))
capsule = sitemap.scan(File(urlset(*pages))).__arrow_c_stream__()
pointer = ctypes.pythonapi.PyCapsule_GetPointer
pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
address = pointer(capsule, b"arrow_array_stream")
array = Array()
print(Stream.from_address(address).get_next(address, array), array.length)
"""


def test_a_library_may_keep_the_lock_while_it_asks_for_a_batch() -> None:
    """A file object needs the interpreter's lock meanwhile."""
    program = [sys.executable, "-c", SCAN_OF_FILE]
    ran = subprocess.run(program, cwd=Path(__file__).parent, capture_output=True, text=True, timeout=60)
    assert (ran.stdout, ran.stderr) == ("0 10000\n", "")


def test_a_scan_is_used_once() -> None:
    scan = sitemap.scan(TWO)
    assert pyarrow.table(scan).num_rows == 2
    with pytest.raises(RuntimeError, match="call `scan` again"):
        pyarrow.table(scan)


def test_a_scan_has_its_problems() -> None:
    scan = sitemap.scan(BROKEN)
    polars.DataFrame(scan)
    assert (scan.problem_count, scan.left_out, scan.problems[0].rule) == (1, 1, "loc-missing")


def test_an_error_within_a_stream_is_raised(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="cannot read"):
        pyarrow.table(sitemap.scan(tmp_path / "missing.xml"))


def test_batches_of_different_sitemaps_are_one_table(tmp_path: Path) -> None:
    names = [f"{number}.xml" for number in range(3)]
    (tmp_path / "sitemap.xml").write_bytes(index(*(f"https://example.com/{name}" for name in names)))
    for number, name in enumerate(names):
        pages = (f"<loc>https://example.com/{number}/{page}</loc>" for page in range(30_000))
        (tmp_path / name).write_bytes(urlset(*pages))
    table = sitemap.read(tmp_path)
    assert (table.num_rows, table["loc"].num_chunks) == (90_000, 3)
    assert table["loc"][89_999].as_py() == "https://example.com/2/29999"
    counts = polars.DataFrame(sitemap.scan(tmp_path))["sitemap"].value_counts(sort=True)
    assert counts["count"].to_list() == [30_000, 30_000, 30_000]
    assert table.to_pandas()["sitemap"].value_counts().to_list() == [30_000, 30_000, 30_000]


EXTENSIONS = urlset(
    "<loc>https://example.com/plain</loc>",
    """<loc>https://example.com/en</loc>
<image:image><image:loc>https://example.com/1.jpg</image:loc></image:image>
<image:image><image:loc>https://example.com/2.jpg</image:loc><image:title>Tea</image:title></image:image>
<video:video><video:thumbnail_loc>https://example.com/t.jpg</video:thumbnail_loc><video:title>Tea</video:title>
<video:description>How to</video:description><video:content_loc>https://example.com/v.mp4</video:content_loc>
<video:duration>60</video:duration><video:rating>4.5</video:rating><video:view_count>7</video:view_count>
<video:tag>one</video:tag><video:tag>two</video:tag><video:family_friendly>yes</video:family_friendly>
<video:restriction relationship="allow">DE AT</video:restriction>
<video:uploader info="https://example.com/u">Ann</video:uploader><video:live>no</video:live></video:video>
<news:news><news:publication><news:name>Times</news:name><news:language>en</news:language></news:publication>
<news:publication_date>2026-01-31</news:publication_date><news:title>News</news:title></news:news>
<xhtml:link rel="alternate" hreflang="de" href="https://example.com/de"/>
<pm:PageMap xmlns:pm="https://example.com/pm"><pm:A>x</pm:A></pm:PageMap>""",
    head=' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    ' xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'
    ' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"',
)


def test_extensions_are_nested_columns() -> None:
    plain, rich = sitemap.read(EXTENSIONS).to_pylist()
    assert [plain[name] for name in ("images", "videos", "news", "alternates", "elements")] == [None] * 5
    assert [image["loc"] for image in rich["images"]] == ["https://example.com/1.jpg", "https://example.com/2.jpg"]
    assert rich["images"][1]["title"] == "Tea"
    (video,) = rich["videos"]
    found = {key: value for key, value in video.items() if value is not None}
    assert found == {
        "thumbnail_loc": "https://example.com/t.jpg",
        "title": "Tea",
        "description": "How to",
        "content_loc": "https://example.com/v.mp4",
        "duration": 60,
        "rating": 4.5,
        "view_count": 7,
        "tags": ["one", "two"],
        "family_friendly": True,
        "restriction": {"relationship": "allow", "countries": ["DE", "AT"]},
        "uploader": {"name": "Ann", "info": "https://example.com/u"},
        "live": False,
    }
    assert rich["news"]["publication"] == {"name": "Times", "language": "en"}
    assert rich["alternates"] == [{"hreflang": "de", "href": "https://example.com/de"}]
    assert '"PageMap"' in rich["elements"]


def test_extensions_are_dataclasses() -> None:
    plain, rich = sitemap.entries(EXTENSIONS)
    assert (plain.images, plain.news) == ((), None)
    assert rich.images == (
        sitemap.Image("https://example.com/1.jpg"),
        sitemap.Image("https://example.com/2.jpg", title="Tea"),
    )
    assert (rich.videos[0].duration, rich.videos[0].tags) == (60, ("one", "two"))
    assert rich.news == sitemap.News(
        sitemap.Publication("Times", "en"), publication_date="2026-01-31", title="News"
    )
    assert rich.alternates == (sitemap.Alternate("de", "https://example.com/de"),)
    assert rich.elements[0]["name"] == "PageMap"


def test_every_field_of_a_video_has_a_column() -> None:
    columns = {field.name for field in sitemap.read(EXTENSIONS).schema.field("videos").type.value_type}
    assert columns == set(sitemap.Video.__dataclass_fields__)
    assert len(columns) == 25


def test_without_pyarrow_only_read_fails() -> None:
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "import sitemap\n"
        "assert [entry.loc for entry in sitemap.entries(b'https://example.com/')] == ['https://example.com/']\n"
        "try: sitemap.read(b'https://example.com/')\n"
        "except ImportError as error: print(error)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == (
        "`read` returns a table of pyarrow, which is not installed; run `pip install pyarrow`, or use `entries` or "
        "`scan`\n"
    )


def test_any_number_of_threads_reads_the_same_table(tmp_path: Path) -> None:
    children = [f"https://example.com/{number}.xml" for number in range(60)]
    (tmp_path / "sitemap.xml").write_bytes(index(*children))
    for number in range(60):
        pages = [f"<loc>https://example.com/{number}/{page}</loc>" for page in range(30)]
        if number == 7:
            pages[3] = "<lastmod>2026-01-31</lastmod>"
        (tmp_path / f"{number}.xml").write_bytes(urlset(*pages))
    (tmp_path / "11.xml").unlink()
    expected = [
        (f"https://example.com/{number}/{page}", f"{number}.xml")
        for number in range(60)
        for page in range(30)
        if number != 11 and (number, page) != (7, 3)
    ]
    for threads in (1, 2, 8):
        problems: list[sitemap.Finding] = []
        table = sitemap.read(tmp_path, problems=problems, threads=threads)
        rows = zip(table["loc"].to_pylist(), table["sitemap"].to_pylist())
        assert [(loc, Path(name).name) for loc, name in rows] == expected
        # The missing file is a problem of the index, which comes before its sitemaps.
        assert [Path(problem.sitemap).name for problem in problems] == ["11.xml", "7.xml"]
        # Short sitemaps share a batch.
        assert len(list(sitemap.scan(tmp_path, threads=threads))) == 1
        entries = sitemap.entries(tmp_path, threads=threads)
        assert [(entry.loc, Path(entry.sitemap).name) for entry in entries] == expected
        assert (entries.problem_count, entries.left_out) == (2, 1)


def test_each_spelling_of_a_url_is_one_page() -> None:
    page = "https://xn--bcher-kva.example/%D0%BA%D0%BD%D0%B8%D0%B3%D0%B8%201"
    for spelling in ("/книги 1", "https://BÜCHER.example/книги%201", "https://bücher.example:443/книги 1", page):
        assert sitemap.sitemap_loc("https://bücher.example", spelling) == page
    assert sitemap.sitemap_loc("https://bücher.example", "ftp://a/") is None
    assert sitemap.sitemap_loc("https://bücher.example", None) is None
    with pytest.raises(sitemap.SitemapError, match="`base`: "):
        sitemap.sitemap_loc("bücher", "/a")
