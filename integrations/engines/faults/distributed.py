"""Faults of statements on two workers. All processes have folders of their own, and share only a bucket."""

import os
import random
import re
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager

from datafusion import publish
from sets import BASE, BUCKETS, Place, expect, loc

ROWS = 120_000
OLD, NEW = range(1, 1001), range(1, ROWS + 1)
# A worker that has stopped is noticed within 30 seconds, and its connections are made again within 10.
LONGEST = 120


class Worker:
    """A process that runs tasks. Its working folder and the folder of its sorted rows are its own."""

    def __init__(self, place):
        self.place = place
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.folder = tempfile.TemporaryDirectory(prefix="sitemap-worker-")
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self):
        self.log = tempfile.TemporaryFile("w+")
        command = [os.environ["SITEMAP_SQL"], "worker", "--listen", f"127.0.0.1:{self.port}", "--memory", "96"]
        command += ["--spill", self.folder.name]
        more = {"cwd": self.folder.name, "env": self.place.env, "stdout": self.log, "stderr": self.log}
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, **more)
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.1)
        expect(False, "the worker does not listen")

    def signal(self, number):
        self.process.send_signal(number)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        self.kill()
        self.folder.cleanup()


@contextmanager
def cluster(kind):
    """Yields a place with a published set and a table of the next one, and two workers."""
    place = Place(kind)
    publish(place, OLD)
    make_table(place)
    workers = [Worker(place), Worker(place)]
    try:
        yield place, workers
    finally:
        for worker in workers:
            worker.end()


def make_table(place):
    """Writes the pages to four files of Parquet in the bucket."""
    part = ROWS // 4
    copies = [
        f"COPY (SELECT '{BASE}/items/' || value AS loc, DATE '2026-01-31' AS lastmod,"
        f" CASE WHEN value = 777 THEN 1.5 ELSE 0.5 END AS wrong FROM generate_series({first}, {first + part - 1}))"
        f" TO '{place.out}-pages/{first}.parquet' STORED AS PARQUET"
        for first in range(1, ROWS, part)
    ]
    ran = place.run([os.environ["SITEMAP_SQL"], "-"], ";".join(copies))
    expect(ran.returncode == 0, ran.stderr)


def statement(place, priority="0.5", options=""):
    return (
        # Otherwise, one task reads a table as small as this one.
        "SET distributed.file_scan_config_bytes_per_partition = 1;"
        f"CREATE EXTERNAL TABLE pages STORED AS PARQUET LOCATION '{place.out}-pages/';"
        f"COPY (SELECT loc, lastmod, {priority} AS priority FROM pages) TO '{place.out}/' STORED AS SITEMAP "
        f"OPTIONS (base '{BASE}', section 'items', buckets {BUCKETS}, gzip true, max_shrink 'off'{options})"
    )


def command(workers, *more):
    urls = ",".join(worker.url for worker in workers)
    return [os.environ["SITEMAP_SQL"], "--partitions", "2", "--workers", urls, *more, "-"]


class Statement:
    """A statement that runs."""

    def __init__(self, place, workers, *more):
        self.started = time.monotonic()
        self.process = place.start(command(workers, *more))
        self.process.stdin.write(statement(place))
        self.process.stdin.close()
        self.process.stdin = None

    def ends(self):
        """Waits for the end, and returns the exit status, stderr and the seconds since the start."""
        _, errors = self.process.communicate(timeout=LONGEST)
        return self.process.returncode, errors, time.monotonic() - self.started


def undisturbed(place, workers):
    """Publishes without a fault, and returns the seconds and the shards. The old set is published again."""
    status, errors, seconds = Statement(place, workers).ends()
    expect(status == 0 and "distributed: 2 workers" in errors, errors)
    place.expect_pages(NEW)
    shards = sorted(place.shards())
    publish(place, OLD)
    return seconds, shards


