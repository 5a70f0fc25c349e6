// closure
#[derive(SitemapEntry)]
#[sitemap(loc = |home: &Home| home.path(), lastmod = |home| home.modified)]
struct Home;
//~ | home : & Home | home . path ()
//~     the value of `loc` is a closure; write a function, as in `loc = Self::path`
//~ | home | home . modified
//~     the value of `lastmod` is a closure; write a function, as in `lastmod = Self::modified`

// colon_for_equals
#[derive(SitemapEntry)]
#[sitemap(loc: "/posts/{slug}")]
struct Post {
    slug: String,
}
//~ :
//~     `:` after the sitemap attribute `loc`; write `loc = …`

// crate_path_relative
#[derive(SitemapEntry)]
#[sitemap(crate = sitemap_core, loc = "/")]
struct Home;
//~ sitemap_core
//~     `crate = sitemap_core` is not an absolute path; start the path with `::` or `crate::`

// crate_path_string
#[derive(SitemapEntry)]
#[sitemap(crate = "::sitemap_core", loc = "/")]
struct Home;
//~ "::sitemap_core"
//~     the value of `crate` is a string, not a path; write `crate = ::sitemap_core`

// extensions_misspelt
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts")]
struct Post {
    #[sitemap(image)]
    photo: String,
    #[sitemap(vidoes)]
    clips: (),
    #[sitemap(alternate)]
    versions: (),
}
//~ image
//~     unknown sitemap attribute `image` on a field; did you mean `images`?
//~ vidoes
//~     unknown sitemap attribute `vidoes` on a field; did you mean `videos`?
//~ alternate
//~     unknown sitemap attribute `alternate` on a field; did you mean `alternates`?

// field_with_two_roles
#[derive(SitemapEntry)]
struct Post {
    #[sitemap(loc, lastmod)]
    url: String,
}
//~ lastmod
//~     field `url` has two sitemap roles, `loc` and `lastmod`; keep one

// given_twice
#[derive(SitemapEntry)]
#[sitemap(loc = "/", priority = 0.5)]
#[sitemap(priority = 0.8, loc = "/home")]
struct Home;
//~ priority
//~     `priority` is given twice; remove one
//~ loc
//~     `loc` is given twice; remove one

// hyphen_in_a_name
#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}/posts", locales = ["en"], x-default = "en", skip-if = Self::is_draft)]
struct Posts;
//~ x - default
//~     sitemap attribute `x-default` is written with `-`; write `x_default`
//~ skip - if
//~     sitemap attribute `skip-if` is written with `-`; write `skip_if`

// hyphen_in_an_unknown_name
#[derive(SitemapEntry)]
#[sitemap(loc = "/", change-freqency = "weekly")]
struct Home;
//~ change_freqency
//~     unknown sitemap attribute `change_freqency` on a struct; use one of `loc`, `base`, `lastmod`, `changefreq`, `priority`, `images`, `videos`, `news`, `alternates`, `locales`, `x_default`, `skip_if`, `list_if`, `transparent`, `section`, `crate`

// images_in_a_part
#[derive(SitemapPart)]
struct Meta {
    lastmod: sitemap_core::LastMod,
    #[sitemap(images)]
    photos: Vec<String>,
}
//~ images
//~     sitemap attribute `images` is not allowed in a `SitemapPart`, which has no page of its own; derive `SitemapEntry` instead

// images_on_the_struct
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts", images = "https://example.com/logo.png")]
struct Post;
//~ "https://example.com/logo.png"
//~     the value of `images` is a string, not a path; write a function, as in `images = Self::images`, or mark a field with `images`

// images_with_a_value
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts")]
struct Post {
    #[sitemap(images = 10)]
    photos: Vec<String>,
}
//~ 10
//~     unexpected value for `images`; write the name alone

// location_of_a_part
#[derive(SitemapPart)]
#[sitemap(loc = "/{slug}")]
struct Meta {
    slug: String,
    #[sitemap(lastmod)]
    updated: std::time::SystemTime,
}
//~ loc
//~     sitemap attribute `loc` is not allowed in a `SitemapPart`, which has no page of its own; derive `SitemapEntry` instead

// missing_comma
#[derive(SitemapEntry)]
#[sitemap(loc = "/" changefreq = "weekly")]
struct Home;
//~ changefreq
//~     no `,` before `changefreq`; add one

