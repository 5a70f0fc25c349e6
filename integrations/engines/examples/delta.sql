-- Publishes all pages of a Delta table, and saves which version that is. Run it in `engines`:
--     sitemap-sql examples/delta.sql
CREATE EXTERNAL TABLE pages STORED AS DELTATABLE LOCATION '/tmp/lake/pages'
OPTIONS (position '/tmp/lake/pages.position');

COPY (SELECT loc, lastmod, changefreq, priority FROM pages)
TO '/tmp/sitemaps/' STORED AS SITEMAP
OPTIONS (base 'https://www.example.com', buckets 40, gzip true, save_position 'pages');
