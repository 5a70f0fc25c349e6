//! `sitemap check --explain`: why a rule exists, with a wrong and a right example.

use sitemap_read::{Example, Rule, RuleGroup, RuleSelector};

use crate::args::CheckFormat;
use crate::error::Outcome;
use crate::output::Output;
use crate::terminal::{Ink, Paint};

/// Prints the explanation of a rule, or one line for each rule of a group. In Markdown, explains every rule.
pub(super) fn print(rules: RuleSelector, format: CheckFormat, paint: Paint) -> Outcome<()> {
    let mut output = Output::new();
    if format == CheckFormat::Markdown {
        print_markdown(&mut output, rules)?;
    } else if let RuleSelector::Rule(rule) = rules {
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

/// Prints the documentation page about rules: a table of the groups, then a section for each rule.
fn print_markdown(output: &mut Output, rules: RuleSelector) -> Outcome<()> {
    let listed = |group: RuleGroup| group.rules().filter(move |rule| rules.contains(*rule));
    let groups = || RuleGroup::ALL.iter().filter(|group| listed(**group).next().is_some());
    output.line("| group | rules |\n|---|---|")?;
    for &group in groups() {
        let links: Vec<_> = listed(group).map(|rule| format!("[`{rule}`](#{rule})")).collect();
        output.line(&format!("| `{group}` | {} |", links.join(", ")))?;
    }
    for &group in groups() {
        output.line(&format!("\n## {}\n\nGroup `{group}`.", group.title()))?;
        for rule in listed(group) {
            let engines: Vec<_> = rule.engines().iter().map(|engine| engine.as_str()).collect();
            let only = if engines.is_empty() {
                String::new()
            } else {
                format!(" (only for {})", engines.join(", "))
            };
            let facts = format!("{}, from {}{only}", rule.severity(), rule.authority());
            let (summary, remedy) = (sentence(rule.summary()), sentence(rule.remedy()));
            output
                .line(&format!("\n### {rule}\n\n{summary} *({facts})*\n\n{}\n\n{remedy}", rule.reason()))?;
            for (title, example) in [("Wrong", rule.wrong_example()), ("Right", rule.right_example())] {
                output.line(&match example {
                    Example::Prose(text) => format!("\n{title}: {text}."),
                    example => format!("\n{title}:\n\n```xml\n{}\n```", example.text().trim_end()),
                })?;
            }
        }
    }
    Ok(())
}

/// Capitalises the text and ends it with a full stop.
fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|ch| ch.to_ascii_uppercase());
    first.into_iter().chain(chars).chain(['.']).collect()
}
