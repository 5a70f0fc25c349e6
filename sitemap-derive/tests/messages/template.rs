// angle_bracket
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/a>b")]
struct Post {
    slug: String,
}
//~ "/posts/a>b"
//~     URL template contains `>`, which is not allowed in a URL; remove it, or write `%3E`

// angle_brackets_for_a_placeholder
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/<slug>")]
struct Post {
    slug: String,
}
//~ "/posts/<slug>"
//~     `<slug>` is plain text in this URL template; write `{slug}` for the field

// angle_brackets_for_no_field
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/<title>")]
struct Post {
    slug: String,
}
//~ "/posts/<title>"
//~     `<title>` is plain text in this URL template; write `{slug}` for a field

// angle_brackets_with_a_type
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/<str:slug>.html")]
struct Post {
    slug: String,
}
//~ "/posts/<str:slug>.html"
//~     `<str:slug>` is plain text in this URL template; write `{slug}` for the field

// base_is_a_path
#[derive(SitemapEntry)]
#[sitemap(base = "/shop", loc = "/")]
struct Home;
//~ "/shop"
//~     `base` "/shop" is not an absolute URL; start it with `https://` or `http://`

// base_unused_in_an_enum
#[derive(SitemapEntry)]
#[sitemap(base = "https://example.com")]
enum Page {
    #[sitemap(loc = "https://example.com/")]
    Home,
}
//~ base
//~     no variant uses `base`; remove it, or write a URL template that starts with `/`

// base_with_a_placeholder
#[derive(SitemapEntry)]
#[sitemap(base = "https://example.com/{slug}", loc = "/")]
struct Home;
//~ "https://example.com/{slug}"
//~     `base` "https://example.com/{slug}" contains a brace; write placeholders in `loc`

// base_with_a_query
#[derive(SitemapEntry)]
#[sitemap(base = "https://example.com/?a", loc = "/")]
struct Home;
//~ "https://example.com/?a"
//~     `base` "https://example.com/?a" has a query or fragment; remove everything from `?` or `#` on

// base_with_an_absolute_template
#[derive(SitemapEntry)]
#[sitemap(base = "https://example.com", loc = "https://example.com/")]
struct Home;
//~ base
//~     `base` conflicts with an absolute URL template; remove one of the two

// base_without_a_template
#[derive(SitemapEntry)]
#[sitemap(base = "https://example.com")]
struct Page {
    loc: String,
}
//~ base
//~     `base` is given without a URL template; remove it, as `Site` is the base of the paths in a `loc` field

// base_without_scheme
#[derive(SitemapEntry)]
#[sitemap(base = "example.com", loc = "/")]
struct Home;
//~ "example.com"
//~     `base` "example.com" does not start with `https://` or `http://`; write "https://example.com"

// begins_with_a_placeholder
#[derive(SitemapEntry)]
#[sitemap(loc = "{slug}/posts")]
struct Post {
    slug: String,
}
//~ "{slug}/posts"
//~     URL template "{slug}/posts" does not start with `/` or `https://`; write "/{slug}/posts"

// brackets_for_a_placeholder
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/[...slug]")]
struct Post {
    slug: String,
}
//~ "/posts/[...slug]"
//~     `[...slug]` is plain text in this URL template; write `{*slug}` for the field, or `%5B` for a bracket

// colon_for_a_placeholder
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/:slug")]
struct Post {
    slug: String,
}
//~ "/posts/:slug"
//~     `:slug` is plain text in this URL template; write `{slug}` for the field, or `%3A` for a colon

// colon_for_no_field
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/:title")]
struct Post {
    slug: String,
}
//~ "/posts/:title"
//~     `:title` is plain text in this URL template; write `{slug}` for a field, or `%3A` for a colon

// colon_within_a_segment
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/:slug.html")]
struct Post {
    slug: String,
}
//~ "/posts/:slug.html"
//~     `:slug` is plain text in this URL template; write `{slug}` for the field, or `%3A` for a colon

// control_character
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts\t/{slug}\n")]
struct Post {
    slug: String,
}
//~ "/posts\t/{slug}\n"
//~     URL template contains the character U+0009, which is not allowed in a URL; remove it
//~ "/posts\t/{slug}\n"
//~     URL template contains the character U+000A, which is not allowed in a URL; remove it

