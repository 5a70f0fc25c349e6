"""A server on this machine, and small documents."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

NS = "http://www.sitemaps.org/schemas/sitemap/0.9"


def urlset(*entries: str, head: str = "") -> bytes:
    """Returns a sitemap with these `<url>` contents."""
    body = "".join(f"<url>{entry}</url>\n" for entry in entries)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{NS}"{head}>\n{body}</urlset>\n'.encode()


def index(*locs: str) -> bytes:
    """Returns a sitemap index."""
    body = "".join(f"<sitemap><loc>{loc}</loc></sitemap>\n" for loc in locs)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="{NS}">\n{body}</sitemapindex>\n'.encode()


class Server:
    """Answers with the bytes of `files`, and waits `pause` seconds before."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.redirects: dict[str, str] = {}
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.pause = 0.0
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.requests.append((self.path, dict(self.headers)))
                time.sleep(server.pause)
                if self.path in server.redirects:
                    self.send_response(301)
                    self.send_header("Location", server.redirects[self.path])
                    self.end_headers()
                    return
                body = server.files.get(self.path)
                self.send_response(404 if body is None else 200)
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *args: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.http.server_address[1]}{path}"


@pytest.fixture
def server() -> Iterator[Server]:
    one = Server()
    yield one
    one.http.shutdown()
