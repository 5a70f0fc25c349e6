// alternates_with_locales
#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}/posts", locales = ["en", "de"])]
struct Post {
    #[sitemap(alternates)]
    versions: Vec<(String, String)>,
}
//~ alternates
//~     `alternates` conflicts with `locales`, which already links the pages of a record; remove one of the two

// changefreq_not_a_string
#[derive(SitemapEntry)]
#[sitemap(loc = "/", changefreq = 7)]
struct Home;
//~ 7
//~     the value of `changefreq` is `7`; write a string like "weekly" or a `ChangeFreq`

// changefreq_unknown
#[derive(SitemapEntry)]
#[sitemap(loc = "/", changefreq = "wekly")]
struct Home;
//~ "wekly"
//~     unknown change frequency "wekly"; did you mean "weekly"?

// changefreq_upper_case
#[derive(SitemapEntry)]
#[sitemap(loc = "/", changefreq = "Weekly")]
struct Home;
//~ "Weekly"
//~     unknown change frequency "Weekly"; did you mean "weekly"?

// changefreq_without_a_similar_one
#[derive(SitemapEntry)]
#[sitemap(loc = "/", changefreq = "fortnightly")]
struct Home;
//~ "fortnightly"
//~     unknown change frequency "fortnightly"; did you mean "monthly"?

// constant_and_field
#[derive(SitemapEntry)]
#[sitemap(loc = "/", lastmod = "2026-01-31", priority = 0.5)]
struct Home {
    #[sitemap(lastmod)]
    updated: std::time::SystemTime,
    priority: f32,
}
//~ lastmod
//~     `lastmod` is given twice, on the struct and by the field `updated`; keep one
//~ priority
//~     `priority` is given twice, on the struct and by the field `priority`; keep one, or mark the field `priority` with `#[sitemap(skip)]` if it means something else

// lastmod_day
#[derive(SitemapEntry)]
#[sitemap(loc = "/", lastmod = "2026-02-29")]
struct Home;
//~ "2026-02-29"
//~     `lastmod` "2026-02-29" has a day that its month does not have; write a day that exists

// lastmod_form
#[derive(SitemapEntry)]
#[sitemap(loc = "/", lastmod = "31.01.2026")]
struct Home;
//~ "31.01.2026"
//~     `lastmod` "31.01.2026" is not a W3C datetime; write one like `2026-01-31` or `2026-01-31T16:05:30Z`

// lastmod_month
#[derive(SitemapEntry)]
#[sitemap(loc = "/", lastmod = "2026-13")]
struct Home;
//~ "2026-13"
//~     `lastmod` "2026-13" has a month that does not exist; write a month from 01 to 12

// lastmod_not_a_string
#[derive(SitemapEntry)]
#[sitemap(loc = "/", lastmod = 2026)]
struct Home;
//~ 2026
//~     the value of `lastmod` is `2026`; write a string like "2026-01-31" or a `LastMod`

// lastmod_offset
#[derive(SitemapEntry)]
#[sitemap(loc = "/", lastmod = "2026-01-31T10:00+15:00")]
struct Home;
//~ "2026-01-31T10:00+15:00"
//~     `lastmod` "2026-01-31T10:00+15:00" has an offset out of range; write an offset from -14:00 to +14:00

// lastmod_time
#[derive(SitemapEntry)]
#[sitemap(loc = "/", lastmod = "2026-01-31T24:00Z")]
struct Home;
//~ "2026-01-31T24:00Z"
//~     `lastmod` "2026-01-31T24:00Z" has a time out of range; write a time from 00:00:00 to 23:59:59, as 24:00 and leap seconds are not allowed

// lastmod_without_offset
#[derive(SitemapEntry)]
#[sitemap(loc = "/", lastmod = "2026-01-31T10:00:00")]
struct Home;
//~ "2026-01-31T10:00:00"
//~     `lastmod` "2026-01-31T10:00:00" has a time without an offset; add `Z` or an offset like `+01:00`

// lastmod_year
#[derive(SitemapEntry)]
#[sitemap(loc = "/", lastmod = "0000-01-01")]
struct Home;
//~ "0000-01-01"
//~     `lastmod` "0000-01-01" has the year 0000; write a year from 0001 to 9999

