"""Publishes a Parquet file in one process and on two workers, and compares the shards and the costs of each process.

    SITEMAP_SQL=…/sitemap-sql MAKE_PAGES=…/make_pages python3 engines/figures_workers.py ROWS BUCKETS

CPU is the user and system time of a process, and the memory its largest resident set, both from /proc. The processes share
a folder.
"""

import os
import re
import socket
import subprocess
import sys
import tempfile
import time

BASE = "https://www.example.com"
TICKS = os.sysconf("SC_CLK_TCK")


def costs(pid):
    """Returns the CPU seconds of a process, and its peak of resident memory in MB."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    with open(f"/proc/{pid}/status") as file:
        peak = int(re.search(r"VmHWM:\s+(\d+) kB", file.read()).group(1)) * 1024
    return (int(fields[11]) + int(fields[12])) / TICKS, peak / 1e6


def published(options, statement):
    """Runs a statement, and returns the costs of its process and the wall seconds."""
    command = [os.environ["SITEMAP_SQL"], *options, "-"]
    started, measured = time.monotonic(), (0, 0)
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=log, text=True)
        process.stdin.write(statement)
        process.stdin.close()
        # The values of a process are there until it has been waited for, except for its memory.
        while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            try:
                measured = costs(process.pid)
            except (AttributeError, OSError):
                pass
            time.sleep(0.02)
        wall = time.monotonic() - started
        if process.wait():
            log.seek(0)
            sys.exit(f"{command} failed:\n{log.read()}")
    return (*measured, wall)


def main():
    rows, buckets = int(sys.argv[1]), int(sys.argv[2])
    with tempfile.TemporaryDirectory(prefix="sitemap-figures-") as folder:
        subprocess.run([os.environ["MAKE_PAGES"], str(rows), f"{folder}/pages.parquet"], check=True)
        size = os.path.getsize(f"{folder}/pages.parquet")
        statement = lambda out: (
            f"CREATE EXTERNAL TABLE pages STORED AS PARQUET LOCATION '{folder}/pages.parquet';"
            f"COPY (SELECT loc, lastmod, changefreq, priority FROM pages) TO '{folder}/{out}/' STORED AS SITEMAP "
            f"OPTIONS (base '{BASE}', buckets {buckets}, gzip true, expect_urls {rows})"
        )
        print(f"{rows} rows, {size / 1e6:.1f} MB of Parquet")
        print("| process | CPU s | peak RSS MB | wall s |\n|---|--:|--:|--:|", flush=True)
        cpu, peak, wall = published([], statement("alone"))
        print(f"| alone | {cpu:.1f} | {peak:.0f} | {wall:.1f} |", flush=True)
        workers, urls = [], []
        for _ in range(2):
            with socket.create_server(("127.0.0.1", 0)) as free:
                port = free.getsockname()[1]
            command = [os.environ["SITEMAP_SQL"], "worker", "--listen", f"127.0.0.1:{port}"]
            workers.append(subprocess.Popen(command, stderr=subprocess.DEVNULL))
            urls.append(f"http://127.0.0.1:{port}")
        time.sleep(2)
        try:
            options = ["--workers", ",".join(urls), "--retries", "0"]
            cpu, peak, wall = published(options, statement("together"))
            print(f"| with two workers | {cpu:.1f} | {peak:.0f} | {wall:.1f} |", flush=True)
            for number, worker in enumerate(workers, 1):
                cpu, peak = costs(worker.pid)
                print(f"| worker {number} | {cpu:.1f} | {peak:.0f} | |", flush=True)
        finally:
            for worker in workers:
                worker.terminate()
                worker.wait()
        names = [sorted(name for name in os.listdir(f"{folder}/{out}") if name.startswith("sitemap-pages-")) for out in ("alone", "together")]
        if names[0] != names[1] or not names[0]:
            sys.exit("the workers wrote other shards than the process alone")
        # The names contain digests of the bytes, so equal names mean equal bytes.
        print(f"both wrote the same {len(names[0])} shards")


if __name__ == "__main__":
    main()
