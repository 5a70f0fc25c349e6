"""Keeps a set equal to a Delta table, as the README describes, and compares them.

    SITEMAP=…/sitemap SITEMAP_SQL=…/sitemap-sql python3 engines/delta/check.py
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


def rows(ids, day):
    moment = datetime.datetime(2026, 1, day, tzinfo=datetime.timezone.utc)
    locs = [f"https://www.example.com/pages/{number}" for number in ids]
    return pa.table({"loc": locs, "lastmod": pa.array([moment] * len(locs), pa.timestamp("us", "UTC"))})


class Check:
    def __init__(self, folder):
        self.folder = folder
        self.table = f"{folder}/table"
        self.position = f"{folder}/position"

    def rows_py(self, command, file):
        arguments = [command, self.table, f"{self.folder}/delta/{file}", self.position]
        return subprocess.run([sys.executable, f"{HERE}/rows.py", *arguments], capture_output=True, text=True)

    def sql(self, name):
        with open(f"{HERE}/../examples/{name}") as file:
            sql = file.read().replace("/tmp/", f"{self.folder}/")
        ran = subprocess.run([os.environ["SITEMAP_SQL"], "-"], input=sql, capture_output=True, text=True)
        if ran.returncode:
            sys.exit(f"{name} failed:\n{ran.stdout}{ran.stderr}")

    def run(self, command, file, sql, commits=True):
        ran = self.rows_py(command, file)
        if ran.returncode:
            sys.exit(f"rows.py {command} failed:\n{ran.stderr}")
        self.sql(sql)
        if commits:
            os.replace(f"{self.position}.next", self.position)

    def listed(self):
        command = [os.environ["SITEMAP"], "list", "--format", "csv", f"{self.folder}/delta/sitemaps/sitemap.xml"]
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
        os.mkdir(f"{folder}/delta")
        settings = {"delta.enableChangeDataFeed": "true"}
        write_deltalake(check.table, rows(range(2000), 1), configuration=settings)
        check.run("full", "pages.parquet", "delta.sql")
        check.expect_equal("after the first publication")

        for day in range(2, 8):
            ids = [choose.randrange(2200) for _ in range(30)]
            merge = DeltaTable(check.table).merge(
                rows(sorted(set(ids)), day), "old.loc = new.loc", source_alias="new", target_alias="old"
            )
            merge.when_matched_update_all().when_not_matched_insert_all().execute()
            gone = choose.randrange(2000)
            DeltaTable(check.table).delete(f"loc = 'https://www.example.com/pages/{gone}'")
            # A run that is killed after it has published reads the same changes again.
            check.run("changes", "changes.parquet", "delta-changes.sql", commits=day % 3 > 0)
            check.expect_equal(f"after the changes of day {day}")
        check.run("changes", "changes.parquet", "delta-changes.sql")
        check.run("changes", "changes.parquet", "delta-changes.sql")
        check.expect_equal("after a run without changes")

        # The versions since the last publication have expired.
        before = check.listed()
        for number in (3000, 3001):
            write_deltalake(check.table, rows([number], 9), mode="append")
        table = DeltaTable(check.table)
        table.create_checkpoint()
        os.remove(f"{check.table}/_delta_log/{table.version() - 1:020}.json")
        ran = check.rows_py("changes", "changes.parquet")
        if ran.returncode == 0 or "publish all rows with `rows.py full`" not in ran.stderr:
            sys.exit(f"changes that have expired are no error:\n{ran.stdout}{ran.stderr}")
        if check.listed() != before:
            sys.exit("the set has changed although the changes have expired")
        check.run("full", "pages.parquet", "delta.sql")
        check.expect_equal("after all rows were published again")
        print(f"the set equals the table after 9 runs, with {len(check.listed())} pages")


if __name__ == "__main__":
    main()
