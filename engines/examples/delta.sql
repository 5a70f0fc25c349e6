-- Publishes the pages that `delta/rows.py full` wrote. Run it in `engines`:
--     cargo run --release --bin sitemap-sql -- examples/delta.sql
CREATE EXTERNAL TABLE pages STORED AS PARQUET LOCATION '/tmp/delta/pages.parquet';

COPY (SELECT loc, lastmod FROM pages)
TO '/tmp/delta/sitemaps/' STORED AS SITEMAP
OPTIONS (base 'https://www.example.com', buckets 40, gzip true);
