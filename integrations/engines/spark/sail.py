"""Shows what `publish.py` finds on a Sail server instead of Spark, so that its rules can be tried again with a later version.

    pip install pysail 'pyspark-client==4.1.*' 'pandas<3' pyarrow
    SITEMAP=…/sitemap python3 integrations/engines/spark/sail.py

It asks for the order of the rows and for the zone of a moment, publishes the same pages from dates as numbers, as timestamps
in UTC and as timestamps without a zone, through `--via arrow`, and prints what differs. The exit status is 1 if something
does.
"""

import os
import re
import sys
import tempfile
import zlib
from datetime import datetime, timezone

import pyarrow
import pyarrow.parquet
import pysail
from pysail.spark import SparkConnectServer

BASE = "https://www.example.com"
FIRST_DATE = 1735689600  # 2025-01-01T00:00:00Z
ROWS = 20_000


def make(folder):
    seconds = [FIRST_DATE + number for number in range(ROWS)]
    columns = {
        "numbers": pyarrow.array(seconds, "int64"),
        "utc": pyarrow.array([value * 10**6 for value in seconds], "int64").cast(pyarrow.timestamp("us", "UTC")),
        "plain": pyarrow.array([value * 10**6 for value in seconds], "int64").cast(pyarrow.timestamp("us")),
    }
    locs = [f"{BASE}/items/{number}" for number in range(ROWS)]
    for name, lastmod in columns.items():
        pyarrow.parquet.write_table(pyarrow.table({"loc": locs, "lastmod": lastmod}), f"{folder}/{name}.parquet")
    return list(columns)


def is_sorted(spark, pages):
    """Returns whether `mapInArrow` gets the rows in the order of `sortWithinPartitions`."""
    from pyspark.sql import functions as F

    def task(batches):
        import pyarrow

        locs = [loc for batch in batches for loc in batch.column(0).to_pylist()]
        yield pyarrow.RecordBatch.from_pydict({"sorted": [locs == sorted(locs)]})

    rows = spark.read.parquet(pages).select("loc").repartition("loc").sortWithinPartitions("loc")
    return all(row.sorted for row in rows.mapInArrow(task, "sorted boolean").collect())


def zone_of(spark):
    """Returns a moment as text in the zone of the session."""
    spark.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
    found = spark.sql(f"SELECT CAST(timestamp_seconds({FIRST_DATE}) AS STRING)").first()[0]
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    return found


def dates(out):
    found = {}
    for name in os.listdir(out):
        if name.startswith("sitemap-pages-"):
            with open(f"{out}/{name}", "rb") as file:
                xml = zlib.decompress(file.read(), 31).decode()
            found.update(re.findall("<loc>([^<]*)</loc><lastmod>([^<]*)</lastmod>", xml))
    return found


def main():
    # The zone of the machine must not matter.
    os.environ["TZ"] = "Asia/Tokyo"
    server = SparkConnectServer(port=0)
    server.start(background=True)
    os.environ["SPARK_REMOTE"] = f"sc://127.0.0.1:{server.listening_address[1]}"
    from pyspark.sql import SparkSession

    import publish

    spark = SparkSession.builder.getOrCreate()
    expected = {
        f"{BASE}/items/{number}": datetime.fromtimestamp(FIRST_DATE + number, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        for number in range(ROWS)
    }
    differs = False
    with tempfile.TemporaryDirectory() as folder:
        print(f"Sail {pysail.__version__}, PySpark {spark.version}")
        names = make(folder)
        ordered = is_sorted(spark, f"{folder}/utc.parquet")
        print(f"mapInArrow gets sorted rows: {'yes' if ordered else '**no**'}")
        found = zone_of(spark)
        print(f"2025-01-01T00:00:00Z as text in the zone Asia/Tokyo: {found}, with Spark 2025-01-01 09:00:00")
        differs |= not ordered or found != "2025-01-01 09:00:00"
        for name in names:
            out = f"{folder}/{name}"
            job = ["--pages", f"{out}.parquet", "--base", BASE, "--buckets", "8", "--out", out, "--via", "arrow"]
            try:
                status = publish.publish(spark, publish.arguments([*job, "--command", os.environ["SITEMAP"]]))
                result = "as with Spark" if status == 0 and dates(out) == expected else f"**differs**, status {status}"
            except (Exception, SystemExit) as error:
                result = f"**fails**: {str(error).strip().splitlines()[-1][:300]}"
            differs |= result != "as with Spark"
            print(f"dates as {name}: {result}")
    spark.stop()
    sys.exit(1 if differs else 0)


if __name__ == "__main__":
    main()
