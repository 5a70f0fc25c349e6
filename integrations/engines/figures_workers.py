"""Publishes a Parquet file in one process, on two workers of DataFusion and on two of Spark, and compares shards and costs.

    SITEMAP_SQL=…/sitemap-sql MAKE_PAGES=…/make_pages [SITEMAP=…/sitemap SPARK_HOME=…] \
        python3 integrations/engines/figures_workers.py ROWS BUCKETS

Each row is a process with its descendants: the executors of a worker, their Python and the command. `all` is the sum of a
run. CPU is the user and system time. Workers and the master run before the measurement starts and after it ends, so their
start is not part of it. The memory is the largest sum of the resident memory, sampled 20 times a second. All processes
share a folder.
"""

import os
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager

import cluster
import processes

BASE = "https://www.example.com"
HERE = os.path.dirname(os.path.abspath(__file__))
# The seconds in which a worker must start.
LIMIT = 60


def measured(run, first, command, stdin="", **others):
    """Prints the costs of a command and of the other processes that take part in it."""
    groups = processes.Groups(**others)
    wall = groups.run(first, command, stdin)
    groups.finish()
    rows = [None, first, *others] if others else [first]
    for name in rows:
        label = name.replace("_", " ") if name else "all"
        seconds = f"{wall:.1f}" if name == rows[0] else ""
        print(f"| {run} | {label} | {groups.cpu[name]:.1f} | {groups.peak[name] / 1e6:.0f} | {seconds} |", flush=True)


def sql(*options):
    return [os.environ["SITEMAP_SQL"], *options, "-"]


@contextmanager
def workers(folder):
    """Runs two workers of DataFusion, and yields them by their URLs."""
    started = {}
    try:
        for number in (1, 2):
            with socket.create_server(("127.0.0.1", 0)) as free:
                port = free.getsockname()[1]
            with open(f"{folder}/worker-{number}", "w") as log:
                command = [os.environ["SITEMAP_SQL"], "worker", "--listen", f"127.0.0.1:{port}"]
                worker = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            started[f"http://127.0.0.1:{port}"] = worker
            wait_for(worker, port, log.name)
        yield started
    finally:
        for worker in started.values():
            worker.terminate()
            worker.wait()


def wait_for(worker, port, log):
    end = time.monotonic() + LIMIT
    while worker.poll() is None and time.monotonic() < end:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
    with open(log) as file:
        raise processes.Failed(f"a worker does not listen after {LIMIT} seconds, or has ended:\n{file.read()}")


def publish_with_spark(pages, buckets, out):
    """Publishes on a cluster, and returns the name of the set."""
    job = [cluster.bin_of_spark("spark-submit"), "--driver-memory", "1g", "--conf", "spark.ui.enabled=false"]
    name = "Spark"
    with cluster.standalone() as spark:
        others = {"master": spark.master.pid}
        others.update({f"worker_{number}": worker.pid for number, worker in enumerate(spark.workers, 1)})
        command = [*job, "--master", spark.url, "--files", os.environ["SITEMAP"], f"{HERE}/spark/publish.py"]
        command += ["--pages", pages, "--base", BASE, "--buckets", str(buckets), "--out", out(name)]
        measured(name, "driver", command, **others)
    return name


def main():
    rows, buckets = int(sys.argv[1]), int(sys.argv[2])
    with tempfile.TemporaryDirectory(prefix="sitemap-figures-") as folder:
        pages, out = f"{folder}/pages.parquet", lambda name: f"{folder}/sets/{name}"
        subprocess.run([os.environ["MAKE_PAGES"], str(rows), pages], check=True)
        statement = lambda name: (
            f"CREATE EXTERNAL TABLE pages STORED AS PARQUET LOCATION '{pages}';"
            f"COPY (SELECT loc, lastmod, changefreq, priority FROM pages) TO '{out(name)}/' STORED AS SITEMAP "
            f"OPTIONS (base '{BASE}', buckets {buckets}, gzip true, expect_urls {rows})"
        )
        print(f"{rows} rows, {os.path.getsize(pages) / 1e6:.1f} MB of Parquet")
        print("| run | process | CPU s | peak RSS MB | wall s |\n|---|---|--:|--:|--:|", flush=True)
        names = ["DataFusion, one process", "DataFusion"]
        measured(names[0], "statement", sql(), statement(names[0]))
        with workers(folder) as started:
            others = {f"worker_{number}": worker.pid for number, worker in enumerate(started.values(), 1)}
            command = sql("--workers", ",".join(started), "--retries", "0")
            measured(names[1], "statement", command, statement(names[1]), **others)
        if os.environ.get("SPARK_HOME"):
            names.append(publish_with_spark(pages, buckets, out))
        else:
            print("skipped: Spark, because SPARK_HOME is not set")
        shards = [sorted(name for name in os.listdir(out(name)) if name.startswith("sitemap-pages-")) for name in names]
        for name, found in zip(names, shards):
            # The names contain digests of the bytes, so equal names mean equal bytes.
            if found != shards[0] or not found:
                sys.exit(f"the run `{name}` wrote other shards than one process")
        print(f"all {len(names)} runs wrote the same {len(shards[0])} shards")


if __name__ == "__main__":
    try:
        main()
    except (cluster.ClusterFailed, processes.Failed) as error:
        sys.exit(f"error: {error}")