// date_directive
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{day:%Y/%B}")]
struct Post {
    day: sitemap_core::LastMod,
}
//~ "/posts/{day:%Y/%B}"
//~     the date format of `{day:%Y/%B}` has the unknown directive `%B`; write `%m`

// date_of_another_language
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{day:yyyy/MM/dd}")]
struct Post {
    day: sitemap_core::LastMod,
}
//~ "/posts/{day:yyyy/MM/dd}"
//~     `{day:yyyy/MM/dd}` is not a placeholder of a URL template; write `{day:%Y/%m/%d}` for a date

// dollar_before_a_placeholder
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/${slug}")]
struct Post {
    slug: String,
}
//~ "/posts/${slug}"
//~     the `$` in `${slug}` is plain text in this URL template; write `{slug}`, or `%24{slug}` for a dollar sign

// dot_segment
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/../{slug}")]
struct Post {
    slug: String,
}
//~ "/posts/../{slug}"
//~     URL template has the path segment `..`, which crawlers resolve; write the resolved path

// dot_segment_encoded
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/%2E%2e/{slug}")]
struct Post {
    slug: String,
}
//~ "/posts/%2E%2e/{slug}"
//~     URL template has the path segment `%2E%2e`, which crawlers resolve; write the resolved path

// doubled_braces_for_a_placeholder
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{{slug}}")]
struct Post {
    slug: String,
}
//~ "/posts/{{slug}}"
//~     `{{slug}}` is plain text in this URL template, because doubled braces are literal braces; write `{slug}` for the field

// empty
#[derive(SitemapEntry)]
#[sitemap(loc = "")]
struct Post {
    slug: String,
}
//~ ""
//~     URL template "" does not start with `/` or `https://`; write "/" for the home page

// empty_placeholder
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{}")]
struct Post {
    slug: String,
}
//~ "/posts/{}"
//~     empty placeholder `{}` in the URL template; name a field, as in `{slug}`

// empty_rest
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{*}")]
struct Post {
    slug: String,
}
//~ "/posts/{*}"
//~     empty placeholder `{*}` in the URL template; name a field, as in `{*slug}`

// empty_segment
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts//{slug}")]
struct Post {
    slug: String,
}
//~ "/posts//{slug}"
//~     empty path segment in the URL template; write one `/`, not `//`

// escaped_ampersand
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts?a={slug}&amp;b=c")]
struct Post {
    slug: String,
}
//~ "/posts?a={slug}&amp;b=c"
//~     URL template contains `&amp;`; write `&`, which is escaped in the sitemap

// filter
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug|lower}")]
struct Post {
    slug: String,
}
//~ "/posts/{slug|lower}"
//~     `{slug|lower}` is not a placeholder of a URL template, which cannot format a value; write `{slug}`, and mark the field `slug` with `#[sitemap(param, with = path)]`

// format
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{id:05}")]
struct Post {
    id: u32,
}
//~ "/posts/{id:05}"
//~     `{id:05}` is not a placeholder of a URL template, which cannot format a value; write `{id}`, and mark the field `id` with `#[sitemap(param, with = path)]`

// fragment
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug}#top")]
struct Post {
    slug: String,
}
//~ "/posts/{slug}#top"
//~     URL template has a `#`, but a sitemap lists whole pages, not fragments; remove it, or write `%23`

// host_invalid
#[derive(SitemapEntry)]
#[sitemap(loc = "https://exa mple.com/{slug}")]
struct Post {
    slug: String,
}
//~ "https://exa mple.com/{slug}"
//~     URL template has the invalid host name `exa mple.com`; write one like `example.com`

// host_missing
#[derive(SitemapEntry)]
#[sitemap(loc = "https:///{slug}")]
struct Post {
    slug: String,
}
//~ "https:///{slug}"
//~     URL template has no host name; add one after the scheme, as in `https://example.com`

// host_not_ascii
#[derive(SitemapEntry)]
#[sitemap(loc = "https://bücher.example/{slug}")]
struct Post {
    slug: String,
}
//~ "https://bücher.example/{slug}"
//~     URL template has the host name `bücher.example`, which is not ASCII; write its `xn--` form

// hyphen_in_a_placeholder
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{post-id}")]
struct Post {
    post_id: u32,
    post: String,
}
//~ "/posts/{post-id}"
//~     `{post-id}` is not a placeholder of a URL template; write only a field or a method, as in `{post_id}`

