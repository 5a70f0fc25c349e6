"""What the module returns: entries, findings, reports and summaries; and what it raises."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from datetime import date, datetime, timedelta, timezone
from typing import Any, Literal, Optional

__all__ = [
    "Alternate",
    "Entry",
    "Finding",
    "Image",
    "News",
    "Publication",
    "PublishedFile",
    "Report",
    "SetShrunkError",
    "SitemapError",
    "SitemapWarning",
    "Summary",
    "Video",
]

Precision = Literal["year", "month", "day", "minute", "second", "fraction"]
ChangeFreq = Literal["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"]
Severity = Literal["error", "warning", "note"]


class SitemapError(Exception):
    """A source that cannot be read, an option with a wrong value, or a set that cannot be published.

    The message says what was found and what to do.
    """


class SetShrunkError(SitemapError):
    """The refusal to publish a set that would lose too many pages. The old set stays published."""


class SitemapWarning(UserWarning):
    """The warning that a sitemap has problems, with their number and the first of them."""


@dataclass(frozen=True)
class Image:
    """An image on a page. Google reads `loc` only."""

    loc: Optional[str] = None
    caption: Optional[str] = None
    geo_location: Optional[str] = None
    title: Optional[str] = None
    license: Optional[str] = None


@dataclass(frozen=True)
class Video:
    """A video on a page. Dates are texts, in the form that the sitemap has."""

    thumbnail_loc: Optional[str] = None
    title: Optional[str] = None
    description: Optional[str] = None
    content_loc: Optional[str] = None
    player_loc: Optional[str] = None
    allow_embed: Optional[bool] = None
    autoplay: Optional[str] = None
    duration: Optional[int] = None
    """Seconds."""
    expiration_date: Optional[str] = None
    rating: Optional[float] = None
    """From 0 to 5."""
    content_segments: tuple[dict[str, Any], ...] = ()
    view_count: Optional[int] = None
    publication_date: Optional[str] = None
    tags: tuple[str, ...] = ()
    category: Optional[str] = None
    family_friendly: Optional[bool] = None
    restriction: Optional[dict[str, Any]] = None
    """`relationship`, `allow` or `deny`, and `countries`."""
    gallery: Optional[dict[str, Any]] = None
    prices: tuple[dict[str, Any], ...] = ()
    requires_subscription: Optional[bool] = None
    uploader: Optional[dict[str, Any]] = None
    tv_show: Optional[dict[str, Any]] = None
    platforms: Optional[dict[str, Any]] = None
    live: Optional[bool] = None
    ids: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True)
class Publication:
    """The publication of a news article."""

    name: Optional[str] = None
    language: Optional[str] = None


@dataclass(frozen=True)
class News:
    """A news article. The date is a text, in the form that the sitemap has."""

    publication: Publication = field(default_factory=Publication)
    access: Optional[str] = None
    genres: tuple[str, ...] = ()
    publication_date: Optional[str] = None
    title: Optional[str] = None
    keywords: Optional[str] = None
    stock_tickers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Alternate:
    """A language version of a page."""

    hreflang: str
    href: str


@dataclass(frozen=True)
class Entry:
    """A page that a sitemap lists.

    The values are those of the protocol (sitemaps.org); `images`, `videos`, `news` and `alternates` are extensions of
    Google.

    >>> Entry("https://www.example.com/tea", priority=0.8).loc
    'https://www.example.com/tea'
    """

    loc: str
    """The URL."""
    lastmod: Optional[datetime] = None
    """The date of the last change, in UTC. A date without a time is midnight."""
    lastmod_precision: Optional[Precision] = None
    """How exact the sitemap gives `lastmod`."""
    changefreq: Optional[ChangeFreq] = None
    priority: Optional[float] = None
    """From 0.0 to 1.0."""
    images: tuple[Image, ...] = ()
    videos: tuple[Video, ...] = ()
    news: Optional[News] = None
    alternates: tuple[Alternate, ...] = ()
    elements: tuple[dict[str, Any], ...] = ()
    """The elements of other namespaces, as `sitemap list --format ndjson` prints them."""
    sitemap: Optional[str] = None
    """The path or URL of the sitemap that lists the page. `write` leaves it out."""


@dataclass(frozen=True)
class Finding:
    """A mistake in a sitemap, with its place and remedy. `str` is the line that the command prints."""

    rule: Optional[str]
    """The rule, as in `sitemap check --explain RULE`. `None` if the sitemap cannot be read at all."""
    severity: Severity
    message: str
    """What is wrong, and usually the value that was found. It begins with `loc` unless it quotes it."""
    remedy: Optional[str]
    """What to do."""
    loc: Optional[str]
    """The URL of the entry with the mistake. `None` if the finding is not about an entry."""
    sitemap: str
    """The path or URL of the sitemap."""
    section: str
    """The section of the sitemap, such as `posts` for `sitemap-posts-1.xml`."""
    line: Optional[int]
    """The line, from 1."""
    column: Optional[int]
    """The column, from 1."""
    offset: Optional[int]
    """The number of bytes before the place, in the decompressed document."""
    length: Optional[int]
    """The number of bytes of the place."""

    def __str__(self) -> str:
        if self.rule is None:
            return f"{self.sitemap}: {self.severity}: {self.message}"
        place = f"{self.sitemap}:{self.line}:{self.column}"
        return f"{place}: {self.severity}[{self.rule}]: {self.message}; {self.remedy}"


@dataclass(frozen=True)
class Report:
    """The report of a check. It iterates over its findings."""

    findings: tuple[Finding, ...]
    """The findings, in the order of files and lines."""
    files: int
    """The number of sitemaps that were checked."""
    pages: int
    """The number of pages that they list."""
    errors: int
    """The number of errors, also of those that `findings` does not have."""
    warnings: int
    """The number of warnings, also of those that `findings` does not have."""
    counts: dict[str, int]
    """The number of findings by rule."""
    omitted: dict[str, int]
    """The number of findings by rule that `findings` does not have, because of `max_findings`."""
    allowed: dict[str, int]
    """The number of findings by rule that `allow` switches off."""
    notes: tuple[str, ...]
    """What else the command would say, such as files that were not checked."""

    @property
    def ok(self) -> bool:
        """Whether there are no errors."""
        return self.errors == 0

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)


@dataclass(frozen=True)
class PublishedFile:
    """A file of a published set."""

    name: str
    loc: str
    """The URL."""
    entries: int
    bytes: int
    """The size without compression."""
    stored_bytes: int
    """The size of the file."""
    changed: bool
    """Whether the run wrote the file. An unchanged file is not replaced."""


@dataclass(frozen=True)
class Summary:
    """The summary of a published set."""

    entry_point: str
    """The URL of the index, or of the sitemap if there is only one."""
    urls: int
    bytes: int
    """The size of all files that list pages, without compression."""
    skipped: int
    """The number of invalid pages that were left out. It is 0 unless `on_invalid` is `"skip"`."""
    skipped_records: tuple[str, ...]
    """The first thousand of them, each with its row and the reason."""
    removed_files: int
    """The number of files of earlier sets that were removed."""
    files: tuple[PublishedFile, ...]
    """The files that list pages."""
    indexes: tuple[PublishedFile, ...]
    robots_txt: str
    """The lines for robots.txt."""
    notes: tuple[str, ...]
    """What else the command would say."""


EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def entry_of(row: tuple[Any, ...]) -> Entry:
    """Returns the entry with the values of a row of the extension."""
    loc, lastmod, precision, changefreq, priority, extensions, elements, sitemap = row
    date = None if lastmod is None else EPOCH + timedelta(microseconds=lastmod)
    if extensions is None and elements is None:
        return Entry(loc, date, precision, changefreq, priority, sitemap=sitemap)
    values = {} if extensions is None else json.loads(extensions)
    return Entry(
        loc,
        date,
        precision,
        changefreq,
        priority,
        tuple(Image(**image) for image in values.get("images", ())),
        tuple(Video(**_tuples(video)) for video in values.get("videos", ())),
        _news(values.get("news")),
        tuple(Alternate(**alternate) for alternate in values.get("alternates", ())),
        () if elements is None else tuple(json.loads(elements)),
        sitemap,
    )


def _news(values: Optional[dict[str, Any]]) -> Optional[News]:
    if values is None:
        return None
    values = _tuples(values)
    if "publication" in values:
        values["publication"] = Publication(**values["publication"])
    return News(**values)


def _tuples(values: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}


def object_of(entry: Entry) -> dict[str, Any]:
    """Returns an entry as an object of JSON, which the command reads."""
    values: dict[str, Any] = _object(entry)
    values.pop("sitemap", None)
    precision = values.pop("lastmod_precision", None)
    if entry.lastmod is not None:
        values["lastmod"] = date_text(entry.lastmod, precision)
    return values


def _object(value: Any) -> Any:
    """Returns the fields of a dataclass that have a value."""
    found = {}
    for one in fields(value):
        inner = getattr(value, one.name)
        if inner is None or inner == ():
            continue
        if isinstance(inner, tuple):
            inner = [_object(item) if isinstance(item, CLASSES) else item for item in inner]
        elif isinstance(inner, CLASSES):
            inner = _object(inner)
        found[one.name] = inner
    return found


CLASSES = (Alternate, Image, News, Publication, Video)

LENGTHS = {"year": 4, "month": 7, "day": 10}


def date_text(moment: date, precision: Optional[str] = None) -> str:
    """Returns a date in the form of the protocol. A time without a zone is in UTC."""
    if not isinstance(moment, datetime):
        return moment.isoformat()
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    if precision in LENGTHS:
        return moment.isoformat()[: LENGTHS[precision]]
    timespec = {"minute": "minutes", "second": "seconds"}.get(precision or "", "auto")
    return moment.isoformat(timespec=timespec)
