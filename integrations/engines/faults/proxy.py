"""A proxy between a command and an S3 server, which can interrupt the command at a fault."""

import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit


class Proxy:
    """Calls `before` and `after` around the put of a set's `sitemap.xml`; a true result closes the connection.

    With `fails`, every request whose number is a multiple of it gets the answer 500: in turn instead of being carried out,
    and after it was carried out. `failed` counts them.
    """

    def __init__(self, server, before=None, after=None, fails=None):
        self.requests, self.failed, counting = 0, 0, threading.Lock()
        proxy = self
        upstream = urlsplit(server).netloc

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def forward(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                is_index = self.command == "PUT" and self.path.split("?")[0].endswith("/sitemap.xml")
                if is_index and before and before():
                    self.close_connection = True
                    return
                with counting:
                    proxy.requests += 1
                    fault = fails and proxy.requests % fails == 0
                    proxy.failed += bool(fault)
                    is_carried_out = not fault or proxy.failed % 2 == 0
                if not is_carried_out:
                    return self.error()
                connection = http.client.HTTPConnection(upstream, timeout=60)
                headers = {name: value for name, value in self.headers.items() if name.lower() != "connection"}
                connection.request(self.command, self.path, body, headers)
                answer = connection.getresponse()
                content = answer.read()
                connection.close()
                if fault:
                    return self.error()
                if is_index and after and after():
                    self.close_connection = True
                    return
                self.send_response_only(answer.status, answer.reason)
                for name, value in answer.getheaders():
                    if name.lower() not in ("connection", "transfer-encoding", "content-length"):
                        self.send_header(name, value)
                length = answer.getheader("Content-Length") if self.command == "HEAD" else len(content)
                self.send_header("Content-Length", str(length or 0))
                self.end_headers()
                self.wfile.write(content)

            def error(self):
                self.send_response_only(500, "Internal Server Error")
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_GET = do_PUT = do_HEAD = do_DELETE = do_POST = forward

            def log_message(self, *_):
                pass

        self.listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.listener.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.listener.server_port}"

    def __enter__(self):
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.shutdown()
        self.listener.server_close()
