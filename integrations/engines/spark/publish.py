"""Publishes pages with Spark.

    spark-submit --files /usr/local/bin/sitemap publish.py --pages s3a://lake/pages \
        --base https://www.example.com --section pages --buckets 200 --out s3://bucket/sitemaps

The job first adds the hash bucket of each page with `sitemap shard bucket`. Then each task feeds the rows of its buckets to
`sitemap shard write`. This driver commits the shards of all tasks, if the number of pages equals the number of rows. If a
task fails or its executor is lost, Spark runs the task again, and the task writes the same shards. Nothing is published
before the commit.
"""

import argparse
import os
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T
from pyspark.sql.utils import is_remote

COLUMNS = ["loc", "lastmod", "changefreq", "priority", "section", "alternates", "images", "videos", "news"]
# The number of units in a second.
UNITS = {"seconds": 1, "milliseconds": 10**3, "microseconds": 10**6, "nanoseconds": 10**9}
# The year 2100. A larger number has a smaller unit: in milliseconds, all dates since February 1970 are larger.
MOST_SECONDS = 4_102_444_800


def arguments(words=None):
    parser = argparse.ArgumentParser(description="Publishes pages with Spark.")
    source = parser.add_argument_group(f"pages, with the columns {', '.join(COLUMNS)}; only loc is required")
    source.add_argument("--pages", metavar="PATH", help="Parquet files")
    source.add_argument("--table", metavar="NAME", help="a table, also of another catalog: catalog.schema.table")
    source.add_argument("--query", metavar="SQL", help="a query whose result are the pages")
    parser.add_argument("--base", metavar="URL", required=True, help="the folder that the set is served from")
    parser.add_argument("--out", required=True, help="the destination of the set: s3://bucket/prefix, or a shared folder")
    parser.add_argument("--section", default="pages", help="the section of rows without a column section")
    parser.add_argument("--buckets", type=int, required=True, help="hash buckets, about one for each 25,000 pages")
    parser.add_argument("--also-list", metavar="URL", action="append", default=[], help="also allow pages under this URL")
    parser.add_argument("--lastmod-unit", choices=UNITS, help="the unit of dates that are numbers [default: seconds]")
    parser.add_argument("--on-invalid", choices=["stop", "skip"], default="stop")
    parser.add_argument("--remove-uncommitted", type=int, metavar="DAYS", help="remove uncommitted shards that are older")
    parser.add_argument("--command", help="the command on executors and here [default: sitemap, which the job copies]")
    options = parser.parse_args(words)
    if sum(value is not None for value in (options.pages, options.table, options.query)) != 1:
        parser.error("give exactly one of --pages, --table and --query")
    return options


def read(spark, options):
    """Returns the pages, and the names and types of their columns."""
    if options.lastmod_unit == "nanoseconds":
        # Without this setting, Spark refuses Parquet files with the type TIMESTAMP(NANOS).
        spark.conf.set("spark.sql.legacy.parquet.nanosAsLong", "true")
    try:
        if options.pages is not None:
            pages = spark.read.parquet(options.pages)
        else:
            pages = spark.table(options.table) if options.table is not None else spark.sql(options.query)
        # Spark Connect only reads the files here.
        kinds = {field.name.lower(): field.dataType for field in pages.schema}
    except PySparkException as error:
        if "(NANOS" in str(error):
            sys.exit(f"error: Spark cannot read timestamps in nanoseconds; use `--lastmod-unit nanoseconds`\n{error}")
        raise
    if "loc" not in kinds:
        sys.exit(f"error: the pages have only the columns {pages.columns}; rename the column of the URLs to `loc`")
    return pages, kinds


def whole_seconds(unit):
    """Returns the numbers of `lastmod` in seconds. A number that is not a likely date in this unit fails the job."""
    lastmod, units = F.col("lastmod"), UNITS[unit]
    seconds = F.expr(f"(lastmod - pmod(lastmod, {units}L)) div {units}L")
    # A number of a smaller unit than seconds that is as small as seconds would be a date around January 1970.
    least = MOST_SECONDS // 1000 if units > 1 else 0
    likely = seconds.between(-MOST_SECONDS, MOST_SECONDS) & ~seconds.between(1 - least, least - 1)
    found = F.concat(F.lit("`lastmod` is "), lastmod.cast("string"))
    remedy = f" {unit}, which is not a likely date; name the unit of the column with `--lastmod-unit`"
    refused = F.raise_error(F.concat(found, F.lit(remedy))).cast("bigint")
    return F.when(lastmod.isNull() | (lastmod == 0) | likely, seconds).otherwise(refused)


def lastmod_as_text(kind, unit):
    """Returns the column of dates as W3C text."""
    column = F.col("lastmod")
    if isinstance(kind, T.LongType):
        column = F.timestamp_seconds(whole_seconds(unit or "seconds"))
    elif unit:
        sys.exit(f"error: `lastmod` has the type `{kind.simpleString()}`; leave out `--lastmod-unit`, which is for numbers")
    elif not type(kind).__name__.startswith("Timestamp"):
        return column.cast("string")
    return F.date_format(column.cast("timestamp"), "yyyy-MM-dd'T'HH:mm:ss'Z'")


def alternates(kind):
    """Returns the column of alternates as JSON needs it: a map from the language to the URL becomes a list."""
    column = F.col("alternates")
    if not isinstance(kind, T.MapType):
        return column
    pairs = F.filter(F.array_sort(F.map_entries(column)), lambda pair: pair.value.isNotNull())
    return F.transform(pairs, lambda pair: F.struct(pair.key.alias("hreflang"), pair.value.alias("href")))


