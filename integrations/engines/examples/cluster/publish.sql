-- Publishes the pages of a bucket to another bucket.
CREATE EXTERNAL TABLE pages STORED AS PARQUET LOCATION 's3://lake/pages/';

COPY (SELECT loc, lastmod, changefreq, priority FROM pages)
TO 's3://sitemaps/www/' STORED AS SITEMAP
OPTIONS (base 'https://www.example.com', buckets 40, gzip true);
