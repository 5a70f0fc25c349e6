"""Measures what a second `COPY`, an update and a full read of a set cost, compared with the first `COPY`.

    SITEMAP=…/sitemap SITEMAP_SQL=…/sitemap-sql MAKE_PAGES=…/make_pages python3 integrations/engines/second.py ROWS BUCKETS

CPU is the user and system time of the process.
"""

import os
import subprocess
import sys
import tempfile

from figures import BASE, measured

CHANGED = 1_000


def main():
    rows, buckets = int(sys.argv[1]), int(sys.argv[2])
    with tempfile.TemporaryDirectory(prefix="sitemap-second-") as folder:
        pages, out = f"{folder}/pages.parquet", f"{folder}/set"
        subprocess.run([os.environ["MAKE_PAGES"], str(rows), pages], check=True, stdout=subprocess.DEVNULL)
        source = f"CREATE EXTERNAL TABLE pages STORED AS PARQUET LOCATION '{pages}';"
        published = f"CREATE EXTERNAL TABLE published STORED AS SITEMAP LOCATION '{out}/';"
        columns = "loc, lastmod, changefreq, priority"

        def copy(select):
            return (
                f"{source} COPY ({select}) TO '{out}/' STORED AS SITEMAP "
                f"OPTIONS (base '{BASE}', buckets {buckets}, gzip true, expect_urls {rows})"
            )

        # Every so many rows have another date.
        step = rows // CHANGED
        number = "CAST(split_part(loc, '-', 2) AS BIGINT)"
        newer = f"SELECT loc, CASE WHEN {number} % {step} = 0 THEN TIMESTAMP '2026-02-01' ELSE lastmod END AS lastmod"
        delta = f"SELECT loc, TIMESTAMP '2026-02-02' AS lastmod FROM pages WHERE {number} % {step} = 0"
        # A section of its own for new pages, which few hash buckets have.
        new = f"SELECT loc || '/new' AS loc, lastmod, 'new' AS section FROM pages WHERE {number} % {step} < 20"
        newest = f"SELECT loc, TIMESTAMP '2026-02-03' AS lastmod, section FROM ({new}) WHERE loc LIKE '%0/new'"
        into = f"TO '{out}/' STORED AS SITEMAP OPTIONS (base '{BASE}', mode 'update')"
        reading = lambda select: f"{source} SELECT count(loc), max(lastmod) FROM ({select})"
        sql = [os.environ["SITEMAP_SQL"], "-"]
        runs = [
            ("first `COPY`", sql, copy(f"SELECT {columns} FROM pages")),
            ("second `COPY`, the same rows", sql, copy(f"SELECT {columns} FROM pages")),
            (f"third `COPY`, {CHANGED} new dates", sql, copy(f"{newer}, changefreq, priority FROM pages")),
            (f"`mode 'update'` of {CHANGED} pages in all buckets", sql, f"{source} COPY ({delta}) {into}"),
            ("only the query of these changes", sql, reading(delta)),
            (
                f"first `COPY` of a section of {20 * CHANGED} pages",
                sql,
                f"{source} COPY ({new}) TO '{out}/' STORED AS SITEMAP OPTIONS (base '{BASE}', buckets 1, gzip true)",
            ),
            ("`mode 'update'` of a tenth of them", sql, f"{source} COPY ({newest}) {into}"),
            ("only the query of these changes", sql, reading(newest)),
            ("`sitemap stats` of all pages", [os.environ["SITEMAP"], "stats", out], None),
            (
                "`SELECT` of all pages",
                sql,
                f"{published} SELECT count(loc), max(lastmod), count(changefreq), sum(priority) FROM published",
            ),
            ("`SELECT` of one page", sql, f"{published} SELECT * FROM published WHERE loc = '{BASE}/items/1013904226-2'"),
        ]
        print("| | CPU s | x first | peak RSS MB | wall s |\n|---|--:|--:|--:|--:|")
        first = None
        for name, command, stdin in runs:
            cpu, peak, wall = measured(command, stdin)
            first = first or cpu
            print(f"| {name} | {cpu:.2f} | {cpu / first:.2f} | {peak:.0f} | {wall:.1f} |", flush=True)


if __name__ == "__main__":
    main()
