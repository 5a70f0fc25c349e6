-- Changes two pages of the set that `publish.sql` published. Run it in `engines`:
--     cargo run --release --bin sitemap-sql -- examples/update.sql
CREATE TABLE changes AS VALUES
    ('https://www.example.com/products/2654435761-1', TIMESTAMP '2026-02-01T10:00:00', 'upsert'),
    ('https://www.example.com/items/1013904226-2', NULL, 'remove');

COPY (SELECT column1 AS loc, column2 AS lastmod, column3 AS op FROM changes)
TO '/tmp/sitemaps/' STORED AS SITEMAP
OPTIONS (base 'https://www.example.com', mode 'update');
