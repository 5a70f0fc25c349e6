"""Faults of a process that publishes with DataFusion."""

import os
import re
import signal
import tempfile
import time

from proxy import Proxy
from sets import BASE, BUCKETS, Place, expect, loc


def statement(place, numbers, priority="0.5"):
    select = f"SELECT '{BASE}/items/' || value AS loc, DATE '2026-01-31' AS lastmod, {priority} AS priority"
    return (
        f"COPY ({select} FROM generate_series({numbers[0]}, {numbers[-1]})) TO '{place.out}/' STORED AS SITEMAP "
        f"OPTIONS (base '{BASE}', section 'items', buckets {BUCKETS}, gzip true, max_shrink 'off')"
    )


def run_sql(place, sql):
    return place.run([os.environ["SITEMAP_SQL"], "-"], sql)


def publish(place, numbers):
    ran = run_sql(place, statement(place, numbers))
    expect(ran.returncode == 0, ran.stderr)


def killed(kind):
    """A process with DataFusion is killed while it publishes"""
    place = Place(kind)
    old, new = range(1, 1001), range(1, 400_001)
    publish(place, old)
    place.expect_pages(old)
    started = time.monotonic()
    publish(Place(kind), new)
    duration = time.monotonic() - started
    numbers = {old: "old", new: "new"}
    seen = dict.fromkeys(numbers.values(), 0)
    for part in (0.2, 0.4, 0.6, 0.8, 0.9, 1.0):
        process = place.start([os.environ["SITEMAP_SQL"], "-"])
        process.stdin.write(statement(place, new))
        process.stdin.close()
        time.sleep(duration * part)
        process.send_signal(signal.SIGKILL)
        if process.wait() == 0:
            break
        published = place.expect_one_of(old, new)
        seen[numbers[published]] += 1
        if published is new:
            publish(place, old)
    expect(seen["old"] > 0, "every kill came after the commit")
    # A server may carry out a request of the killed process only now, in the middle of the next run.
    ran = run_sql(place, statement(place, new))
    repeated = ran.returncode != 0 and "since this run started" in ran.stderr
    if repeated:
        publish(place, new)
    else:
        expect(ran.returncode == 0, ran.stderr)
    place.expect_pages(new)
    kills = sum(seen.values())
    late = ", which was repeated, because a request of the killed process was late" if repeated else ""
    return (
        f"{kills} kills: old set {seen['old']}, new set {seen['new']}; always one of the two sets; after another "
        f"run{late}: new set, each page once"
    )


def part_killed(kind):
    """One of two parts is killed while it writes, in DataFusion"""
    place, old, new = Place(kind), range(1, 1001), range(1, 200_001)
    publish(place, old)
    with tempfile.TemporaryDirectory() as stored_rows:

        def command(*words):
            return [os.environ["SITEMAP_SQL"], *words, "-"]

        sql = statement(place, new)
        ran = place.run(command("--part", "1/2", "--rows", stored_rows), sql)
        expect(ran.returncode == 0, ran.stderr)
        before = stored(place)
        second = place.start(command("--part", "2/2", "--rows", stored_rows))
        second.stdin.write(sql)
        second.stdin.close()
        while second.poll() is None and stored(place) == before:
            time.sleep(0.01)
        second.kill()
        expect(second.wait() != 0, "the part ended before it was killed")
        ran = place.run(command("--commit", stored_rows), sql)
        expect(ran.returncode == 2 and "the parts 2/2 are missing" in ran.stderr, ran.stderr)
        place.expect_pages(old)
        for words in (("--part", "2/2", "--rows", stored_rows), ("--commit", stored_rows)):
            ran = place.run(command(*words), sql)
            expect(ran.returncode == 0, ran.stderr)
    place.expect_pages(new)
    return "old set, and the commit names the part; after the part is repeated: new set, each page once"


