-- Compares the set of a site with what crawls of the site have found. Run it in `engines`:
--     sitemap crawl https://www.example.com/ --state /tmp/site.state
--     cargo run --release --bin sitemap-sql -- examples/evidence.sql
CREATE EXTERNAL TABLE published STORED AS SITEMAP LOCATION '/tmp/site/';

CREATE EXTERNAL TABLE evidence STORED AS STATE LOCATION '/tmp/site.state';

-- Which listed pages do not answer, redirect, or may not be indexed?
SELECT loc, status, redirects[1]['location'] AS leads_to, noindex
FROM published JOIN evidence USING (loc)
WHERE status IS NULL OR status <> 200 OR redirects IS NOT NULL OR noindex IS NOT NULL
ORDER BY loc;

-- Which pages may be indexed, but are not listed?
SELECT loc, title
FROM evidence
WHERE status = 200 AND redirects IS NULL AND noindex IS NULL AND coalesce(canonical, loc) = loc
    AND NOT EXISTS (SELECT 1 FROM published WHERE published.loc = evidence.loc)
ORDER BY loc;

-- Which dates are older than a change that the crawls have seen?
SELECT loc, lastmod_text
FROM published JOIN evidence USING (loc)
WHERE lastmod < unchanged_until
ORDER BY loc;

-- Keeps the evidence, also for other engines.
COPY (SELECT * FROM evidence) TO '/tmp/evidence.parquet' STORED AS PARQUET;
