-- Publishes the same pages in a section for each part of the site. Run it in `engines`:
--     cargo run --release --bin sitemap-sql -- examples/sections.sql
CREATE EXTERNAL TABLE pages STORED AS PARQUET LOCATION '/tmp/pages.parquet';

COPY (SELECT loc, lastmod, split_part(loc, '/', 4) AS section FROM pages)
TO '/tmp/sections/' STORED AS SITEMAP
OPTIONS (base 'https://www.example.com', buckets 20, gzip true);

-- Publishes one of the sections again. The other ones stay as they are.
COPY (SELECT loc, lastmod FROM pages WHERE split_part(loc, '/', 4) = 'articles')
TO '/tmp/sections/' STORED AS SITEMAP
OPTIONS (base 'https://www.example.com', section 'articles', buckets 20, gzip true);

CREATE EXTERNAL TABLE published STORED AS SITEMAP LOCATION '/tmp/sections/';

SELECT section, count(*) AS pages FROM published GROUP BY section ORDER BY section;
