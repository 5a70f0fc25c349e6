//! Whole files, sent and fetched.

use std::io;

use bytes::Bytes;
use object_store::path::Path;
use object_store::{
    Attribute, Attributes, Error as E, ObjectStoreExt as _, PutMode, PutOptions, PutPayload, UpdateVersion,
};

use crate::ObjectStorage;
use crate::file::upload;
use crate::worker::io_error;
use sitemap_core::publish::{JOURNAL, MANIFEST, content_type};
use sitemap_core::storage::{Metadata, final_name};

impl ObjectStorage {
    pub(super) fn path(&self, name: &str) -> Path {
        self.shared.location.path(name)
    }

    /// How a service is to serve a file that has this name, or will have it.
    pub(super) fn attributes(&self, name: &str) -> Attributes {
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
        attributes
    }

    /// Sends a file in place of the one that has the name.
    pub(super) fn send(&self, name: &str, bytes: Bytes) -> io::Result<()> {
        let (path, attributes) = (self.path(name), self.attributes(name));
        self.shared.call(move |store| async move { upload(store, path, bytes, attributes).await })?;
        Ok(())
    }

    /// Sends a file if the one that has the name is still the one that was seen; `None` if the service has no
    /// such requests.
    pub(super) fn send_if(
        &self,
        name: &str,
        bytes: Bytes,
        seen: Option<&Metadata>,
    ) -> io::Result<Option<bool>> {
        let mode = match seen.map(|stat| stat.tag.as_deref()) {
            None => PutMode::Create,
            // Which of the two it is, is up to the service.
            Some(Some(tag)) => PutMode::Update(UpdateVersion {
                e_tag: Some(format!("\"{tag}\"")),
                version: Some(tag.to_owned()),
            }),
            Some(None) => return Ok(None),
        };
        let options = PutOptions { mode, attributes: self.attributes(name), ..PutOptions::default() };
        let (path, payload) = (self.path(name), PutPayload::from(bytes));
        let put = self.shared.worker.run({
            let store = self.shared.location.store.clone();
            async move { store.put_opts(&path, payload, options).await }
        })?;
        match put {
            Ok(_) => Ok(Some(true)),
            Err(E::Precondition { .. } | E::AlreadyExists { .. }) => Ok(Some(false)),
            Err(E::NotImplemented { .. } | E::NotSupported { .. }) => Ok(None),
            Err(error) => Err(io_error(&error)),
        }
    }

    /// All bytes of a file.
    pub(super) fn read(&self, name: &str) -> io::Result<Bytes> {
        if let Some(bytes) = self.shared.waiting.get(name) {
            return Ok(bytes);
        }
        let path = self.path(name);
        self.shared.call(move |store| async move { store.get(&path).await?.bytes().await })
    }
}
