-- The moment whose state these changes publish.
{{ config(materialized='external', location=var('out') ~ '/position.next', format='csv', options={'header': 'false'}) }}

select max(dbt_updated_at) as since from {{ ref('sitemap_history') }}
