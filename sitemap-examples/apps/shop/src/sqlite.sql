CREATE TABLE categories (
    id INTEGER PRIMARY KEY NOT NULL,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL
);
CREATE TABLE products (
    id INTEGER PRIMARY KEY NOT NULL,
    category_id INTEGER NOT NULL REFERENCES categories,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    price BIGINT NOT NULL,
    stock INTEGER NOT NULL,
    updated_at TEXT NOT NULL
);
CREATE TABLE images (
    id INTEGER PRIMARY KEY NOT NULL,
    product_id INTEGER NOT NULL REFERENCES products,
    url TEXT NOT NULL
);
CREATE INDEX images_of_product ON images (product_id, id);
CREATE TABLE articles (
    id INTEGER PRIMARY KEY NOT NULL,
    slug TEXT NOT NULL UNIQUE,
    title_en TEXT NOT NULL,
    title_de TEXT NOT NULL,
    title_fr TEXT NOT NULL,
    is_draft BOOLEAN NOT NULL,
    revised_on TEXT
);
