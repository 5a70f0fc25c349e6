//! The sample data. It is computed, so it is the same on every machine.

use std::iter::zip;

use chrono::{DateTime, Days, NaiveDate, Utc};

/// The product categories: the slug in URLs and the name on pages.
pub const CATEGORIES: [(&str, &str); 6] = [
    ("chairs", "Chairs"),
    ("tables", "Tables"),
    ("lamps", "Lamps & shades"),
    ("shelves", "Shelves"),
    ("küche", "Küche"),
    ("desks", "Desks"),
];

/// A row of `products`.
#[derive(Clone, Debug)]
pub struct Product {
    /// The ID, counted from 1 without gaps.
    pub id: i64,
    /// The number of the category in [`CATEGORIES`], counted from 1.
    pub category_id: i64,
    /// The unique part of the URL.
    pub slug: String,
    /// The name on the page.
    pub name: String,
    /// The price in cents.
    pub price: i64,
    /// The number of items in stock. A product without stock is sold out.
    pub stock: i32,
    /// The time of the last change.
    pub updated_at: DateTime<Utc>,
}

/// A row of `images`: an image of a product.
#[derive(Clone, Debug)]
pub struct Image {
    /// The ID, counted from 1 without gaps.
    pub id: i64,
    /// The ID of the product.
    pub product_id: i64,
    /// The URL of the image, on a separate host.
    pub url: String,
}

/// A row of `articles`: an article in three languages.
#[derive(Clone, Debug)]
pub struct Article {
    /// The ID, counted from 1 without gaps.
    pub id: i64,
    /// The unique part of the URL.
    pub slug: String,
    /// The titles in English, German and French.
    pub titles: [String; 3],
    /// True if the article is not published.
    pub is_draft: bool,
    /// The date of the last revision, which is known for two out of three articles.
    pub revised_on: Option<NaiveDate>,
}

/// Returns 2,400 products, of which 60 are sold out.
pub fn products() -> impl Iterator<Item = Product> {
    let categories = CATEGORIES.iter().zip(1..).cycle();
    zip(1..=2_400, categories).map(|(id, ((category, name), category_id))| Product {
        id: id.into(),
        category_id,
        slug: format!("{category}-{id}"),
        name: format!("{name} No {id}"),
        price: 900 + i64::from(id) * 7_919 % 90_000,
        stock: id % 40,
        updated_at: day(i64::from(id) * 31 % 500),
    })
}

/// Returns zero to two images for each product.
pub fn images() -> impl Iterator<Item = Image> {
    let of_each = products().flat_map(|product| {
        (0..product.id % 3).map(move |number| {
            (product.id, format!("https://img.shop.example.com/{}/{number}.jpg", product.id))
        })
    });
    zip(of_each, 1..).map(|((product_id, url), id)| Image { id, product_id, url })
}

/// Returns 90 articles, of which 4 are drafts.
pub fn articles() -> impl Iterator<Item = Article> {
    (1..=90).map(|id: i64| Article {
        id,
        slug: format!("issue-{id}"),
        titles: [format!("Wood & wool {id}"), format!("Holz & Wolle {id}"), format!("Bois & laine {id}")],
        is_draft: id % 20 == 0,
        revised_on: (id % 3 > 0).then(|| day(id * 5).date_naive()),
    })
}

fn day(number: i64) -> DateTime<Utc> {
    let opening = DateTime::UNIX_EPOCH + Days::new(20_089); // 2025-01-01
    opening + chrono::TimeDelta::hours(number * 24 + 9)
}
