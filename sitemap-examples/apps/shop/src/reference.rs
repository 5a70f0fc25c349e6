//! Publishes the reference set without a database and without the derive macro. Every example must publish the same
//! set.

use chrono::{DateTime, Utc};
use sitemap_core::extension::Hreflang;
use sitemap_core::publish::SetOptions;
use sitemap_core::record::path_segment;
use sitemap_core::value::ToLastMod as _;
use sitemap_core::{
    Alternate, ChangeFreq, Entry, EntryWriter, Error, Extensions, Image, Loc, Priority, SitemapEntry, Summary,
};
use std::path::Path;

use crate::{BASE, sample};

/// Publishes the sample data to a directory, for comparison.
pub fn publish_reference(settings: SetOptions, out: &Path) -> Result<Summary, crate::Error> {
    let mut run = settings.open(out)?.replace()?;

    let mut pages = run.section("pages")?;
    pages.add(&page("/")?.with_changefreq(ChangeFreq::Daily).with_priority(Priority::MAX))?;
    for path in ["/about", "/shipping-and-returns"] {
        pages.add(&page(path)?.with_changefreq(ChangeFreq::Monthly))?;
    }

    let mut categories = run.section("categories")?;
    for (slug, _) in sample::CATEGORIES {
        categories.add(&page(&format!("/categories/{}", path_segment(slug)))?)?;
    }

    let mut products = run.section("products")?;
    let mut images = sample::images().peekable();
    for product in sample::products() {
        let mut of_product = Vec::new();
        while let Some(image) = images.next_if(|image| image.product_id == product.id) {
            of_product.push(Image::new(Loc::parse(image.url)?));
        }
        if product.stock > 0 {
            products.add(&product_page(&product.slug, product.updated_at, of_product)?)?;
        }
    }

    let mut articles = run.section("articles")?;
    for article in sample::articles().filter(|article| !article.is_draft) {
        articles.add(&ArticleEntries::of(&article)?)?;
    }
    Ok(run.commit()?)
}

fn page(path: &str) -> Result<Entry<'static>, Error> {
    Ok(Entry::new(Loc::parse(format!("{BASE}{path}"))?))
}

fn product_page(
    slug: &str,
    updated_at: DateTime<Utc>,
    images: Vec<Image<'static>>,
) -> Result<ProductEntry, Error> {
    let entry = page(&format!("/products/{}", path_segment(slug)))?
        .with_lastmod(updated_at.to_last_mod()?)
        .with_changefreq(ChangeFreq::Daily)
        .with_priority(Priority::new(0.8)?)
        .with_images(images);
    Ok(ProductEntry(entry))
}

/// A product's entry. `EXTENSIONS` includes the image extension, so every file declares the image namespace, even if
/// the first product in the file has no image.
struct ProductEntry(Entry<'static>);

impl SitemapEntry for ProductEntry {
    fn write_entries(&self, out: &mut EntryWriter<'_>) -> Result<(), Error> {
        self.0.write_entries(out)
    }

    const EXTENSIONS: Extensions = Extensions::IMAGES;
}

/// An article's entries in all languages.
struct ArticleEntries(Vec<Entry<'static>>);

impl ArticleEntries {
    fn of(article: &sample::Article) -> Result<Self, Error> {
        let slug = &article.slug;
        let mut alternates = Vec::new();
        for language in ["en", "de", "fr"] {
            alternates.push(Alternate::parse(language, format!("{BASE}/{language}/journal/{slug}"))?);
        }
        let x_default = Alternate::new(Hreflang::X_DEFAULT, alternates[0].href().clone());
        let versions = alternates.clone();
        alternates.push(x_default);

        let mut entries = Vec::new();
        for version in versions {
            let lastmod = article.revised_on.to_last_mod()?;
            let entry = Entry::new(version.href().clone()).with_lastmod(lastmod);
            entries.push(entry.with_priority(Priority::new(0.5)?).with_alternates(alternates.clone()));
        }
        Ok(Self(entries))
    }
}

impl SitemapEntry for ArticleEntries {
    fn write_entries(&self, out: &mut EntryWriter<'_>) -> Result<(), Error> {
        self.0.iter().try_for_each(|entry| entry.write_entries(out))
    }

    const EXTENSIONS: Extensions = Extensions::ALTERNATES;
}
