"""Writes the pages of an Iceberg table, or only what has changed in it, as Parquet for `sitemap-sql`.

    python3 rows.py full CATALOG TABLE PAGES.parquet POSITION
    python3 rows.py changes CATALOG TABLE CHANGES.parquet POSITION

`full` writes all rows. `changes` compares the snapshot in the file POSITION with the current one: it reads the files that
only one of them has, and writes their rows with the column `op`. The rows of files that are gone are removals, and those of
new files are upserts. So a rewritten file gives upserts of all its rows, most of which change nothing.

Both write the snapshot that they have read to `POSITION.next`. Rename that file to POSITION as soon as the set is published.
If the publication fails, the next run reads the same changes again. The catalog is configured as for PyIceberg.
"""

import json
import os
import sys

import pyarrow as pa
import pyarrow.parquet as parquet
from pyiceberg.catalog import load_catalog
from pyiceberg.expressions import AlwaysTrue
from pyiceberg.io.pyarrow import ArrowScan, schema_to_pyarrow

COLUMNS = ["loc", "lastmod", "changefreq", "priority", "section", "alternates", "images", "videos", "news"]
AGAIN = "publish all rows with `rows.py full`"


def fail(message):
    sys.exit(f"error: {message}")


def key(task):
    """Returns what tells the rows of one task from those of another: the file, and the files of its deleted rows."""
    return task.file.file_path, tuple(sorted(file.file_path for file in task.delete_files))


class Rows:
    def __init__(self, table):
        self.table = table
        names = [field.name for field in table.schema().fields if field.name in COLUMNS]
        if "loc" not in names:
            fail("the table has no column `loc`; make a view or a table with the URL of each page")
        self.fields = table.schema().select(*names)

    def tasks(self, snapshot):
        return {key(task): task for task in self.table.scan(snapshot_id=snapshot).plan_files()}

    def batches(self, tasks):
        """Reads batches one by one, so that a table of any size fits in memory."""
        scan = ArrowScan(self.table.metadata, self.table.io, self.fields, AlwaysTrue())
        return scan.to_record_batches(tasks)

    def write(self, file, parts):
        """Writes the rows of lists of tasks, each with its value of `op`, or without this column."""
        schema = schema_to_pyarrow(self.fields, include_field_ids=False)
        with_op = any(op for op, _ in parts)
        written = pa.schema([*schema, pa.field("op", pa.string())]) if with_op else schema
        count = 0
        with parquet.ParquetWriter(f"{file}.part", written) as writer:
            for op, tasks in parts:
                for batch in self.batches(tasks):
                    columns = [batch[field.name].cast(field.type) for field in schema]
                    if with_op:
                        columns.append(pa.repeat(pa.scalar(op), batch.num_rows))
                    writer.write_batch(pa.record_batch(columns, schema=written))
                    count += batch.num_rows
        os.replace(f"{file}.part", file)
        return count


def published(table, position):
    """Returns the snapshot that is published, or ends the program if it cannot be compared with."""
    if not os.path.exists(position):
        fail(f"there is no file `{position}` with the published snapshot; {AGAIN} first")
    with open(position) as text:
        found = json.load(text)
    if found["table"] != str(table.metadata.table_uuid):
        fail(f"`{position}` is the position of another table; {AGAIN}")
    if not table.snapshot_by_id(found["snapshot"]):
        fail(f"the published snapshot {found['snapshot']} has expired; {AGAIN}")
    return found["snapshot"]


def main():
    if len(sys.argv) != 6 or sys.argv[1] not in ("full", "changes"):
        fail("usage: rows.py full|changes CATALOG TABLE FILE.parquet POSITION")
    _, command, catalog, name, file, position = sys.argv
    table = load_catalog(catalog).load_table(name)
    current = table.current_snapshot()
    if not current:
        fail(f"the table `{name}` has no snapshot yet; write its first rows")
    rows = Rows(table)
    new = rows.tasks(current.snapshot_id)
    if command == "full":
        count = rows.write(file, [(None, new.values())])
    else:
        old = rows.tasks(published(table, position))
        gone = [task for known, task in old.items() if known not in new]
        added = [task for known, task in new.items() if known not in old]
        count = rows.write(file, [("remove", gone), ("upsert", added)])
    with open(f"{position}.next", "w") as text:
        json.dump({"table": str(table.metadata.table_uuid), "snapshot": current.snapshot_id}, text)
    print(f"{count} rows of snapshot {current.snapshot_id}")


if __name__ == "__main__":
    main()
