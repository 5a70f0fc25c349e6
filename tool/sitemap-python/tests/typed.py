"""A small program for mypy: `mypy --strict`."""

from __future__ import annotations

from datetime import datetime
from typing import Optional

import sitemap


def newest(source: sitemap.Source) -> Optional[datetime]:
    """Returns the newest date of a sitemap."""
    dates = [entry.lastmod for entry in sitemap.entries(source, timeout=10) if entry.lastmod is not None]
    return max(dates, default=None)


def rules(folder: str) -> set[str]:
    """Returns the rules that a set breaks."""
    report: sitemap.Report = sitemap.check(folder, engines=["google"], strict=True)
    return {finding.rule for finding in report if finding.rule is not None}


def copy(source: str, out: str) -> int:
    """Publishes the entries of a sitemap once more."""
    problems: list[sitemap.Finding] = []
    table = sitemap.read(source, problems=problems)
    summary = sitemap.write(table, out, base="https://www.example.com", on_invalid="skip")
    return summary.urls + len(problems)


def images(source: bytes) -> list[str]:
    """Returns the images of all pages."""
    return [image.loc for entry in sitemap.entries(source) for image in entry.images if image.loc is not None]


def notes(source: bytes) -> list[str]:
    """Returns the messages of the findings that need no change."""
    return [finding.message for finding in sitemap.check(source) if finding.severity == "note"]