// hyphen_without_a_similar_field
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{post-id}")]
struct Post {
    slug: String,
    author: String,
}
//~ "/posts/{post-id}"
//~     `{post-id}` is not a placeholder of a URL template; use one of `{slug}`, `{author}`

// ipv6
#[derive(SitemapEntry)]
#[sitemap(loc = "http://[::1]:8080/{slug}")]
struct Post {
    slug: String,
}
//~ "http://[::1]:8080/{slug}"
//~     URL template contains an IPv6 address; use the scheme and host of `Site` instead

// locale_without_locales
#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale}/posts/{slug}")]
struct Post {
    slug: String,
}
//~ "/{locale}/posts/{slug}"
//~     no field `locale` on `Post` for this URL template; add `locales = ["en", …]`, or a field `locale`

// macro_for_a_string
#[derive(SitemapEntry)]
#[sitemap(loc = format!("/posts/{}", "{slug}"))]
struct Post {
    slug: String,
}
//~ format ! ("/posts/{}" , "{slug}")
//~     the value of `loc` is not a string literal, so it cannot be checked while compiling; write a URL template like `loc = "/posts/{slug}"`

// method_with_arguments
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug.replace(1)}")]
struct Post {
    slug: String,
}
//~ "/posts/{slug.replace(1)}"
//~     `{slug.replace(1)}` is not a placeholder of a URL template; write a method without arguments, as in `{slug.replace()}`

// name_in_a_tuple_struct
#[derive(SitemapEntry)]
#[sitemap(loc = "/{year}/{month}")]
struct Archive(u16, u8);
//~ "/{year}/{month}"
//~     no field `year` on `Archive` for this URL template; use one of `{0}`, `{1}`, or call a method with `{year()}`
//~ "/{year}/{month}"
//~     no field `month` on `Archive` for this URL template; use one of `{0}`, `{1}`, or call a method with `{month()}`

// not_a_literal
#[derive(SitemapEntry)]
#[sitemap(loc = PATH)]
struct Post {
    slug: String,
}
//~ PATH
//~     the value of `loc` is not a string literal, so it cannot be checked while compiling; write a URL template like `loc = "/posts/{slug}"`

// not_a_string
#[derive(SitemapEntry)]
#[sitemap(loc = 5)]
struct Post {
    slug: String,
}
//~ 5
//~     the value of `loc` is `5`, not a string; write a URL template like `loc = "/posts/{slug}"`

// number_past_the_last_field
#[derive(SitemapEntry)]
#[sitemap(loc = "/{0}/{2}")]
struct Archive(u16, u8);
//~ "/{0}/{2}"
//~     no field `2` on `Archive` for this URL template; use one of `{0}`, `{1}`

// optional_in_the_path
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug?}")]
struct Post {
    slug: Option<String>,
}
//~ "/posts/{slug?}"
//~     `{slug?}` is in the path of the URL template, but only a pair of the query can be omitted; write `{slug}`, and mark the field `slug` with `#[sitemap(param, with = Clone::clone)]`, which skips records with `None`

// optional_within_a_value
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts?a=b{slug?}")]
struct Post {
    slug: Option<String>,
}
//~ "/posts?a=b{slug?}"
//~     `{slug?}` is not the whole value of a pair in the query; write the pair as in `page={slug?}`, and `&` between pairs

// other_scheme
#[derive(SitemapEntry)]
#[sitemap(loc = "ftp://example.com/{slug}")]
struct Post {
    slug: String,
}
//~ "ftp://example.com/{slug}"
//~     URL template "ftp://example.com/{slug}" is not an `http` or `https` URL; start it with `/` or `https://`

// pattern
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{id:[0-9]{4}}")]
struct Post {
    id: u32,
}
//~ "/posts/{id:[0-9]{4}}"
//~     `{id:[0-9]{4}}` is not a placeholder of a URL template, which has no patterns; write `{id}`

// percent_for_a_placeholder
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/%s")]
struct Post {
    slug: String,
}
//~ "/posts/%s"
//~     `%s` is plain text in this URL template; write `{slug}` for a field, or `%25` for a percent sign

