//! Writes a Parquet file with sample pages, as a warehouse would store them: `make_pages ROWS FILE.parquet [BASE]`.
//!
//! The dates are timestamps in seconds, which is not a Parquet type. DataFusion gets the type from the Arrow schema in
//! the file; Spark reads the column as `BIGINT`.

use std::env;

use datafusion::error::{DataFusionError, Result};
use datafusion::prelude::{SessionConfig, SessionContext};

#[tokio::main]
async fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let (Some(rows), Some(file)) = (arguments.next(), arguments.next()) else {
        return Err(DataFusionError::Plan("usage: make_pages ROWS FILE.parquet [BASE]".to_owned()));
    };
    let base = arguments.next().unwrap_or_else(|| "https://www.example.com".to_owned());
    let rows: u64 =
        rows.parse().map_err(|error| DataFusionError::Plan(format!("ROWS is {rows:?}: {error}")))?;
    // With a single partition, DataFusion writes one file with the rows in `value` order.
    let session = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(1));
    let sql = format!(
        "COPY (
             SELECT '{base}/' ||
                        CASE value % 4 WHEN 0 THEN 'articles' WHEN 1 THEN 'products' ELSE 'items' END || '/' ||
                        CAST(value * 2654435761 % 4294967296 AS VARCHAR) || '-' || CAST(value AS VARCHAR) AS loc,
                    to_timestamp_seconds(1735689600 + value * 7919 % 31536000) AS lastmod,
                    CASE value % 5 WHEN 0 THEN 'daily' WHEN 1 THEN 'weekly' WHEN 2 THEN 'monthly' END AS changefreq,
                    CASE WHEN value % 3 < 2 THEN CAST(value % 11 AS DOUBLE) / 10 END AS priority
             FROM generate_series(1, {rows})
         ) TO '{file}' STORED AS PARQUET OPTIONS (compression 'zstd(3)')"
    );
    session.sql(&sql).await?.collect().await?;
    println!("wrote {rows} pages to {file}");
    Ok(())
}
