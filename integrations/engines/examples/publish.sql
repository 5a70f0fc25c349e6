-- Publishes the pages that `make_pages` wrote. Run it in `engines`:
--     cargo run --release --bin sitemap-sql -- examples/publish.sql
CREATE EXTERNAL TABLE pages STORED AS PARQUET LOCATION '/tmp/pages.parquet';

COPY (SELECT loc, lastmod, changefreq, priority FROM pages)
TO '/tmp/sitemaps/' STORED AS SITEMAP
OPTIONS (base 'https://www.example.com', section 'pages', buckets 40, gzip true);

CREATE EXTERNAL TABLE published STORED AS SITEMAP LOCATION '/tmp/sitemaps/';

SELECT section, count(*) AS pages, count(DISTINCT sitemap) AS files, max(lastmod) AS newest
FROM published GROUP BY section;
