//! The routes of records: their URL templates, as the routers of web frameworks write them.

/// The path of a URL template, as a route of web frameworks.
///
/// The derive makes it from `#[sitemap(loc = "…")]`, so that router and sitemap cannot drift apart. A route is the path
/// of the template: without scheme, host, `base` and query. Placeholders keep their names. A placeholder of a path of
/// fields has `_` for each dot, and one of a tuple field starts with `_`: `{author.slug}` is `author_slug`, and `{0}`
/// is `_0`. A method keeps its name without the brackets. A date is one placeholder for each of its parts, such as
/// `published_year`.
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use sitemap_core::SitemapEntry;
/// use sitemap_core::record::HasRoute;
///
/// #[derive(SitemapEntry)]
/// #[sitemap(loc = "/{shop}/files/{*path}?page={page}")]
/// struct File {
///     shop: String,
///     path: String,
///     page: u32,
/// }
///
/// const FILE: &str = File::ROUTE.axum();
/// assert_eq!(FILE, "/{shop}/files/{*path}");
/// assert_eq!(File::ROUTE.actix_web(), "/{shop}/files/{path:.+}");
/// assert_eq!(File::ROUTE.rocket(), "/<shop>/files/<path..>");
/// assert_eq!(File::ROUTE.name(), "File");
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Route {
    name: &'static str,
    axum: Option<&'static str>,
    actix_web: &'static str,
    rocket: Option<&'static str>,
}

impl Route {
    /// Creates a route from the texts that the derive has written.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(
        name: &'static str,
        axum: Option<&'static str>,
        actix_web: &'static str,
        rocket: Option<&'static str>,
    ) -> Self {
        Self { name, axum, actix_web, rocket }
    }

    /// Returns the name of the struct or variant.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Returns the route for axum 0.8, such as `/files/{*path}`.
    ///
    /// # Panics
    ///
    /// If axum has no such route: text follows a placeholder in one segment, or a segment starts with `:` or `*`. In a
    /// `const`, this is a compile-time error.
    #[expect(clippy::panic, reason = "a mistake in the program, which a `const` finds at compile time")]
    #[must_use]
    pub const fn axum(self) -> &'static str {
        match self.axum {
            Some(route) => route,
            None => panic!(
                "axum has no route for this URL template; end each path segment with its placeholder, and start none \
                 with `:` or `*`"
            ),
        }
    }

    /// Returns the route for actix-web 4, such as `/files/{path:.+}`.
    #[must_use]
    pub const fn actix_web(self) -> &'static str {
        self.actix_web
    }

    /// Returns the route for Rocket 0.5, such as `/files/<path..>`. Rocket's attributes need a literal, so compare the
    /// literal with this route in a test.
    ///
    /// # Panics
    ///
    /// If Rocket has no such route: a path segment has both text and a placeholder. In a `const`, this is a
    /// compile-time error.
    #[expect(clippy::panic, reason = "a mistake in the program, which a `const` finds at compile time")]
    #[must_use]
    pub const fn rocket(self) -> &'static str {
        match self.rocket {
            Some(route) => route,
            None => panic!(
                "Rocket has no route for this URL template; give each placeholder a path segment of its own"
            ),
        }
    }
}

/// A record type with a URL template.
///
/// `#[derive(SitemapEntry)]` implements this trait for each struct with `#[sitemap(loc = "…")]`.
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use sitemap_core::SitemapEntry;
/// use sitemap_core::record::HasRoute;
///
/// #[derive(SitemapEntry)]
/// #[sitemap(loc = "/posts/{slug}")]
/// struct Post {
///     slug: String,
/// }
///
/// // let router = axum::Router::new().route(Post::ROUTE.axum(), axum::routing::get(show_post));
/// assert_eq!(Post::ROUTE.axum(), "/posts/{slug}");
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no route",
    label = "a type without a URL template",
    note = "derive `SitemapEntry` with a template such as `#[sitemap(loc = \"/posts/{{slug}}\")]`"
)]
pub trait HasRoute {
    /// The path of the URL template.
    const ROUTE: Route;
}

/// An enum whose variants have URL templates.
///
/// `#[derive(SitemapEntry)]` implements this trait for each enum with such a variant.
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use sitemap_core::SitemapEntry;
/// use sitemap_core::record::HasRoutes;
///
/// #[derive(SitemapEntry)]
/// enum Page {
///     #[sitemap(loc = "/about")]
///     About,
///     #[sitemap(loc = "/users/{name}")]
///     User { name: String },
/// }
///
/// let routes: Vec<_> = Page::ROUTES.iter().map(|route| (route.name(), route.actix_web())).collect();
/// assert_eq!(routes, [("About", "/about"), ("User", "/users/{name}")]);
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no routes",
    label = "not an enum with URL templates",
    note = "derive `SitemapEntry` for an enum with variants such as `#[sitemap(loc = \"/about\")] About`"
)]
pub trait HasRoutes {
    /// The path of each variant's URL template, in the order of the variants.
    const ROUTES: &'static [Route];
}