def worker_killed(kind):
    """A worker is killed while it reads, sorts and writes (DataFusion, two workers)"""
    generator, repeated, number = random.Random(2), 0, 0
    with cluster(kind) as (place, workers):
        seconds, shards = undisturbed(place, workers)
        # Six kills, and more if all of them came before or after the part of the worker.
        while number < 6 or (repeated == 0 and number < 30):
            running = Statement(place, workers)
            time.sleep(generator.uniform(0.1, 0.9) * seconds)
            workers[number % 2].kill()
            status, errors, _ = running.ends()
            expect(status == 0, errors)
            repeated += "repeated: 1 of at most 3 times" in errors
            expect("repeated" not in errors or f"lost the worker `{workers[number % 2].url}`" in errors, errors)
            place.expect_pages(NEW)
            expect(sorted(place.shards()) == shards, "the shards differ from those without a fault")
            publish(place, OLD)
            workers[number % 2].start()
            number += 1
    expect(repeated > 0, "no kill came while the worker worked")
    return (
        f"{number} kills at random moments: {repeated} statements are repeated on the other worker; each time the new set, "
        "with the same shards as without a fault"
    )


def worker_killed_without_retries(kind):
    """A worker is killed while it writes, with `--retries 0` (DataFusion, two workers)"""
    longest, seen = 0, {"old": 0, "new": 0}
    with cluster(kind) as (place, workers):
        seconds, shards = undisturbed(place, workers)
        for number in range(4):
            running = Statement(place, workers, "--retries", "0")
            time.sleep((0.25 + 0.15 * number) * seconds)
            workers[number % 2].kill()
            killed = time.monotonic()
            status, errors, _ = running.ends()
            longest = max(longest, time.monotonic() - killed)
            # A worker that has done its part is no longer needed.
            seen["new" if status == 0 else "old"] += 1
            expect(status == 0 or f"lost the worker `{workers[number % 2].url}`" in errors, errors)
            place.expect_pages(NEW if status == 0 else OLD)
            if status == 0:
                publish(place, OLD)
            workers[number % 2].start()
        expect(seen["old"] > 0, "every kill came after the part of the worker")
        ran = place.run(command(workers), statement(place))
        expect(ran.returncode == 0, ran.stderr)
        expect(sorted(place.shards()) == shards, "the shards differ from those without a fault")
    return (
        f"4 kills: an error and the old set {seen['old']}, success and the new set {seen['new']}, at most {longest:.1f} s after "
        "the kill; the error names the worker; another run: new set, with the same shards as without a fault"
    )


def worker_stopped(kind):
    """A worker is stopped, and continues after the commit (DataFusion, two workers)"""
    with cluster(kind) as (place, workers):
        seconds, shards = undisturbed(place, workers)
        for part in (0.3, 0.45, 0.6, 0.15):
            running = Statement(place, workers)
            time.sleep(part * seconds)
            workers[1].signal(signal.SIGSTOP)
            status, errors, took = running.ends()
            expect(status == 0, errors)
            place.expect_pages(NEW)
            if "repeated: " in errors:
                break
            # The worker was not working, so it is tried again.
            workers[1].signal(signal.SIGCONT)
            publish(place, OLD)
        expect("repeated: 1 of at most 3 times" in errors, errors)
        expect("left out: " in errors and workers[1].url in errors, errors)
        expect(sorted(place.shards()) == shards, "the shards differ from those without a fault")
        before = place.index()
        workers[1].signal(signal.SIGCONT)
        time.sleep(2)
        expect(place.index() == before, "the index has changed")
        # The worker is one of two again.
        undisturbed(place, workers)
    return (
        f"the statement is repeated on the other worker: new set, {took:.0f} s after its start instead of {seconds:.0f} s; "
        "the late worker changes nothing, and takes part in the next statement"
    )


