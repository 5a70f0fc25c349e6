//! Tests the example through HTTP.

served::cases!("rocket");
