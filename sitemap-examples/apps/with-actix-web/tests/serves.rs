//! Tests the responses of the running program.

#[test]
fn serves_the_shop_from_sqlite() {
    drive::expect_the_shop(env!("CARGO_BIN_EXE_with-actix-web"), None);
}

#[test]
#[cfg_attr(not(feature = "postgres"), ignore = "built without `--features postgres`")]
fn serves_the_shop_from_postgres() {
    if let Some(url) = drive::postgres_url("with_actix_web") {
        drive::expect_the_shop(env!("CARGO_BIN_EXE_with-actix-web"), Some(&url));
    }
}
