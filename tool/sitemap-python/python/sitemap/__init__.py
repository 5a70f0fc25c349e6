"""Reads, checks and publishes XML sitemaps, at the speed of the command `sitemap`.

    import sitemap

    table = sitemap.read("https://www.example.com/sitemap.xml")         # a table of pyarrow
    for entry in sitemap.entries("public/"):                            # dataclasses
        print(entry.loc, entry.lastmod)
    report = sitemap.check("public/", engines=["google"])
    summary = sitemap.write(table, "out", base="https://www.example.com")

All functions work without the interpreter's lock, and Ctrl-C ends them.
"""

from ._check import check
from ._model import (
    Alternate,
    Entry,
    Finding,
    Image,
    News,
    Publication,
    PublishedFile,
    Report,
    SetShrunkError,
    SitemapError,
    SitemapWarning,
    Summary,
    Video,
)
from ._options import ReadOptions, Source
from ._read import Entries, Scan, entries, read, scan, sitemap_loc
from ._write import Row, write

__all__ = [
    "Alternate",
    "Entries",
    "Entry",
    "Finding",
    "Image",
    "News",
    "Publication",
    "PublishedFile",
    "ReadOptions",
    "Report",
    "Row",
    "Scan",
    "SetShrunkError",
    "SitemapError",
    "SitemapWarning",
    "Source",
    "Summary",
    "Video",
    "check",
    "entries",
    "read",
    "scan",
    "sitemap_loc",
    "write",
]
