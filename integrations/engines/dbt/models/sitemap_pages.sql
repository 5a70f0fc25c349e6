-- The pages that the set lists.
select 'https://www.example.com/products/' || slug as loc, changed_at as lastmod
from {{ source('shop', 'products') }}
where listed
