//! Log lines as JSON objects, each with the fields of the spans around it. The fields of a
//! pass identify the object. controller-runtime uses the same field names.

use serde::Serializer as _;
use serde_json::{Map, Value};
use std::fmt;
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, FormattedFields};
use tracing_subscriber::registry::{LookupSpan, Scope};

/// A format that writes an event as one flat JSON object. The fields of spans and events must also
/// be formatted as JSON.
pub struct Flat;

impl<S, N> FormatEvent<S, N> for Flat
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let (mut time, mut own) = (String::new(), String::new());
        SystemTime.format_time(&mut Writer::new(&mut time))?;
        context.format_fields(Writer::new(&mut own), event)?;
        let mut own = parse(&own);
        let (about, message) = (event.metadata(), own.remove("message").unwrap_or_default());
        let mut line: Vec<(String, Value)> = vec![
            ("timestamp".to_owned(), time.into()),
            ("level".to_owned(), about.level().as_str().into()),
            ("message".to_owned(), message),
            ("target".to_owned(), about.target().into()),
        ];
        // No field hides another one of its name: the later one gets its place as a prefix.
        let mut add = |place: &str, fields: Map<String, Value>| {
            for (name, value) in fields {
                let is_taken = line.iter().any(|(taken, _)| *taken == name);
                let place = is_taken.then(|| format!("{place}."));
                line.push((place.unwrap_or_default() + &name, value));
            }
        };
        for span in context.event_scope().into_iter().flat_map(Scope::from_root) {
            if let Some(fields) = span.extensions().get::<FormattedFields<N>>() {
                add(span.name(), parse(fields));
            }
        }
        add("event", own);
        let mut text = Vec::new();
        let written = serde_json::Serializer::new(&mut text).collect_map(line);
        written.map_err(|_| fmt::Error)?;
        writeln!(writer, "{}", String::from_utf8_lossy(&text))
    }
}

fn parse(fields: &str) -> Map<String, Value> {
    serde_json::from_str(fields).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, pipe};
    use std::sync::Arc;
    use tracing_subscriber::fmt::format::JsonFields;

    #[test]
    fn a_line_has_its_own_fields_and_those_of_the_spans_around_it() {
        let (mut log, written) = pipe().unwrap();
        let logs = tracing_subscriber::fmt()
            .fmt_fields(JsonFields::new())
            .event_format(Flat);
        let logs = logs.with_writer(Arc::new(written)).finish();
        tracing::subscriber::with_default(logs, || {
            let _pass = tracing::info_span!("reconcile", name = "a", generation = 2).entered();
            let _step = tracing::info_span!("step", name = "one").entered();
            tracing::info!(name = "volume", size = 3, "grown\nby half");
        });
        let mut text = String::new();
        log.read_to_string(&mut text).unwrap();
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(text.starts_with("{\"timestamp\":\"2"), "{text}");
        let mut line = parse(&text);
        assert!(line.remove("timestamp").is_some());
        let expected = serde_json::json!({
            "level": "INFO", "message": "grown\nby half", "target": module_path!(),
            "name": "a", "generation": 2, "step.name": "one", "event.name": "volume", "size": 3,
        });
        assert_eq!(Value::from(line), expected);
    }
}
