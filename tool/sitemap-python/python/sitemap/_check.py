"""Checking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Optional, Union

from . import _sitemap
from ._errors import translated
from ._model import Finding, Report
from ._options import ReadOptions, Source, python_names, words

if TYPE_CHECKING:
    from os import PathLike

    from typing_extensions import Unpack

Engine = Literal["google", "bing", "yandex"]


def check(
    source: Source,
    *,
    engines: Sequence[Engine] = (),
    strict: bool = False,
    allow: Sequence[str] = (),
    warn: Sequence[str] = (),
    deny: Sequence[str] = (),
    at: Optional[str] = None,
    follow: bool = True,
    baseline: Optional[Union[str, PathLike[str]]] = None,
    max_findings: int = 1_000,
    **options: Unpack[ReadOptions],
) -> Report:
    """Checks a source, and all sitemaps that it lists, by over a hundred rules.

    `engines` adds the rules of search engines, and `strict` makes warnings errors. `allow`, `warn` and `deny` name rules,
    groups, severities or `all`, as `sitemap check --explain all` lists them. `at` is the URL at which a file or folder is
    served; it decides which pages a sitemap may list. Without `follow`, an index is checked alone. `baseline` is a file
    of `sitemap check --write-baseline`, whose findings are left out. `max_findings` is the maximum number of findings for
    each rule; 0 is all.

    No `sitemap.toml` is read. Raises `SitemapError` if the source cannot be read, or if a server gives no answer for one of
    its sitemaps, because the report would not be complete.

    >>> report = check(b"https://www.example.com/#tea")
    >>> [finding.rule for finding in report]
    ['loc-fragment']
    """
    given = words(
        options,
        engine=list(engines),
        strict=strict,
        allow=_names(allow),
        warn=_names(warn),
        deny=_names(deny),
        at=at,
        no_follow=not follow,
        baseline=baseline,
        max_findings=max_findings,
    )
    with translated():
        findings, files, pages, errors, warnings, counts, omitted, allowed, notes = _sitemap.check(source, given)
    return Report(
        tuple(Finding(*values) for values in findings),
        files,
        pages,
        errors,
        warnings,
        counts,
        omitted,
        allowed,
        tuple(python_names(note) for note in notes),
    )


def _names(names: Sequence[str]) -> list[str]:
    """Returns a list of names, also for a single name."""
    return [names] if isinstance(names, str) else list(names)
