"""Publishes the same pages in each way of this folder, and compares the shards.

    SITEMAP=…/sitemap SPARK_HOME=… python3 engines/spark/check.py

It runs `publish.py` with TRANSFORM and with RDD.pipe, and `publish.sql`, each on two executors in their own processes.
The dates are seconds, which Spark reads as BIGINT. All three must write the same shards, whose names contain digests of
their bytes, and the set must list every page once, with its date.
"""

import os
import re
import subprocess
import sys
import tempfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
BASE = "https://www.example.com"
# publish.sql contains the same number.
BUCKETS = 200
ROWS = 20_000
FIRST_DATE = 1735689600  # 2025-01-01T00:00:00Z


def bin_of_spark(name):
    return os.path.join(os.environ["SPARK_HOME"], "bin", name)


def run(command, **more):
    ran = subprocess.run(command, capture_output=True, text=True, timeout=900, **more)
    if ran.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{ran.stdout[-2000:]}\n{ran.stderr[-4000:]}")
    return ran.stdout


def make(path):
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as F

    spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    number = F.col("id")
    pages = spark.range(ROWS).select(
        F.concat(F.lit(f"{BASE}/items/"), number.cast("string")).alias("loc"),
        (F.lit(FIRST_DATE) + number).alias("lastmod"),
        F.when(number % 2 == 0, "daily").alias("changefreq"),
        F.when(number % 3 == 0, F.lit(0.5)).alias("priority"),
    )
    pages.write.parquet(path)
    spark.stop()


def spark_command(name):
    cluster = ["--master", "local-cluster[2,1,1024]", "--driver-memory", "1g", "--conf", "spark.ui.enabled=false"]
    return [bin_of_spark(name), *cluster, "--conf", "spark.sql.shuffle.partitions=4", "--files", os.environ["SITEMAP"]]


def by_python(pages, out, via):
    job = [f"{HERE}/publish.py", "--pages", pages, "--base", BASE, "--buckets", str(BUCKETS), "--out", out, "--via", via]
    run(spark_command("spark-submit") + job)


def by_sql(pages, out, folder):
    variables = {"pages": pages, "out": out, "rows": f"{folder}/rows"}
    job = [word for name, value in variables.items() for word in ("--hivevar", f"{name}={value}")]
    # The shell creates the folder of Hive's catalogue in its working directory.
    run(spark_command("spark-sql") + job + ["-f", f"{HERE}/publish.sql"], cwd=folder)
    commit = ["shard", "commit", "--base", BASE, "--out", out, "--expect-urls", str(ROWS), f"{folder}/rows"]
    run([os.environ["SITEMAP"], *commit])


def shards(out):
    with open(f"{out}/sitemap.xml") as index:
        return [loc.rsplit("/", 1)[1] for loc in re.findall("<loc>([^<]*)</loc>", index.read())]


def expect_all(out):
    found = {}
    for shard in shards(out):
        with open(f"{out}/{shard}", "rb") as file:
            xml = zlib.decompress(file.read(), 31).decode()
        for entry in re.findall("<url>(.*?)</url>", xml, re.S):
            loc, lastmod = (re.search(f"<{name}>(.*?)</{name}>", entry).group(1) for name in ("loc", "lastmod"))
            if loc in found:
                sys.exit(f"the set lists {loc} twice")
            found[loc] = lastmod
    from datetime import datetime, timezone

    date = lambda number: datetime.fromtimestamp(FIRST_DATE + number, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    if found != {f"{BASE}/items/{number}": date(number) for number in range(ROWS)}:
        sys.exit("the set does not list exactly the expected pages and dates")


def main():
    with tempfile.TemporaryDirectory(prefix="sitemap-spark-") as folder:
        pages = f"{folder}/pages.parquet"
        make(pages)
        out = lambda name: f"{folder}/{name}"
        by_python(pages, out("transform"), "transform")
        expect_all(out("transform"))
        by_python(pages, out("pipe"), "pipe")
        by_sql(pages, out("sql"), folder)
        expected = shards(out("transform"))
        for name in ("pipe", "sql"):
            if shards(out(name)) != expected:
                sys.exit(f"the shards of {name} differ from those of transform")
        print(f"TRANSFORM, RDD.pipe and spark-sql wrote the same {len(expected)} shards; {ROWS} pages once, with dates")


if __name__ == "__main__":
    main()
