"""Faults of executors and workers in a standalone cluster of Spark."""

import atexit
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from functools import cache

from cluster import bin_of_spark, standalone
from processes import descendants, running
from sets import BASE, BUCKETS, Place, expect, loc

HERE = os.path.dirname(os.path.abspath(__file__))
PUBLISH = os.path.join(HERE, "..", "spark", "publish.py")
ROWS = 120_000


def submit(place, spark, pages, *more):
    """Starts to publish on two executors, each in its own JVM."""
    command = [bin_of_spark("spark-submit"), "--master", spark.url]
    command += ["--driver-memory", "1g", "--conf", "spark.ui.enabled=false"]
    # A few long tasks, so that a fault occurs while they run.
    command += ["--conf", "spark.sql.adaptive.enabled=false", "--conf", "spark.sql.shuffle.partitions=4"]
    command += ["--files", os.environ["SITEMAP"], PUBLISH, "--pages", pages, "--base", BASE, "--out", place.out]
    command += ["--section", "items", "--buckets", str(BUCKETS), *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=place.env)


@cache
def made(bad_row=False):
    """Writes pages as Parquet with dates as BIGINT, as Spark reads the timestamps in seconds of other engines."""
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as F

    folder = tempfile.mkdtemp(prefix="sitemap-faults-")
    atexit.register(shutil.rmtree, folder)
    spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    number = F.col("id")
    priority = F.when(number == 777, 1.5).otherwise(0.5) if bad_row else F.lit(0.5)
    pages = spark.range(1, ROWS + 1).select(
        F.concat(F.lit(f"{BASE}/items/"), number.cast("string")).alias("loc"),
        (F.lit(1735689600) + number).alias("lastmod"),
        F.when(number % 2 == 0, "daily").alias("changefreq"),
        priority.alias("priority"),
    )
    path = f"{folder}/pages.parquet"
    pages.write.parquet(path)
    spark.stop()
    return path


def executors(worker):
    """Returns the executors of a worker."""
    found = []
    for child in descendants([worker.pid], running()):
        try:
            with open(f"/proc/{child}/cmdline", "rb") as command:
                words = command.read().split(b"\0")
        except OSError:
            continue
        if words[0].endswith(b"java") and any(b"ExecutorBackend" in word for word in words):
            found.append(child)
    return found


def shards_there(place):
    return {name for name in place.names() if name.startswith("sitemap-items-")}


def killed(place, job, victim):
    """Kills the process that `victim` returns when the job has stored a shard, and waits for the job."""
    output = []
    reader = threading.Thread(target=lambda: output.extend(job.stdout))
    reader.start()
    while job.poll() is None and not shards_there(place):
        time.sleep(0.05)
    expect(job.poll() is None, "the job ended before it stored a shard:\n" + "".join(output[-30:]))
    os.kill(victim(), signal.SIGKILL)
    status = job.wait(timeout=900)
    reader.join()
    text = "".join(output)
    expect(status == 0, "the job failed:\n" + text[-3000:])
    expect("Lost executor" in text or "ExecutorLost" in text or "lost" in text.lower(), "Spark did not report the lost executor")
    place.expect_pages(range(1, ROWS + 1))
    orphans = shards_there(place) - set(place.shards())
    return f"Spark repeats its tasks; new set, each of {ROWS:,} pages once; shards in no index: {len(orphans)}"


def both_executors(spark):
    """Returns the executor of each worker."""
    found = [executors(worker) for worker in spark.workers]
    expect([len(each) for each in found] == [1, 1], f"the workers have the executors {found}, expected one each")
    return [each[0] for each in found]


def executor_killed(kind):
    """An executor's JVM is killed while it writes (Spark, two executors)"""
    place = Place(kind)
    with standalone(place.env) as spark:
        return killed(place, submit(place, spark, made()), lambda: both_executors(spark)[0])


def worker_killed(kind):
    """A worker of a standalone cluster is killed while its executor writes (Spark, two workers)"""
    place = Place(kind)
    with standalone(place.env) as spark:

        def victim():
            both_executors(spark)
            return spark.workers[0].pid

        return killed(place, submit(place, spark, made()), victim)


def bad_row_in_spark(kind):
    """A row is invalid, in Spark"""
    place = Place(kind)
    place.publish(range(1, 101))
    with standalone(place.env) as spark:
        job = submit(place, spark, made(bad_row=True))
        output, _ = job.communicate(timeout=900)
    expect(job.returncode != 0, "the job did not fail")
    expect(f'row "{loc(777)}": sitemap priority must be between 0.0 and 1.0, found 1.5' in output, output[-3000:])
    place.expect_pages(range(1, 101))
    return "the job fails, and its log names the row and the value; old set"


ALL = [executor_killed, bad_row_in_spark]
# The storage makes no difference to the cluster, so one of them is enough.
IN_FOLDERS = [worker_killed]