// locales_bad_tags
#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}", locales = ["english", "en_GB", "de-CH-1996", "x-default", ""])]
struct Home;
//~ "english"
//~     locale "english" is not a language with an optional script and country; write one like "en", "pt-BR" or "zh-Hant"
//~ "en_GB"
//~     locale "en_GB" is written with `_`; write "en-GB"
//~ "de-CH-1996"
//~     locale "de-CH-1996" is not a language with an optional script and country; write one like "en", "pt-BR" or "zh-Hant"
//~ "x-default"
//~     "x-default" is not a locale; write `x_default = "en"` next to `locales`
//~ ""
//~     locale "" is not a language with an optional script and country; write one like "en", "pt-BR" or "zh-Hant"

// locales_empty
#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}", locales = [])]
struct Home;
//~ []
//~     `locales` is empty; name at least one locale, as in `locales = ["en", "de"]`

// locales_not_a_list
#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}", locales = "en")]
struct Home;
//~ "en"
//~     the value of `locales` is `"en"`, not a list; write `locales = ["en", "de"]`

// locales_not_strings
#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}", locales = [EN, 5])]
struct Home;
//~ EN
//~     locale `EN` is not a string; write one like "en", or name a constant list as `locales = PATH`
//~ 5
//~     locale `5` is not a string; write one like "en", or name a constant list as `locales = PATH`

// locales_twice
#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}", locales = ["en", "de", "EN"])]
struct Home;
//~ "EN"
//~     locale "EN" is given twice; remove one

// locales_twice_with_field
#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}", locales = ["en"])]
struct Home {
    #[sitemap(locales)]
    languages: Vec<String>,
}
//~ locales
//~     `locales` is given twice, on the struct and by the field `languages`; keep one

// locales_unused_in_an_enum
#[derive(SitemapEntry)]
#[sitemap(locales = ["en"])]
enum Route {
    #[sitemap(loc = "/")]
    Home,
}
//~ locales
//~     no variant uses `locales`; remove it, or write `{locale}` in a URL template

// locales_with_a_field_named_locale
#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}", locales = ["en"])]
struct Home {
    locale: String,
}
//~ r#locale
//~     `{locale}` names both the page's locale and the field `locale`; rename the field, or mark it with `#[sitemap(skip)]`

// locales_without_placeholder
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts", locales = ["en"])]
struct Posts;
//~ locales
//~     the URL template has no `{locale}` for `locales`; add it, as in `/{locale}/posts`

// locales_without_template
#[derive(SitemapEntry)]
#[sitemap(locales = ["en"])]
struct Post {
    loc: String,
}
//~ locales
//~     `locales` is given without a URL template; write one like `loc = "/{locale}/posts"`

// no_errors_about_missing_traits
#[derive(SitemapEntry)]
enum Route {
    #[sitemap(lok = "/")]
    Home,
}
#[derive(SitemapPart)]
struct Meta {
    #[sitemap(skipp)]
    updated: u8,
}
#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Page {
    #[sitemap(flatten)]
    meta: Meta,
}
//~ lok
//~     unknown sitemap attribute `lok` on a variant; did you mean `loc`?
//~ skipp
//~     unknown sitemap attribute `skipp` on a field; did you mean `skip`?

// no_location
#[derive(SitemapEntry)]
struct Post {
    slug: String,
}
//~ Post
//~     `Post` has no sitemap location; mark a field with `#[sitemap(loc)]`, or write a URL template like `#[sitemap(loc = "/posts/{slug}")]`

// no_page_for_a_variant
#[derive(SitemapEntry)]
enum Route {
    #[sitemap(loc = "/")]
    Home,
    About,
    Post { slug: String },
}
//~ About
//~     variant `About` has no page; write a URL template like `#[sitemap(loc = "/about")]`, or mark the variant with `transparent` or `skip`
//~ Post
//~     variant `Post` has no page; write a URL template like `#[sitemap(loc = "/about")]`, or mark the variant with `transparent` or `skip`

