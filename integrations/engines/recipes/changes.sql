-- Compares pages.csv with published.csv, which `sitemap list` wrote, and writes the differences for `sitemap apply`.
CREATE TEMP TABLE wanted AS FROM read_csv('/tmp/recipes/pages.csv', header = true, all_varchar = true);
CREATE TEMP TABLE published AS
SELECT loc, lastmod FROM read_csv('/tmp/recipes/published.csv', header = true, all_varchar = true);

-- Removals come first, because the last change of a page counts: a page stays if the table spells its URL differently.
COPY (
    SELECT 'remove' AS op, loc, NULL AS lastmod FROM published WHERE NOT EXISTS (FROM wanted WHERE wanted.loc = published.loc)
    UNION ALL
    SELECT 'upsert', loc, lastmod FROM (FROM wanted EXCEPT FROM published)
)
TO '/tmp/recipes/changes.csv';
