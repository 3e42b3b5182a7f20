//! Renders the measurements and the forecast as text.

use super::forecast::Forecast;
use super::measured::{Idle, Measured, as_f64};
use super::resources::{LIMIT_HEADROOM, REQUEST_HEADROOM, Resources};
use crate::report::columns;
use std::collections::BTreeMap;

const HEADINGS: [&str; 11] =
    ["OBJECTS", "DONE IN", "PER SECOND", "MEDIAN", "P99", "PEAK", "STEADY", "CPU", "REQUESTS", "RECEIVED", "SENT"];

/// Returns a measurement as one line of text.
pub fn sentence(measured: &Measured) -> String {
    let Measured { objects, seconds, peak_bytes, steady_bytes, cpu_seconds, .. } = measured;
    format!(
        "{objects} objects: {seconds:.1}s, {} at most, {} at rest, {cpu_seconds:.2}s of CPU",
        size(*peak_bytes),
        size(*steady_bytes)
    )
}

/// Returns, as text, the table of the measurements, details of the largest measurement, the forecast, and the YAML
/// lines for the `resources` of the operator's container. `place` is the text that names this container, such as "the
/// operator's container".
pub fn lines(idle: Idle, measured: &[Measured], forecast: Option<(&Forecast, &Resources)>, place: &str) -> String {
    let mut text = vec![table(idle, measured)];
    text.extend(measured.last().map(notes));
    if let Some((forecast, resources)) = forecast {
        text.push(format!("{}\n\n{}", forecast_lines(forecast, measured, place), resources.yaml()));
    }
    text.join("\n\n")
}

fn table(idle: Idle, measured: &[Measured]) -> String {
    let seconds = |seconds: Option<f64>| seconds.map_or("-".to_owned(), |seconds| format!("{seconds:.1}s"));
    let mut without = HEADINGS.map(|_| "-".to_owned());
    (without[0], without[5], without[6]) = ("0".to_owned(), size(idle.peak_bytes), size(idle.steady_bytes));
    let mut rows = vec![HEADINGS.map(str::to_owned)];
    // An interrupt may come before that.
    rows.extend((idle != Idle::default()).then_some(without));
    for one in measured {
        let pace = f64::from(one.objects) / one.seconds.max(0.001);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bytes are positive")]
        let each = |bytes: u64| size(one.per_object(bytes).round() as u64);
        rows.push([
            one.objects.to_string(),
            seconds(Some(one.seconds)),
            format!("{pace:.0}"),
            seconds(one.median_seconds),
            seconds(one.p99_seconds),
            size(one.peak_bytes),
            size(one.steady_bytes),
            format!("{:.2}s", one.cpu_seconds),
            format!("{:.2}", one.per_object(one.requests.values().sum())),
            each(one.received_bytes),
            each(one.sent_bytes),
        ]);
    }
    format!("{}\n\nREQUESTS, RECEIVED and SENT are per object, PEAK and STEADY resident memory.", columns(&rows))
}

/// Returns, as text, the results of the largest measurement that are not in the table, such as the requests by
/// verb.
fn notes(largest: &Measured) -> String {
    let Measured { objects, refused, steady_millicores, steady_requests_per_minute, restart, .. } = largest;
    let refused = if *refused == 0 { String::new() } else { format!("; the API server refused {refused}") };
    format!(
        "with {objects} objects:\n  requests    {}{refused}\n  at rest     {steady_millicores:.1}m of CPU, \
         {steady_requests_per_minute:.1} requests a minute\n  restarted   {} at most, {:.2}s of CPU, {} writes",
        verbs(&largest.requests),
        size(restart.peak_bytes),
        restart.cpu_seconds,
        Measured::writes(&restart.requests),
    )
}

/// Returns the number of requests of each verb as text, the most frequent verb first.
fn verbs(requests: &BTreeMap<&'static str, u64>) -> String {
    let mut verbs: Vec<_> = requests.iter().collect();
    verbs.sort_by_key(|(_, number)| std::cmp::Reverse(**number));
    verbs.iter().map(|(verb, number)| format!("{number} {verb}")).collect::<Vec<_>>().join(", ")
}

