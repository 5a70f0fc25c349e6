"""Publishes the same pages on each kind of Spark, and compares the shards.

    SITEMAP=…/sitemap SPARK_HOME=… python3 integrations/engines/spark/check.py

`publish.py` runs on a standalone cluster of two workers, as a client of Spark Connect, and on a local master. The dates are
seconds, which Spark reads as BIGINT. All must write the same shards, whose names contain digests of their bytes, and the set
must list every page once, with its date. Other sources, units, options and refusals follow. At the end, nothing must be left of
the cluster and its jobs.
"""

import contextlib
import io
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import zlib
from datetime import datetime, timezone

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, ".."))

import publish
from cluster import ClusterFailed, bin_of_spark, standalone

SITEMAP = os.path.abspath(os.environ["SITEMAP"])
BASE = "https://www.example.com"
BUCKETS = 200
ROWS = 20_000
FIRST_DATE = 1735689600  # 2025-01-01T00:00:00Z
STARTED = time.monotonic()


def done(what):
    print(f"{time.monotonic() - STARTED:5.1f} s  {what}", flush=True)


def run(command, **more):
    ran = subprocess.run(command, capture_output=True, text=True, timeout=900, **more)
    if ran.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{ran.stdout[-2000:]}\n{ran.stderr[-4000:]}")
    return ran.stdout


