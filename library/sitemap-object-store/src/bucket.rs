//! The connection to a bucket, and requests for whole files.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use bytes::Bytes;
use object_store::path::Path;
use object_store::{
    Attribute, Attributes, Error as E, ObjectMeta, ObjectStore, ObjectStoreExt as _, PutMode, PutOptions,
    PutPayload, PutResult, UpdateVersion, WriteMultipart,
};

use crate::first_request::Contact;
use crate::location::Location;
use crate::request_thread::{RequestThread, io_error};
use crate::unsent_files::Unsent;
use sitemap_core::publish::files::{JOURNAL, MANIFEST, content_type};
use sitemap_core::storage::{Metadata, final_name, temporary_name};

/// The size of one part of a multipart upload, in bytes. Files larger than this are uploaded in parts. Services require
/// parts of at least 5 MiB.
pub(crate) const PART: usize = 8 << 20;

/// A folder in a bucket, and the properties of its files.
#[derive(Clone)]
pub(crate) struct Bucket {
    pub(crate) shared: Arc<Shared>,
    pub(crate) cache_control: Option<Arc<str>>,
    pub(crate) acl: Option<Arc<str>>,
    pub(crate) storage_class: Option<Arc<str>>,
    /// A client whose request headers set the access control list and storage class. `None` if the service has no such
    /// headers.
    pub(crate) placing: Option<Arc<dyn ObjectStore>>,
}

/// The state shared by all clones of the same storage and all their open files.
pub(crate) struct Shared {
    pub(crate) location: Location,
    pub(crate) worker: RequestThread,
    pub(crate) unsent: Unsent,
    pub(crate) contact: Contact,
}

impl Bucket {
    pub(crate) fn path(&self, name: &str) -> Path {
        self.shared.location.path(name)
    }

    /// Returns the headers that the service sends with this file. A temporary file gets the headers of its final name.
    pub(crate) fn attributes(&self, name: &str) -> Attributes {
        let mut attributes = Attributes::new();
        if !self.shared.location.has_attributes {
            return attributes;
        }
        let name = final_name(name).unwrap_or(name);
        attributes.insert(Attribute::ContentType, content_type(name).into());
        if !matches!(name, MANIFEST | JOURNAL)
            && let Some(value) = &self.cache_control
        {
            attributes.insert(Attribute::CacheControl, value.to_string().into());
        }
        if self.placing.is_none()
            && let Some(value) = &self.storage_class
        {
            attributes.insert(Attribute::StorageClass, value.to_string().into());
        }
        attributes
    }

    /// Returns the client for puts and copies.
    fn placing(&self) -> Arc<dyn ObjectStore> {
        Arc::clone(self.placing.as_ref().unwrap_or(&self.shared.location.store))
    }

    /// Uploads a file, replacing any existing file with this name.
    pub(crate) fn send(&self, name: &str, bytes: Bytes) -> io::Result<()> {
        let (path, attributes) = (self.path(name), self.attributes(name));
        if bytes.len() <= PART {
            let placing = self.placing();
            let put = async move { placing.put_opts(&path, bytes.into(), attributes.into()).await };
            return self.shared.call(move |_| put).map(drop);
        }
        if self.placing.is_some() && final_name(name).is_none() {
            // A multipart upload cannot have these headers, but a copy can.
            let temporary = temporary_name(name);
            self.send(&temporary, bytes)?;
            let copied = self.copy(&temporary, name);
            let path = self.path(&temporary);
            let removed = self.shared.call(move |store| async move { store.delete(&path).await });
            // If the removal fails, a later run removes the temporary file.
            return copied.and(removed.or(Ok(())));
        }
        let sent = bytes.clone();
        match self.shared.call(move |store| async move { upload(store, path, bytes, attributes).await }) {
            Ok(_) => Ok(()),
            // The upload may have succeeded and only the response was lost. The request that completes an upload cannot
            // be repeated.
            Err(error) => match self.read(name) {
                Ok(stored) if stored == sent => Ok(()),
                _ => Err(error),
            },
        }
    }

