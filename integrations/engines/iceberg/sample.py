"""Makes an Iceberg table from a Parquet file, and changes some of its rows.

    python3 sample.py create CATALOG TABLE FILE.parquet
    python3 sample.py change CATALOG TABLE

`change` gives 100 pages a new date, adds a page and removes one.
"""

import datetime
import sys

import pyarrow as pa
import pyarrow.parquet as parquet
from pyiceberg.catalog import load_catalog
from pyiceberg.expressions import EqualTo

# Iceberg keeps timestamps in microseconds.
COLUMNS = pa.schema([
    ("loc", pa.string()),
    ("lastmod", pa.timestamp("us", "UTC")),
    ("changefreq", pa.string()),
    ("priority", pa.float64()),
])


def create(catalog, name, file):
    rows = parquet.read_table(file)
    # `make_pages` writes seconds, which Parquet has no type for.
    rows = rows.set_column(1, "lastmod", rows["lastmod"].cast(pa.timestamp("s", "UTC"))).cast(COLUMNS)
    catalog = load_catalog(catalog)
    catalog.create_namespace_if_not_exists(name.split(".")[0])
    catalog.create_table(name, schema=rows.schema).append(rows)


def change(catalog, name):
    table = load_catalog(catalog).load_table(name)
    rows = table.scan().to_arrow().sort_by("loc").slice(0, 102)
    gone, *locs = rows["loc"].to_pylist()
    locs[0] += "-new"
    moment = datetime.datetime(2026, 2, 1, 10, tzinfo=datetime.timezone.utc)
    dates = pa.array([moment] * len(locs), pa.timestamp("us", "UTC"))
    rows = rows.slice(1).set_column(0, "loc", pa.array(locs, rows.schema.field("loc").type)).set_column(1, "lastmod", dates)
    table.upsert(rows, join_cols=["loc"])
    table.delete(EqualTo("loc", gone))


if __name__ == "__main__":
    commands = {("create", 5): create, ("change", 4): change}
    command = commands.get((sys.argv[1] if len(sys.argv) > 1 else "", len(sys.argv)))
    if not command:
        sys.exit("error: usage: sample.py create CATALOG TABLE FILE.parquet | sample.py change CATALOG TABLE")
    command(*sys.argv[2:])