// placeholder_in_the_host
#[derive(SitemapEntry)]
#[sitemap(loc = "https://{slug}.example.com/")]
struct Post {
    slug: String,
}
//~ "https://{slug}.example.com/"
//~     placeholder `{slug}` is before the path of the URL template; write out the scheme, host and port, or start with `/` to use those of `Site`

// placeholder_is_an_expression
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{self.slug}")]
struct Post {
    slug: String,
}
//~ "/posts/{self.slug}"
//~     `{self.slug}` is not a placeholder of a URL template; write `{slug}`

// placeholder_is_not_a_name
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug:?}")]
struct Post {
    slug: String,
}
//~ "/posts/{slug:?}"
//~     `{slug:?}` is not a placeholder of a URL template; write only a field or a method, as in `{slug}`

// placeholder_is_the_host
#[derive(SitemapEntry)]
#[sitemap(loc = "https://{slug}/posts")]
struct Post {
    slug: String,
}
//~ "https://{slug}/posts"
//~     placeholder `{slug}` is before the path of the URL template; write out the scheme, host and port, or start with `/` to use those of `Site`

// placeholder_with_spaces
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{ slug }")]
struct Post {
    slug: String,
}
//~ "/posts/{ slug }"
//~     `{ slug }` is not a placeholder of a URL template; write `{slug}`

// port_invalid
#[derive(SitemapEntry)]
#[sitemap(loc = "https://example.com:99999/{slug}")]
struct Post {
    slug: String,
}
//~ "https://example.com:99999/{slug}"
//~     URL template has the invalid port `99999`; write a port from 0 to 65535

// relative
#[derive(SitemapEntry)]
#[sitemap(loc = "posts/{slug}")]
struct Post {
    slug: String,
}
//~ "posts/{slug}"
//~     URL template "posts/{slug}" does not start with `/` or `https://`; write "/posts/{slug}"

// rest_as_a_pattern
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug:.*}")]
struct Post {
    slug: String,
}
//~ "/posts/{slug:.*}"
//~     `{slug:.*}` is not a placeholder of a URL template; write `{*slug}` for the rest of the path

// rest_in_the_query
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts?path={*slug}")]
struct Post {
    slug: String,
}
//~ "/posts?path={*slug}"
//~     `{*slug}` is in the query of the URL template; write `{slug}` instead

// rest_not_alone
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts-{*slug}")]
struct Post {
    slug: String,
}
//~ "/posts-{*slug}"
//~     `{*slug}` is not alone in its path segment; write a `/` before it and nothing after it

// rest_not_last
#[derive(SitemapEntry)]
#[sitemap(loc = "/{*slug}/comments")]
struct Post {
    slug: String,
}
//~ "/{*slug}/comments"
//~     `{*slug}` is not at the end of the path; end the path with it, or write `{slug}` for one segment

// rest_of_another_framework
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug..}")]
struct Post {
    slug: String,
}
//~ "/posts/{slug..}"
//~     `{slug..}` is not a placeholder of a URL template; write `{*slug}` for the rest of the path

// several_mistakes
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts//{slgu}#top")]
struct Post {
    slug: String,
}
//~ "/posts//{slgu}#top"
//~     empty path segment in the URL template; write one `/`, not `//`
//~ "/posts//{slgu}#top"
//~     URL template has a `#`, but a sitemap lists whole pages, not fragments; remove it, or write `%23`

// space
#[derive(SitemapEntry)]
#[sitemap(loc = "/my posts/{slug}")]
struct Post {
    slug: String,
}
//~ "/my posts/{slug}"
//~     URL template contains a space; remove it, or write `%20`

