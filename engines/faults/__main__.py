"""Kills, stops and confuses real processes that publish a set, and prints what came of it as a table.

    SITEMAP=…/sitemap SITEMAP_SQL=…/sitemap-sql [SPARK_HOME=…] [SITEMAP_TEST_S3=…] python3 engines/faults

Only processes that it has started itself come to harm. What cannot be tried here is said, with its reason.
"""

import os
import sys
import tempfile

import commands
import datafusion
import spark
from sets import Failed


def cases():
    kinds = ["folder"] + (["s3"] if os.environ.get("SITEMAP_TEST_S3") else [])
    for kind in kinds:
        for fault in commands.EVERYWHERE + (commands.IN_BUCKETS if kind == "s3" else []):
            yield kind, fault.__doc__, lambda: fault(kind)
        if os.environ.get("SITEMAP_SQL"):
            for fault in datafusion.ALL:
                yield kind, fault.__doc__, lambda: fault(kind)


def main():
    for name, what in [
        ("SITEMAP_TEST_S3", "faults in a bucket"),
        ("SITEMAP_SQL", "faults of DataFusion"),
        ("SPARK_HOME", "faults of Spark"),
    ]:
        if not os.environ.get(name):
            print(f"skipped: {what}, as {name} is not set", flush=True)
    print("| place | fault | what stands |\n|---|---|---|", flush=True)
    failed = 0
    for kind, fault, run in cases():
        try:
            print(f"| {kind} | {fault} | {run()} |", flush=True)
        except Failed as error:
            failed += 1
            print(f"| {kind} | {fault} | **FAILED**: {error} |", flush=True)
    if os.environ.get("SPARK_HOME"):
        with tempfile.TemporaryDirectory(prefix="sitemap-spark-") as folder:
            try:
                for fault, result in spark.run(folder):
                    print(f"| folder | {fault} | {result} |", flush=True)
            except Failed as error:
                failed += 1
                print(f"| folder | Spark | **FAILED**: {error} |", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
