//! `sitemap check --explain`: why a rule exists, with a wrong and a right example.

use sitemap_read::{Example, Rule, RuleSelector};

use crate::error::Outcome;
use crate::output::Output;
use crate::terminal::{Ink, Paint};

/// Prints the explanation of a rule, or a line for each rule of a larger set.
pub(super) fn print(rules: RuleSelector, paint: Paint) -> Outcome<()> {
    let mut output = Output::new();
    if let RuleSelector::Rule(rule) = rules {
        print_one(&mut output, rule, paint)?;
    } else {
        let listed = || Rule::ALL.iter().filter(|rule| rules.contains(**rule));
        let width = listed().map(|rule| rule.id().len()).max().unwrap_or_default();
        for &rule in listed() {
            let (severity, group, summary) = (rule.severity(), rule.group(), rule.summary());
            output.line(&format!("{rule:width$}  {severity:7}  {group:10}  {summary}"))?;
        }
    }
    output.flush()
}

fn print_one(output: &mut Output, rule: Rule, paint: Paint) -> Outcome<()> {
    output.line(&paint.ink(Ink::Strong, &format!("{rule}: {}", rule.summary())))?;
    let engines: Vec<&str> = rule.engines().iter().map(|engine| engine.as_str()).collect();
    output.line(&format!("  severity: {}", rule.severity()))?;
    output.line(&format!("  group:    {}", rule.group()))?;
    output.line(&format!("  source:   {}", rule.authority()))?;
    if !engines.is_empty() {
        output.line(&format!("  engines:  {} (with `--engine`)", engines.join(", ")))?;
    }
    output.line(&format!("  help:     {}\n\n{}", rule.remedy(), rule.reason()))?;
    for (title, example) in [("Wrong", rule.wrong_example()), ("Right", rule.right_example())] {
        output.line(&format!("\n{}", paint.ink(Ink::Strong, &format!("{title}:"))))?;
        match example {
            Example::Prose(text) => output.line(&format!("  {text}"))?,
            example => {
                for line in example.text().trim_end_matches('\n').split('\n') {
                    output.line(format!("  {line}").trim_end())?;
                }
            }
        }
    }
    output.line(&format!(
        "\n`--allow {rule}`, or `allow = [\"{rule}\"]` below `[check]` in `sitemap.toml`, switches the rule off."
    ))
}
