//! Tests that plans survive being sent as bytes.

use crate::support::Sandbox;
use datafusion::physical_plan::{collect, displayable};
use datafusion_proto::bytes::{
    physical_plan_from_bytes_with_extension_codec, physical_plan_to_bytes_with_extension_codec,
};
use sitemap_datafusion::SitemapCodec;

/// Plans a statement, encodes and decodes the plan, and runs the result in another session.
async fn shipped(sandbox: &Sandbox, sql: &str) -> u64 {
    use datafusion::arrow::array::AsArray as _;
    use datafusion::arrow::datatypes::{Int64Type, UInt64Type};

    let plan = sandbox.session.sql(sql).await.unwrap().create_physical_plan().await.unwrap();
    let bytes = physical_plan_to_bytes_with_extension_codec(plan.clone(), &SitemapCodec).unwrap();
    // The other session contains neither the function nor the tables.
    let context = datafusion::prelude::SessionContext::new().task_ctx();
    let arrived = physical_plan_from_bytes_with_extension_codec(&bytes, &context, &SitemapCodec).unwrap();
    let shown = |plan| displayable(plan).indent(true).to_string();
    assert_eq!(shown(arrived.as_ref()), shown(plan.as_ref()));
    let batches = collect(arrived, context).await.unwrap();
    let column = batches[0].column(0);
    column
        .as_primitive_opt::<UInt64Type>()
        .map_or_else(|| column.as_primitive::<Int64Type>().value(0).unsigned_abs(), |column| column.value(0))
}

#[tokio::test(flavor = "multi_thread")]
async fn decoded_plans_write_and_read() {
    let sandbox = Sandbox::new(2);
    let out = sandbox.out();
    sandbox.write(
        "pages.csv",
        "loc,priority\nhttps://www.example.com/a,0.5\nhttps://www.example.com/b,\nhttps://www.example.com/c,1\n",
    );
    sandbox
        .run(&format!(
            "CREATE EXTERNAL TABLE rows STORED AS CSV LOCATION '{out}pages.csv' OPTIONS (has_header true)"
        ))
        .await;
    let copy = format!(
        "COPY (SELECT loc, priority FROM rows) TO '{out}set/' STORED AS SITEMAP
         OPTIONS (base 'https://www.example.com', buckets 2, expect_urls 3)"
    );
    assert_eq!(shipped(&sandbox, &copy).await, 3);
    let update = format!(
        "COPY (SELECT '/b' AS loc, 'remove' AS op) TO '{out}set/' STORED AS SITEMAP
         OPTIONS (base 'https://www.example.com', mode 'update')"
    );
    assert_eq!(shipped(&sandbox, &update).await, 1);
    sandbox.run(&format!("CREATE EXTERNAL TABLE pages STORED AS SITEMAP LOCATION '{out}set/'")).await;
    assert_eq!(shipped(&sandbox, "SELECT count(*) FROM pages").await, 2);
    assert_eq!(shipped(&sandbox, "SELECT count(*) FROM pages WHERE priority = 1.0").await, 1);
}

#[test]
fn bytes_of_other_plans_are_an_error() {
    use datafusion_proto::physical_plan::{DefaultPhysicalProtoConverter, PhysicalExtensionCodec as _};

    let context = datafusion::prelude::SessionContext::new().task_ctx();
    for bytes in [&b""[..], b"\x0A\x00", b"no plan at all", &[0xFF; 40]] {
        assert!(SitemapCodec.try_decode(bytes, &[], &context, &DefaultPhysicalProtoConverter {}).is_err());
    }
}
