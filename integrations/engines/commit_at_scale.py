"""Measures the commit of many shards against an S3 server that takes 30 ms for each request.

    SITEMAP=…/sitemap python3 integrations/engines/commit_at_scale.py SHARDS [OTHERS] [--no-lists] [--once]

The server is in this script. It holds no bytes of shards, only their names and sizes, so that nothing but the requests and
the commit takes time. OTHERS is the number of files in the same folder that are not part of the commit, such as
uncommitted shards of other runs. With `--no-lists`, the server refuses to list files, so that the commit looks for each shard
with a request of its own. The second commit, with the same shards, is left out with `--once`.
"""

import asyncio
import bisect
import email.utils
import hashlib
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from urllib.parse import parse_qs, unquote, urlsplit

LATENCY = 0.03
PAGE = 1_000
FOLDER = "sitemaps/"
STORED = 457_500
WRITTEN = email.utils.formatdate(1_767_225_600, usegmt=True)


def shard(number, seed):
    """Returns the name and the digest of a shard."""
    digest = hashlib.blake2b(f"{seed} {number}".encode(), digest_size=16).hexdigest()
    return f"sitemap-pages-{number:05}-1-{digest[:16]}.xml.gz", digest


class Server:
    """A bucket. Files that are put keep their bytes, and shards are only names."""

    def __init__(self, names, lists):
        self.names = sorted(FOLDER + name for name in names)
        self.known = set(self.names)
        self.put, self.parts, self.lists = {}, {}, lists
        self.requests = Counter()
        self.port = None

    def size(self, key):
        return len(self.put[key][0]) if key in self.put else STORED

    def tag(self, key):
        return self.put[key][1] if key in self.put else key[-23:-7]

    def list(self, query):
        prefix, after = query.get("prefix", [""])[0], query.get("start-after", [""])[0]
        after = query.get("continuation-token", [after])[0]
        keys, more = [], sorted(key for key in self.put if key not in self.known)
        for names in (self.names, more):
            at = bisect.bisect_right(names, after) if after else bisect.bisect_left(names, prefix)
            keys += names[at : at + PAGE + 1]
        keys = sorted(key for key in keys if key.startswith(prefix))
        page, is_cut = keys[:PAGE], len(keys) > PAGE
        rows = "".join(
            f"<Contents><Key>{key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>"
            f"<ETag>&quot;{self.tag(key)}&quot;</ETag><Size>{self.size(key)}</Size></Contents>"
            for key in page
        )
        token = f"<NextContinuationToken>{page[-1]}</NextContinuationToken>" if is_cut else ""
        head = f"<Name>bucket</Name><KeyCount>{len(page)}</KeyCount><IsTruncated>{str(is_cut).lower()}</IsTruncated>"
        return f'<?xml version="1.0" encoding="UTF-8"?><ListBucketResult>{head}{token}{rows}</ListBucketResult>'.encode()

    def answer(self, method, target, headers, body):
        """Returns a status, headers and a body."""
        url = urlsplit(target)
        key, query = unquote(url.path).split("/", 2)[2:], parse_qs(url.query, keep_blank_values=True)
        key = key[0] if key else ""
        if method == "GET" and not key:
            # Without a key, the request asks for a list, or whether the bucket exists.
            self.requests["list"] += 1
            if not self.lists and query.get("start-after"):
                return 403, {}, b"<Error><Code>AccessDenied</Code></Error>"
            return 200, {"Content-Type": "application/xml"}, self.list(query)
        self.requests[method.lower()] += 1
        exists = key in self.known or key in self.put
        if method == "POST":
            return self.post(key, query, body)
        if method == "PUT" and "partNumber" in query:
            self.parts.setdefault(query["uploadId"][0], {})[int(query["partNumber"][0])] = body
            return 200, {"ETag": f'"{hashlib.md5(body).hexdigest()}"'}, b""
        if method == "PUT" and "x-amz-copy-source" in headers:
            source = unquote(headers["x-amz-copy-source"]).lstrip("/").split("/", 1)[1]
            self.put[key] = self.put[source]
            return 200, {}, f'<CopyObjectResult><ETag>"{self.tag(key)}"</ETag></CopyObjectResult>'.encode()
        if method == "PUT":
            if_match, if_none = headers.get("if-match"), headers.get("if-none-match")
            if (if_none and exists) or (if_match and (not exists or if_match.strip('"') != self.tag(key))):
                return 412, {}, b"<Error><Code>PreconditionFailed</Code></Error>"
            tag = hashlib.md5(body).hexdigest()
            self.put[key] = (body, tag)
            return 200, {"ETag": f'"{tag}"'}, b""
        if method == "DELETE":
            self.put.pop(key, None)
            return 204, {}, b""
        if not exists:
            return 404, {}, b"" if method == "HEAD" else b"<Error><Code>NoSuchKey</Code></Error>"
        found = {"ETag": f'"{self.tag(key)}"', "Last-Modified": WRITTEN}
        if method == "HEAD":
            return 200, {**found, "Content-Length": str(self.size(key))}, None
        return 200, found, self.put[key][0]

    def post(self, key, query, body):
        """Begins or ends an upload in parts, or removes files."""
        if "delete" in query:
            names = re.findall("<Key>([^<]*)</Key>", body.decode())
            for name in names:
                self.put.pop(name, None)
            removed = "".join(f"<Deleted><Key>{name}</Key></Deleted>" for name in names)
            return 200, {}, f"<DeleteResult>{removed}</DeleteResult>".encode()
        if "uploads" in query:
            number = str(len(self.parts) + 1)
            self.parts[number] = {}
            answer = f"<Bucket>bucket</Bucket><Key>{key}</Key><UploadId>{number}</UploadId>"
            return 200, {}, f"<InitiateMultipartUploadResult>{answer}</InitiateMultipartUploadResult>".encode()
        content = b"".join(part for _, part in sorted(self.parts.pop(query["uploadId"][0]).items()))
        self.put[key] = (content, hashlib.md5(content).hexdigest())
        answer = f'<Bucket>bucket</Bucket><Key>{key}</Key><ETag>"{self.tag(key)}"</ETag>'
        return 200, {}, f"<CompleteMultipartUploadResult>{answer}</CompleteMultipartUploadResult>".encode()

    async def serve(self, reader, writer):
        try:
            while line := await reader.readline():
                method, target, _ = line.decode("latin-1").split()
                headers = {}
                while (field := await reader.readline()) not in (b"\r\n", b""):
                    name, _, value = field.decode("latin-1").partition(":")
                    headers[name.strip().lower()] = value.strip()
                body = await reader.readexactly(int(headers.get("content-length", 0)))
                begun = time.monotonic()
                status, fields, content = self.answer(method, target, headers, body)
                fields = {"Content-Length": str(len(content or b"")), **fields}
                head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
                await asyncio.sleep(max(0.0, LATENCY - (time.monotonic() - begun)))
                writer.write(f"HTTP/1.1 {status} -\r\n{head}\r\n".encode() + (content or b""))
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    def start(self):
        ready = threading.Event()

        async def run():
            server = await asyncio.start_server(self.serve, "127.0.0.1", 0, limit=1 << 20)
            self.port = server.sockets[0].getsockname()[1]
            ready.set()
            await server.serve_forever()

        threading.Thread(target=lambda: asyncio.run(run()), daemon=True).start()
        ready.wait()