// more_than_a_value
#[derive(SitemapEntry)]
#[sitemap(loc = "/" + "x" : 5, changefreq = "weekly")]
struct Home;
//~ : 5
//~     unexpected `: 5` after an attribute; write `,` between attributes
//~ "/" + "x"
//~     the value of `loc` is not a string literal, so it cannot be checked while compiling; write a URL template like `loc = "/posts/{slug}"`

// no_name
#[derive(SitemapEntry)]
#[sitemap(loc = "/", 0.8, changefreq = "weekly")]
struct Home;
//~ 0.8
//~     `0.8` is not a sitemap attribute; write `name` or `name = value`

// of_a_field_on_the_struct
#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", flatten)]
struct Post {
    slug: String,
}
//~ flatten
//~     sitemap attribute `flatten` is not allowed on a struct; move it to a field

// of_a_variant_on_the_enum
#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
enum Route {
    #[sitemap(loc = "/")]
    Home,
}
//~ loc
//~     a URL template is not allowed on an enum; move it to a variant, or name a function, as in `loc = Self::path`

// of_the_enum_on_a_variant
#[derive(SitemapEntry)]
enum Route {
    #[sitemap(loc = "/", base = "https://example.com")]
    Home,
}
//~ base
//~     sitemap attribute `base` is not allowed on a variant; move it to the enum

// of_the_struct_on_a_field
#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}")]
struct Post {
    #[sitemap(base = "https://example.com")]
    slug: String,
}
//~ base
//~     sitemap attribute `base` is not allowed on a field; move it to the struct

// parentheses_for_a_value
#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}", locales("en", "de"))]
struct Home;
//~ ("en" , "de")
//~     the value of `locales` is in parentheses; write `locales = ["en", "de"]`

// part_field_with_role_of_a_page
#[derive(SitemapPart)]
struct Meta {
    #[sitemap(param)]
    slug: String,
    #[sitemap(lastmod)]
    updated: std::time::SystemTime,
    #[sitemap(changefrequ)]
    often: sitemap_core::ChangeFreq,
}
//~ param
//~     sitemap attribute `param` is not allowed in a `SitemapPart`, which has no page of its own; derive `SitemapEntry` instead
//~ changefrequ
//~     unknown sitemap attribute `changefrequ` on a field; did you mean `changefreq`?

// path_as_string
#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", skip_if = "Post::is_draft")]
struct Post {
    #[sitemap(param, with = "to_slug")]
    slug: String,
}
//~ "Post::is_draft"
//~     the value of `skip_if` is in quotes; write `skip_if = Post::is_draft`
//~ "to_slug"
//~     the value of `with` is in quotes; write `with = to_slug`

// path_is_a_call
#[derive(SitemapEntry)]
#[sitemap(loc = "/", skip_if = is_draft())]
struct Home;
//~ is_draft ()
//~     the value of `skip_if` is a call; write `skip_if = is_draft`

// role_given_twice
#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Home {
    #[sitemap(lastmod, lastmod)]
    changed: std::time::SystemTime,
}
//~ lastmod
//~     `lastmod` is given twice; remove one

// skip_if_is_a_field
#[derive(SitemapEntry)]
enum Route {
    #[sitemap(loc = "/posts/{slug}", skip_if = draft)]
    Post { slug: String, draft: bool },
}
//~ draft
//~     the value of `skip_if` is the field `draft`; mark the field with `#[sitemap(skip_if)]`

// skip_on_a_struct
#[derive(SitemapEntry)]
#[sitemap(skip)]
struct Post;
//~ skip
//~     sitemap attribute `skip` is not allowed on a struct; skip some of its records with `skip_if`

// synonym
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts", change_frequency = "daily")]
struct Posts {
    #[sitemap(last_modified)]
    newest: std::time::SystemTime,
}
//~ change_frequency
//~     unknown sitemap attribute `change_frequency` on a struct; did you mean `changefreq`?
//~ last_modified
//~     unknown sitemap attribute `last_modified` on a field; did you mean `lastmod`?

