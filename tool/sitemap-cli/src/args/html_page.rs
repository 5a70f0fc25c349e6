//! Options of the HTML page for visitors.

use clap::{Args, ValueEnum};
use sitemap_core::html_page::{HtmlPage, Language};
use sitemap_core::publish::SetOptions;

/// The HTML page for visitors.
#[derive(Args, Debug)]
pub(crate) struct HtmlPageArgs {
    /// Also write `sitemap.html`, a page where visitors can browse the set. Without this option, a run that replaces
    /// the whole set removes the page, and other runs leave it alone
    #[arg(long)]
    html_page: bool,

    /// The languages of `sitemap.html`; visitors who prefer a language that is not listed get the first one [default:
    /// all]
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
    pub(crate) fn apply(&self, builder: SetOptions) -> SetOptions {
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