// no_unused_imports_after_an_error
#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}/{missing}", changefreq = ChangeFreq::Weekly)]
struct Post<'a> {
    #[sitemap(param, with = slug)]
    slug: &'a str,
}
#[derive(SitemapEntry)]
#[sitemap(lastmod = date)]
enum Page {
    #[sitemap(loc = "/{missing}")]
    Home,
    User(#[sitemap(loc, with = path)] u32),
}
//~ "/{slug}/{missing}"
//~     no field `missing` on `Post` for this URL template; use one of `{slug}`, or call a method with `{missing()}`
//~ "/{missing}"
//~     no field `missing` on `Page::Home` for this URL template; the variant has no fields, so add the field

// param_without_placeholder
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts")]
struct Post {
    #[sitemap(param)]
    slug: String,
}
//~ param
//~     the URL template has no `{slug}` for the `param` field `slug`; add it, or remove `param`

// param_without_template
#[derive(SitemapEntry)]
struct Post {
    loc: String,
    #[sitemap(param)]
    slug: String,
}
//~ param
//~     `param` is given without a URL template; write one like `loc = "/posts/{slug}"`, or remove `param`

// part_enum
#[derive(SitemapPart)]
enum Meta {
    Some { lastmod: std::time::SystemTime },
}
//~ enum
//~     `SitemapPart` cannot be derived for an enum; use a struct

// part_with_a_loc_field
#[derive(SitemapPart)]
struct Meta {
    loc: String,
    lastmod: std::time::SystemTime,
}
//~ r#loc
//~     the field `loc` is not allowed in a `SitemapPart`, which has no page of its own; derive `SitemapEntry`, or mark the field with `#[sitemap(skip)]`

// part_without_values
#[derive(SitemapPart)]
struct Meta {
    updated: String,
}
//~ Meta
//~     `Meta` has no value for a sitemap entry; mark a field with `lastmod`, `changefreq` or `priority`

// priority_negative
#[derive(SitemapEntry)]
#[sitemap(loc = "/", priority = -1)]
struct Home;
//~ - 1
//~     `priority` -1 is out of range; write a number from 0.0 to 1.0

// priority_string
#[derive(SitemapEntry)]
#[sitemap(loc = "/", priority = "0.8")]
struct Home;
//~ "0.8"
//~     the value of `priority` is `"0.8"`, not a number; write `priority = 0.8`

// priority_too_high
#[derive(SitemapEntry)]
#[sitemap(loc = "/", priority = 1.5)]
struct Home;
//~ 1.5
//~     `priority` 1.5 is out of range; write a number from 0.0 to 1.0

// rename_all_unknown
#[derive(SitemapEntry)]
#[sitemap(rename_all = "kebab_case")]
enum Page {
    About,
}
#[derive(SitemapEntry)]
#[sitemap(rename_all = "UPPERCASE")]
enum Other {
    About,
}
//~ "kebab_case"
//~     unknown case "kebab_case" for `rename_all`; did you mean "kebab-case"?
//~ "UPPERCASE"
//~     unknown case "UPPERCASE" for `rename_all`; did you mean "lowercase"?

// rename_all_unused
#[derive(SitemapEntry)]
#[sitemap(rename_all = "kebab-case")]
enum Page {
    #[sitemap(loc = "/about")]
    About,
    #[sitemap(loc = "/users/{0}")]
    User(u32),
}
//~ rename_all
//~     no variant uses `rename_all`, which names the pages of variants without fields and `loc`; remove it

// same_url
#[derive(SitemapEntry)]
#[sitemap(base = "https://example.com")]
enum Route {
    #[sitemap(loc = "/")]
    Home,
    #[sitemap(loc = "https://EXAMPLE.com")]
    Start,
    #[sitemap(loc = "/%c3%bcber")]
    About { _name: String },
    #[sitemap(loc = "/über")]
    Imprint,
}
//~ "https://EXAMPLE.com"
//~     `Route::Start` has the same URL as `Route::Home`; change one of the two, or mark a variant with `#[sitemap(skip)]`
//~ "/über"
//~     `Route::Imprint` has the same URL as `Route::About`; change one of the two, or mark a variant with `#[sitemap(skip)]`

// section_name
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{id}", section = "blog posts")]
struct Post {
    id: u32,
}
//~ "blog posts"
//~     the section name "blog posts" cannot be part of a file name; use 1 to 100 of the characters `A-Z a-z 0-9 - _`

// several_mistakes_at_once
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slgu}", prioirty = 0.8, changefreq = "wekly", lastmod = "yesterday")]
struct Post {
    #[sitemap(base)]
    slug: String,
    #[sitemap(loc, lastmod)]
    url: String,
}
//~ prioirty
//~     unknown sitemap attribute `prioirty` on a struct; did you mean `priority`?
//~ "wekly"
//~     unknown change frequency "wekly"; did you mean "weekly"?
//~ "yesterday"
//~     `lastmod` "yesterday" is not a W3C datetime; write one like `2026-01-31` or `2026-01-31T16:05:30Z`
//~ base
//~     sitemap attribute `base` is not allowed on a field; move it to the struct
//~ lastmod
//~     field `url` has two sitemap roles, `loc` and `lastmod`; keep one
//~ loc
//~     the location is given twice, by the URL template and the field `url`; keep one
//~ "/posts/{slgu}"
//~     no field `slgu` on `Post` for this URL template; did you mean `slug`?

