-- Writes shards with Spark alone: each task pipes its rows, sorted, into `sitemap shard write`, whose rows of
-- the manifest come back as the result. Run with spark-sql or `spark.sql`; `engines/README.md` says how the
-- command comes to the executors and how the result is committed.
--
-- `crc32(loc) % 200` is the bucket that the command computes as well; 200 stands in both places. Parquet has
-- no timestamps in seconds, so Spark reads such a column as BIGINT: hence `timestamp_seconds`. Of a real
-- TIMESTAMP leave that out.
SET spark.sql.session.timeZone = UTC;

INSERT OVERWRITE DIRECTORY '${rows}' USING text
SELECT TRANSFORM (loc, lastmod, changefreq, priority)
    ROW FORMAT DELIMITED FIELDS TERMINATED BY '\t' LINES TERMINATED BY '\n' NULL DEFINED AS '\\N'
    USING './sitemap shard write --base https://www.example.com --section pages --buckets 200 --gzip --format tsv --out ${out}'
    AS (row STRING)
FROM (
    SELECT loc,
           date_format(timestamp_seconds(lastmod), "yyyy-MM-dd'T'HH:mm:ss'Z'") AS lastmod,
           changefreq,
           priority,
           crc32(loc) % 200 AS bucket
    FROM parquet.`${pages}`
    DISTRIBUTE BY bucket
    SORT BY bucket, loc, lastmod, changefreq, priority
);
