"""Publishing."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import IO, Any, Literal, Optional, Union

from . import _sitemap
from ._errors import translated
from ._model import Entry, PublishedFile, Summary, date_text, object_of
from ._options import python_names, words
from ._read import Scan

Row = Union[str, Mapping[str, Any], Entry]
"""A page: its URL, a mapping with the keys of an entry, or an entry."""


def write(
    rows: Union[Iterable[Row], Any],
    out: Union[str, os.PathLike[str]],
    *,
    base: str,
    section: str = "pages",
    gzip: bool = False,
    names: Literal["stable", "digest"] = "stable",
    format: Literal["xml", "text"] = "xml",
    max_urls: int = 50_000,
    on_invalid: Literal["stop", "skip"] = "stop",
    also_list: Sequence[str] = (),
    keep_sections: bool = False,
    change_base: bool = False,
    max_shrink: Optional[str] = None,
    allow_shrink: Union[bool, Literal["empty"]] = False,
    threads: Optional[int] = None,
) -> Summary:
    """Publishes pages as a set of sitemaps, in a folder or in an object store (`s3://`, `gs://`, `az://`).

    The rows are a table of Arrow (pyarrow, pandas, Polars, DuckDB or a `Scan`) with the columns of `read`, of which only
    `loc` is required; or URLs, mappings or entries. A `loc` that starts with `/` is relative to `base`, the URL of the
    folder that the sitemap is served from. Times without a zone are in UTC.

    The set has files of at most `max_urls` pages and 52,428,800 bytes, and an index if there are several files. Either
    the new set is published whole, or the old one stays. `section` is part of the file names; with `keep_sections`, other
    sections of the published set stay. `on_invalid="skip"` leaves out invalid pages, which the summary has. If a `Scan`
    has problems, a `SitemapWarning` is given before the set is replaced.

    Raises `SetShrunkError` if the published set would lose more than 30 percent of its pages; `max_shrink` sets another
    limit (`"50%"`), and `allow_shrink` allows it for this run. Raises `SitemapError` for an invalid page with its row, and for
    all other errors.
    """
    options = words(
        {},
        base=base,
        out=out,
        section=section,
        gzip=gzip,
        names=names,
        format=format,
        max_urls=max_urls,
        on_invalid=on_invalid,
        also_list=[also_list] if isinstance(also_list, str) else list(also_list),
        keep_sections=keep_sections,
        change_base=change_base,
        max_shrink=max_shrink,
        allow_shrink=allow_shrink,
        threads=threads,
        input_format="ndjson",
    )
    # The command reads its input twice, first to find the namespaces that the files must declare.
    with tempfile.TemporaryDirectory(prefix="sitemap-") as folder:
        path = os.path.join(folder, "rows.ndjson")
        if hasattr(rows, "__arrow_c_stream__"):
            _sitemap.write_rows(rows, path)
            if isinstance(rows, Scan):
                # Before the set is replaced: a program may treat warnings as errors.
                rows._report(stacklevel=2)
        else:
            with open(path, "w", encoding="utf-8") as file:
                _write_lines(rows, file)
        try:
            with translated():
                values = _sitemap.build(path, options)
        except Exception as error:
            # The line of the file is the row of the input.
            error.args = tuple(_row(arg, path) for arg in error.args)
            raise
    (entry_point, urls, size, skipped, records, removed, files, indexes, robots_txt, notes) = values
    return Summary(
        entry_point,
        urls,
        size,
        skipped,
        tuple(_row(record, path) for record in records),
        removed,
        tuple(PublishedFile(*file) for file in files),
        tuple(PublishedFile(*file) for file in indexes),
        robots_txt,
        tuple(python_names(_row(note, path)) for note in notes),
    )


def _row(message: str, path: str) -> str:
    return message.replace(f"{path}:", "row ") if isinstance(message, str) else message


def _write_lines(rows: Iterable[Row], file: IO[str]) -> None:
    if isinstance(rows, (str, bytes, Mapping)):
        raise TypeError(f"the rows are of the type `{type(rows).__name__}`; give a list of rows")
    encode = json.JSONEncoder(ensure_ascii=False, default=_encoded).encode
    for number, row in enumerate(rows, start=1):
        if isinstance(row, str):
            values: Mapping[str, Any] = {"loc": row}
        elif isinstance(row, Entry):
            values = object_of(row)
        elif isinstance(row, Mapping):
            values = row if isinstance(row, dict) else dict(row)
        else:
            found = type(row).__name__
            raise TypeError(f"row {number} is of the type `{found}`; give a URL, a mapping or an `Entry`")
        file.write(encode(values))
        file.write("\n")


def _encoded(value: object) -> Any:
    if isinstance(value, date):
        return date_text(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a value is of the type `{type(value).__name__}`; give a text, a number, a date or a list")
