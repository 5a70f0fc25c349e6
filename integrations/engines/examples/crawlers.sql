-- Asks an access log of January 2026 about the set that `publish.sql` published. Run it in `engines`:
--     cargo run --release --example make_logs -- 1000000 /tmp/access.log
--     cargo run --release --bin sitemap-sql -- --crawler-ranges google=examples/sample-crawlers.json examples/crawlers.sql
CREATE EXTERNAL TABLE published STORED AS SITEMAP LOCATION '/tmp/sitemaps/';

CREATE EXTERNAL TABLE requests STORED AS ACCESSLOG LOCATION '/tmp/access.log'
OPTIONS (base 'https://www.example.com');

-- The requests of crawlers whose addresses their operators have published.
CREATE VIEW fetches AS
SELECT url, time, status, verified_bot(ip, agent) AS bot FROM requests WHERE is_verified_bot(ip, agent);

-- Which pages are listed, but were not fetched in 30 days?
SELECT split_part(loc, '/', 4) AS part, count(*) AS pages
FROM published
WHERE NOT EXISTS (SELECT 1 FROM fetches WHERE url = loc AND time >= '2026-01-01' AND time < '2026-01-31')
GROUP BY part ORDER BY part;

-- Which URLs are fetched, but not listed?
SELECT url, status, count(*) AS times
FROM fetches
WHERE NOT EXISTS (SELECT 1 FROM published WHERE loc = url)
GROUP BY url, status ORDER BY times DESC, url LIMIT 10;

-- How many days is it from the change of a page to its next fetch?
SELECT part, count(*) AS changes, round(median(days), 1) AS median, round(max(days), 1) AS longest
FROM (
    SELECT split_part(loc, '/', 4) AS part, (to_unixtime(min(time)) - to_unixtime(lastmod)) / 86400.0 AS days
    FROM published JOIN fetches ON url = loc AND time >= lastmod
    WHERE lastmod >= '2025-12-01'
    GROUP BY loc, lastmod
)
GROUP BY part ORDER BY part;
