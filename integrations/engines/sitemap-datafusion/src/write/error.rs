//! Converts publishing errors to DataFusion errors.

use datafusion::error::DataFusionError;
use sitemap_core::PublishError;
use sitemap_core::publish::PublishErrorKind;
use sitemap_core::publish::files::section_of;
use sitemap_core::publish::shards::PublishedShards;
use sitemap_update::UpdateError;

use super::options::Destination;

/// Converts an error. If a row is invalid, the error names that row. It doesn't contain the record's number within its
/// partition, because that number wouldn't help the user find the row.
pub(super) fn failed(error: PublishError) -> DataFusionError {
    match error.into_kind() {
        PublishErrorKind::Record { source, .. } => DataFusionError::Execution(source.to_string()),
        PublishErrorKind::Shrunk { losses, limit, .. } => {
            let option = if losses.iter().any(|loss| loss.after() == 0) { "empty" } else { "smaller" };
            let losses: Vec<_> = losses.iter().map(ToString::to_string).collect();
            DataFusionError::Execution(format!(
                "{}, and the limit is a loss of {limit}; check the query, or allow the loss for this statement with \
                 `OPTIONS (allow_shrink '{option}')`",
                losses.join(", ")
            ))
        }
        PublishErrorKind::CannotKeep { path, problem } => DataFusionError::Execution(format!(
            "cannot keep the rest of the published set: `{}` {problem}; publish all sections in one statement with `OPTIONS \
             (mode 'replace_all')`",
            path.display()
        )),
        kind => DataFusionError::External(Box::new(PublishError::from(kind))),
    }
}

/// Converts an update error. If the set cannot be updated yet, the error names the command that converts the set.
pub(super) fn update_failed(error: UpdateError, destination: &Destination) -> DataFusionError {
    let convert = |section: &str, buckets: u32| {
        let Destination { options, url } = destination;
        let command = format!(
            "sitemap rebucket --base {} --out {url} --section {section} --buckets {buckets}",
            options.base
        );
        options.also_list.iter().fold(command, |command, other| format!("{command} --also-list {other}"))
    };
    let message = match error {
        UpdateError::Publish(error) => return failed(error),
        UpdateError::OtherBucket { loc, name } => {
            let section = section_of(&name).unwrap_or_default();
            format!(
                "page {loc:?} in `{name}` is not in the hash bucket of its URL, because another program assigned the pages to \
                 buckets; run `{}` once",
                convert(section, buckets_of(section, destination).unwrap_or(100))
            )
        }
        UpdateError::Section { sections } => format!(
            "the published set has the sections `{}`; name one of them with the option or the column `section`, or publish \
             the section in full once",
            sections.join("`, `")
        ),
        UpdateError::NoSet => {
            "no set is published that could be updated; publish one with `mode 'replace'` first".to_owned()
        }
        error => return DataFusionError::External(Box::new(error)),
    };
    DataFusionError::Execution(message)
}

/// Returns a published section's number of hash buckets.
fn buckets_of(section: &str, destination: &Destination) -> Option<u32> {
    let storage = destination.target().storage().ok()?;
    let builder = destination.options.builder().ok()?;
    PublishedShards::read(&storage, builder.site()).ok()?.buckets(section)
}
