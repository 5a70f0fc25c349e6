//! The rules about images, videos and news.

macro_rules! extensions {
    ($then:ident $($rest:tt)*) => { $then! { $($rest)*
    [Extensions]
        ExtensionInvalid = "extension-invalid", Error from Google {
            summary: "a value of an extension is invalid",
            reason: "Search engines ignore the image, video, article or link, or at least the value.",
            remedy: "correct the value",
            wrong: Video("<video:content_loc>https://example.com/v.mp4</video:content_loc>\
                <video:duration>-1</video:duration>"),
            right: Video("<video:content_loc>https://example.com/v.mp4</video:content_loc>\
                <video:duration>60</video:duration>"),
        }
        ExtensionFlag = "extension-flag", Error from Google {
            summary: "a value is neither `yes` nor `no`, but is read as one of them",
            reason: "Google allows these two words only.",
            remedy: "write `yes` or `no`",
            wrong: Video("<video:content_loc>https://example.com/v.mp4</video:content_loc>\
                <video:live>1</video:live>"),
            right: Video("<video:content_loc>https://example.com/v.mp4</video:content_loc>\
                <video:live>yes</video:live>"),
        }
        ExtensionIncomplete = "extension-incomplete", Error from Google {
            summary: "an extension lacks a required value",
            reason: "Search engines ignore an image, video or article that lacks a required value.",
            remedy: "add the value",
            wrong: Entry("<image:image><image:title>Tea</image:title></image:image>"),
            right: Entry("<image:image><image:loc>https://example.com/i.png</image:loc></image:image>"),
        }
        TooManyImages = "too-many-images", Error from Google {
            summary: "a page has more than 1,000 images",
            reason: "Google reads at most 1,000 images for each page.",
            remedy: "list only the most important images",
            wrong: Prose("an entry with 1,001 images"),
            right: Prose("an entry with 1,000 images"),
        }
        ImageDeprecated = "image-deprecated", Note from Google {
            summary: "an image has values that search engines have not read since 2022",
            reason: "Google dropped these values in 2022 and reads only `image:loc`.",
            remedy: "keep only `image:loc`",
            wrong: Entry("<image:image><image:loc>https://example.com/i.png</image:loc>\
                <image:title>Tea</image:title></image:image>"),
            right: Entry("<image:image><image:loc>https://example.com/i.png</image:loc></image:image>"),
        }
        VideoConflict = "video-conflict", Error from Google {
            summary: "the values of a video conflict with each other or with the page",
            reason: "Google ignores a video whose values contradict each other, for example if the URL of \
                the video file is that of the page.",
            remedy: "correct the values that conflict",
            wrong: Video("<video:content_loc>https://example.com/a</video:content_loc>"),
            right: Video("<video:content_loc>https://example.com/v.mp4</video:content_loc>"),
        }
        VideoDeprecated = "video-deprecated", Note from Google {
            summary: "a video has values that search engines have not read since 2022",
            reason: "Google dropped these values in 2022.",
            remedy: "remove these values",
            wrong: Video("<video:content_loc>https://example.com/v.mp4</video:content_loc>\
                <video:category>food</video:category>"),
            right: Video("<video:content_loc>https://example.com/v.mp4</video:content_loc>"),
        }
        VideoExpired = "video-expired", Warning from Google {
            summary: "a video has expired",
            reason: "Search engines do not show a video after its expiration date.",
            remedy: "remove the video",
            wrong: Video("<video:content_loc>https://example.com/v.mp4</video:content_loc>\
                <video:expiration_date>2025-01-01</video:expiration_date>"),
            right: Video("<video:content_loc>https://example.com/v.mp4</video:content_loc>\
                <video:expiration_date>2999-01-01</video:expiration_date>"),
        }
        NewsTooMany = "news-too-many", Error from Google {
            summary: "a file has more than 1,000 news articles",
            reason: "Google reads at most 1,000 articles from a file.",
            remedy: "split the file",
            wrong: Prose("a file with 1,001 articles"),
            right: Prose("two files with 500 and 501 articles, and an index that lists both"),
        }
        NewsTooOld = "news-too-old", Error from Google {
            summary: "a news article is older than two days",
            reason: "Google News takes articles of the last two days only.",
            remedy: "remove the entry or its `news:news` element",
            wrong: Prose("an article whose publication date is a month ago"),
            right: Prose("an article whose publication date is yesterday"),
        }
        NewsFuture = "news-future", Warning from Google {
            summary: "the publication date of a news article is in the future",
            reason: "An article that is listed is published, so its date is wrong.",
            remedy: "write the date of the article's first publication",
            wrong: News("2999-01-01"),
            right: News("2026-01-30"),
        }
        NewsDateMinutes = "news-date-minutes", Note from Schema {
            summary: "a publication date has no seconds, although the schema requires them",
            reason: "The schema of the extension requires seconds, so strict validators reject the file.",
            remedy: "write the date like `2024-03-09T16:05:30Z`",
            wrong: News("2026-01-30T10:00Z"),
            right: News("2026-01-30T10:00:00Z"),
        }
    } };
}
