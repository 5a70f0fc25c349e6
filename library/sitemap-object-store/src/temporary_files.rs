//! Lists a folder's temporary files.

use std::future::poll_fn;
use std::pin::Pin;

use futures_core::Stream;
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, Result};
use sitemap_core::storage::final_name;

/// Returns the names of a folder's temporary files.
pub(crate) async fn list_temporary(store: &dyn ObjectStore, folder: Option<&Path>) -> Result<Vec<String>> {
    temporary_names(store.list(folder), folder).await
}

/// Reads a folder's files in the order of their names, and stops when no later name can begin with a dot. That is
/// usually on the first page, which has up to a thousand files.
async fn temporary_names(
    mut files: Pin<Box<dyn Stream<Item = Result<ObjectMeta>> + Send + '_>>,
    folder: Option<&Path>,
) -> Result<Vec<String>> {
    let root = Path::default();
    let folder = folder.unwrap_or(&root);
    let mut names = Vec::new();
    while let Some(file) = poll_fn(|context| files.as_mut().poll_next(context)).await {
        let location = file?.location;
        let Some(mut parts) = location.prefix_match(folder) else { continue };
        let (Some(name), is_in_folder) = (parts.next(), parts.next().is_none()) else { continue };
        let name = name.as_ref();
        if name.as_bytes().first() > Some(&b'.') {
            break;
        }
        if is_in_folder && final_name(name).is_some() {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Poll, Waker};
    use std::time::SystemTime;

    use super::*;

    /// A service's files, and how many of them were listed.
    struct Files<'f>(&'f [&'f str], &'f mut usize);

    impl Stream for Files<'_> {
        type Item = Result<ObjectMeta>;

        fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            let file = self.0.get(*self.1).map(|location| {
                let last_modified = SystemTime::now().into();
                Ok(ObjectMeta {
                    location: Path::from(*location),
                    last_modified,
                    size: 1,
                    e_tag: None,
                    version: None,
                })
            });
            *self.1 += 1;
            Poll::Ready(file)
        }
    }

    fn found(files: &[&str], folder: Option<&str>) -> (Vec<String>, usize) {
        let (mut asked, folder) = (0, folder.map(Path::from));
        let names = {
            let mut names = Box::pin(temporary_names(Box::pin(Files(files, &mut asked)), folder.as_ref()));
            let Poll::Ready(names) = names.as_mut().poll(&mut Context::from_waker(Waker::noop())) else {
                unreachable!("no file waits")
            };
            names.unwrap()
        };
        (names, asked)
    }

    #[test]
    fn the_list_ends_before_the_files_of_the_set() {
        let (journal, index) = ("..sitemap-journal.jsonl.7-1.tmp", ".sitemap.xml.7-0.tmp");
        let inside = |name: &str| format!("a/b/{name}");
        let hidden = [inside("!x"), inside(journal), inside(".git/.sitemap.xml.1-1.tmp"), inside(index)];
        let set = [inside("sitemap-pages-1.xml"), inside("sitemap-pages-2.xml"), inside("sitemap.xml")];
        let files: Vec<&str> = hidden.iter().chain(&set).map(String::as_str).collect();
        assert_eq!(found(&files, Some("a/b")), (vec![journal.to_owned(), index.to_owned()], 5));
        assert_eq!(found(&files[..4], Some("a/b")).0.len(), 2);
        assert_eq!(found(&[index, "sitemap.xml", "t"], None), (vec![index.to_owned()], 2));
        assert_eq!(found(&[], None), (vec![], 1));
    }
}
