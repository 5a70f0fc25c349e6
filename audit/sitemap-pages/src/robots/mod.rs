//! robots.txt rules, which tell crawlers which pages they may fetch (RFC 9309).
//!
//! [`RobotsTxt::parse`] reads a file, [`RobotsTxt::agent`] selects one crawler's rules, and [`Agent::verdict`] returns
//! whether the crawler may fetch a URL and which line decides it. [`Access`] also takes the response status into
//! account: if the file doesn't exist, all pages are allowed; if the server fails, none are.
//!
//! ```
//! use sitemap_pages::robots::{Access, RobotsAnswer};
//!
//! let body = b"User-agent: *\nDisallow: /cart\nCrawl-delay: 2\n";
//! let access = Access::new(RobotsAnswer::Status(200), body);
//! let agent = access.agent("sitemap");
//! assert!(agent.is_allowed("https://example.com/products/1"));
//! let verdict = agent.verdict("https://example.com/cart?add=1");
//! assert_eq!(verdict.to_string(), "disallowed by line 2 of robots.txt, `Disallow: /cart`");
//! assert_eq!(agent.crawl_delay().unwrap().wait().as_secs(), 2);
//! ```
//!
//! # Decisions
//!
//! RFC 9309 leaves some questions open, and in places Google's parser goes its own way. Where the RFC is silent, this
//! module does what Google does, because a verdict is only useful if search engines reach the same one.
//!
//! | question | answer |
//! |---|---|
//! | which escapes are equal? | `%7e`, `%7E` and `~` are equal, and so is every other unreserved character and its escape, as in the RFC. Google compares them as written. Octets outside ASCII are equal to their escapes, in patterns and in URLs |
//! | are `:` and `%3A` equal? | no, as at Google and by RFC 3986, which lets servers distinguish them. One example of the RFC escapes them in a query, but leaves `?` and `=` in the same query as they are |
//! | how is a literal `*` or `$` matched? | by `%2A` or `%24`, as in the RFC. A `$` before the end of a pattern stands for itself |
//! | which of two rules is longer? | the one with more octets in its pattern. Escapes count as three, `*` and `$` as one, and escaped unreserved characters as one |
//! | what is the name in `User-agent: Foo/2.1`? | `Foo`: the letters, `-` and `_` at the start, as at Google |
//! | which misspellings are accepted? | those that Google accepts, such as `Disalow`. A key counts if it starts with a known one, such as `Disallowed` |
//! | what if the colon is missing? | the line counts if it has exactly two words, as at Google |
//! | does `Allow: /x/index.html` allow `/x/`? | yes, as at Google |
//! | what of a pattern without `/` or `*` at its start? | it matches no path, as at Google |
//! | is `Crawl-delay` obeyed? | yes, up to 30 seconds, although the RFC does not define it and Google ignores it. A crawler for which a file has no delay gets the one for `*`, as at Bing |
//! | is 429 like 404 or like 503? | like 503, as at Google; see [`Access`] |
//! | what is not read? | what follows the first 500 KiB, and what follows the first 16,663 bytes of a line |
//!
//! # Work
//!
//! Parsing a file takes time proportional to its length, apart from sorting names. Checking a URL takes at most the
//! length of the path for each rule, plus the length of all patterns, no matter how many stars the patterns contain. A
//! check allocates memory only if the URL has to be escaped or decoded.
//!
//! # Where is what
//!
//! | what | file |
//! |---|---|
//! | reading a file | `robots_txt`, `parse`, `key`, `delay`, `token` |
//! | whether a URL matches a rule | `agent`, `rules`, `glob`, `normal_form`, `verdict` |
//! | what the answer for the file means | `access`, `answer` |
//! | lines without effect | `note` |

mod access;
mod agent;
mod answer;
mod delay;
mod glob;
mod key;
mod normal_form;
mod note;
mod parse;
mod robots_txt;
mod rules;
mod token;
mod verdict;

pub use access::Access;
pub use agent::Agent;
pub use answer::RobotsAnswer;
pub use delay::CrawlDelay;
pub use note::{Note, NoteKind};
pub use robots_txt::RobotsTxt;
pub use token::is_product_token;
pub use verdict::{Reason, Rule, Verdict};

#[cfg(test)]
mod google_tests;
