"""Publishes the same Parquet file with each engine, and compares the shards and the costs.

    SITEMAP=…/sitemap SITEMAP_SQL=…/sitemap-sql MAKE_PAGES=…/make_pages IN_PROCESS=…/in_process \
        [SPARK_HOME=…] python3 integrations/engines/figures.py ROWS BUCKETS

CPU is the user and system time of a process and its descendants. The peak of the resident memory is the largest sum
over these processes, sampled 20 times a second. Every published URL and its date are compared with the Parquet file.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time

from processes import descendants, running

BASE = "https://www.example.com"
HERE = os.path.dirname(os.path.abspath(__file__))


def resident(pid):
    """Returns the resident bytes of a process and its descendants. Shared pages count for each process."""
    processes = running()
    return sum(processes[each].resident for each in {pid, *descendants([pid], processes)} if each in processes)


def measured(command, stdin=None):
    """Runs a command and returns its CPU seconds, its peak of resident memory in MB, and its wall seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryFile("w+") as output:
        source = subprocess.PIPE if stdin is not None else subprocess.DEVNULL
        process = subprocess.Popen(command, stdin=source, stdout=output, stderr=subprocess.STDOUT, text=True)
        if stdin is not None:
            process.stdin.write(stdin)
            process.stdin.close()
        peak, started = 0, time.monotonic()
        while process.poll() is None:
            peak = max(peak, resident(process.pid))
            time.sleep(0.05)
        wall = time.monotonic() - started
        if process.returncode:
            output.seek(0)
            sys.exit(f"{command[0]} failed:\n{output.read()[-4000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, peak / 1e6, wall


def sql(text):
    ran = subprocess.run([os.environ["SITEMAP_SQL"], "--memory", "4096", "-"], input=text, text=True, capture_output=True)
    if ran.returncode:
        sys.exit(f"sitemap-sql failed: {ran.stderr}")
    return ran.stdout


def shards(folder):
    return sorted(name for name in os.listdir(folder) if name.startswith("sitemap-pages-"))


def main():
    rows, buckets = int(sys.argv[1]), int(sys.argv[2])
    with tempfile.TemporaryDirectory(prefix="sitemap-figures-") as folder:
        pages = f"{folder}/pages.parquet"
        subprocess.run([os.environ["MAKE_PAGES"], str(rows), pages], check=True)
        out = lambda name: f"{folder}/{name}"
        copy = (
            f"CREATE EXTERNAL TABLE pages STORED AS PARQUET LOCATION '{pages}';"
            f"COPY (SELECT loc, lastmod, changefreq, priority FROM pages) TO '{out('datafusion')}/' STORED AS SITEMAP "
            f"OPTIONS (base '{BASE}', buckets {buckets}, gzip true, expect_urls {rows})"
        )
        runs = {
            "in_process": ([os.environ["IN_PROCESS"], pages, str(buckets), out("in_process")], None),
            "datafusion": ([os.environ["SITEMAP_SQL"], "-"], copy),
        }
        if os.environ.get("SPARK_HOME"):
            spark = [os.path.join(os.environ["SPARK_HOME"], "bin", "spark-submit"), "--master", "local[2]"]
            spark += ["--driver-memory", "2g", "--conf", "spark.ui.enabled=false", f"{HERE}/spark/publish.py"]
            spark += ["--pages", pages, "--base", BASE, "--buckets", str(buckets), "--out", out("spark")]
            spark += ["--command", os.environ["SITEMAP"]]
            runs["spark"] = (spark, None)
        else:
            print("skipped: Spark, because SPARK_HOME is not set")
        print("| engine | CPU s | x in_process | peak RSS MB | wall s |\n|---|--:|--:|--:|--:|")
        first = None
        for name, (command, stdin) in runs.items():
            cpu, peak, wall = measured(command, stdin)
            first = first or cpu
            print(f"| {name} | {cpu:.1f} | {cpu / first:.2f} | {peak:.0f} | {wall:.1f} |", flush=True)
        expected = shards(out("in_process"))
        for name in runs:
            # The names contain digests of the bytes, so equal names mean equal bytes.
            if shards(out(name)) != expected:
                sys.exit(f"the shards of {name} differ from those of in_process")
        stored = sum(os.path.getsize(f"{out('in_process')}/{shard}") for shard in expected)
        print(f"all wrote the same {len(expected)} shards: {stored} bytes, {stored / rows:.2f} per page")
        compared = sql(
            f"CREATE EXTERNAL TABLE source STORED AS PARQUET LOCATION '{pages}';"
            f"CREATE EXTERNAL TABLE published STORED AS SITEMAP LOCATION '{out('datafusion')}/';"
            "SELECT 'compared', count(*), count(DISTINCT published.loc),"
            " count(*) FILTER (WHERE source.loc IS NULL), count(*) FILTER (WHERE published.loc IS NULL),"
            " count(*) FILTER (WHERE source.lastmod <> published.lastmod)"
            " FROM source FULL JOIN published ON source.loc = published.loc"
        )
        counts = [cell.strip() for cell in compared.split("| compared")[1].split("\n")[0].strip("| ").split("|")]
        if counts != [str(rows), str(rows), "0", "0", "0"]:
            sys.exit(f"the published URLs or dates differ from the source:\n{compared}")
        print(f"each of {rows} URLs is published once, with its date, and no other URL")


if __name__ == "__main__":
    main()