def session(master, folder, port):
    """Returns a session on the cluster, which also serves Spark Connect at this port."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(master)
    settings = {
        "spark.files": SITEMAP,
        "spark.driver.memory": "1g",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        # Several tasks, in spite of the few rows.
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.warehouse.dir": f"{folder}/warehouse",
        "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
        "spark.connect.grpc.binding.port": str(port),
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    # The functions of a script are part of its tasks, but those of a module are not.
    spark.sparkContext.addPyFile(f"{HERE}/publish.py")
    return spark


def make(spark, path):
    from pyspark.sql import functions as F

    number = F.col("id")
    pages = spark.range(ROWS).select(
        F.concat(F.lit(f"{BASE}/items/"), number.cast("string")).alias("loc"),
        (F.lit(FIRST_DATE) + number).alias("lastmod"),
        F.when(number % 2 == 0, "daily").alias("changefreq"),
        F.when(number % 3 == 0, F.lit(0.5)).alias("priority"),
    )
    pages.write.parquet(path)


def job(out, *more):
    return ["--base", BASE, "--buckets", str(BUCKETS), "--out", out, *more]


def publish_pages(spark, out, *more):
    # The commit prints the files of the set, which only matter if it fails.
    kept = [os.dup(1), os.dup(2)]
    with tempfile.TemporaryFile("w+") as log:
        try:
            for output in (1, 2):
                os.dup2(log.fileno(), output)
            status = publish.publish(spark, publish.arguments(job(out, *more)))
        finally:
            for output, file in enumerate(kept, 1):
                os.dup2(file, output)
                os.close(file)
        log.seek(0)
        if status:
            sys.exit(f"the commit of {out} ended with status {status}:\n{log.read()}")


def expect_refusal(text, act):
    try:
        act()
    except (Exception, SystemExit) as error:
        if text not in str(error):
            sys.exit(f"expected {text!r} in the error, found {error}")
    else:
        sys.exit(f"expected an error with {text!r}, found none")


def shards(out):
    with open(f"{out}/sitemap.xml") as index:
        return [loc.rsplit("/", 1)[1] for loc in re.findall("<loc>([^<]*)</loc>", index.read())]


def dates(out):
    """Returns each URL of a set with its date."""
    found = {}
    for shard in shards(out):
        with open(f"{out}/{shard}", "rb") as file:
            xml = zlib.decompress(file.read(), 31).decode()
        for entry in re.findall("<url>(.*?)</url>", xml, re.S):
            loc = re.search("<loc>(.*?)</loc>", entry).group(1)
            if loc in found:
                sys.exit(f"the set lists {loc} twice")
            lastmod = re.search("<lastmod>(.*?)</lastmod>", entry)
            found[loc] = lastmod and lastmod.group(1)
    return found


def expect_all(out):
    date = lambda number: datetime.fromtimestamp(FIRST_DATE + number, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    if dates(out) != {f"{BASE}/items/{number}": date(number) for number in range(ROWS)}:
        sys.exit("the set does not list exactly the expected pages and dates")


def check_ways(spark, pages, port):
    # A relative destination is below the working folder of the driver, not below those of the executors.
    publish_pages(spark, "cluster", "--pages", pages)
    expect_all("cluster")
    done("two workers")
    path = f"{os.path.dirname(SITEMAP)}:{os.environ['PATH']}"
    client = {**os.environ, "SPARK_REMOTE": f"sc://127.0.0.1:{port}", "PATH": path}
    run([sys.executable, f"{HERE}/publish.py", "--pages", pages, *job("connect")], env=client)
    done("Spark Connect")


def check_sources(spark, pages):
    spark.sql(f"CREATE TABLE items USING parquet LOCATION '{pages}'")
    publish_pages(spark, "table", "--table", "spark_catalog.default.items")
    publish_pages(spark, "query", "--query", "SELECT loc, lastmod AS LastMod, changefreq, priority FROM items")
    for words in ([], ["--pages", pages, "--table", "items"]):
        with contextlib.redirect_stderr(io.StringIO()) as printed, contextlib.suppress(SystemExit):
            publish.arguments(job("no", *words))
        if "give exactly one of --pages, --table and --query" not in printed.getvalue():
            sys.exit(f"expected an error about the source of the pages, found {printed.getvalue()}")
    expect_refusal("rename the column of the URLs to `loc`", lambda: publish_pages(spark, "no", "--query", "SELECT 1 AS url"))
    done("tables and queries")

    other = ("--query", "SELECT 'https://shop.example.com/a' AS loc")
    publish_pages(spark, "hosts", *other, "--also-list", "https://blog.example.com", "--also-list", "https://shop.example.com")
    if dates("hosts") != {"https://shop.example.com/a": None}:
        sys.exit("the set of two hosts does not list exactly the expected page")
    expect_refusal("https://shop.example.com/a", lambda: publish_pages(spark, "no", *other))
    done("pages of other hosts")


def check_extensions(spark):
    """Images, alternates and sections arrive, in spite of other spellings of the URLs."""
    query = f"""
        SELECT '/ä' AS loc, 'a' AS section, array(named_struct('loc', '{BASE}/1.jpg')) AS images, map('de', '{BASE}/de') AS alternates, 1 AS own
        UNION ALL SELECT '{BASE}/%C3%A4', 'b', NULL, NULL, 2 UNION ALL SELECT '/книги 1', 'b', NULL, NULL, 3"""
    publish_pages(spark, "extensions", "--query", query)
    listed = run([SITEMAP, "list", "--format", "ndjson", "extensions"])
    for text in (f'"{BASE}/1.jpg"', f'"hreflang":"de","href":"{BASE}/de"', f"{BASE}/%D0%BA%D0%BD%D0%B8%D0%B3%D0%B8%201"):
        if text not in listed:
            sys.exit(f"expected {text} in the set, found {listed}")
    names = [name.split("-")[1:3] for name in shards("extensions")]
    if sorted(section for section, _ in names) != ["a", "b", "b"] or names[0][1] not in [bucket for _, bucket in names[1:]]:
        sys.exit(f"expected /ä in the same bucket of both sections, found {names}")
    done("sections, images and alternates")


def check_dates(spark, folder):
    import pyarrow
    import pyarrow.parquet

    # The last nanosecond of a second, which is cut off, and a date before 1970.
    nanoseconds = [FIRST_DATE * 10**9 + 999_999_999, -31_536_000 * 10**9 - 1, 0, None]
    moments = ["2025-01-01T00:00:00Z", "1968-12-31T23:59:59Z", "1970-01-01T00:00:00Z", None]
    locs = [f"{BASE}/{number}" for number in range(len(moments))]
    expected = dict(zip(locs, moments))
    files = {}
    for name, kind in {"utc": pyarrow.timestamp("ns", "UTC"), "plain": pyarrow.timestamp("ns"), "long": "int64"}.items():
        files[name] = f"{folder}/{name}.parquet"
        lastmod = pyarrow.array(nanoseconds, "int64").cast(kind)
        pyarrow.parquet.write_table(pyarrow.table({"loc": locs, "lastmod": lastmod}), files[name], version="2.6")
    legacy = "spark.sql.legacy.parquet.nanosAsLong"
    for name, file in files.items():
        spark.conf.unset(legacy)
        expect_refusal("`--lastmod-unit", lambda: publish_pages(spark, "no", "--pages", file))
        publish_pages(spark, name, "--pages", file, "--lastmod-unit", "nanoseconds")
        if dates(name) != expected:
            sys.exit(f"expected other dates than those of {name}: {dates(name)}")
        # Now Spark reads all three files as BIGINT.
        for unit in ((), ("--lastmod-unit", "milliseconds"), ("--lastmod-unit", "microseconds")):
            expect_refusal("is not a likely date; name the unit of the column with `--lastmod-unit`", lambda: publish_pages(spark, "no", "--pages", file, *unit))
    spark.conf.unset(legacy)
    for unit, factor in publish.UNITS.items():
        query = f"SELECT '{BASE}/0' AS loc, {FIRST_DATE * factor}L AS lastmod"
        publish_pages(spark, unit, "--query", query, "--lastmod-unit", unit)
        if dates(unit) != {f"{BASE}/0": "2025-01-01T00:00:00Z"}:
            sys.exit(f"expected another date than that of {unit}: {dates(unit)}")
    query = f"SELECT '{BASE}/0' AS loc, {FIRST_DATE}L AS lastmod"
    for unit in list(publish.UNITS)[1:]:
        refused = lambda: publish_pages(spark, "no", "--query", query, "--lastmod-unit", unit)
        expect_refusal(f"`lastmod` is {FIRST_DATE} {unit}, which is not a likely date", refused)
    expect_refusal(
        "leave out `--lastmod-unit`, which is for numbers",
        lambda: publish_pages(spark, "no", "--query", f"SELECT '{BASE}/0' AS loc, current_date() AS lastmod", "--lastmod-unit", "seconds"),
    )
    done("dates in each unit")


def check_feed():
    """The command may print more than a pipe holds before it reads, and its status and stderr must not be lost."""
    many = "yes 0123456 | head -n 100000; yes 0123456 | head -n 100000 >&2; cat"
    with contextlib.redirect_stderr(io.StringIO()):
        printed = publish.feed(["sh", "-c", many], ("x" * 1_000_000 + "\n" for _ in range(3)))
    if (len(printed), printed[-1]) != (100_003, "x" * 1_000_000):
        sys.exit(f"expected 100003 lines, found {len(printed)}")
    rows = lambda: ("x" * 1_000_000 for _ in range(3))
    expect_refusal("ended with status 3: no space", lambda: publish.feed(["sh", "-c", "cat >/dev/null; printf 'no space' >&2; exit 3"], rows()))
    # The command ends before it has read its rows.
    expect_refusal("ended with status 0: early", lambda: publish.feed(["sh", "-c", "printf early >&2"], rows()))
    done("the outputs of the command")


def kept_by_spark():
    """Returns what jobs have left in the folder where Spark keeps their files by default."""
    work = os.path.join(os.environ["SPARK_HOME"], "work")
    return set(os.listdir(work)) if os.path.isdir(work) else set()


def check_cluster():
    """A cluster that does not start is an error with the logs of its processes."""

    def fails(text, **more):
        def act():
            with standalone(**more):
                pass

        expect_refusal(text, act)

    fails("2 workers after 0 seconds:\nmaster: ", limit=0)
    # Without Java, the processes end.
    fails("Master` ended:\nmaster: ", env={**os.environ, "JAVA_HOME": "/nonexistent"})
    fails("/nonexistent/bin/java: No such file or directory", env={**os.environ, "JAVA_HOME": "/nonexistent"})
    done("a cluster that does not start, refused")


def check_all(master, folder):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    spark = session(master, folder, port)
    pages = f"{folder}/pages.parquet"
    make(spark, pages)
    done("a session, and pages as Parquet")
    check_ways(spark, pages, port)
    check_sources(spark, pages)
    check_extensions(spark)
    check_dates(spark, folder)
    spark.stop()

    local = ["--master", "local[2]", "--conf", "spark.ui.enabled=false", "--files", SITEMAP]
    run([bin_of_spark("spark-submit"), *local, f"{HERE}/publish.py", "--pages", pages, *job("local")])
    done("a local master")

    expected = shards("cluster")
    for name in ("connect", "table", "query", "local"):
        if shards(name) != expected:
            sys.exit(f"the shards of {name} differ from those of the cluster")
    done(f"all wrote the same {len(expected)} shards; {ROWS} pages once, with dates")


def main():
    before = kept_by_spark()
    with tempfile.TemporaryDirectory(prefix="sitemap-spark-") as folder:
        os.chdir(folder)
        check_feed()
        check_cluster()
        with standalone() as cluster:
            done("a cluster of two workers")
            check_all(cluster.url, folder)
            kept = os.listdir(f"{cluster.folder}/worker-1/work")
        if not kept:
            sys.exit("expected the files of the jobs in the folder of their worker, found none")
        if os.path.exists(cluster.folder) or kept_by_spark() != before:
            sys.exit(f"files of jobs were left in `{cluster.folder}` or `{os.environ['SPARK_HOME']}/work`")
        done(f"nothing left of {len(kept)} jobs")


if __name__ == "__main__":
    main()
