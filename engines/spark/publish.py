"""Publishes the pages of Parquet files with Spark.

    spark-submit --files /usr/local/bin/sitemap publish.py --pages s3a://lake/pages \
        --base https://www.example.com --section pages --buckets 200 --out s3://bucket/sitemaps

Each task pipes its rows, sorted by hash bucket and URL, into `sitemap shard write`. This driver then commits the shards
of all tasks, if the number of pages equals the number of rows. If a task fails or its executor is lost, Spark runs the
task again, and the task writes the same shards. Nothing is published before the commit.
"""

import argparse
import os
import shlex
import subprocess
import sys

from pyspark import SparkFiles
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T


def arguments():
    parser = argparse.ArgumentParser(description="Publishes the pages of Parquet files with Spark.")
    parser.add_argument("--pages", required=True, help="Parquet with the columns loc, lastmod, changefreq, priority")
    parser.add_argument("--base", required=True, help="the URL of the folder that the set is served from")
    parser.add_argument("--out", required=True, help="the destination of the set: s3://bucket/prefix, or a shared folder")
    parser.add_argument("--section", default="pages")
    parser.add_argument("--buckets", type=int, required=True, help="hash buckets, about one for each 25,000 pages")
    parser.add_argument("--on-invalid", choices=["stop", "skip"], default="stop")
    parser.add_argument("--remove-uncommitted", type=int, metavar="DAYS", help="remove uncommitted shards that are older")
    parser.add_argument("--via", choices=["transform", "pipe"], default="transform", help="SQL's TRANSFORM, or RDD.pipe")
    parser.add_argument("--command", help="the command on executors [default: sitemap, copied with --files]")
    return parser.parse_args()


def lastmod_as_text(schema):
    """Returns the column of dates as W3C text. Timestamps in seconds have the type BIGINT."""
    kind = schema["lastmod"].dataType
    column = F.col("lastmod")
    if isinstance(kind, T.LongType):
        column, kind = F.timestamp_seconds(column), T.TimestampType()
    if isinstance(kind, (T.TimestampType, T.TimestampNTZType)):
        return F.date_format(column, "yyyy-MM-dd'T'HH:mm:ss'Z'")
    return column.cast("string")


def main():
    options = arguments()
    # Timestamps without a zone are in UTC, and dates are formatted in UTC.
    spark = SparkSession.builder.config("spark.sql.session.timeZone", "UTC").getOrCreate()

    pages = spark.read.parquet(options.pages)
    absent = F.lit(None).cast("string")
    column = lambda name: F.col(name) if name in pages.columns else absent.alias(name)
    rows = pages.select(
        "loc",
        (lastmod_as_text(pages.schema) if "lastmod" in pages.columns else absent).alias("lastmod"),
        column("changefreq"),
        column("priority"),
        (F.crc32("loc") % options.buckets).alias("bucket"),
    )

    site = ["--base", options.base, "--out", options.out]
    write = [options.command or "./sitemap", "shard", "write", *site, "--section", options.section]
    write += ["--buckets", str(options.buckets), "--gzip", "--format", "tsv", "--on-invalid", options.on_invalid]
    write = shlex.join(write)

    if options.via == "transform":
        rows.createOrReplaceTempView("sitemap_rows")
        command = write.replace("\\", "\\\\").replace("'", "\\'")
        shards = spark.sql(
            rf"""
            SELECT TRANSFORM (loc, lastmod, changefreq, priority)
                ROW FORMAT DELIMITED FIELDS TERMINATED BY '\t' LINES TERMINATED BY '\n' NULL DEFINED AS '\\N'
                USING '{command}' AS (row STRING)
            FROM (SELECT * FROM sitemap_rows DISTRIBUTE BY bucket SORT BY bucket, loc, lastmod, changefreq, priority)
            """
        )
        manifest = [shard.row for shard in shards.collect()]
    else:
        text = lambda row: "\t".join("\\N" if value is None else str(value) for value in row[:4])
        ordered = rows.repartition("bucket").sortWithinPartitions("bucket", *rows.columns[:4])
        manifest = ordered.rdd.map(text).pipe(write, checkCode=True).collect()

    commit = [options.command or SparkFiles.get("sitemap"), "shard", "commit", *site]
    if options.on_invalid == "stop":
        commit += ["--expect-urls", str(pages.count())]
    if options.remove_uncommitted is not None:
        commit += ["--remove-uncommitted", str(options.remove_uncommitted)]
    print(f"wrote {len(manifest)} shards", file=sys.stderr)
    committed = subprocess.run(commit, input="\n".join(manifest), text=True, env=os.environ)
    spark.stop()
    sys.exit(committed.returncode)


if __name__ == "__main__":
    main()
