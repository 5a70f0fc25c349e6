"""Makes a Delta table from a Parquet file, and changes some of its rows.

    python3 sample.py create FILE.parquet TABLE
    python3 sample.py change TABLE

`change` gives 100 pages a new date, adds a page and removes one.
"""

import datetime
import sys

import pyarrow as pa
import pyarrow.parquet as parquet
from deltalake import DeltaTable, write_deltalake

# Delta Lake keeps timestamps in microseconds.
COLUMNS = pa.schema([
    ("loc", pa.string()),
    ("lastmod", pa.timestamp("us", "UTC")),
    ("changefreq", pa.string()),
    ("priority", pa.float64()),
])


def create(file, place):
    rows = parquet.read_table(file)
    # `make_pages` writes seconds, which Parquet has no type for.
    rows = rows.set_column(1, "lastmod", rows["lastmod"].cast(pa.timestamp("s", "UTC"))).cast(COLUMNS)
    write_deltalake(place, rows, configuration={"delta.enableChangeDataFeed": "true"})


def change(place):
    table = DeltaTable(place)
    rows = table.to_pyarrow_table().sort_by("loc").slice(0, 102)
    gone, *locs = rows["loc"].to_pylist()
    locs[0] += "-new"
    moment = datetime.datetime(2026, 2, 1, 10, tzinfo=datetime.timezone.utc)
    dates = pa.array([moment] * len(locs), pa.timestamp("us", "UTC"))
    rows = rows.slice(1).set_column(0, "loc", pa.array(locs, rows.schema.field("loc").type)).set_column(1, "lastmod", dates)
    merge = table.merge(rows, "old.loc = new.loc", source_alias="new", target_alias="old")
    merge.when_matched_update_all().when_not_matched_insert_all().execute()
    table.delete(f"loc = '{gone}'")


if __name__ == "__main__":
    commands = {("create", 4): create, ("change", 3): change}
    command = commands.get((sys.argv[1] if len(sys.argv) > 1 else "", len(sys.argv)))
    if not command:
        sys.exit("error: usage: sample.py create FILE.parquet TABLE | sample.py change TABLE")
    command(*sys.argv[2:])