def bad_row_in_sql(kind):
    """A row is invalid, in DataFusion"""
    place = Place(kind)
    publish(place, range(1, 101))
    sql = statement(place, range(1, 5001), "CASE WHEN value = 777 THEN 1.5 ELSE 0.5 END")
    ran = run_sql(place, sql)
    expect(ran.returncode == 2 and f'row "{loc(777)}": ' in ran.stderr and "found 1.5" in ran.stderr, ran.stderr)
    place.expect_pages(range(1, 101))
    ran = run_sql(place, sql.replace("gzip true", "gzip true, on_invalid skip"))
    expect(ran.returncode == 0 and "skipped: 1 invalid rows" in ran.stderr, ran.stderr)
    place.expect_pages([number for number in range(1, 5001) if number != 777])
    return "old set, and the error names the row and the value; with `on_invalid skip`: new set without the row, 1 counted"


def changes(place, upserts, removals):
    """Returns a statement that sets the date of some pages to 2026-02-01 and removes others."""
    select = "SELECT '{}/items/' || value AS loc, {} AS lastmod, '{}' AS op FROM generate_series({}, {})"
    rows = [
        select.format(BASE, date, op, numbers[0], numbers[-1])
        for date, op, numbers in (("DATE '2026-02-01'", "upsert", upserts), ("NULL", "remove", removals))
        if numbers
    ]
    return (
        f"COPY ({' UNION ALL '.join(rows)}) TO '{place.out}/' STORED AS SITEMAP "
        f"OPTIONS (base '{BASE}', mode 'update', section 'items')"
    )


def delta_twice(kind):
    """The same changes are applied twice, with DataFusion"""
    place = Place(kind)
    publish(place, range(1, 1001))
    sql = changes(place, range(1001, 1011), range(1, 11))
    ran = run_sql(place, sql)
    expect(ran.returncode == 0 and "10 pages added, 0 changed, 10 removed" in ran.stderr, ran.stderr)
    place.expect_pages(range(11, 1011))
    before = place.index()
    ran = run_sql(place, sql)
    expect(ran.returncode == 0 and "no page has changed, so nothing was published" in ran.stderr, ran.stderr)
    expect(place.index() == before, "the index has changed")
    return "the second time, no page changes and nothing is published; the index stays the same to the byte"


def two_updates(kind):
    """Two updates of the same set run at the same time, with DataFusion"""
    place = Place(kind)
    publish(place, range(1, 1001))
    expected, restarts = set(range(1, 1001)), 0
    for number in range(10):
        # Both change pages in all eight buckets.
        deltas = []
        for part in (0, 1):
            first = 2000 + 100 * (2 * number + part)
            gone = 1 + 100 * number + 50 * part
            deltas.append((range(first, first + 50), range(gone, gone + 20)))
        processes = [place.start([os.environ["SITEMAP_SQL"], "-"]) for _ in deltas]
        for process, (upserts, removals) in zip(processes, deltas):
            process.stdin.write(changes(place, upserts, removals))
            process.stdin.close()
            expected = (expected | set(upserts)) - set(removals)
        for process in processes:
            message = process.stderr.read()
            expect(process.wait(timeout=120) == 0, message)
            restarts += int(re.search(r"(\d+) restarts", message).group(1))
    place.expect_pages(expected)
    return f"10 pairs: all 20 succeed after {restarts} restarts in total; no change is lost"


