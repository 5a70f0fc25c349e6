-- Publishes the pages that `iceberg/rows.py full` wrote. Run it in `engines`:
--     sitemap-sql examples/iceberg.sql
CREATE EXTERNAL TABLE pages STORED AS PARQUET LOCATION '/tmp/iceberg/pages.parquet';

COPY (SELECT loc, lastmod, changefreq, priority FROM pages)
TO '/tmp/iceberg/sitemaps/' STORED AS SITEMAP
OPTIONS (base 'https://www.example.com', buckets 40, gzip true);
