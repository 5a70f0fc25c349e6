CREATE TABLE categories (
    id BIGINT PRIMARY KEY NOT NULL,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL
);
CREATE TABLE products (
    id BIGINT PRIMARY KEY NOT NULL,
    category_id BIGINT NOT NULL REFERENCES categories,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    price BIGINT NOT NULL,
    stock INTEGER NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL
);
CREATE TABLE images (
    id BIGINT PRIMARY KEY NOT NULL,
    product_id BIGINT NOT NULL REFERENCES products,
    url TEXT NOT NULL
);
CREATE INDEX images_of_product ON images (product_id, id);
CREATE TABLE articles (
    id BIGINT PRIMARY KEY NOT NULL,
    slug TEXT NOT NULL UNIQUE,
    title_en TEXT NOT NULL,
    title_de TEXT NOT NULL,
    title_fr TEXT NOT NULL,
    is_draft BOOLEAN NOT NULL,
    revised_on DATE
);
