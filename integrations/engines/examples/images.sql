-- Publishes an image of each page, and asks for the pages without one. Run it in `engines`:
--     cargo run --release --bin sitemap-sql -- examples/images.sql
CREATE EXTERNAL TABLE pages STORED AS PARQUET LOCATION '/tmp/pages.parquet';

COPY (SELECT loc, lastmod, [named_struct('loc', loc || '.jpg')] AS images FROM pages)
TO '/tmp/images/' STORED AS SITEMAP
OPTIONS (base 'https://www.example.com', section 'photos', buckets 40, gzip true);

CREATE EXTERNAL TABLE published STORED AS SITEMAP LOCATION '/tmp/images/';

SELECT count(*) AS pages, count(*) FILTER (WHERE images IS NULL) AS without_image FROM published;
