"""Writes the pages of a Delta table, or only what changed in it, as Parquet for `sitemap-sql`.

    python3 rows.py full TABLE PAGES.parquet POSITION
    python3 rows.py changes TABLE CHANGES.parquet POSITION

`full` writes all rows. `changes` writes the rows that were inserted, updated or deleted since the version in the file
POSITION, with the columns `op` and `version`; it needs the change data feed of the table. Both write the version that they
have read to `POSITION.next`. Rename that file to POSITION as soon as the set is published. If the publication fails, the
next run reads the same changes again.
"""

import os
import sys

import pyarrow as pa
import pyarrow.parquet as parquet
from deltalake import DeltaTable
from deltalake.exceptions import DeltaError

COLUMNS = ["loc", "lastmod", "changefreq", "priority", "section", "alternates", "images", "videos", "news"]
# An update moves a page if it changes `loc`, so the row before it removes the page.
OPS = {"insert": "upsert", "update_postimage": "upsert", "delete": "remove", "update_preimage": "remove"}


def fail(message):
    sys.exit(f"error: {message}")


def write(batches, schema, file):
    """Writes batches one by one, so that a table of any size fits in memory."""
    rows = 0
    with parquet.ParquetWriter(f"{file}.part", schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
            rows += batch.num_rows
    os.replace(f"{file}.part", file)
    return rows


def full(table, file):
    dataset = table.to_pyarrow_dataset()
    names = [name for name in COLUMNS if name in dataset.schema.names]
    scanner = dataset.scanner(columns=names)
    return write(scanner.to_batches(), scanner.projected_schema, file)


def changes(table, file, since):
    names = [field.name for field in table.schema().fields if field.name in COLUMNS]
    plain = pa.schema(table.schema().to_arrow())
    schema = pa.schema([*(plain.field(name) for name in names), ("op", pa.string()), ("version", pa.int64())])
    if table.version() == since:
        return write([], schema, file)
    try:
        feed = pa.RecordBatchReader.from_stream(table.load_cdf(starting_version=since + 1))

        def batches():
            for batch in feed:
                ops = pa.array([OPS[kind] for kind in batch["_change_type"].to_pylist()], pa.string())
                columns = [batch[name].cast(plain.field(name).type) for name in names]
                yield pa.record_batch([*columns, ops, batch["_commit_version"].cast(pa.int64())], schema=schema)

        return write(batches(), schema, file)
    except (DeltaError, OSError, pa.ArrowException) as error:
        fail(f"cannot read what changed since version {since}: {error}; publish all rows with `rows.py full`")


def main():
    if len(sys.argv) != 5 or sys.argv[1] not in ("full", "changes"):
        fail("usage: rows.py full|changes TABLE FILE.parquet POSITION")
    _, command, place, file, position = sys.argv
    table = DeltaTable(place)
    if command == "full":
        rows = full(table, file)
    else:
        if not os.path.exists(position):
            fail(f"there is no file `{position}` with the published version; publish all rows with `rows.py full` first")
        with open(position) as text:
            since = int(text.read())
        if table.version() < since:
            fail(f"the table has version {table.version()}, but {since} is published; publish all rows with `rows.py full`")
        rows = changes(table, file, since)
    with open(f"{position}.next", "w") as text:
        text.write(str(table.version()))
    print(f"{rows} rows of version {table.version()}")


if __name__ == "__main__":
    main()
