//! Tests of statements in several processes.

use sitemap_datafusion::{Part, session};

use crate::support::Sandbox;

const ROWS: &str =
    "SELECT '/items/' || value AS loc, CASE WHEN value % 3 = 0 THEN 'a' ELSE 'b' END AS section
                    FROM generate_series(1, 2000)";

fn copy(sandbox: &Sandbox, options: &str) -> String {
    format!(
        "COPY ({ROWS}) TO '{}' STORED AS SITEMAP OPTIONS (base 'https://www.example.com'{options})",
        sandbox.out()
    )
}

/// Runs a statement in a session of its own, as another process would.
async fn run(part: &Part, sql: &str) -> Result<(), String> {
    let session = session(1 << 28, Some(2)).unwrap();
    part.set(&session, 1);
    let ran = async { session.sql(sql).await?.collect().await };
    ran.await.map(drop).map_err(|error| error.strip_backtrace())
}

#[tokio::test(flavor = "multi_thread")]
async fn parts_give_the_same_set_as_one_process() {
    let (whole, sandbox) = (Sandbox::new(2), Sandbox::new(2));
    whole.run(&copy(&whole, ", buckets 10, gzip true")).await;
    let sql = copy(&sandbox, ", buckets 10, gzip true");
    let rows = format!("{}rows", sandbox.out());
    let commit = Part::commit(&rows);
    assert!(run(&commit, &sql).await.unwrap_err().contains("no part of statement 1 is stored"));
    for part in ["3/3", "1/3"] {
        run(&Part::write(part, &rows).unwrap(), &sql).await.unwrap();
    }
    let error = run(&commit, &sql).await.unwrap_err();
    assert!(error.contains("the parts 2/3 are missing"), "{error}");
    assert!(!sandbox.files().contains_key("sitemap.xml"));
    // A part that is repeated stores the same.
    for part in ["2/3", "1/3"] {
        run(&Part::write(part, &rows).unwrap(), &sql).await.unwrap();
    }
    run(&commit, &sql).await.unwrap();
    run(&commit, &sql).await.unwrap();
    std::fs::remove_dir_all(&rows).unwrap();
    assert!(sandbox.files() == whole.files());

    run(&Part::write("1/2", &rows).unwrap(), &sql).await.unwrap();
    run(&Part::write("1/3", &rows).unwrap(), &sql).await.unwrap();
    let error = run(&commit, &sql).await.unwrap_err();
    assert!(error.contains("give each run a folder of its own"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_update_has_no_parts_and_a_part_is_checked() {
    let sandbox = Sandbox::new(1);
    let rows = format!("{}rows", sandbox.out());
    let error = run(&Part::commit(&rows), &copy(&sandbox, ", mode 'update'")).await.unwrap_err();
    assert!(error.contains("an update runs in one process"), "{error}");
    for wrong in ["0/2", "3/2", "2", "a/b"] {
        assert!(Part::write(wrong, &rows).unwrap_err().strip_backtrace().contains("is not a part"));
    }
}
