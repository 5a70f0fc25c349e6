"""Reading entries."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Optional

from . import _sitemap
from ._errors import translated
from ._model import Entry, Finding, SitemapWarning, entry_of
from ._options import ReadOptions, Source, python_names, words

if TYPE_CHECKING:
    import pyarrow
    from typing_extensions import Unpack


class _Reading:
    """What is known of a source besides its entries. It is complete when all entries are read."""

    _raw: Any
    _is_reported = False

    @property
    def problems(self) -> list[Finding]:
        """The problems so far: findings of the reader, and sitemaps that cannot be read.

        These are at most 10,000 problems, and at most 1,000 findings of each sitemap.
        """
        return [Finding(*values) for values in self._raw.problems()]

    @property
    def problem_count(self) -> int:
        """The number of problems so far, also of those that `problems` does not have."""
        count: int = self._raw.summary()[0]
        return count

    @property
    def left_out(self) -> int:
        """The number of entries that were left out, because their URL is missing or cannot be repaired.

        It is known when all entries are read. Each of them has a finding in `problems`.
        """
        count: int = self._raw.summary()[1]
        return count

    @property
    def notes(self) -> tuple[str, ...]:
        """What else the command would say, such as repeated requests. It is known when all entries are read."""
        return tuple(python_names(note) for note in self._raw.summary()[2])

    def _report(self, stacklevel: int) -> None:
        """Warns once if there are problems."""
        count, left_out, _, _ = self._raw.summary()
        if self._is_reported or count == 0:
            return
        self._is_reported = True
        kept = self.problems
        problems = "1 problem" if count == 1 else f"{count} problems"
        which = "all of them" if count == len(kept) else f"{len(kept)} of them"
        entries = {0: "", 1: ", 1 entry left out"}.get(left_out, f", {left_out} entries left out")
        warnings.warn(
            f"{problems}{entries}; the first is {kept[0]}; `problems` of `scan` has {which}",
            SitemapWarning,
            stacklevel=stacklevel + 1,
        )


class Scan(_Reading):
    """The entries of a source as batches of columns, which are read while they are used.

    Any library that reads Arrow's C stream takes a `Scan`, such as Polars, DuckDB and pyarrow. It can be used once.
    """

    def __init__(self, source: Source, options: ReadOptions) -> None:
        with translated():
            self._raw = _sitemap.Batches(source, words(options))

    def __arrow_c_schema__(self) -> object:
        return self._raw.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object:
        return self._raw.__arrow_c_stream__(requested_schema)

    def __iter__(self) -> Iterator[_sitemap.Batch]:
        return self

    def __next__(self) -> _sitemap.Batch:
        with translated():
            batch: _sitemap.Batch = next(self._raw)
        return batch


class Entries(_Reading):
    """An iterator over the entries of a source, which are read while they are used."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        with translated():
            self._raw = _sitemap.Rows(source, words(options))
        self._rows: Iterator[tuple[Any, ...]] = iter(())

    def __iter__(self) -> Iterator[Entry]:
        return self

    def __next__(self) -> Entry:
        while True:
            for row in self._rows:
                return entry_of(row)
            with translated():
                rows = next(self._raw, None)
            if rows is None:
                self._report(stacklevel=2)
                raise StopIteration
            self._rows = iter(rows)


def scan(source: Source, **options: Unpack[ReadOptions]) -> Scan:
    """Reads the entries of a source as batches of columns, with bounded memory.

    The source is that of `read`. Polars, DuckDB and other libraries that read Arrow take the result, without pyarrow:

        polars.DataFrame(sitemap.scan("https://www.example.com/sitemap.xml"))

    Check `problems` and `left_out` afterwards: a `Scan` does not warn.
    """
    return Scan(source, options)


def read(
    source: Source, *, problems: Optional[list[Finding]] = None, **options: Unpack[ReadOptions]
) -> pyarrow.Table:
    """Reads the entries of a source, and of all sitemaps that it lists, as a table of pyarrow.

    The source is a path, a folder, a URL, a host, the URL or path of a robots.txt, the bytes of a sitemap, or a file
    object that is open for reading bytes. Sitemaps, indexes, text sitemaps, RSS and Atom are read, each also with gzip.

    The columns are `loc`, `lastmod` (UTC), `lastmod_precision` (how exact it is given), `changefreq`, `priority`,
    `images`, `videos`, `news`, `alternates`, `elements` (JSON), and `sitemap`, the path or URL of the sitemap that lists
    the page.

    Problems, such as entries without a URL and child sitemaps that cannot be read, are added to the list `problems`, at
    most 1,000 of each sitemap and 10,000 in all; if there are more, a `SitemapWarning` has their number. Without that
    list, it has their number and the first of them.

    Raises `SitemapError` if the source itself cannot be read, and `ImportError` without pyarrow.
    """
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError(
            "`read` returns a table of pyarrow, which is not installed; run `pip install pyarrow`, or use `entries` or "
            "`scan`"
        ) from error
    found = Scan(source, options)
    batches = [pyarrow.record_batch(batch) for batch in found]
    table = pyarrow.Table.from_batches(batches, schema=pyarrow.schema(found))
    if problems is None:
        found._report(stacklevel=2)
    else:
        kept = found.problems
        problems.extend(kept)
        if found.problem_count > len(kept):
            warnings.warn(
                f"{found.problem_count} problems; the list `problems` has {len(kept)} of them",
                SitemapWarning,
                stacklevel=2,
            )
    return table


def entries(source: Source, **options: Unpack[ReadOptions]) -> Entries:
    """Reads the entries of a source, and of all sitemaps that it lists, one by one.

    The source is that of `read`. Needs no other package. After the last entry, a `SitemapWarning` is given if there are
    problems, which are in `problems` of the iterator.

    >>> [entry.loc for entry in entries(b"https://www.example.com/tea")]
    ['https://www.example.com/tea']
    """
    return Entries(source, options)


def sitemap_loc(base: str, loc: str | None) -> str | None:
    """Returns the URL that a sitemap lists for a URL or a path on the site `base`, or `None` if `loc` is neither.

    Use it to join a table of yours with a table of `read`: `/ä` and `/%C3%A4` are one page.
    """
    return _sitemap.sitemap_loc(base, loc)
