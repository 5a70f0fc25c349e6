//! Tests the example over HTTP.

served::cases!("actix");
// Rocket does not have these limits.
served::cases!("actix",
    a_connection_that_sends_its_headers_slowly_is_closed
    a_connection_that_sends_nothing_is_closed
    a_connection_that_only_begins_http2_is_closed
);