def section_vanished(kind):
    """A section vanishes from the rows, in DataFusion"""
    place = Place(kind)

    def sql(sections, options=""):
        rows = f"SELECT '{BASE}/items/' || value AS loc, CASE WHEN value % 2 = 0 THEN 'even' ELSE 'odd' END AS section"
        return (
            f"COPY (SELECT * FROM ({rows} FROM generate_series(1, 1000)) WHERE section IN ({sections})) "
            f"TO '{place.out}/' STORED AS SITEMAP OPTIONS (base '{BASE}', buckets {BUCKETS}, gzip true{options})"
        )

    expect(run_sql(place, sql("'even', 'odd'")).returncode == 0, "publishing failed")
    before = place.index()
    ran = run_sql(place, sql("'odd'"))
    expect(ran.returncode == 0 and "kept: the sections `even`" in ran.stderr, ran.stderr)
    ran = run_sql(place, sql("'odd'", ", mode 'replace_all'"))
    expect(ran.returncode == 2 and "section `even` would fall from 500 pages to none" in ran.stderr, ran.stderr)
    expect(place.index() == before, "the index has changed")
    place.expect_pages(range(1, 1001))
    ran = run_sql(place, sql("'odd'", ", mode 'replace_all', allow_shrink 'empty'"))
    expect(ran.returncode == 0, ran.stderr)
    place.expect_pages(range(1, 1001, 2))
    return (
        "the section stays published, and is named; with `mode 'replace_all'`: old set, and the error names the section; "
        "with `allow_shrink 'empty'`: new set without the section"
    )


def stored(place):
    """Returns the number of shards that exist, also of those that are not published."""
    return sum(name.startswith("sitemap-") for name in place.names())


def interrupted(kind):
    """A process with DataFusion gets SIGINT or SIGTERM while rows are on disk, or while shards are written"""
    moments = {
        "rows are on disk": lambda place, spill, before: any(files for _, _, files in os.walk(spill)),
        "shards are written": lambda place, spill, before: stored(place) > before,
    }
    for moment, has_come in moments.items():
        for number in (signal.SIGINT, signal.SIGTERM):
            place, old = Place(kind), range(1, 1001)
            sql = statement(place, old).replace(f"buckets {BUCKETS}", "buckets 80")
            ran = run_sql(place, sql)
            expect(ran.returncode == 0, ran.stderr)
            before = stored(place)
            with tempfile.TemporaryDirectory() as spill:
                options = ["--memory", "48", "--partitions", "2", "--spill", spill]
                process = place.start([os.environ["SITEMAP_SQL"], *options, "-"])
                process.stdin.write(sql.replace("generate_series(1, 1000)", "generate_series(1, 2000000)"))
                process.stdin.close()
                while process.poll() is None and not has_come(place, spill, before):
                    time.sleep(0.01)
                expect(process.poll() is None, f"the process ended before {moment}")
                process.send_signal(number)
                status = process.wait(timeout=120)
                expect(status == 128 + number, f"the status is {status}")
                expect(os.listdir(spill) == [], "rows are left on disk")
            place.expect_pages(old)
            expect(stored(place) < before + 80, "the process wrote all shards before it ended")
    return "old set; the process ends with status 130 or 143 before it has written all shards, and no rows are left on disk"


def answers_of_500(kind):
    """A fifth of all requests get the answer 500, half of them although they were carried out, in DataFusion"""
    place = Place(kind)
    publish(place, range(1, 1001))
    with Proxy(place.endpoint.rsplit("/", 1)[0], fails=5) as proxy:
        place.through(proxy.url)
        new = range(501, 20_501)
        ran = run_sql(place, statement(place, new))
        expect(ran.returncode == 0, ran.stderr)
        place.expect_pages(new)
        ran_update = run_sql(place, changes(place, range(30_001, 30_011), range(501, 511)))
        expect(ran_update.returncode == 0, ran_update.stderr)
        expect("10 pages added, 0 changed, 10 removed" in ran_update.stderr, ran_update.stderr)
    place.expect_pages([*range(511, 20_501), *range(30_001, 30_011)])
    repeated = sum(map(int, re.findall(r"repeated: (\d+) requests", ran.stderr + ran_update.stderr)))
    expect(repeated > 0, ran.stderr + ran_update.stderr)
    return (
        f"new set, each page once, and after an update, too; {proxy.failed} of {proxy.requests} requests failed, and the "
        f"statements report {repeated} repeated ones"
    )


ALL = [killed, interrupted, part_killed, bad_row_in_sql, delta_twice, two_updates, section_vanished]
IN_BUCKETS = [answers_of_500]
