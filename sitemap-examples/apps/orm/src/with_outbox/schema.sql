-- The table with the pages.
CREATE TABLE IF NOT EXISTS posts (
    id INTEGER PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    revised_on TEXT NOT NULL,
    is_draft INTEGER NOT NULL DEFAULT 0
);

-- The outbox: the slug of each changed row. AUTOINCREMENT gives no number twice, also after rows are deleted.
CREATE TABLE IF NOT EXISTS sitemap_changes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    slug TEXT NOT NULL
);

CREATE TRIGGER IF NOT EXISTS posts_added AFTER INSERT ON posts BEGIN
    INSERT INTO sitemap_changes (slug) VALUES (NEW.slug);
END;

CREATE TRIGGER IF NOT EXISTS posts_removed AFTER DELETE ON posts BEGIN
    INSERT INTO sitemap_changes (slug) VALUES (OLD.slug);
END;

-- A row with another URL has two changed pages.
CREATE TRIGGER IF NOT EXISTS posts_changed AFTER UPDATE ON posts BEGIN
    INSERT INTO sitemap_changes (slug) VALUES (OLD.slug);
    INSERT INTO sitemap_changes (slug) SELECT NEW.slug WHERE NEW.slug <> OLD.slug;
END;
