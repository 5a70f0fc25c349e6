//! Tests the responses of the running program.

#[test]
fn serves_the_shop_from_sqlite() {
    drive::expect_the_shop(env!("CARGO_BIN_EXE_with-axum"), None);
}

#[test]
fn serves_the_shop_from_postgres() {
    if let Some(url) = drive::postgres_url("with_axum") {
        drive::expect_the_shop(env!("CARGO_BIN_EXE_with-axum"), Some(&url));
    }
}
