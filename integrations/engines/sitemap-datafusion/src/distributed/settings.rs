//! Sends a session's settings to workers.

use std::collections::BTreeMap;

use datafusion::common::exec_datafusion_err;
use datafusion::error::{DataFusionError, Result};
use datafusion::prelude::SessionConfig;
use http::{HeaderMap, HeaderName, HeaderValue};

/// The header that contains the settings.
const HEADER: HeaderName = HeaderName::from_static("x-sitemap-settings");

/// The session's number of tasks. It is sent too, because it determines each task's share of the worker's memory.
const PARTITIONS: &str = "datafusion.execution.target_partitions";

/// Settings that depend on the machine, so each worker uses its own.
const OF_MACHINE: [&str; 4] = [
    "datafusion.execution.batch_size",
    "datafusion.execution.planning_concurrency",
    "datafusion.execution.sort_spill_reservation_bytes",
    PARTITIONS,
];

/// Returns a header with all settings that differ from the defaults.
pub(super) fn headers(config: &SessionConfig) -> Result<HeaderMap> {
    let defaults: BTreeMap<_, _> =
        SessionConfig::new().options().entries().into_iter().map(|entry| (entry.key, entry.value)).collect();
    let changed = config.options().entries().into_iter().filter(|entry| {
        let is_of_machine = OF_MACHINE.contains(&entry.key.as_str());
        entry.key.starts_with("datafusion.")
            && !is_of_machine
            && defaults.get(&entry.key) != Some(&entry.value)
    });
    let mut settings: BTreeMap<_, _> = changed.filter_map(|entry| Some((entry.key, entry.value?))).collect();
    settings.insert(PARTITIONS.to_owned(), config.target_partitions().to_string());
    let json =
        serde_json::to_string(&settings).map_err(|error| DataFusionError::External(Box::new(error)))?;
    let value = HeaderValue::from_bytes(json.as_bytes())
        .map_err(|error| exec_datafusion_err!("a setting cannot be sent to workers: {error}"))?;
    Ok(HeaderMap::from_iter([(HEADER, value)]))
}

/// Applies the settings in the header.
pub(super) fn apply(config: &mut SessionConfig, headers: &HeaderMap) -> Result<()> {
    let Some(value) = headers.get(HEADER) else { return Ok(()) };
    let settings: BTreeMap<String, String> = serde_json::from_slice(value.as_bytes())
        .map_err(|error| DataFusionError::External(Box::new(error)))?;
    for (key, value) in settings {
        config.options_mut().set(&key, &value)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_settings_arrive() {
        let mut config = SessionConfig::new().with_target_partitions(3).with_batch_size(512);
        config.options_mut().execution.time_zone = Some("+02:00".to_owned());
        let headers = headers(&config).unwrap();
        assert_eq!(
            headers[HEADER],
            r#"{"datafusion.execution.target_partitions":"3","datafusion.execution.time_zone":"+02:00"}"#
        );

        let mut arrived = SessionConfig::new().with_batch_size(1_024);
        apply(&mut arrived, &headers).unwrap();
        assert_eq!((arrived.target_partitions(), arrived.batch_size()), (3, 1_024));
        assert_eq!(arrived.options().execution.time_zone.as_deref(), Some("+02:00"));
    }
}