def worker_ended(kind):
    """A worker gets SIGTERM while it works (DataFusion, two workers)"""
    repeated = 0
    with cluster(kind) as (place, workers):
        seconds, shards = undisturbed(place, workers)
        for part in (0.2, 0.35, 0.5):
            running = Statement(place, workers)
            time.sleep(part * seconds)
            workers[0].signal(signal.SIGTERM)
            ended = workers[0].process.wait(timeout=60)
            expect(ended == 0, f"the status of the worker is {ended}")
            expect(os.listdir(workers[0].folder.name) == [], "rows are left on disk")
            status, errors, _ = running.ends()
            expect(status == 0, errors)
            repeated += "repeated: 1 of at most 3 times" in errors
            place.expect_pages(NEW)
            expect(sorted(place.shards()) == shards, "the shards differ from those without a fault")
            publish(place, OLD)
            workers[0].start()
    expect(repeated > 0, "every signal came after the part of the worker")
    return (
        f"3 times: the worker ends with status 0, and nothing is left on disk; {repeated} statements are repeated on the "
        "other worker; each time the new set"
    )


def session_killed(kind):
    """The process that plans and commits is killed (DataFusion, two workers)"""
    generator, seen = random.Random(3), {"old": 0, "new": 0}
    with cluster(kind) as (place, workers):
        seconds, shards = undisturbed(place, workers)
        for _ in range(4):
            running = Statement(place, workers)
            time.sleep(generator.uniform(0.2, 1.0) * seconds)
            running.process.kill()
            running.process.wait()
            published = place.expect_one_of(OLD, NEW)
            seen["old" if published is OLD else "new"] += 1
            if published is NEW:
                publish(place, OLD)
        expect(seen["old"] > 0, "every kill came after the commit")
        status, errors, _ = Statement(place, workers).ends()
        expect(status == 0 and "distributed: 2 workers" in errors, errors)
        expect(sorted(place.shards()) == shards, "the shards differ from those without a fault")
    return (
        f"4 kills: old set {seen['old']}, new set {seen['new']}; always one of the two sets; another run on the same "
        "workers: new set"
    )


def all_workers_dead(kind):
    """No worker answers (DataFusion, two workers)"""
    with cluster(kind) as (place, workers):
        for worker in workers:
            worker.kill()
        started = time.monotonic()
        ran = place.run(command(workers, "--retries", "1"), statement(place))
        took = time.monotonic() - started
        expect(ran.returncode == 2 and "error: Execution error: no worker answers: " in ran.stderr, ran.stderr)
        expect("repeated: 1 of at most 1 times" in ran.stderr, ran.stderr)
        place.expect_pages(OLD)
    return f"old set; after 1 repetition and {took:.0f} s, an error that names the workers"


def bad_row_on_a_worker(kind):
    """A row is invalid (DataFusion, two workers)"""
    with cluster(kind) as (place, workers):
        ran = place.run(command(workers), statement(place, "wrong"))
        expect(ran.returncode == 2 and f'row "{loc(777)}": ' in ran.stderr and "found 1.5" in ran.stderr, ran.stderr)
        expect("repeated" not in ran.stderr and "distributed: 2 workers" in ran.stderr, ran.stderr)
        place.expect_pages(OLD)
        ran = place.run(command(workers), statement(place, "wrong", ", on_invalid skip"))
        expect(ran.returncode == 0 and "skipped: 1 invalid rows" in ran.stderr, ran.stderr)
        expect(re.search(rf'skipped: row "{loc(777)}": .*found 1.5', ran.stderr), ran.stderr)
        place.expect_pages([number for number in NEW if number != 777])
    return (
        "old set, no repetition, and the error names the row and the value; with `on_invalid skip`: new set without the "
        "row, 1 counted"
    )


IN_BUCKETS = [
    worker_killed,
    worker_killed_without_retries,
    worker_stopped,
    worker_ended,
    session_killed,
    all_workers_dead,
    bad_row_on_a_worker,
]
