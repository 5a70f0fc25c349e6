"""Kills, stops and misleads real processes that publish a set, and prints the results as a table.

    SITEMAP=…/sitemap SITEMAP_SQL=…/sitemap-sql [SPARK_HOME=…] [SITEMAP_TEST_S3=…]
    python3 integrations/engines/faults [NAME…]

A NAME is that of a function; without names, all run. It only touches processes that it started itself. It prints which faults it skips, and why.
"""

import os
import subprocess
import sys

# Modules that other scripts use, too.
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import commands
import datafusion
import spark
from cluster import ClusterFailed
from sets import Failed


def faults(kind):
    yield from commands.EVERYWHERE
    if kind == "s3":
        yield from commands.IN_BUCKETS
    if os.environ.get("SITEMAP_SQL"):
        yield from datafusion.ALL
        if kind == "s3":
            yield from datafusion.IN_BUCKETS
    if os.environ.get("SPARK_HOME"):
        yield from spark.ALL
        if kind == "folder":
            yield from spark.IN_FOLDERS


def main():
    for name, what in [
        ("SITEMAP_TEST_S3", "faults in a bucket"),
        ("SITEMAP_SQL", "faults of DataFusion"),
        ("SPARK_HOME", "faults of Spark"),
    ]:
        if not os.environ.get(name):
            print(f"skipped: {what}, because {name} is not set", flush=True)
    print("| place | fault | result |\n|---|---|---|", flush=True)
    failed = 0
    for kind in ["folder"] + (["s3"] if os.environ.get("SITEMAP_TEST_S3") else []):
        for fault in faults(kind):
            if sys.argv[1:] and fault.__name__ not in sys.argv[1:]:
                continue
            try:
                result = fault(kind)
            except (Failed, ClusterFailed, subprocess.TimeoutExpired) as error:
                failed += 1
                result = f"**FAILED**: {error}"
            print(f"| {kind} | {fault.__doc__} | {result} |", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