def lines(pages, kinds, options):
    """Returns each page as a line of JSON."""
    others = sorted(set(kinds) - set(COLUMNS))
    if others:
        print(f"ignored: the columns {', '.join(others)}", file=sys.stderr)
    values = {name: F.col(name) for name in COLUMNS if name in kinds}
    for name in ("loc", "changefreq", "section"):
        if name in values:
            values[name] = values[name].cast("string")
    if "priority" in values:
        # As text first, because 0.8 of 32 bits is another number than 0.8 of 64 bits.
        values["priority"] = values["priority"].cast("string").cast("double")
    if "lastmod" in values:
        values["lastmod"] = lastmod_as_text(kinds["lastmod"], options.lastmod_unit)
    if "alternates" in values:
        values["alternates"] = alternates(kinds["alternates"])
    page = F.struct(*(value.alias(name) for name, value in values.items()))
    return pages.select(F.to_json(page).alias("line"))


def command_here(spark, options):
    """Returns the command on this machine. Copies it to the executors if the job has not copied it yet."""
    if options.command:
        found = shutil.which(options.command)
        return found or sys.exit(f"error: there is no command `{options.command}` here; the driver needs it for the commit")
    if not is_remote():
        from pyspark import SparkFiles

        if copied := shutil.which(SparkFiles.get("sitemap")):
            return copied
    found = shutil.which("./sitemap") or shutil.which("sitemap")
    if not found:
        sys.exit("error: there is no command `sitemap`; put it into a folder of PATH, or use `--files` or `--command`")
    spark.addArtifacts(found, file=True)
    return found


def command_of_task(command):
    """Returns the command of an executor with its options. Runs in a task."""
    if command[0] != "./sitemap":
        return command
    from pyspark import SparkFiles

    copied = SparkFiles.get("sitemap")
    if not os.access(copied, os.X_OK):
        os.chmod(copied, 0o755)
    return [copied, *command[1:]]


def feed(command, texts):
    """Feeds texts to the command, and returns the lines that it prints. Runs in a task."""
    with ThreadPoolExecutor(2) as readers:
        writer = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        # Threads read both outputs, because a command that waits for a reader would not read its input.
        printed, errors = readers.submit(writer.stdout.read), readers.submit(writer.stderr.read)
        read_all = True
        try:
            for text in texts:
                writer.stdin.write(text.encode())
            writer.stdin.close()
        except BrokenPipeError:
            read_all = False
        except BaseException:
            # The end of the input would be the end of the last shard.
            writer.kill()
            raise
        status = writer.wait()
        errors = errors.result().decode(errors="replace")
        if status or not read_all:
            raise RuntimeError(f"`{shlex.join(command)}` ended with status {status}: {errors}")
        sys.stderr.write(errors)
        return printed.result().decode().splitlines()


def in_buckets(rows, command):
    """Adds the hash bucket of each line, and returns the lines with those of a bucket in one task."""

    def task(batches):
        import pyarrow

        words = command_of_task(command)
        for batch in batches:
            lines = batch.column(0).to_pylist()
            printed = feed(words, ["".join(f"{line}\n" for line in lines)])
            buckets = pyarrow.array([int(line.split("\t", 1)[0]) for line in printed], "int32")
            yield pyarrow.RecordBatch.from_pydict({"bucket": buckets, "line": batch.column(0)})

    return rows.mapInArrow(task, "bucket int, line string").repartition("bucket").select("line")


def write(rows, command):
    """Writes the shards, and returns their rows of the manifest."""

    def task(batches):
        import pyarrow

        texts = ("".join(f"{line}\n" for line in batch.column(0).to_pylist()) for batch in batches)
        yield pyarrow.RecordBatch.from_pydict({"row": pyarrow.array(feed(command_of_task(command), texts), "string")})

    return [shard.row for shard in rows.mapInArrow(task, "row string").collect()]


def publish(spark, options):
    """Writes and commits the shards, and returns the exit status of the commit."""
    # Timestamps without a zone are in UTC, and dates are formatted in UTC.
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    pages, kinds = read(spark, options)
    rows = lines(pages, kinds, options)
    here = command_here(spark, options)

    # Executors have working folders of their own, so a path must be absolute.
    out = options.out if "://" in options.out else os.path.abspath(options.out)
    site = ["--base", options.base, "--out", out]
    for url in options.also_list:
        site += ["--also-list", url]
    command, buckets = options.command or "./sitemap", ["--buckets", str(options.buckets)]
    rows = in_buckets(rows, [command, "shard", "bucket", "--base", options.base, *buckets])
    more = ["--section", options.section, "--gzip", "--on-invalid", options.on_invalid]
    manifest = write(rows, [command, "shard", "write", *site, *buckets, *more])
    print(f"wrote {len(manifest)} shards", file=sys.stderr)

    commit = [here, "shard", "commit", *site]
    if options.on_invalid == "stop":
        commit += ["--expect-urls", str(pages.count())]
    if options.remove_uncommitted is not None:
        commit += ["--remove-uncommitted", str(options.remove_uncommitted)]
    return subprocess.run(commit, input="\n".join(manifest), text=True).returncode


def main():
    options = arguments()
    spark = SparkSession.builder.getOrCreate()
    status = publish(spark, options)
    spark.stop()
    sys.exit(status)


if __name__ == "__main__":
    main()
