//! Pages by response.

use std::collections::BTreeMap;

use super::html::Html;
use crate::judge::Answer;

/// The number of pages for each response to the last request.
#[derive(Debug, Default)]
pub(super) struct Answers(BTreeMap<Answer, u64>);

impl Answers {
    pub(super) fn add(&mut self, answer: Answer) {
        *self.0.entry(answer).or_default() += 1;
    }

    pub(super) fn write(&self, html: &mut Html) {
        if self.0.is_empty() {
            return;
        }
        html.raw("<section>\n<h2>Answers</h2>\n<table><tr><th scope=col>Answer<th scope=col>Pages</tr>\n");
        for (answer, &count) in &self.0 {
            html.raw("<tr><th scope=row>").text(&answer.to_string()).raw("</th><td>").number(count);
            html.raw("</td></tr>\n");
        }
        html.raw("</table>\n</section>\n");
    }
}