def main():
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    count = int(arguments[0])
    others = int(arguments[1]) if len(arguments) > 1 else 0
    digests = dict(shard(number, "new") for number in range(count))
    # The other shards are spread over the same hash buckets.
    random.seed(1)
    spread = (shard(random.randrange(count), number)[0] for number in range(others))
    server = Server([*digests, *spread], "--no-lists" not in sys.argv)
    server.start()
    environment = dict(
        os.environ,
        AWS_ENDPOINT_URL=f"http://127.0.0.1:{server.port}",
        AWS_ALLOW_HTTP="true",
        AWS_ACCESS_KEY_ID="test",
        AWS_SECRET_ACCESS_KEY="test",
        AWS_REGION="us-east-1",
    )
    with tempfile.NamedTemporaryFile("w", suffix=".ndjson") as rows:
        for name, digest in digests.items():
            rows.write(
                f'{{"file":"{name}","base":"https://www.example.com/","buckets":{count},"urls":25000,'
                f'"bytes":3617500,"stored":{STORED},"digest":"{digest}"}}\n'
            )
        rows.flush()
        command = [os.environ["SITEMAP"], "shard", "commit", "--base", "https://www.example.com"]
        command += ["--out", "s3://bucket/sitemaps", "--expect-urls", str(count * 25_000), rows.name]
        for run in ("first",) if "--once" in sys.argv else ("first", "again"):
            server.requests.clear()
            begun = time.monotonic()
            with tempfile.TemporaryFile("w+") as output:
                process = subprocess.Popen(command, env=environment, stdout=output, stderr=output)
                _, status, usage = os.wait4(process.pid, 0)
                seconds = time.monotonic() - begun
                if status:
                    output.seek(0)
                    sys.exit(f"the commit failed: {output.read()[-2000:]}")
            cpu = usage.ru_utime + usage.ru_stime
            requests = ", ".join(f"{number} {kind}" for kind, number in sorted(server.requests.items()))
            print(
                f"{run}: {count} shards, {others} other files: {seconds:.1f} s, {cpu:.1f} CPU s,"
                f" peak RSS {usage.ru_maxrss / 1000:.0f} MB; {requests}",
                flush=True,
            )


if __name__ == "__main__":
    main()