    /// Copies a file within the bucket, replacing any existing file with this name.
    pub(crate) fn copy(&self, from: &str, to: &str) -> io::Result<()> {
        if self.storage_class.is_some() && self.placing.is_none() {
            // This service gives copies its default storage class, so upload the file again instead.
            return self.send(to, self.read(from)?);
        }
        let (source, target, placing) = (self.path(from), self.path(to), self.placing());
        self.shared.call(move |_| async move { placing.copy(&source, &target).await })
    }

    /// Uploads a file on the condition that the stored file still has the metadata `seen`, or that there is still no
    /// such file if `seen` is `None`. Returns whether the file was uploaded, or `None` if the service does not support
    /// conditional requests.
    pub(crate) fn send_if(
        &self,
        name: &str,
        bytes: Bytes,
        seen: Option<&Metadata>,
    ) -> io::Result<Option<bool>> {
        let mode = match seen.map(|metadata| metadata.tag.as_deref()) {
            None => PutMode::Create,
            // Each service uses either the entity tag or the version and ignores the other.
            Some(Some(tag)) => PutMode::Update(UpdateVersion {
                e_tag: Some(format!("\"{tag}\"")),
                version: Some(tag.to_owned()),
            }),
            Some(None) => return Ok(None),
        };
        let options = PutOptions { mode, attributes: self.attributes(name), ..PutOptions::default() };
        let (path, payload) = (self.path(name), PutPayload::from(bytes));
        self.shared.contact.make(&self.shared.location, &self.shared.worker)?;
        let placing = self.placing();
        let put = self.shared.worker.run(async move { placing.put_opts(&path, payload, options).await })?;
        match put {
            Ok(_) => Ok(Some(true)),
            Err(E::Precondition { .. } | E::AlreadyExists { .. }) => Ok(Some(false)),
            Err(E::NotImplemented { .. } | E::NotSupported { .. }) => Ok(None),
            Err(error) => Err(io_error(&error)),
        }
    }

    /// Returns a file's metadata from the bucket, or `None` if there is no such file.
    pub(crate) fn sent_metadata(&self, name: &str) -> io::Result<Option<Metadata>> {
        let path = self.path(name);
        match self.shared.call(move |store| async move { store.head(&path).await }) {
            Ok(meta) => Ok(Some(self.shared.metadata(&meta))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Reads all bytes of a file.
    pub(crate) fn read(&self, name: &str) -> io::Result<Bytes> {
        if let Some(bytes) = self.shared.unsent.get(name) {
            return Ok(bytes);
        }
        let path = self.path(name);
        self.shared.call(move |store| async move { store.get(&path).await?.bytes().await })
    }
}

impl Shared {
    /// Sends a request and waits for its result.
    pub(crate) fn call<T, F>(&self, request: impl FnOnce(Arc<dyn ObjectStore>) -> F) -> io::Result<T>
    where
        T: Send + 'static,
        F: Future<Output = object_store::Result<T>> + Send + 'static,
    {
        self.contact.make(&self.location, &self.worker)?;
        self.worker.run(request(Arc::clone(&self.location.store)))?.map_err(|error| io_error(&error))
    }

    pub(crate) fn metadata(&self, meta: &ObjectMeta) -> Metadata {
        let tag = self.location.tag(meta.e_tag.as_deref(), meta.version.as_deref());
        Metadata::new(meta.size, meta.last_modified.into()).with_tag(tag)
    }

    /// Returns a listed file's metadata in the form that a request for the file returns. Some services list times in
    /// milliseconds, but headers only have seconds.
    pub(crate) fn listed_metadata(&self, meta: &ObjectMeta) -> Metadata {
        let mut metadata = self.metadata(meta);
        if let Ok(since) = metadata.modified.duration_since(UNIX_EPOCH) {
            metadata.modified = UNIX_EPOCH + Duration::from_secs(since.as_secs());
        }
        metadata
    }
}

/// Uploads a large file in parts.
async fn upload(
    store: Arc<dyn ObjectStore>,
    path: Path,
    bytes: Bytes,
    attributes: Attributes,
) -> object_store::Result<PutResult> {
    let parts = store.put_multipart_opts(&path, attributes.into()).await?;
    let mut parts = WriteMultipart::new_with_chunk_size(parts, PART);
    parts.put(bytes);
    parts.finish().await
}

/// Only prints the URL, because options may contain secrets.
impl fmt::Debug for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shared.location.url)
    }
}
