//! Options of the page for people.

use clap::{Args, ValueEnum};
use sitemap_core::html_page::{HtmlPage, Language};
use sitemap_core::publish::PublisherBuilder;

/// The page for people.
#[derive(Args, Debug)]
pub(crate) struct HtmlPageArgs {
    /// Also write `sitemap.html`, where people browse the set. Without this option, a run that replaces the whole set
    /// removes the page, and other runs leave it as it is
    #[arg(long)]
    html_page: bool,

    /// The languages of `sitemap.html`, the first one for visitors who prefer another language [default: all]
    #[arg(long, value_enum, value_name = "CODE", value_delimiter = ',')]
    html_languages: Vec<PageLanguage>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PageLanguage {
    De,
    En,
    Es,
    Fr,
    It,
    Nl,
    Pt,
}

impl HtmlPageArgs {
    pub(crate) fn apply(&self, builder: PublisherBuilder) -> PublisherBuilder {
        if !self.html_page {
            return builder;
        }
        let languages = self.html_languages.iter().map(|language| match language {
            PageLanguage::De => Language::German,
            PageLanguage::En => Language::English,
            PageLanguage::Es => Language::Spanish,
            PageLanguage::Fr => Language::French,
            PageLanguage::It => Language::Italian,
            PageLanguage::Nl => Language::Dutch,
            PageLanguage::Pt => Language::Portuguese,
        });
        builder.html_page(HtmlPage::new().languages(languages))
    }
}
