-- Publishes what has changed in a Delta table since the saved version. Run it in `engines`:
--     sitemap-sql examples/delta-changes.sql
CREATE EXTERNAL TABLE changes STORED AS DELTATABLE LOCATION '/tmp/lake/pages'
OPTIONS (changes_since 'position', position '/tmp/lake/pages.position');

COPY (SELECT loc, lastmod, changefreq, priority, op FROM changes)
TO '/tmp/sitemaps/' STORED AS SITEMAP
OPTIONS (base 'https://www.example.com', mode 'update', save_position 'changes');
