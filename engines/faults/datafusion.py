"""Faults of a process that publishes with DataFusion."""

import os
import signal
import time

from sets import BASE, BUCKETS, Place, expect, loc


def statement(place, numbers, priority="0.5"):
    select = f"SELECT '{BASE}/items/' || value AS loc, DATE '2026-01-31' AS lastmod, {priority} AS priority"
    return (
        f"COPY ({select} FROM generate_series({numbers[0]}, {numbers[-1]})) TO '{place.out}/' STORED AS SITEMAP "
        f"OPTIONS (base '{BASE}', section 'items', buckets {BUCKETS}, gzip true)"
    )


def run_sql(place, sql):
    return place.run([os.environ["SITEMAP_SQL"], "-"], sql)


def publish(place, numbers):
    ran = run_sql(place, statement(place, numbers))
    expect(ran.returncode == 0, ran.stderr)


def killed(kind):
    """A process with DataFusion is killed at work"""
    place = Place(kind)
    old, new = range(1, 1001), range(1, 400_001)
    publish(place, old)
    place.expect_pages(old)
    started = time.monotonic()
    publish(Place(kind), new)
    duration = time.monotonic() - started
    kills = 0
    for part in (0.3, 0.5, 0.7, 0.9):
        process = place.start([os.environ["SITEMAP_SQL"], "-"])
        process.stdin.write(statement(place, new))
        process.stdin.close()
        time.sleep(duration * part)
        process.send_signal(signal.SIGKILL)
        if process.wait() == 0:
            break
        kills += 1
        place.expect_pages(old)
    expect(kills > 0, "it was always too late")
    publish(place, new)
    place.expect_pages(new)
    return f"old set, after each of {kills} kills; run again: new set, each page once"


def bad_row_in_sql(kind):
    """A row is bad, in DataFusion"""
    place = Place(kind)
    publish(place, range(1, 101))
    sql = statement(place, range(1, 5001), "CASE WHEN value = 777 THEN 1.5 ELSE 0.5 END")
    ran = run_sql(place, sql)
    expect(ran.returncode == 2 and f'found 1.5, in the row of "{loc(777)}"' in ran.stderr, ran.stderr)
    place.expect_pages(range(1, 101))
    ran = run_sql(place, sql.replace("gzip true", "gzip true, on_invalid skip"))
    expect(ran.returncode == 0 and "skipped: 1 invalid rows" in ran.stderr, ran.stderr)
    place.expect_pages([number for number in range(1, 5001) if number != 777])
    return "old set, the error names row and value; with `on_invalid skip` the others, and 1 counted"


ALL = [killed, bad_row_in_sql]
