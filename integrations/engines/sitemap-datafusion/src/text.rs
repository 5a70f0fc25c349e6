//! Columns of strings.

use datafusion::arrow::array::{
    Array as _, ArrayRef, AsArray as _, LargeStringArray, StringArray, StringViewArray,
};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::error::Result;

/// A column of strings in any of Arrow's layouts.
#[derive(Debug)]
pub(crate) enum Text {
    Utf8(StringArray),
    Large(LargeStringArray),
    View(StringViewArray),
    Absent,
}

impl Text {
    pub(crate) fn new(column: &ArrayRef) -> Result<Self> {
        Ok(match column.data_type() {
            DataType::Utf8 => Self::Utf8(column.as_string().clone()),
            DataType::LargeUtf8 => Self::Large(column.as_string().clone()),
            DataType::Utf8View => Self::View(column.as_string_view().clone()),
            DataType::Null => Self::Absent,
            _ => Self::View(cast(column, &DataType::Utf8View)?.as_string_view().clone()),
        })
    }

    pub(crate) fn get(&self, row: usize) -> Option<&str> {
        match self {
            Self::Utf8(texts) => texts.is_valid(row).then(|| texts.value(row)),
            Self::Large(texts) => texts.is_valid(row).then(|| texts.value(row)),
            Self::View(texts) => texts.is_valid(row).then(|| texts.value(row)),
            Self::Absent => None,
        }
    }
}