// skip_with_other_attributes
#[derive(SitemapEntry)]
enum Route {
    #[sitemap(skip, loc = "/admin", transparent)]
    Admin,
}
//~ loc
//~     `loc` conflicts with `skip`, which gives the variant no page; remove one of the two
//~ transparent
//~     `transparent` conflicts with `skip`, which gives the variant no page; remove one of the two

// transparent_on_no_field
#[derive(SitemapEntry)]
enum Route {
    #[sitemap(transparent)]
    Home,
}
//~ transparent
//~     `transparent` is on a variant with 0 fields; give the variant exactly one field

// transparent_on_two_fields
#[derive(SitemapEntry)]
#[sitemap(transparent)]
struct Pair(String, String);
//~ transparent
//~     `transparent` is on a struct with 2 fields; give the struct exactly one field

// transparent_with_other_attributes
#[derive(SitemapEntry)]
#[sitemap(transparent, loc = "/{0}", priority = 0.5)]
struct Wrapper(#[sitemap(param)] String);
//~ loc
//~     `loc` conflicts with `transparent`, which publishes only the field's pages; remove one of the two
//~ priority
//~     `priority` conflicts with `transparent`, which publishes only the field's pages; remove one of the two
//~ param
//~     `param` conflicts with `transparent`, which publishes only the field's pages; remove one of the two

// two_fields_one_by_name
#[derive(SitemapEntry)]
struct Post {
    loc: String,
    lastmod: String,
    #[sitemap(lastmod)]
    updated: std::time::SystemTime,
}
//~ lastmod
//~     `lastmod` is given twice, by the fields `lastmod` and `updated`; keep one, or mark the field `lastmod` with `#[sitemap(skip)]` if it means something else

// two_fields_with_images
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts")]
struct Post {
    #[sitemap(images)]
    cover: String,
    #[sitemap(images)]
    photos: Vec<String>,
}
//~ images
//~     `images` is given twice, by the fields `cover` and `photos`; keep one

// two_fields_with_one_role
#[derive(SitemapEntry)]
struct Post {
    loc: String,
    #[sitemap(lastmod)]
    created: std::time::SystemTime,
    #[sitemap(lastmod)]
    updated: std::time::SystemTime,
}
//~ lastmod
//~     `lastmod` is given twice, by the fields `created` and `updated`; keep one

// two_locations
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug}")]
struct Post {
    slug: String,
    #[sitemap(loc)]
    url: String,
}
//~ loc
//~     the location is given twice, by the URL template and the field `url`; keep one

// two_locations_one_by_name
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug}")]
struct Post {
    slug: String,
    loc: String,
}
//~ loc
//~     the location is given twice, by the URL template and the field `loc`; keep one, or mark the field `loc` with `#[sitemap(skip)]` if it means something else

// union
#[derive(SitemapEntry)]
union Bits {
    a: u8,
    b: i8,
}
//~ union
//~     `SitemapEntry` cannot be derived for a union; use a struct or an enum

