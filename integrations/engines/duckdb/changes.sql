-- Compares the pages with the published set, which `sitemap list` wrote, and writes what differs, for `sitemap apply`.
SET TimeZone = 'UTC';

CREATE TEMP TABLE wanted AS
SELECT loc, strftime(lastmod, '%Y-%m-%dT%H:%M:%SZ') AS lastmod FROM pages;

CREATE TEMP TABLE published AS
SELECT loc, lastmod FROM read_csv('/tmp/duckdb/published.csv', header = true, all_varchar = true);

-- The removals come first. Of two changes of a page, the last one counts, so a page stays if the table spells its URL in
-- another way than the set.
COPY (
    SELECT 'remove' AS op, loc, NULL AS lastmod FROM published WHERE NOT EXISTS (FROM wanted WHERE wanted.loc = published.loc)
    UNION ALL
    SELECT 'upsert', loc, lastmod FROM (FROM wanted EXCEPT FROM published)
)
TO '/tmp/duckdb/changes.csv';
