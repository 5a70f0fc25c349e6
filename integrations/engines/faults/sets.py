"""The pages, the commands that publish them, and the published set."""

import atexit
import os
import re
import shutil
import subprocess
import tempfile
import urllib.request
import zlib

BASE = "https://www.example.com"
BUCKETS = 8


class Failed(Exception):
    """An expectation that was not met."""


def expect(holds, what):
    if not holds:
        raise Failed(what)


def loc(number):
    return f"{BASE}/items/{number}"


def rows(numbers, lastmod="2026-01-31"):
    """Returns tab-separated rows."""
    return "".join(f"{loc(number)}\t{lastmod}\n" for number in numbers)


class Place:
    """The destination of a set: a folder, or a folder in a bucket."""

    def __init__(self, name):
        self.endpoint = os.environ.get("SITEMAP_TEST_S3") if name == "s3" else None
        self.name = name
        self.env = dict(os.environ)
        if self.endpoint:
            server, bucket_name = self.endpoint.rsplit("/", 1)
            self.out = f"s3://{bucket_name}/{os.urandom(4).hex()}"
            self.through(server)
            self.env.update(AWS_ACCESS_KEY_ID="test", AWS_SECRET_ACCESS_KEY="test", AWS_REGION="us-east-1")
            self.env.update(AWS_ALLOW_HTTP="true")
        else:
            self.folder = tempfile.mkdtemp(prefix="sitemap-faults-")
            atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
            self.out = self.folder

    def through(self, server):
        """Uses this URL for the S3 service."""
        self.env["AWS_ENDPOINT_URL"] = server

    def command(self, *arguments):
        return [os.environ["SITEMAP"], *arguments]

    def write_command(self, *more):
        site = ["--base", BASE, "--out", self.out, "--section", "items"]
        return self.command("shard", "write", *site, "--buckets", str(BUCKETS), "--gzip", "--format", "tsv", *more)

    def commit_command(self, *more):
        # The faults replace larger sets by smaller ones.
        limit = ("--max-shrink", "off")
        return self.command("shard", "commit", "--base", BASE, "--out", self.out, *limit, *more)

    def run(self, command, stdin=""):
        return subprocess.run(command, input=stdin, text=True, capture_output=True, env=self.env, timeout=300)

    def start(self, command, **more):
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self.env,
            **more,
        )

    def write(self, numbers, *more, lastmod="2026-01-31"):
        """Writes shards and returns their rows of the manifest."""
        ran = self.run(self.write_command(*more), rows(numbers, lastmod))
        expect(ran.returncode == 0, f"writing failed: {ran.stderr}")
        return ran.stdout

    def commit(self, manifest, *more):
        ran = self.run(self.commit_command(*more), manifest)
        expect(ran.returncode == 0, f"the commit failed: {ran.stderr}")
        return ran.stdout

    def publish(self, numbers, lastmod="2026-01-31"):
        self.commit(self.write(numbers, lastmod=lastmod), "--expect-urls", str(len(numbers)))

    def get(self, name):
        """Returns the bytes of a published file."""
        if not self.endpoint:
            with open(os.path.join(self.folder, name), "rb") as file:
                return file.read()
        return self.ask(f"/{self.out.rsplit('/', 1)[1]}/{name}")

    def ask(self, path):
        """Returns the body of the service's answer."""
        request = urllib.request.Request(self.endpoint + path, headers={"Authorization": "AWS test:test"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read()

    def names(self):
        """Returns the names of all files that do not start with a dot."""
        if self.endpoint:
            prefix = self.out.rsplit("/", 1)[1]
            listing = self.ask(f"?list-type=2&prefix={prefix}/").decode()
            found = [key.rsplit("/", 1)[1] for key in re.findall("<Key>([^<]*)</Key>", listing)]
        else:
            found = os.listdir(self.folder)
        return {name for name in found if not name.startswith(".")}

    def index(self):
        return self.get("sitemap.xml")

    def shards(self):
        return [name.rsplit("/", 1)[1] for name in re.findall(r"<loc>([^<]*)</loc>", self.index().decode())]

    def pages(self):
        """Returns every URL of the set, including duplicates."""
        found = []
        for name in self.shards():
            xml = zlib.decompress(self.get(name), 31).decode()
            found += re.findall(r"<loc>([^<]*)</loc>", xml)
        return found

    def expect_pages(self, numbers):
        self.expect_one_of(numbers)

    def expect_one_of(self, *choices):
        """Returns the pages that the set lists; a late request may replace the set right after it was read."""
        found = self.pages()
        expect(len(found) == len(set(found)), "the set lists a page twice")
        for numbers in choices:
            if set(found) == {loc(number) for number in numbers}:
                return numbers
        raise Failed("the set does not list exactly the expected pages")
