//! Tests that the program publishes the reference set.

#[test]
fn publishes_the_reference_set_from_sqlite() {
    drive::publish(env!("CARGO_BIN_EXE_with-sea-orm"), None).expect_the_reference_set();
}

#[test]
fn publishes_the_reference_set_from_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", dir.path().join("shop.db").display());
    drive::publish(env!("CARGO_BIN_EXE_with-sea-orm"), Some(&url)).expect_the_reference_set();
}

#[test]
fn publishes_the_reference_set_from_postgres() {
    if let Some(url) = drive::postgres_url("with_sea_orm") {
        drive::publish(env!("CARGO_BIN_EXE_with-sea-orm"), Some(&url)).expect_the_reference_set();
    }
}
