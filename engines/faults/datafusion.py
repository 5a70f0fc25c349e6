"""Faults of a process that publishes with DataFusion."""

import os
import signal
import time

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
        published = new if len(place.pages()) == len(new) else old
        place.expect_pages(published)
        seen[numbers[published]] += 1
        if published is new:
            publish(place, old)
    expect(seen["old"] > 0, "every kill came after the commit")
    publish(place, new)
    place.expect_pages(new)
    kills = sum(seen.values())
    return (
        f"{kills} kills: old set {seen['old']}, new set {seen['new']}; always one of the two sets; after another "
        "run: new set, each page once"
    )


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


ALL = [killed, bad_row_in_sql]
