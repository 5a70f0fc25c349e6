//! Finds many files in a folder by listing it, instead of sending one request per file.

use std::future::poll_fn;
use std::pin::Pin;

use futures_core::Stream;
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, Result};

/// How many files may be listed for each file found. Listing this many files costs about as much time and money as a
/// request for one file.
const WORTH: usize = 32;
/// The number of files that a service lists per request.
const PAGE: usize = 1_000;

/// Lists the folder, and returns the listed metadata of the files with these names, which must be sorted. Stops early
/// if most of the listed files have other names, for example in a folder with far more uncommitted than committed
/// shards.
pub(crate) async fn find_listed(
    store: &dyn ObjectStore,
    folder: Option<&Path>,
    names: &[String],
) -> Vec<Option<ObjectMeta>> {
    let Some(first) = names.first() else { return Vec::new() };
    // The listing begins after a given name, so pass one that sorts before the first wanted name.
    let mut before = first.clone();
    before.pop();
    let before = match folder {
        Some(folder) => folder.clone().join(before),
        None => Path::from(before),
    };
    found_in(store.list_with_offset(folder, &before), folder, names).await
}

async fn found_in(
    mut files: Pin<Box<dyn Stream<Item = Result<ObjectMeta>> + Send + '_>>,
    folder: Option<&Path>,
    names: &[String],
) -> Vec<Option<ObjectMeta>> {
    let root = Path::default();
    let folder = folder.unwrap_or(&root);
    let mut found: Vec<Option<ObjectMeta>> = vec![None; names.len()];
    let (mut next, mut listed, mut hits) = (0, 0, 0);
    // An error also ends the listing. The requests for single files then report it.
    while next < names.len()
        && listed < PAGE + WORTH * hits
        && let Some(Ok(file)) = poll_fn(|context| files.as_mut().poll_next(context)).await
    {
        listed += 1;
        let name = {
            let Some(mut parts) = file.location.prefix_match(folder) else { continue };
            let (Some(name), true) = (parts.next(), parts.next().is_none()) else { continue };
            name.as_ref().to_owned()
        };
        while names.get(next).is_some_and(|wanted| *wanted < name) {
            next += 1;
        }
        if names.get(next) == Some(&name) {
            found[next] = Some(file);
            hits += 1;
            next += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Poll, Waker};
    use std::time::SystemTime;

    use object_store::Error;

    use super::*;

    /// A service's files, and how many of them were listed. Listing the file `error` fails.
    struct Files<'f>(&'f [String], &'f mut usize);

    impl Stream for Files<'_> {
        type Item = Result<ObjectMeta>;

        fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            let file = self.0.get(*self.1).map(|location| match location.as_str() {
                "error" => {
                    Err(Error::NotImplemented { operation: "list".into(), implementer: "test".into() })
                }
                _ => Ok(ObjectMeta {
                    location: Path::from(location.as_str()),
                    last_modified: SystemTime::now().into(),
                    size: 1,
                    e_tag: None,
                    version: None,
                }),
            });
            *self.1 += 1;
            Poll::Ready(file)
        }
    }

    /// Returns which names were found, and how many files were listed.
    fn found(files: &[String], folder: Option<&str>, names: &[&str]) -> (Vec<bool>, usize) {
        let (mut asked, folder) = (0, folder.map(Path::from));
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let found = {
            let files = Box::pin(Files(files, &mut asked));
            let mut found = Box::pin(found_in(files, folder.as_ref(), &names));
            let Poll::Ready(found) = found.as_mut().poll(&mut Context::from_waker(Waker::noop())) else {
                unreachable!("no file waits")
            };
            found
        };
        (found.iter().map(Option::is_some).collect(), asked)
    }

    fn files(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn the_list_ends_with_the_last_name() {
        let listed = files(&["a/b/1", "a/b/2", "a/b/3/1", "a/b/4", "a/b/5", "a/b/6", "a/b/7"]);
        assert_eq!(found(&listed, Some("a/b"), &["2", "3", "5"]), (vec![true, false, true], 5));
        assert_eq!(found(&listed, Some("a/b"), &["0", "8"]), (vec![false, false], 8));
        assert_eq!(found(&files(&["1", "2"]), None, &["1"]), (vec![true], 1));
    }

    #[test]
    fn a_list_of_other_files_is_given_up() {
        let others: Vec<String> = (0..5_000).map(|number| format!("a{number:04}")).collect();
        let listed = [others, files(&["b"])].concat();
        assert_eq!(found(&listed, None, &["b"]), (vec![false], 1_000));
        assert_eq!(found(&listed, None, &["a0500", "b"]), (vec![true, false], 1_032));
    }

    #[test]
    fn an_error_ends_the_list() {
        assert_eq!(found(&files(&["1", "error", "2"]), None, &["1", "2"]), (vec![true, false], 2));
    }
}
