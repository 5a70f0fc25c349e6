//! The tables as `diesel print-schema` writes them, except that timestamps have the type
//! [`Moment`](super::moment::Moment).

diesel::table! {
    categories (id) {
        id -> BigInt,
        slug -> Text,
        name -> Text,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Integer, Text};
    use crate::with_diesel::moment::Moment;

    products (id) {
        id -> BigInt,
        category_id -> BigInt,
        slug -> Text,
        name -> Text,
        price -> BigInt,
        stock -> Integer,
        updated_at -> Moment,
    }
}

diesel::table! {
    images (id) {
        id -> BigInt,
        product_id -> BigInt,
        url -> Text,
    }
}

diesel::table! {
    articles (id) {
        id -> BigInt,
        slug -> Text,
        title_en -> Text,
        title_de -> Text,
        title_fr -> Text,
        is_draft -> Bool,
        revised_on -> Nullable<Date>,
    }
}

diesel::joinable!(images -> products (product_id));
diesel::allow_tables_to_appear_in_same_query!(categories, products, images, articles);
