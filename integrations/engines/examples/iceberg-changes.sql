-- Changes the pages that `iceberg/rows.py changes` wrote. Run it in `engines`:
--     sitemap-sql examples/iceberg-changes.sql
CREATE EXTERNAL TABLE changes STORED AS PARQUET LOCATION '/tmp/iceberg/changes.parquet';

-- A row that was copied from an old file to a new one has not changed.
CREATE VIEW changed AS
SELECT loc, lastmod, changefreq, priority, max(op) AS op
FROM changes
GROUP BY loc, lastmod, changefreq, priority
HAVING count(DISTINCT op) = 1;

-- Of the removal of an old row and the upsert of a new one, the upsert counts.
COPY (
    SELECT loc, lastmod, changefreq, priority, op
    FROM (SELECT *, row_number() OVER (PARTITION BY loc ORDER BY op DESC) AS place FROM changed)
    WHERE place = 1
)
TO '/tmp/iceberg/sitemaps/' STORED AS SITEMAP
OPTIONS (base 'https://www.example.com', mode 'update');
