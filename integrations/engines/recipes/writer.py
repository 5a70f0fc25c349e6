"""Writes one part of the shards of a table, which here are 20,000 made-up pages.

    python3 writer.py 1/2 rows-1.jsonl

The file is only there if the part was written in full, so a part that was killed is simply run again.
"""

import json
import os
import subprocess
import sys


def pages():
    for number in range(20_000):
        section = "books" if number % 2 else "tea"
        yield {"loc": f"/книги/чай {number}", "section": section, "images": [{"loc": f"https://example.com/{number}.jpg"}]}


def main(part, rows):
    command = "sitemap shard write --base https://www.example.com --out /tmp/recipes/python --buckets 4 --gzip --part"
    new = f"{rows}.{os.getpid()}"
    with open(new, "wb") as printed:
        writer = subprocess.Popen([*command.split(), part], stdin=subprocess.PIPE, stdout=printed)
        for page in pages():
            writer.stdin.write(json.dumps(page).encode() + b"\n")
        writer.stdin.close()
    if writer.wait() != 0:
        sys.exit(f"part {part} failed")
    os.replace(new, rows)


main(*sys.argv[1:])