// synonyms
#[derive(SitemapEntry)]
#[sitemap(url = "/posts/{slug}", freq = "weekly", lastModified = "2026", languages = ["en"], image, exclude = Self::x)]
struct Post {
    #[sitemap(image)]
    slug: String,
    #[sitemap(modified)]
    changed: String,
    #[sitemap(hidden)]
    draft: bool,
}
#[derive(SitemapEntry)]
enum Route {
    #[sitemap(path = "/")]
    Home,
    #[sitemap(ignore)]
    Admin,
}
//~ url
//~     unknown sitemap attribute `url` on a struct; did you mean `loc`?
//~ freq
//~     unknown sitemap attribute `freq` on a struct; did you mean `changefreq`?
//~ lastModified
//~     unknown sitemap attribute `lastModified` on a struct; did you mean `lastmod`?
//~ languages
//~     unknown sitemap attribute `languages` on a struct; did you mean `locales`?
//~ image
//~     unknown sitemap attribute `image` on a struct; did you mean `images`?
//~ exclude
//~     unknown sitemap attribute `exclude` on a struct; did you mean `skip_if`?
//~ image
//~     unknown sitemap attribute `image` on a field; did you mean `images`?
//~ modified
//~     unknown sitemap attribute `modified` on a field; did you mean `lastmod`?
//~ hidden
//~     unknown sitemap attribute `hidden` on a field; write `skip_if` to skip the record, or `skip` to leave the field unused
//~ path
//~     unknown sitemap attribute `path` on a variant; did you mean `loc`?
//~ ignore
//~     unknown sitemap attribute `ignore` on a variant; did you mean `skip`?

// template_without_a_name
#[derive(SitemapEntry)]
#[sitemap("/posts/{slug}")]
struct Post {
    slug: String,
}
//~ "/posts/{slug}"
//~     URL template without a name; write `loc = "/posts/{slug}"`

// unknown_on_field
#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}")]
struct Post {
    slug: String,
    #[sitemap(lastmood)]
    updated: Option<std::time::SystemTime>,
}
//~ lastmood
//~     unknown sitemap attribute `lastmood` on a field; did you mean `lastmod`?

// unknown_on_struct
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug}", prioirty = 0.8)]
struct Post {
    slug: String,
}
//~ prioirty
//~     unknown sitemap attribute `prioirty` on a struct; did you mean `priority`?

// unknown_on_struct_without_a_similar_one
#[derive(SitemapEntry)]
#[sitemap(loc = "/", indexed = "weekly")]
struct Home;
//~ indexed
//~     unknown sitemap attribute `indexed` on a struct; use one of `loc`, `base`, `lastmod`, `changefreq`, `priority`, `images`, `videos`, `news`, `alternates`, `locales`, `x_default`, `skip_if`, `list_if`, `transparent`, `section`, `crate`

// unknown_on_variant
#[derive(SitemapEntry)]
enum Route {
    #[sitemap(locc = "/")]
    Home,
    #[sitemap(skip)]
    Admin,
}
//~ locc
//~     unknown sitemap attribute `locc` on a variant; did you mean `loc`?

// value_for_a_field_role
#[derive(SitemapEntry)]
struct Post {
    #[sitemap(loc = "/posts")]
    url: String,
    #[sitemap(priority = 0.5)]
    weight: f32,
    #[sitemap(skip_if = is_draft)]
    draft: bool,
}
//~ "/posts"
//~     unexpected value for `loc`; write a URL template on the struct or variant
//~ 0.5
//~     unexpected value for `priority`; write a value for all records on the struct or variant
//~ is_draft
//~     unexpected value for `skip_if`; write `skip_if` alone for a `bool`, or `skip_if, with = path` for a function

// value_for_a_flag
#[derive(SitemapEntry)]
#[sitemap(transparent = true)]
struct Wrapper(String);
//~ true
//~     unexpected value for `transparent`; write `transparent` alone

// value_is_a_field
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug}", lastmod = updated_at)]
struct Post {
    slug: String,
    updated_at: std::time::SystemTime,
}
//~ updated_at
//~     the value of `lastmod` is the field `updated_at`; mark the field with `#[sitemap(lastmod)]`

// value_is_a_field_as_string
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug}", lastmod = "updated_at")]
struct Post {
    slug: String,
    updated_at: std::time::SystemTime,
}
//~ "updated_at"
//~     the value of `lastmod` is the field `updated_at`; mark the field with `#[sitemap(lastmod)]`

// value_is_a_field_of_self
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug}", lastmod = self.updated_at)]
struct Post {
    slug: String,
    updated_at: std::time::SystemTime,
}
//~ self . updated_at
//~     the value of `lastmod` is the field `updated_at`; mark the field with `#[sitemap(lastmod)]`

