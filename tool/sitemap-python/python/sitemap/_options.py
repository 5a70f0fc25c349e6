"""The options of the functions, whose names and defaults are those of the command."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import IO, Any, TypedDict, Union

Source = Union[str, "PathLike[str]", bytes, IO[bytes]]
"""A path, a folder, a URL, a host, the bytes of a sitemap, or a file object that is open for reading bytes."""


class ReadOptions(TypedDict, total=False):
    """How sources are read, and how requests are sent. The names are those of the command: `sitemap list --help`."""

    allow_private: bool
    """Allow requests to this machine and to private networks."""
    allow_link_local: bool
    """Allow requests to link-local addresses."""
    timeout: int
    """The maximum number of seconds for the download of one sitemap, with its retries; 60."""
    max_bytes: int
    """The maximum size of one sitemap in bytes, both compressed and decompressed; 52,428,800."""
    max_files: int
    """The maximum number of files to read; 50,001."""
    probe: bool
    """For a host or the URL of a site, also look for sitemaps at the usual paths."""
    cache: Union[str, "PathLike[str]"]
    """Keep downloads in this folder, and ask the next time only whether they have changed."""
    cache_max_bytes: int
    """The maximum size of the cache in bytes; 1,073,741,824."""
    column: Sequence[str]
    """For lists in CSV and TSV, the columns that have a value, such as `["loc=Address"]`."""
    user_agent: str
    """The `User-Agent` of all requests."""
    headers: Mapping[str, str]
    """More headers, which are sent to the host of the source only."""
    auth: str
    """`user:password`, which is sent to the host of the source only."""
    bearer_file: Union[str, "PathLike[str]"]
    """The file of a bearer token, which is sent to the host of the source only."""
    bearer_env: str
    """The environment variable of such a token."""
    jobs: int
    """The maximum number of requests to one host at the same time; 16."""
    retries: int
    """The number of times that a failed request is repeated; 2."""
    threads: int
    """The maximum number of threads that read sitemaps; all cores."""


def words(options: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """Returns options under their names on the command line."""
    found = {**options, **more}
    headers = found.pop("headers", None)
    if headers:
        found["header"] = [f"{name}: {value}" for name, value in headers.items()]
    unknown = sorted(set(options) - set(ReadOptions.__annotations__))
    if unknown:
        known = ", ".join(f"`{name}`" for name in sorted(ReadOptions.__annotations__))
        raise TypeError(f"unknown option `{unknown[0]}`, expected one of {known}")
    return found


# Messages have options in quotes. Elsewhere, the same letters are a part of a URL, of a path or of another command.
OPTION = re.compile(r"(?<=[`'])--([a-z][a-z-]*)(?:=([a-z]+))?(?=[`' ])")


def python_names(message: str) -> str:
    """Replaces the options of the command in a message by their names in Python."""

    def name(found: re.Match[str]) -> str:
        value = "" if found[2] is None else f'="{found[2]}"'
        return found[1].replace("-", "_") + value

    return OPTION.sub(name, message)
