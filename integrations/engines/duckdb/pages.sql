-- Writes all pages as CSV, for `sitemap build`. DuckDB prints times in the zone of the session, and sitemaps have UTC here.
SET TimeZone = 'UTC';

COPY (SELECT loc, strftime(lastmod, '%Y-%m-%dT%H:%M:%SZ') AS lastmod FROM pages)
TO '/tmp/duckdb/pages.csv';
