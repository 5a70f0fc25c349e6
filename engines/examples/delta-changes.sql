-- Changes the pages that `delta/rows.py changes` wrote. Run it in `engines`:
--     cargo run --release --bin sitemap-sql -- examples/delta-changes.sql
CREATE EXTERNAL TABLE changes STORED AS PARQUET LOCATION '/tmp/delta/changes.parquet';

-- Of several changes of a page, the last one counts. An update is a removal and an upsert of the same version.
COPY (
    SELECT loc, lastmod, op
    FROM (
        SELECT loc, lastmod, op, row_number() OVER (PARTITION BY loc ORDER BY version DESC, op DESC) AS place
        FROM changes
    )
    WHERE place = 1
)
TO '/tmp/delta/sitemaps/' STORED AS SITEMAP
OPTIONS (base 'https://www.example.com', mode 'update');
