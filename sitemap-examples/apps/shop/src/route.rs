//! A macro that uses one string for the router and the sitemap.

/// Declares a record together with the route of its pages.
///
/// `#[sitemap(loc = …)]` needs a literal, whereas routers take any string. This macro writes one literal to both
/// places: to a constant for the router, and to the URL template of the record.
///
/// ```
/// use sitemap_core::SitemapEntry;
///
/// shop::routed! {
///     /// The route of a tag's page.
///     pub const TAG: &str = "/tags/{name}";
///
///     /// A tag.
///     #[derive(SitemapEntry)]
///     #[sitemap(changefreq = "weekly")]
///     pub struct Tag {
///         name: &'static str,
///     }
/// }
///
/// let site = sitemap_core::Site::new("https://example.com")?;
/// let pages = sitemap_core::entries_of(&Tag { name: "oak" }, &site)?;
/// assert_eq!(pages[0].loc().as_str(), "https://example.com/tags/oak");
/// assert_eq!(TAG, "/tags/{name}");
/// # Ok::<(), shop::Error>(())
/// ```
#[macro_export]
macro_rules! routed {
    (
        $(#[$about:meta])*
        $visible:vis const $route:ident: &str = $template:literal;
        $(#[$attribute:meta])*
        $public:vis struct $record:ident { $($fields:tt)* }
    ) => {
        $(#[$about])*
        $visible const $route: &str = $template;

        $(#[$attribute])*
        #[sitemap(loc = $template)]
        $public struct $record { $($fields)* }
    };
}