// x_default_not_a_locale
#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}", locales = ["en", "de"], x_default = "fr")]
struct Home;
//~ "fr"
//~     `x_default` "fr" is not one of the `locales`; use one of "en", "de"

// x_default_without_locales
#[derive(SitemapEntry)]
#[sitemap(loc = "/", x_default = "en")]
struct Home;
//~ x_default
//~     `x_default` is given without `locales`; add `locales = ["en", …]`

// zone_unknown
#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Home {
    #[sitemap(lastmod, zone = "Europe/Berlin")]
    updated_at: chrono::NaiveDateTime,
}
#[derive(SitemapEntry)]
#[sitemap(loc = "/about")]
struct About {
    #[sitemap(lastmod, zone = "+15:00")]
    updated_at: chrono::NaiveDateTime,
}
//~ "Europe/Berlin"
//~     zone "Europe/Berlin" is not a zone without summer time; write "UTC" or an offset like "+02:00", or convert the field with `with = path`
//~ "+15:00"
//~     zone "+15:00" has an offset out of range; write an offset from -14:00 to +14:00

// changefreq_bare_word
#[derive(SitemapEntry)]
#[sitemap(loc = "/", changefreq = weekly)]
struct Home;
//~ weekly
//~     change frequency without quotes; write `changefreq = "weekly"`

// two_locations_one_by_a_function
#[derive(SitemapEntry)]
#[sitemap(loc = Self::path)]
struct Post {
    #[sitemap(loc)]
    url: String,
}
//~ loc
//~     the location is given twice, by a function and the field `url`; keep one

// two_locations_by_a_function_and_a_name
#[derive(SitemapEntry)]
#[sitemap(loc = Self::path)]
struct Post {
    loc: String,
}
//~ loc
//~     the location is given twice, by a function and the field `loc`; keep one, or mark the field `loc` with `#[sitemap(skip)]` if it means something else

// roles_in_a_skipped_variant
#[derive(SitemapEntry)]
enum Route {
    #[sitemap(loc = "/")]
    Home,
    #[sitemap(skip)]
    Admin {
        #[sitemap(lastmod)]
        changed: SystemTime,
        #[sitemap(param, with = slug)]
        name: String,
    },
}
//~ lastmod
//~     `lastmod` conflicts with `skip`, which gives the variant no page; remove one of the two
//~ param
//~     `param` conflicts with `skip`, which gives the variant no page; remove one of the two

// enum_values_that_no_variant_uses
#[derive(SitemapEntry)]
#[sitemap(loc = Self::path, priority = 0.5, lastmod = "2026")]
enum Route {
    #[sitemap(loc = "/", priority = 0.1)]
    Home,
    #[sitemap(loc = "/b")]
    Posts { priority: f64 },
    #[sitemap(skip)]
    Admin,
}
//~ priority
//~     no variant uses the enum's `priority`; remove it
//~ loc
//~     no variant uses the enum's `loc`; remove it

// param_of_a_misspelt_placeholder
#[derive(SitemapEntry)]
#[sitemap(loc = "/{slgu}")]
struct Post {
    #[sitemap(param, with = slug)]
    slug: String,
}
//~ "/{slgu}"
//~     no field `slgu` on `Post` for this URL template; did you mean `slug`?

// locale_misspelt
#[derive(SitemapEntry)]
#[sitemap(loc = "/{Locale}/{lang}/{slug}", locales = ["en"])]
struct Post {
    slug: String,
}
#[derive(SitemapEntry)]
#[sitemap(loc = "/{language}/{slug}")]
struct Page {
    slug: String,
}
//~ "/{Locale}/{lang}/{slug}"
//~     no field `Locale` on `Post` for this URL template; write `{locale}`
//~ "/{Locale}/{lang}/{slug}"
//~     no field `lang` on `Post` for this URL template; write `{locale}`
//~ "/{language}/{slug}"
//~     no field `language` on `Page` for this URL template; write `{locale}`, and add `locales = ["en", …]`, or add the field

// part_with_only_a_location
#[derive(SitemapPart)]
struct Meta {
    loc: String,
}
//~ r#loc
//~     the field `loc` is not allowed in a `SitemapPart`, which has no page of its own; derive `SitemapEntry`, or mark the field with `#[sitemap(skip)]`