// value_is_the_field_of_that_name
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug}", lastmod = self.lastmod)]
struct Post {
    slug: String,
    lastmod: std::time::SystemTime,
}
//~ self . lastmod
//~     the value of `lastmod` is the field `lastmod`, which already has this role; remove the attribute

// value_missing
#[derive(SitemapEntry)]
#[sitemap(loc, changefreq, priority = , lastmod)]
struct Home;
//~ loc
//~     `loc` has no value; write a URL template like `loc = "/posts/{slug}"`
//~ changefreq
//~     `changefreq` has no value; write `changefreq = "weekly"`
//~ priority
//~     `priority` has no value; write `priority = 0.8`
//~ lastmod
//~     `lastmod` has no value; write `lastmod = "2026-01-31"`

// values_that_depend_on_fields
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug}", skip_if = !published, priority = self.stats.weight, locales = "languages")]
struct Post {
    slug: String,
    published: bool,
    stats: Stats,
    languages: Vec<String>,
}
//~ ! published
//~     the value of `skip_if` negates the field `published`; mark the field with `#[sitemap(list_if)]`
//~ self . stats . weight
//~     the value of `priority` depends on the field `stats`; mark the field with `#[sitemap(priority, with = path)]`
//~ "languages"
//~     the value of `locales` is the field `languages`; mark the field with `#[sitemap(locales)]`

// with_on_a_flatten_field
#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Home {
    #[sitemap(flatten, with = str::len)]
    meta: String,
}
//~ with
//~     `with` conflicts with `flatten`, which uses the field as it is; remove `with`, and implement `SitemapPart` for the field's type

// with_on_a_skipped_field
#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Home {
    #[sitemap(skip, with = str::len)]
    lastmod: String,
}
//~ with
//~     `with` conflicts with `skip`; remove one of the two

// with_without_role
#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}")]
struct Post {
    #[sitemap(with = str::trim)]
    slug: String,
}
//~ with
//~     `with` is given without a role; add the role of the converted value, as in `#[sitemap(lastmod, with = path)]` or `#[sitemap(param, with = path)]`

// without_parentheses
#[derive(SitemapEntry)]
#[sitemap]
#[sitemap = "/posts"]
struct Post {
    loc: String,
}
//~ sitemap
//~     `sitemap` attribute without parentheses; write `#[sitemap(…)]`
//~ sitemap = "/posts"
//~     `sitemap` attribute without parentheses; write `#[sitemap(…)]`

// zone_not_a_string
#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Home {
    #[sitemap(lastmod, zone = Utc)]
    updated_at: chrono::NaiveDateTime,
}
//~ Utc
//~     the value of `zone` is not a string literal, so it cannot be checked while compiling; write `zone = "UTC"` or an offset like `zone = "+02:00"`

// zone_with_a_conversion
#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Home {
    #[sitemap(lastmod, zone = "UTC", with = NaiveDateTime::and_utc)]
    updated_at: NaiveDateTime,
}
//~ zone
//~     `zone` conflicts with `with`; remove one of the two, and let the function return a time with its zone

// zone_without_lastmod
#[derive(SitemapEntry)]
#[sitemap(loc = "/{published_at:%Y}")]
struct Home {
    #[sitemap(param, zone = "UTC")]
    published_at: chrono::NaiveDate,
    #[sitemap(zone = "UTC")]
    updated_at: chrono::NaiveDateTime,
}
//~ zone
//~     `zone` is given without `lastmod`; write `#[sitemap(lastmod, zone = "UTC")]`, or remove `zone`
//~ zone
//~     `zone` is given without `lastmod`; write `#[sitemap(lastmod, zone = "UTC")]`, or remove `zone`

// loc_as_a_template_and_a_function
#[derive(SitemapEntry)]
#[sitemap(loc = "/", loc = Self::path)]
struct Post;
//~ loc
//~     `loc` is given twice; remove one

// modifier_given_twice
#[derive(SitemapEntry)]
struct Post {
    loc: String,
    #[sitemap(lastmod, with = first, with = second)]
    changed: String,
}
//~ with
//~     `with` is given twice; remove one

// template_on_the_enum
#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}")]
enum Post {
    #[sitemap(loc = "/a")]
    A,
}
//~ loc
//~     a URL template is not allowed on an enum; move it to a variant, or name a function, as in `loc = Self::path`