// star_for_a_placeholder
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/*slug")]
struct Post {
    slug: String,
}
//~ "/posts/*slug"
//~     `*slug` is plain text in this URL template; write `{*slug}` for the field, or `%2A` for a star

// template_is_a_field
#[derive(SitemapEntry)]
#[sitemap(loc = "slug")]
struct Post {
    slug: String,
}
//~ "slug"
//~     URL template "slug" does not start with `/` or `https://`; write "/{slug}", or mark the field `slug` with `#[sitemap(loc)]`

// too_long
#[derive(SitemapEntry)]
#[sitemap(loc = "/long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-")]
struct Home;
//~ "/long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-"
//~     URL template has 2101 characters without its placeholders, and a URL has at most 2047; shorten it

// two_question_marks
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts?a={slug}?b=c")]
struct Post {
    slug: String,
}
//~ "/posts?a={slug}?b=c"
//~     URL template has a second `?`; write `&` between the pairs of the query, or `%3F` for a question mark

// two_slashes_at_the_start
#[derive(SitemapEntry)]
#[sitemap(loc = "//example.com/{slug}")]
struct Post {
    slug: String,
}
//~ "//example.com/{slug}"
//~     URL template "//example.com/{slug}" starts with `//`; replace it with `/` or `https://`

// unclosed_brace
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug")]
struct Post {
    slug: String,
}
//~ "/posts/{slug"
//~     unclosed placeholder `{slug` in the URL template; add the missing `}`, or write `{{` for a literal brace

// unclosed_brace_in_the_middle
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug/comments")]
struct Post {
    slug: String,
}
//~ "/posts/{slug/comments"
//~     unclosed placeholder `{slug` in the URL template; add the missing `}`, or write `{{` for a literal brace

// unknown_field
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slgu}")]
struct Post {
    slug: String,
}
//~ "/posts/{slgu}"
//~     no field `slgu` on `Post` for this URL template; did you mean `slug`?

// unknown_field_on_unit
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{slug}")]
struct Post;
//~ "/posts/{slug}"
//~     no field `slug` on `Post` for this URL template; the struct has no fields, so add the field

// unknown_field_on_variant
#[derive(SitemapEntry)]
enum Route {
    #[sitemap(loc = "/posts/{slgu}")]
    Post { slug: String },
    #[sitemap(loc = "/tags/{tag}")]
    Tag,
}
//~ "/posts/{slgu}"
//~     no field `slgu` on `Route::Post` for this URL template; did you mean `slug`?
//~ "/tags/{tag}"
//~     no field `tag` on `Route::Tag` for this URL template; the variant has no fields, so add the field

// unknown_field_without_a_similar_one
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/{id}")]
struct Post {
    slug: String,
    author: String,
}
//~ "/posts/{id}"
//~     no field `id` on `Post` for this URL template; use one of `{slug}`, `{author}`, or call a method with `{id()}`

// unmatched_brace
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts/slug}")]
struct Post {
    slug: String,
}
//~ "/posts/slug}"
//~     unmatched `}` in the URL template "/posts/slug}"; add the missing `{`, or write `}}` for a literal brace

// user_name
#[derive(SitemapEntry)]
#[sitemap(loc = "https://me:secret@example.com/{slug}")]
struct Post {
    slug: String,
}
//~ "https://me:secret@example.com/{slug}"
//~     URL template contains a user name or password; remove everything between `//` and the host

// zero_width_space
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts\u{200B}/{slug}")]
struct Post {
    slug: String,
}
//~ "/posts\u{200B}/{slug}"
//~     URL template contains the invisible character U+200B; remove it, or write `%E2%80%8B`

// date_without_a_percent_sign
#[derive(SitemapEntry)]
#[sitemap(loc = "/{published:%Y/m/%d}")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/{published:%Y/m/%d}"
//~     the date format of `{published:%Y/m/%d}` contains `m` as plain text; write `%m`

// date_in_letters
#[derive(SitemapEntry)]
#[sitemap(loc = "/{published:%Y/MM/DD}")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/{published:%Y/MM/DD}"
//~     the date format of `{published:%Y/MM/DD}` contains `MM` as plain text; write `%m`

// date_with_a_space
#[derive(SitemapEntry)]
#[sitemap(loc = "/{published:%Y %m}")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/{published:%Y %m}"
//~     the date format of `{published:%Y %m}` contains a space or an invisible character; write `-` or `/` between the parts

// date_of_minutes
#[derive(SitemapEntry)]
#[sitemap(loc = "/{published:%Y/%M}")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/{published:%Y/%M}"
//~     the date format of `{published:%Y/%M}` has the unknown directive `%M`; write `%m`

// date_in_brackets
#[derive(SitemapEntry)]
#[sitemap(loc = "/{published:[year]/[month]}")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/{published:[year]/[month]}"
//~     `{published:[year]/[month]}` is not a placeholder of a URL template; write `{published:%Y/%m}` for a date

// date_after_a_slash
#[derive(SitemapEntry)]
#[sitemap(loc = "/{published/%Y}")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/{published/%Y}"
//~     `{published/%Y}` is not a placeholder of a URL template; write `{published:%Y}` for a date

// date_in_a_filter
#[derive(SitemapEntry)]
#[sitemap(loc = "/{published|date:\"%Y-%m\"}")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/{published|date:\"%Y-%m\"}"
//~     `{published|date:"%Y-%m"}` is not a placeholder of a URL template; write `{published:%Y-%m}` for a date

// date_as_plain_text
#[derive(SitemapEntry)]
#[sitemap(loc = "/%Y/%m/{slug}")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/%Y/%m/{slug}"
//~     `%Y` is plain text in this URL template; write a date as in `{published:%Y/%m}`, or `%25` for a percent sign; also, `%m` is plain text in this URL template; write a date as in `{published:%Y/%m}`, or `%25` for a percent sign

// date_part_as_a_field
#[derive(SitemapEntry)]
#[sitemap(loc = "/{year}/{slug}")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/{year}/{slug}"
//~     no field `year` on `Post` for this URL template; write `{published:%Y}` for a date

// percent_signs_around
#[derive(SitemapEntry)]
#[sitemap(loc = "/%postname%")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/%postname%"
//~     `%postname%` is plain text in this URL template; write one of `{slug}`, `{id}`, `{published}`, `{author}` for a field, or `%25` for a percent sign

// printf
#[derive(SitemapEntry)]
#[sitemap(loc = "/%1$s")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/%1$s"
//~     `%1$s` is plain text in this URL template; write one of `{slug}`, `{id}`, `{published}`, `{author}` for a field, or `%25` for a percent sign

// percent_before_a_placeholder
#[derive(SitemapEntry)]
#[sitemap(loc = "/%{slug}")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/%{slug}"
//~     the `%` in `%{slug}` is plain text in this URL template; write `{slug}`, or `%25{slug}` for a percent sign

// dollar_sign_with_text
#[derive(SitemapEntry)]
#[sitemap(loc = "/$slug.html")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/$slug.html"
//~     `$slug` is plain text in this URL template; write `{slug}` for the field, or `%24` for a dollar sign

// dollar_sign_with_parentheses
#[derive(SitemapEntry)]
#[sitemap(loc = "/$(slug)")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/$(slug)"
//~     `$(slug)` is plain text in this URL template; write `{slug}` for the field, or `%28` for a parenthesis

// at_sign
#[derive(SitemapEntry)]
#[sitemap(loc = "/@slug")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/@slug"
//~     `@slug` is plain text in this URL template; write `{slug}` for the field, or `%40` for an at sign

// matcher_in_brackets
#[derive(SitemapEntry)]
#[sitemap(loc = "/[id=integer]")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/[id=integer]"
//~     `[id=integer]` is plain text in this URL template; write `{id}` for the field, or `%5B` for a bracket

// star_at_the_end
#[derive(SitemapEntry)]
#[sitemap(loc = "/files/*")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/files/*"
//~     `*` is plain text in this URL template; write `{*slug}` for the rest of the path, or `%2A` for a star

// jinja_path
#[derive(SitemapEntry)]
#[sitemap(loc = "/{{ post.slug }}")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/{{ post.slug }}"
//~     `{{ post.slug }}` is plain text in this URL template, because doubled braces are literal braces; write `{slug}` for the field

// jinja_statement
#[derive(SitemapEntry)]
#[sitemap(loc = "/{% slug %}")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/{% slug %}"
//~     `{% slug %}` is not a placeholder of a URL template; write `{slug}`

// erb
#[derive(SitemapEntry)]
#[sitemap(loc = "/<%= slug %>")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/<%= slug %>"
//~     `<%= slug %>` is plain text in this URL template; write `{slug}` for the field

// regular_expression
#[derive(SitemapEntry)]
#[sitemap(loc = "/(.*)")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/(.*)"
//~     `(.*)` is plain text in this URL template; write one of `{slug}`, `{id}`, `{published}`, `{author}` for a field, or `%28` for a parenthesis

// backslash
#[derive(SitemapEntry)]
#[sitemap(loc = "/a\\{slug}")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/a\\{slug}"
//~     URL template contains `\`, which is not allowed in a URL; remove it, or write `%5C`

// locale_of_another_framework
#[derive(SitemapEntry)]
#[sitemap(loc = "/:locale/{slug}")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/:locale/{slug}"
//~     `:locale` is plain text in this URL template; write `{locale}`, with `locales = ["en", …]` on the type, or `%3A` for a colon

// two_of_another_framework
#[derive(SitemapEntry)]
#[sitemap(loc = "/:year/:slug")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/:year/:slug"
//~     `:year` is plain text in this URL template; write one of `{slug}`, `{id}`, `{published}`, `{author}` for a field, or `%3A` for a colon; also, `:slug` is plain text in this URL template; write `{slug}` for the field, or `%3A` for a colon

// question_mark_at_the_end
#[derive(SitemapEntry)]
#[sitemap(loc = "/post/{slug}?")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/post/{slug}?"
//~     URL template ends with `?`, so its query is empty; remove the `?`

// empty_pair
#[derive(SitemapEntry)]
#[sitemap(loc = "/post?a=1&&id={id}")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/post?a=1&&id={id}"
//~     URL template has an empty pair in the query; write one `&` between two pairs

// scheme_twice
#[derive(SitemapEntry)]
#[sitemap(loc = "https://https:/example.com/")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "https://https:/example.com/"
//~     URL template has a scheme twice; remove one `https:`

// scheme_with_one_slash
#[derive(SitemapEntry)]
#[sitemap(loc = "https:/example.com/{slug}")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "https:/example.com/{slug}"
//~     URL template "https:/example.com/{slug}" does not start with `/` or `https://`; write "https://example.com/{slug}"

// host_without_a_scheme
#[derive(SitemapEntry)]
#[sitemap(loc = "example.com/{slug}")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "example.com/{slug}"
//~     URL template "example.com/{slug}" does not start with `/` or `https://`; write "https://example.com/{slug}"

// field_alone
#[derive(SitemapEntry)]
#[sitemap(loc = "{slug}")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "{slug}"
//~     URL template "{slug}" does not start with `/` or `https://`; write "/{slug}", or mark the field `slug` with `#[sitemap(loc)]`

// tuple_field_as_a_method
#[derive(SitemapEntry)]
#[sitemap(loc = "/{0()}")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/{0()}"
//~     `{0()}` is not a placeholder of a URL template; use one of `{slug}`, `{id}`, `{published}`, `{author}`

// type_before_a_method
#[derive(SitemapEntry)]
#[sitemap(loc = "/{Self::slug()}")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/{Self::slug()}"
//~     `{Self::slug()}` is not a placeholder of a URL template; write `{slug()}`

// path_with_colons
#[derive(SitemapEntry)]
#[sitemap(loc = "/{author::slug}")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/{author::slug}"
//~     `{author::slug}` is not a placeholder of a URL template; write `{author.slug}`

// path_with_a_slash
#[derive(SitemapEntry)]
#[sitemap(loc = "/{author/slug}")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/{author/slug}"
//~     `{author/slug}` is not a placeholder of a URL template; write `{author.slug}`

// path_with_an_index
#[derive(SitemapEntry)]
#[sitemap(loc = "/{author['slug']}")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/{author['slug']}"
//~     `{author['slug']}` is not a placeholder of a URL template; write `{author.slug}`

// rfc_6570_query
#[derive(SitemapEntry)]
#[sitemap(loc = "/posts{?slug,id}")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/posts{?slug,id}"
//~     `{?slug,id}` is not a placeholder of a URL template; write `?slug={slug}&id={id}` after the path

// rfc_6570_reserved
#[derive(SitemapEntry)]
#[sitemap(loc = "/{+slug}")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/{+slug}"
//~     `{+slug}` is not a placeholder of a URL template; write `{*slug}` for the rest of the path

// two_fields
#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug,id}")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/{slug,id}"
//~     `{slug,id}` is not a placeholder of a URL template; write each field in its own braces, as in `{slug}/{id}`

// optional_of_express
#[derive(SitemapEntry)]
#[sitemap(loc = "/:id?")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/:id?"
//~     `:id?` is plain text in this URL template; write `{id}` for the field, or `%3A` for a colon

// optional_locale
#[derive(SitemapEntry)]
#[sitemap(loc = "/{locale?}")]
struct Post {
    slug: String,
    id: u32,
    published: NaiveDate,
    author: Author,
}
//~ "/{locale?}"
//~     `{locale?}` is in the path of the URL template, but only a pair of the query can be omitted; write `{locale}`
