"""The command `sitemap`."""

from __future__ import annotations

import signal
import sys

from . import _sitemap


def main() -> None:
    """Runs the command with the arguments of the program."""
    # The command has handlers of its own. Python's would print a traceback.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_sitemap.command(sys.argv))