// function_in_another_form
#[derive(SitemapEntry)]
#[sitemap(
    loc = "Self::path",
    lastmod = Self::modified(),
    priority = "weight()",
    changefreq = self.frequency(),
    images = "images",
    skip_if = Post::is_draft(&self),
    locales = "Self::locales"
)]
struct Post;
//~ "Self::path"
//~     the value of `loc` is in quotes; write `loc = Self::path`
//~ Self :: modified ()
//~     the value of `lastmod` is a call; write `lastmod = Self::modified`
//~ "weight()"
//~     the value of `priority` is in quotes; write `priority = Self::weight`
//~ self . frequency ()
//~     the value of `changefreq` is a call; write `changefreq = Self::frequency`
//~ "images"
//~     the value of `images` is in quotes; write `images = Self::images`
//~ Post :: is_draft (& self)
//~     the value of `skip_if` is a call; write `skip_if = Post::is_draft`
//~ "Self::locales"
//~     the value of `locales` is in quotes; write `locales = Self::locales`

// condition_negated
#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", skip_if = !Self::is_published, list_if = !draft)]
struct Post {
    slug: String,
    draft: bool,
}
//~ ! Self :: is_published
//~     the value of `skip_if` is negated; write `list_if = Self::is_published`
//~ ! draft
//~     the value of `list_if` negates the field `draft`; mark the field with `#[sitemap(skip_if)]`

// conversion_in_another_form
#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Home {
    #[sitemap(lastmod, with = "convert::date")]
    changed: String,
    #[sitemap(changefreq, with = Self::frequency())]
    often: String,
    #[sitemap(priority, with = str::parse)]
    weight: String,
}
//~ "convert::date"
//~     the value of `with` is in quotes; write `with = convert::date`
//~ Self :: frequency ()
//~     the value of `with` is a call; write `with = Self::frequency`
//~ str :: parse
//~     `str::parse` needs the type to parse; write it as in `with = str::parse::<LastMod>`

// operators
#[derive(SitemapEntry)]
#[sitemap(loc := "/", priority => 0.5, changefreq == "daily", section "posts", lastmod("2026"))]
struct Home;
//~ :=
//~     `:=` after the sitemap attribute `loc`; write `loc = …`
//~ =>
//~     `=>` after the sitemap attribute `priority`; write `priority = …`
//~ ==
//~     `==` after the sitemap attribute `changefreq`; write `changefreq = …`
//~ section
//~     no `=` after the sitemap attribute `section`; write `section = …`
//~ ("2026")
//~     the value of `lastmod` is in parentheses; write `lastmod = "2026"`

// name_in_quotes
#[derive(SitemapEntry)]
#[sitemap("loc" = "/", Self::x, priority = 0,5)]
struct Home;
//~ "loc" = "/"
//~     sitemap attribute "loc" is in quotes; write `loc = …`
//~ Self :: x
//~     `Self :: x` is not a sitemap attribute; write `name` or `name = value`
//~ 5
//~     `,` within a number; write `priority = 0.5`

// value_for_param
#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}")]
struct Post {
    #[sitemap(param = "slug")]
    id: u32,
    slug: String,
}
//~ "slug"
//~     unexpected value for `param`; name the field itself in the URL template, and write a conversion as `param, with = path`

// block_that_is_a_list
#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}", locales = {"en", "de"})]
struct Home;
//~ { "en" , "de" }
//~     the value of `locales` is not an expression; write `locales = ["en", "de"]`

// frequency_without_quotes
#[derive(SitemapEntry)]
#[sitemap(loc = "/", changefreq = Weekly)]
struct Home;
//~ Weekly
//~     change frequency without quotes; write `changefreq = "weekly"`

// unix
#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}")]
struct Post {
    #[sitemap(unix)]
    id: u64,
    #[sitemap(lastmod, unix = "minutes")]
    changed: u64,
}
#[derive(SitemapPart)]
struct Meta {
    #[sitemap(lastmod, unix, zone = "UTC")]
    changed: u64,
}
//~ unix
//~     `unix` is given without `lastmod`; write `#[sitemap(lastmod, unix)]`, or remove `unix`
//~ "minutes"
//~     unknown unit "minutes"; use one of "s", "ms", "us", "ns"
//~ unix
//~     `unix` conflicts with `with` and `zone`; keep one of them
