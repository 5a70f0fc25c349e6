"""Keeps a set equal to an Iceberg table, as the README describes, and compares them.

    SITEMAP=…/sitemap SITEMAP_SQL=…/sitemap-sql python3 integrations/engines/iceberg/check.py
"""

import datetime
import os
import random
import subprocess
import sys
import tempfile

import pyarrow as pa
from pyiceberg.catalog import load_catalog
from pyiceberg.expressions import EqualTo, In

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
        self.position = f"{folder}/iceberg/position"
        os.mkdir(f"{folder}/iceberg")
        settings = {"type": "sql", "uri": f"sqlite:///{folder}/catalog.db", "warehouse": f"file://{folder}/lake"}
        os.environ.update({f"PYICEBERG_CATALOG__LAKE__{name.upper()}": value for name, value in settings.items()})
        self.catalog = catalog = load_catalog("lake", **settings)
        catalog.create_namespace("shop")
        catalog.create_table("shop.pages", schema=COLUMNS)

    def table(self):
        return self.catalog.load_table("shop.pages")

    def rows_py(self, command):
        file = {"full": "pages", "changes": "changes"}[command]
        arguments = [command, "lake", "shop.pages", f"{self.folder}/iceberg/{file}.parquet", self.position]
        return subprocess.run([sys.executable, f"{HERE}/rows.py", *arguments], capture_output=True, text=True)

    def run(self, command, commits=True):
        ran = self.rows_py(command)
        if ran.returncode:
            sys.exit(f"rows.py {command} failed:\n{ran.stderr}")
        name = {"full": "iceberg", "changes": "iceberg-changes"}[command]
        with open(f"{HERE}/../examples/{name}.sql") as file:
            sql = file.read().replace("/tmp/", f"{self.folder}/")
        ran = subprocess.run([os.environ["SITEMAP_SQL"], "-"], input=sql, capture_output=True, text=True)
        if ran.returncode:
            sys.exit(f"{name}.sql failed:\n{ran.stdout}{ran.stderr}")
        if commits:
            os.replace(f"{self.position}.next", self.position)
        return ran.stderr

    def listed(self):
        command = [os.environ["SITEMAP"], "list", "--format", "csv", f"{self.folder}/iceberg/sitemaps/sitemap.xml"]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
        return sorted(line.split(",")[:2] for line in lines[1:])

    def expect_equal(self, when):
        table = self.table().scan().to_arrow()
        expected = [
            [loc, moment.strftime("%Y-%m-%dT%H:%M:%SZ")]
            for loc, moment in zip(table["loc"].to_pylist(), table["lastmod"].to_pylist())
        ]
        if self.listed() != sorted(expected):
            sys.exit(f"{when}, the set differs from the table")


def main():
    choose = random.Random(1)
    with tempfile.TemporaryDirectory(prefix="sitemap-iceberg-") as folder:
        check = Check(folder)
        for start in range(0, 2000, 500):
            check.table().append(rows(range(start, start + 500), 1))
        check.run("full")
        check.expect_equal("after the first publication")

        for day in range(2, 6):
            ids = sorted({choose.randrange(2200) for _ in range(30)})
            check.table().upsert(rows(ids, day), join_cols=["loc"])
            check.table().delete(EqualTo("loc", f"https://www.example.com/pages/{choose.randrange(2000)}"))
            # A page is added and removed again, and another one is removed and added again.
            check.table().append(rows([9000 + day], day))
            check.table().delete(In("loc", [f"https://www.example.com/pages/{number}" for number in (9000 + day, 7)]))
            check.table().append(rows([7], day))
            # A run that is killed after it has published reads the same changes again.
            check.run("changes", commits=day % 3 > 0)
            check.expect_equal(f"after the changes of day {day}")
        check.run("changes")
        if "no page has changed, so nothing was published" not in check.run("changes"):
            sys.exit("a run without changes has published a set")
        check.expect_equal("after a run without changes")

        # The snapshot that is published has expired.
        before = check.listed()
        published = check.table().current_snapshot().snapshot_id
        check.table().append(rows([3000], 9))
        check.table().maintenance.expire_snapshots().by_id(published).commit()
        ran = check.rows_py("changes")
        if ran.returncode == 0 or f"the published snapshot {published} has expired; publish all rows" not in ran.stderr:
            sys.exit(f"changes that have expired are no error:\n{ran.stdout}{ran.stderr}")
        if check.listed() != before:
            sys.exit("the set has changed although the changes have expired")
        check.run("full")
        check.expect_equal("after all rows were published again")
        print(f"the set equals the table after 8 runs, with {len(check.listed())} pages")


if __name__ == "__main__":
    main()
