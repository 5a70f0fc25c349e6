-- Writes shards with Spark SQL: each task pipes its sorted rows into `sitemap shard write`. The result of the query is
-- the manifest. Run it with spark-sql or `spark.sql`; `integrations/engines/README.md` explains how to copy the command to the
-- executors and how to commit the result.
--
-- `crc32(loc) % 200` is the hash bucket. The command computes the same hash bucket, so `--buckets` must also be 200.
-- Parquet has no timestamps in seconds, so Spark reads a column of them as BIGINT, which `timestamp_seconds` converts.
-- Leave `timestamp_seconds` out for a column of the type TIMESTAMP.
SET spark.sql.session.timeZone = UTC;

INSERT OVERWRITE DIRECTORY '${rows}' USING text
SELECT TRANSFORM (loc, lastmod, changefreq, priority)
    ROW FORMAT DELIMITED FIELDS TERMINATED BY '\t' LINES TERMINATED BY '\n' NULL DEFINED AS '\\N'
    USING './sitemap shard write --base https://www.example.com --section pages --buckets 200 --gzip --format tsv --out ${out}'
    AS (row STRING)
FROM (
    SELECT if(loc RLIKE '[\t\n\r]', raise_error(concat('a tab or a line break is in the URL ', loc)), loc) AS loc,
           date_format(timestamp_seconds(lastmod), "yyyy-MM-dd'T'HH:mm:ss'Z'") AS lastmod,
           changefreq,
           priority,
           crc32(loc) % 200 AS bucket
    FROM parquet.`${pages}`
    DISTRIBUTE BY bucket
    SORT BY bucket, loc, lastmod, changefreq, priority
);
