//! The rules about `lastmod`, `changefreq` and `priority`.

macro_rules! lastmod {
    ($then:ident $($rest:tt)*) => { $then! { $($rest)*
    [LastMod]
        LastModInvalid = "lastmod-invalid", Error from W3cDatetime {
            summary: "a date is not a W3C datetime and cannot be read",
            reason: "Crawlers ignore a date that they cannot read, and may trust the other dates less.",
            remedy: "write the date like `2024-03-09` or `2024-03-09T16:05:30Z`",
            wrong: Entry("<lastmod>31.01.2026</lastmod>"),
            right: Entry("<lastmod>2026-01-31</lastmod>"),
        }
        LastModNoZone = "lastmod-no-zone", Error from W3cDatetime {
            summary: "a time has no offset and is read as UTC",
            reason: "Without an offset, each crawler chooses a time zone.",
            remedy: "add `Z` or an offset like `+01:00`",
            wrong: Entry("<lastmod>2026-01-30T10:00:00</lastmod>"),
            right: Entry("<lastmod>2026-01-30T10:00:00+01:00</lastmod>"),
        }
        LastModLowerCase = "lastmod-lower-case", Error from W3cDatetime {
            summary: "a date has `t` or `z` in lower case",
            reason: "The format requires capitals, and strict parsers ignore the date.",
            remedy: "write `T` and `Z`",
            wrong: Entry("<lastmod>2026-01-30t10:00:00z</lastmod>"),
            right: Entry("<lastmod>2026-01-30T10:00:00Z</lastmod>"),
        }
        LastModBlank = "lastmod-blank", Error from W3cDatetime {
            summary: "a date contains a blank",
            reason: "The format has `T` between date and time, and strict parsers ignore the date. Databases \
                often print a blank.",
            remedy: "write `T` between date and time and no blank before the offset",
            wrong: Entry("<lastmod>2026-01-30 10:00:00Z</lastmod>"),
            right: Entry("<lastmod>2026-01-30T10:00:00Z</lastmod>"),
        }
        LastModOffset = "lastmod-offset", Error from W3cDatetime {
            summary: "an offset has a form other than `+hh:mm`",
            reason: "The format requires a colon in the offset, and strict parsers ignore the date.",
            remedy: "write the offset like `+01:00`",
            wrong: Entry("<lastmod>2026-01-30T10:00:00+0100</lastmod>"),
            right: Entry("<lastmod>2026-01-30T10:00:00+01:00</lastmod>"),
        }
        LastModDateZone = "lastmod-date-zone", Error from W3cDatetime {
            summary: "a date without a time has an offset, which is ignored",
            reason: "The format allows an offset only after a time.",
            remedy: "remove the offset",
            wrong: Entry("<lastmod>2026-01-30Z</lastmod>"),
            right: Entry("<lastmod>2026-01-30</lastmod>"),
        }
        LastMod24 = "lastmod-24", Error from W3cDatetime {
            summary: "the hour of a time is 24, which is read as midnight of the next day",
            reason: "The format has hours from 00 to 23, and strict parsers ignore the date.",
            remedy: "write `00:00:00` of the next day",
            wrong: Entry("<lastmod>2026-01-30T24:00:00Z</lastmod>"),
            right: Entry("<lastmod>2026-01-31T00:00:00Z</lastmod>"),
        }
        LastModMail = "lastmod-mail", Error from W3cDatetime {
            summary: "a date is in the format of e-mail and RSS",
            reason: "Sitemaps have W3C dates, and strict parsers ignore the dates of e-mails.",
            remedy: "write the date like `2024-03-09T16:05:30Z`",
            wrong: Entry("<lastmod>Fri, 30 Jan 2026 16:05:30 GMT</lastmod>"),
            right: Entry("<lastmod>2026-01-30T16:05:30Z</lastmod>"),
        }
        ChangeFreqCase = "changefreq-case", Error from Schema {
            summary: "a change frequency is not in lower case",
            reason: "The schema has these words in lower case only, so strict validators reject the file.",
            remedy: "write the change frequency in lower case",
            wrong: Entry("<changefreq>Daily</changefreq>"),
            right: Entry("<changefreq>daily</changefreq>"),
        }
        ChangeFreqUnknown = "changefreq-unknown", Error from SitemapsOrg {
            summary: "a change frequency is not a word of the protocol and is ignored",
            reason: "Crawlers ignore other words, and strict validators reject the file.",
            remedy: "use always, hourly, daily, weekly, monthly, yearly or never",
            wrong: Entry("<changefreq>often</changefreq>"),
            right: Entry("<changefreq>daily</changefreq>"),
        }
        PriorityInvalid = "priority-invalid", Error from SitemapsOrg {
            summary: "a priority is not a number from 0.0 to 1.0 and is ignored",
            reason: "Crawlers ignore the value, and strict validators reject the file.",
            remedy: "write a decimal number from 0.0 to 1.0",
            wrong: Entry("<priority>10</priority>"),
            right: Entry("<priority>1.0</priority>"),
        }
        ValueTooLongYandex = "value-too-long-yandex", Warning from Yandex {
            summary: "a date, change frequency or priority is longer than 100 bytes",
            engines: [Yandex],
            reason: "Yandex rejects values of more than 100 bytes.",
            remedy: "write only the value, without needless digits",
            wrong: Prose("`<priority>0.5000…</priority>` with 120 digits"),
            right: Prose("`<priority>0.5</priority>`"),
        }
        ValueEmpty = "value-empty", Warning from Schema {
            summary: "an element is empty and is ignored",
            reason: "The schema allows no empty value, so strict validators reject the file.",
            remedy: "remove the element",
            wrong: Entry("<priority/>"),
            right: Entry("<priority>0.5</priority>"),
        }
        LastModPartial = "lastmod-partial", Note from Schema {
            summary: "a date has no day, although the schema requires one",
            reason: "The schema of the protocol is stricter than its text and requires a day.",
            remedy: "write the date like `2024-03-09`",
            wrong: Entry("<lastmod>2026-01</lastmod>"),
            right: Entry("<lastmod>2026-01-31</lastmod>"),
        }
        LastModMinutes = "lastmod-minutes", Note from Schema {
            summary: "a time has no seconds, although the schema requires them",
            reason: "The schema of the protocol is stricter than its text and requires seconds.",
            remedy: "write the date like `2024-03-09T16:05:30Z`",
            wrong: Entry("<lastmod>2026-01-30T10:00Z</lastmod>"),
            right: Entry("<lastmod>2026-01-30T10:00:00Z</lastmod>"),
        }
        LastModFuture = "lastmod-future", Warning from SitemapsOrg {
            summary: "a `lastmod` is in the future",
            reason: "A page cannot have changed in the future, so crawlers may ignore all dates of the site.",
            remedy: "write the date of the page's last change",
            wrong: Entry("<lastmod>2999-01-01</lastmod>"),
            right: Entry("<lastmod>2026-01-30</lastmod>"),
        }
        LastModAncient = "lastmod-ancient", Warning from Practice {
            summary: "a `lastmod` is older than the first web page",
            reason: "The date is probably zero, which many programs write for an unknown date.",
            remedy: "omit `lastmod` if the date is not known",
            wrong: Entry("<lastmod>1970-01-01</lastmod>"),
            right: Entry("<changefreq>daily</changefreq>"),
        }
        LastModAllEqual = "lastmod-all-equal", Warning from Google {
            summary: "all pages of a file have the same `lastmod`, probably the time when the file was \
                written",
            reason: "Google uses `lastmod` only if it is accurate, and the time of the last run says nothing \
                about a page.",
            remedy: "write the date of each page's last change",
            wrong: Prose("ten entries with the `lastmod` 2026-01-30T10:00:00Z"),
            right: Prose("ten entries, each with the time when its page last changed"),
        }
        ChangeFreqBlank = "changefreq-blank", Warning from Schema {
            summary: "a change frequency has white space around it, which the schema does not allow",
            reason: "The schema compares the text exactly, so strict validators reject the file.",
            remedy: "remove the white space around the change frequency",
            wrong: Entry("<changefreq> daily </changefreq>"),
            right: Entry("<changefreq>daily</changefreq>"),
        }
        PriorityAllEqual = "priority-all-equal", Note from SitemapsOrg {
            summary: "all pages of a file have the same priority, so the priorities have no effect",
            reason: "Priorities compare the pages of one site with each other, so equal ones say nothing.",
            remedy: "omit the priorities or let them differ",
            wrong: Prose("ten entries with the priority 0.8"),
            right: Prose("ten entries with the priorities 0.1 to 1.0"),
        }
    } };
}
