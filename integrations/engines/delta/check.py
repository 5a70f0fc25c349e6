"""Keeps a set equal to a Delta table, as the README describes, and compares them.

    SITEMAP=…/sitemap SITEMAP_SQL=…/sitemap-sql python3 integrations/engines/delta/check.py
"""

import datetime
import os
import random
import subprocess
import sys
import tempfile

import pyarrow as pa
from deltalake import DeltaTable, write_deltalake

HERE = os.path.dirname(os.path.abspath(__file__))
COLUMNS = pa.schema([
    ("loc", pa.string()),
    ("lastmod", pa.timestamp("us", "UTC")),
    ("changefreq", pa.string()),
    ("priority", pa.float64()),
])


def rows(ids, day):
    moment = datetime.datetime(2026, 1, day, tzinfo=datetime.timezone.utc)
    values = [{"loc": f"https://www.example.com/pages/{number}", "lastmod": moment, "priority": 0.5} for number in ids]
    return pa.Table.from_pylist(values, schema=COLUMNS)


class Check:
    def __init__(self, folder):
        self.folder = folder
        self.table = f"{folder}/lake/pages"

    def sql(self, name, saves=True):
        with open(f"{HERE}/../examples/{name}") as file:
            sql = file.read().replace("/tmp/", f"{self.folder}/")
        if not saves:
            sql = sql.replace(", save_position 'changes'", "")
        return subprocess.run([os.environ["SITEMAP_SQL"], "-"], input=sql, capture_output=True, text=True)

    def run(self, name, saves=True):
        ran = self.sql(name, saves)
        if ran.returncode:
            sys.exit(f"{name} failed:\n{ran.stdout}{ran.stderr}")
        return ran.stderr

    def listed(self):
        command = [os.environ["SITEMAP"], "list", "--format", "csv", f"{self.folder}/sitemaps/sitemap.xml"]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
        return sorted(line.split(",")[:2] for line in lines[1:])

    def expect_equal(self, when):
        table = pa.table(DeltaTable(self.table).to_pyarrow_table())
        expected = [
            [loc, moment.strftime("%Y-%m-%dT%H:%M:%SZ")]
            for loc, moment in zip(table["loc"].to_pylist(), table["lastmod"].to_pylist())
        ]
        if self.listed() != sorted(expected):
            sys.exit(f"{when}, the set differs from the table")


def main():
    choose = random.Random(1)
    with tempfile.TemporaryDirectory(prefix="sitemap-delta-") as folder:
        check = Check(folder)
        settings = {"delta.enableChangeDataFeed": "true"}
        os.mkdir(f"{folder}/lake")
        write_deltalake(check.table, rows(range(2000), 1), configuration=settings)
        check.run("delta.sql")
        check.expect_equal("after the first publication")

        for day in range(2, 8):
            ids = [choose.randrange(2200) for _ in range(30)]
            merge = DeltaTable(check.table).merge(
                rows(sorted(set(ids)), day), "old.loc = new.loc", source_alias="new", target_alias="old"
            )
            merge.when_matched_update_all().when_not_matched_insert_all().execute()
            gone = choose.randrange(2000)
            DeltaTable(check.table).delete(f"loc = 'https://www.example.com/pages/{gone}'")
            # A page is added and removed again, and files are rewritten without a change.
            write_deltalake(check.table, rows([9000 + day], day), mode="append")
            DeltaTable(check.table).delete(f"loc = 'https://www.example.com/pages/{9000 + day}'")
            DeltaTable(check.table).optimize.compact()
            # A run that ends before it saves its position is followed by one that reads the same changes again.
            check.run("delta-changes.sql", saves=day % 3 > 0)
            check.expect_equal(f"after the changes of day {day}")
        check.run("delta-changes.sql")
        if "no page has changed, so nothing was published" not in check.run("delta-changes.sql"):
            sys.exit("a run without changes has published a set")
        check.expect_equal("after a run without changes")

        # The versions since the last publication have expired.
        before = check.listed()
        for number in (3000, 3001):
            write_deltalake(check.table, rows([number], 9), mode="append")
        table = DeltaTable(check.table)
        table.create_checkpoint()
        os.remove(f"{check.table}/_delta_log/{table.version() - 1:020}.json")
        ran = check.sql("delta-changes.sql")
        if ran.returncode == 0 or "has expired" not in ran.stderr or "publish all rows again" not in ran.stderr:
            sys.exit(f"changes that have expired are no error:\n{ran.stdout}{ran.stderr}")
        if check.listed() != before:
            sys.exit("the set has changed although the changes have expired")
        check.run("delta.sql")
        check.expect_equal("after all rows were published again")

        # Without the change data feed, the rows of rewritten files are changes.
        DeltaTable(check.table).alter.set_table_properties({"delta.enableChangeDataFeed": "false"})
        check.run("delta.sql")
        DeltaTable(check.table).delete("loc = 'https://www.example.com/pages/11'")
        check.run("delta-changes.sql")
        check.expect_equal("after changes without the feed")
        print(f"the set equals the table after 12 runs, with {len(check.listed())} pages")


if __name__ == "__main__":
    main()
