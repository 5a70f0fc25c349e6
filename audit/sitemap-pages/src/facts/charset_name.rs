//! The name of an encoding, as stored in the state file.

/// An encoding's name in the WHATWG Encoding Standard, such as `windows-1252`.
pub type CharsetName = &'static str;

/// Writes the name.
#[cfg(feature = "state")]
pub(super) fn serialize<S: serde::Serializer>(
    name: &Option<CharsetName>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serde::Serialize::serialize(name, serializer)
}

/// Parses the name. Returns an error if it is unknown.
#[cfg(feature = "state")]
pub(super) fn deserialize<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<CharsetName>, D::Error> {
    let name: Option<String> = serde::Deserialize::deserialize(deserializer)?;
    let known = |name: String| match encoding_rs::Encoding::for_label(name.as_bytes()) {
        Some(encoding) => Ok(encoding.name()),
        None => Err(serde::de::Error::custom(format_args!("unknown encoding `{name}`"))),
    };
    name.map(known).transpose()
}
