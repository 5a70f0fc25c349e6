-- All pages, for the first publication. They come from the history, so that they are those of `sitemap_position`.
{{ config(materialized='external', location=var('out') ~ '/pages.csv') }}

select loc, strftime(lastmod, '%Y-%m-%dT%H:%M:%SZ') as lastmod
from {{ ref('sitemap_history') }}
where dbt_valid_to is null and dbt_is_deleted = 'False'
