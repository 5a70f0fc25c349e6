//! `sitemap_bucket(loc, buckets)` in SQL.

use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::{ArrayRef, UInt32Array};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::exec_err;
use datafusion::error::Result;
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, TypeSignature, Volatility,
};
use datafusion::scalar::ScalarValue;
use sitemap_core::publish::bucket_of;

use crate::text::Text;

/// The function `sitemap_bucket(loc, buckets)`: the CRC-32 of an address modulo the number of buckets.
///
/// It is `crc32(loc) % buckets` of Spark. Of `NULL` it is 0, so that such a row comes to a task that says
/// what is wrong with it.
#[must_use]
pub fn sitemap_bucket() -> ScalarUDF {
    static FUNCTION: LazyLock<Arc<Bucket>> = LazyLock::new(|| {
        let loc = [DataType::Utf8, DataType::LargeUtf8, DataType::Utf8View];
        let forms = loc.map(|loc| TypeSignature::Exact(vec![loc, DataType::UInt32]));
        Arc::new(Bucket { signature: Signature::one_of(forms.into(), Volatility::Immutable) })
    });

    ScalarUDF::new_from_shared_impl(Arc::clone(&*FUNCTION) as _)
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Bucket {
    signature: Signature,
}

impl ScalarUDFImpl for Bucket {
    fn name(&self) -> &'static str {
        "sitemap_bucket"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::UInt32)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [loc, ColumnarValue::Scalar(ScalarValue::UInt32(Some(buckets)))] = &args.args[..] else {
            return exec_err!(
                "`sitemap_bucket` takes an address and a number of buckets that is the same for all rows"
            );
        };
        let locs = Text::new(&loc.to_array(args.number_rows)?)?;
        let bucket = |row| locs.get(row).map_or(0, |loc| bucket_of(loc, *buckets));
        let buckets: UInt32Array = (0..args.number_rows).map(|row| Some(bucket(row))).collect();
        Ok(match loc {
            ColumnarValue::Array(_) => ColumnarValue::Array(Arc::new(buckets) as ArrayRef),
            ColumnarValue::Scalar(_) if buckets.is_empty() => {
                ColumnarValue::Scalar(ScalarValue::UInt32(None))
            }
            ColumnarValue::Scalar(_) => ColumnarValue::Scalar(ScalarValue::UInt32(Some(buckets.value(0)))),
        })
    }
}
