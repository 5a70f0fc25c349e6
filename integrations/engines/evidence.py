"""Crawls a small site on this machine twice, and checks what `examples/evidence.sql` answers about it.

    SITEMAP=…/sitemap SITEMAP_SQL=…/sitemap-sql python3 integrations/engines/evidence.py
"""

import os
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HERE = os.path.dirname(os.path.abspath(__file__))
TREES = ["ash", "beech", "elm", "fir", "oak", "pine"]
LISTED = ["", *TREES, "cart", "gone", "old"]
ENTRIES = "".join(f"<url><loc>%s/{name}</loc><lastmod>2020-01-31</lastmod></url>" for name in LISTED)


class Site:
    """A site with a page for each tree. Some pages should not be listed, and `/new` is not listed."""

    def __init__(self):
        self.texts = {tree: f"The {tree} grows slowly." for tree in TREES}
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                status, headers, body = site.answer(self.path[1:])
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_):
                pass

        self.listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.listener.server_port}"
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()

    def answer(self, name):
        html = {"Content-Type": "text/html"}
        page = lambda title, text: f"<html lang=en><title>{title}</title><main><p>{text}</main>"
        if name == "":
            return 200, html, page("Trees", "".join(f"<a href=/{tree}>{tree}</a>" for tree in [*TREES, "new"]))
        if name in self.texts:
            return 200, html, page(name.title(), self.texts[name])
        if name == "new":
            return 200, html, page("New", "Trees that were planted this year.")
        if name == "cart":
            return 200, {**html, "X-Robots-Tag": "noindex"}, page("Cart", "What you have bought.")
        if name == "old":
            return 301, {**html, "Location": "/oak"}, ""
        if name == "sitemap.xml":
            return 200, {"Content-Type": "application/xml"}, self.sitemap()
        return 404, html, ""

    def sitemap(self):
        namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
        return f'<?xml version="1.0"?><urlset xmlns="{namespace}">{ENTRIES.replace("%s", self.base)}</urlset>'


def run(command, **more):
    ran = subprocess.run(command, text=True, capture_output=True, timeout=300, **more)
    if ran.returncode:
        sys.exit(f"{command[0]} failed:\n{ran.stdout}\n{ran.stderr}")
    return ran.stdout


def tables(answers):
    """Returns the rows of each table that `sitemap-sql` has printed, without its head."""
    found, borders = [], 0
    for line in answers.splitlines():
        if line.startswith("+"):
            borders += 1
            if borders % 3 == 1:
                found.append([])
        elif borders % 3 == 2:
            found[-1].append([cell.strip() for cell in line.strip("|").split("|")])
    return found


def main():
    site = Site()
    with tempfile.TemporaryDirectory(prefix="sitemap-evidence-") as folder:
        os.mkdir(f"{folder}/site")
        with open(f"{folder}/site/sitemap.xml", "w") as file:
            file.write(site.sitemap())
        crawl = [os.environ["SITEMAP"], "crawl", f"{site.base}/", "--state", f"{folder}/site.state"]
        crawl += ["--allow-private"]
        run(crawl)
        site.texts["oak"] = "The oak was struck by lightning."
        run(crawl)
        with open(f"{HERE}/examples/evidence.sql") as file:
            sql = file.read().replace("/tmp/", f"{folder}/")
        sql += f"CREATE EXTERNAL TABLE kept STORED AS PARQUET LOCATION '{folder}/evidence.parquet';"
        sql += "SELECT count(*), count(DISTINCT loc), max(run) FROM kept;"
        answers = run([os.environ["SITEMAP_SQL"], "-"], input=sql)
        url = lambda name: f"{site.base}/{name}"
        expected = [
            [
                [url("cart"), "200", "", "header"],
                [url("gone"), "404", "", ""],
                [url("old"), "200", url("oak"), ""],
            ],
            [[url("new"), "New"]],
            [[url("oak"), "2020-01-31"]],
            [["11"]],
            [["11", "11", "2"]],
        ]
        if tables(answers) != expected:
            sys.exit(f"the answers are not the expected ones:\n{answers}")
        print("the evidence says which listed pages are wrong, which are missing, and which dates are old")


if __name__ == "__main__":
    main()
