-- The pages that have changed since the moment `since`, as `sitemap apply` reads them. Each page has one row, its last state.
{{ config(materialized='external', location=var('out') ~ '/changes.csv') }}

select
    case when dbt_is_deleted = 'True' then 'remove' else 'upsert' end as op,
    loc,
    case when dbt_is_deleted = 'False' then strftime(lastmod, '%Y-%m-%dT%H:%M:%SZ') end as lastmod
from {{ ref('sitemap_history') }}
where dbt_valid_to is null and dbt_updated_at > timestamp '{{ var("since") }}'
-- The removals come first, so that a page stays if it got another spelling of the same URL.
order by op