fn forecast_lines(forecast: &Forecast, measured: &[Measured], place: &str) -> String {
    let Forecast { objects, peak_bytes, steady_bytes, bytes_per_object, seconds, through_idle } = forecast;
    let from = if *through_idle {
        "from one size and the operator without objects"
    } else {
        "from a line through the measured sizes"
    };
    let far = measured.last().is_some_and(|largest| *objects / 10 > largest.objects);
    let far = if far {
        "\nThe forecast is far beyond the measured sizes: larger sizes with `--objects` make it more reliable."
    } else {
        ""
    };
    format!(
        "forecast for {objects} objects, {from}:\n  memory      {} at most, {} at rest; each object adds {}\n  done \
         in     about {seconds:.0}s, at the pace of this machine's API server{far}\n\nFor {place}: the request is the \
         memory at rest plus {REQUEST_HEADROOM} %,\nthe limit is the peak plus {LIMIT_HEADROOM} %. A CPU limit would \
         slow down the first reconciliation.",
        size(*peak_bytes),
        size(*steady_bytes),
        size(*bytes_per_object),
    )
}

/// Formats a number of bytes with a unit, such as `1.5 MiB`.
fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["B", "KiB", "MiB", "GiB"];
    let (mut number, mut unit) = (as_f64(bytes), 0);
    while number >= 1000.0 && unit + 1 < UNITS.len() {
        number /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{number:.1} {}", UNITS[unit]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(objects: u32) -> Measured {
        let each = u64::from(objects);
        Measured {
            objects,
            peak_bytes: (10 << 20) + 4096 * each,
            steady_bytes: (8 << 20) + 2048 * each,
            seconds: f64::from(objects) / 125.0,
            median_seconds: Some(f64::from(objects) / 250.0),
            requests: BTreeMap::from([("patch", 3 * each), ("list", 3), ("watch", 4)]),
            received_bytes: 6000 * each,
            sent_bytes: 700 * each,
            cpu_seconds: 0.5,
            ..Measured::default()
        }
    }

    #[test]
    fn everything_is_said_once_and_the_end_can_be_pasted() {
        let idle = Idle { peak_bytes: 10 << 20, steady_bytes: 8 << 20, steady_millicores: 0.0 };
        let sizes = [measured(1000), measured(5000)];
        let forecast = Forecast::of(idle, &sizes, 20_000).unwrap();
        let resources = Resources::of(&forecast, idle, &sizes[1]);
        let text = lines(idle, &sizes, Some((&forecast, &resources)), "`config/manager/manager.yaml`");
        let expected = "\
OBJECTS   DONE IN   PER SECOND   MEDIAN   P99   PEAK       STEADY     CPU     REQUESTS   RECEIVED   SENT
0         -         -            -        -     10.0 MiB   8.0 MiB    -       -          -          -
1000      8.0s      125          4.0s     -     13.9 MiB   10.0 MiB   0.50s   3.01       5.9 KiB    700 B
5000      40.0s     125          20.0s    -     29.5 MiB   17.8 MiB   0.50s   3.00       5.9 KiB    700 B

REQUESTS, RECEIVED and SENT are per object, PEAK and STEADY resident memory.

with 5000 objects:
  requests    15000 patch, 4 watch, 3 list
  at rest     0.0m of CPU, 0.0 requests a minute
  restarted   0 B at most, 0.00s of CPU, 0 writes

forecast for 20000 objects, from a line through the measured sizes:
  memory      58.8 MiB at most, 47.1 MiB at rest; each object adds 2.0 KiB
  done in     about 160s, at the pace of this machine's API server

For `config/manager/manager.yaml`: the request is the memory at rest plus 20 %,
the limit is the peak plus 50 %. A CPU limit would slow down the first reconciliation.

        resources:
          requests:
            cpu: 10m
            memory: 64Mi
          limits:
            memory: 96Mi";
        assert_eq!(text, expected);
    }

    #[test]
    fn one_small_size_is_said_to_be_one() {
        let one = [measured(20)];
        let forecast = Forecast::of(Idle::default(), &one, 20_000).unwrap();
        let text = forecast_lines(&forecast, &one, "the Deployment");
        assert!(text.contains("from one size and the operator without objects"), "{text}");
        assert!(text.contains("larger sizes with `--objects`"), "{text}");
        assert_eq!(sentence(&one[0]), "20 objects: 0.2s, 10.1 MiB at most, 8.0 MiB at rest, 0.50s of CPU");
    }

    #[test]
    fn without_a_measurement_only_the_idle_operator_is_shown() {
        let text = lines(Idle { peak_bytes: 2048, steady_bytes: 1100, ..Idle::default() }, &[], None, "");
        assert!(text.contains("2.0 KiB   1.1 KiB") && !text.contains("forecast"), "{text}");
    }
}
