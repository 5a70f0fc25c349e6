"""Errors of the extension, in the words of Python."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ._model import SetShrunkError, SitemapError
from ._options import python_names


@contextmanager
def translated() -> Iterator[None]:
    """Replaces the options of the command in messages by their names in Python."""
    try:
        yield
    except SetShrunkError as error:
        raise SetShrunkError(python_names(str(error))) from None
    except SitemapError as error:
        raise SitemapError(python_names(str(error))) from None
