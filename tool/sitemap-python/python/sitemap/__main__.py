"""`python -m sitemap` is the command `sitemap`."""

import sys

from ._command import main

sys.argv[0] = "sitemap"
main()
