//! Tests the example over HTTP.

served::cases!("rocket");
