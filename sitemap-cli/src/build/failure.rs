//! Messages for errors of the publisher, with the command's options as remedies.

use sitemap_core::publish::PublishErrorKind;
use sitemap_core::{ErrorKind, PublishError};

use crate::error::Stop;

/// Converts an error of the publisher to the command's error.
pub(crate) fn failed(error: &PublishError) -> Stop {
    match error.kind() {
        PublishErrorKind::Record { source, .. } => match source.kind() {
            ErrorKind::NoExtensions { .. } => no_extensions(),
            // The message already names the line or file of the input, so it needs no record number.
            _ => Stop::new(source.to_string()),
        },
        PublishErrorKind::EmptySet { skipped: 0 } => {
            Stop::new("no page to publish, so an old set stays published; check the input")
        }
        PublishErrorKind::OtherSite { published, base } => Stop::new(format!(
            "the published set is of the site `{published}`, and this run is of `{base}`; correct `--base` or `--out`, \
             or replace the set with `--change-base`"
        )),
        PublishErrorKind::Document(error) if matches!(error.kind(), ErrorKind::NoExtensions { .. }) => {
            no_extensions()
        }
        _ => {
            let message = error.to_string();
            Stop::new(without_credentials(&message).unwrap_or(message))
        }
    }
}

fn no_extensions() -> Stop {
    Stop::new(
        "dialect 0.84 has no extensions; leave out `--dialect 0.84` or remove the extensions from the input",
    )
}

/// Returns a message about missing credentials if the error is about a cloud's metadata service. The client
/// asks that service only if the environment has no credentials.
fn without_credentials(message: &str) -> Option<String> {
    let (place, why) = message.split_once("`: ")?;
    let (_, url) = place.split_once('`')?;
    if !["169.254.169.254", "metadata.google.internal"].iter().any(|service| why.contains(service)) {
        return None;
    }
    let variables = match url.split_once("://")?.0 {
        "s3" | "s3a" => "`AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`",
        "gs" => "`GOOGLE_SERVICE_ACCOUNT`",
        _ => "`AZURE_STORAGE_ACCOUNT_NAME` and `AZURE_STORAGE_ACCOUNT_KEY`",
    };
    Some(format!(
        "{place}`: no credentials in the environment; set {variables}, or run the command where the cloud's \
         metadata service provides them"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_credentials_have_a_message_of_their_own() {
        let message =
            |url: &str, why: &str| without_credentials(&format!("cannot read `{url}/sitemap.xml`: {why}"));
        let why = "Generic S3 error: Error performing PUT http://169.254.169.254/latest/api/token in 1s";
        assert_eq!(
            message("s3://bucket/x", why).unwrap(),
            "cannot read `s3://bucket/x/sitemap.xml`: no credentials in the environment; set `AWS_ACCESS_KEY_ID` \
             and `AWS_SECRET_ACCESS_KEY`, or run the command where the cloud's metadata service provides them"
        );
        assert!(message("az://bucket", why).unwrap().contains("`AZURE_STORAGE_ACCOUNT_KEY`"));
        assert_eq!(message("s3://bucket/x", "Generic S3 error: status 403"), None);
        assert_eq!(without_credentials("no page to publish"), None);
    }
}
