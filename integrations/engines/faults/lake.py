"""Faults of sets that are kept equal to tables of Delta Lake, which Python's `deltalake` writes in a process of its own."""

import os
import re
import signal
import subprocess
import tempfile
import time

from sets import BASE, BUCKETS, Place, expect

DELTA = """
import shutil, sys, pyarrow as pa
from deltalake import DeltaTable, write_deltalake
_, command, place, first, last = sys.argv
rows = pa.table({"loc": [f"%s/items/{number}" for number in range(int(first), int(last) + 1)]})
if command == "insert":
    write_deltalake(place, rows, mode="append", configuration={"delta.enableChangeDataFeed": "true"})
elif command == "delete":
    DeltaTable(place).merge(rows, "old.loc = new.loc", source_alias="new", target_alias="old").when_matched_delete().execute()
else:
    # As `VACUUM` of Spark does after seven days.
    shutil.rmtree(f"{place}/_change_data")
    DeltaTable(place).create_checkpoint()
""" % BASE


class Table:
    """A Delta table in a folder, and a set that is published from it."""

    def __init__(self, place):
        self.place = place
        self.folder = tempfile.TemporaryDirectory()
        self.table = f"{self.folder.name}/table"
        self.position = f"{self.folder.name}/position"

    def write(self, command, first=0, last=0):
        arguments = [os.environ["LAKE_PYTHON"], "-c", DELTA, command, self.table, str(first), str(last)]
        ran = subprocess.run(arguments, capture_output=True, text=True)
        expect(ran.returncode == 0, ran.stderr)

    def sql(self, changes, saves=True):
        """Returns the statements that publish all pages, or what has changed."""
        since = "changes_since 'position', " if changes else ""
        columns, form = ("loc, op", "mode 'update'") if changes else ("loc", f"buckets {BUCKETS}, gzip true")
        save = ", save_position 'pages'" if saves else ""
        return (
            f"CREATE EXTERNAL TABLE pages STORED AS DELTATABLE LOCATION '{self.table}' "
            f"OPTIONS ({since}position '{self.position}'); COPY (SELECT {columns} FROM pages) TO '{self.place.out}/' "
            f"STORED AS SITEMAP OPTIONS (base '{BASE}', {form}, max_shrink 'off'{save})"
        )

    def run(self, changes, saves=True):
        return self.place.run([os.environ["SITEMAP_SQL"], "-"], self.sql(changes, saves))

    def publish(self, changes, saves=True):
        ran = self.run(changes, saves)
        expect(ran.returncode == 0, ran.stderr)
        return ran.stderr

    def saved(self):
        with open(self.position) as file:
            return int(re.search(r'"version":(\d+)', file.read())[1])


def changes_twice(kind):
    """The same changes of a Delta table are applied twice"""
    table = Table(Place(kind))
    table.write("insert", 1, 1000)
    table.publish(changes=False)
    table.write("insert", 1001, 1100)
    table.write("delete", 1, 50)
    # The first run ends before it saves its position.
    table.publish(changes=True, saves=False)
    expect(table.saved() == 0, "the position was saved")
    before = table.place.index()
    message = table.publish(changes=True)
    expect("no page has changed, so nothing was published" in message, message)
    expect(table.place.index() == before and table.saved() == 2, "the second run changed the set")
    table.place.expect_pages(range(51, 1101))
    return "the second time, no page changes and nothing is published; the position moves from version 0 to version 2"


def killed(kind):
    """A process is killed while it publishes the changes of a Delta table"""
    table = Table(Place(kind))
    table.write("insert", 1, 1000)
    table.publish(changes=False)
    table.write("insert", 1001, 2000)
    started = time.monotonic()
    table.publish(changes=True, saves=False)
    duration = time.monotonic() - started
    kills, pages = 0, 2000
    for part in (0.3, 0.5, 0.7, 0.8, 0.9, 0.95):
        table.write("insert", pages + 1, pages + 100)
        pages += 100
        process = table.place.start([os.environ["SITEMAP_SQL"], "-"])
        process.stdin.write(table.sql(changes=True))
        process.stdin.close()
        time.sleep(duration * part)
        process.kill()
        kills += process.wait() != 0
    expect(kills > 0, "every kill came after the commit")
    # A server may carry out a request of the killed process only now.
    ran = table.run(changes=True)
    if ran.returncode:
        table.publish(changes=True)
    table.place.expect_pages(range(1, pages + 1))
    return f"{kills} kills; the next run applies the changes since the saved position: new set, each page once"


def expired(kind):
    """The version of a Delta table since which changes are asked has expired"""
    table = Table(Place(kind))
    table.write("insert", 1, 1000)
    table.publish(changes=False)
    table.write("delete", 1, 50)
    table.write("insert", 1001, 1001)
    table.write("expire")
    before = table.place.index()
    ran = table.run(changes=True)
    expect(ran.returncode == 2 and "what changed since version 0 has expired" in ran.stderr, ran.stderr)
    expect(table.place.index() == before and table.saved() == 0, "the set or the position has changed")
    os.remove(f"{table.table}/_delta_log/{1:020}.json")
    ran = table.run(changes=True)
    expect(ran.returncode == 2 and "publish all rows again" in ran.stderr, ran.stderr)
    expect(table.place.index() == before and table.saved() == 0, "the set or the position has changed")
    table.publish(changes=False)
    table.place.expect_pages(range(51, 1002))
    return "old set, and the error says to publish all rows; the position stays; after that: new set, each page once"


def two_runs(kind):
    """Two runs publish the changes of a Delta table at the same time"""
    table = Table(Place(kind))
    table.write("insert", 1, 1000)
    table.publish(changes=False)
    table.write("insert", 1001, 1100)
    first = table.place.start([os.environ["SITEMAP_SQL"], "-"])
    # The first run locks the position, and then works for a while before it publishes.
    work = "; SELECT count(*) FROM generate_series(1, 20000000) AS numbers (value) WHERE value % 7 = 3; COPY"
    lock = f"{table.position}.lock"
    os.remove(lock)
    first.stdin.write(table.sql(changes=True).replace("; COPY", work))
    first.stdin.close()
    while first.poll() is None and not os.path.exists(lock):
        time.sleep(0.01)
    time.sleep(0.1)
    expect(first.poll() is None, "the first run ended before it could be stopped")
    os.kill(first.pid, signal.SIGSTOP)
    ran = table.run(changes=True)
    os.kill(first.pid, signal.SIGCONT)
    expect(ran.returncode == 2 and "another run uses the position" in ran.stderr, ran.stderr)
    message = first.stderr.read()
    expect(first.wait(timeout=120) == 0, message)
    table.place.expect_pages(range(1, 1101))
    return "the second ends with an error that names the position; the first publishes: new set, each page once"


ALL = [changes_twice, killed, expired, two_runs]
