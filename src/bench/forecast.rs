//! Forecasts the memory and the time that an operator needs for more objects than were measured. The memory at rest
//! follows a line fitted to the measurements; the peak memory is higher by the largest measured difference between the
//! peak memory and the memory at rest.

use super::measured::{Idle, Measured, as_f64};
use serde::Serialize;

/// A forecast of the memory and the time that the operator needs for a number of objects.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Forecast {
    /// The number of objects.
    pub objects: u32,
    /// The maximum resident memory, in bytes: the memory at rest, and the additional memory that the operator needs at
    /// its start to list the objects. The lists come in pages, so the additional memory hardly depends on the number of
    /// objects.
    pub peak_bytes: u64,
    /// The resident memory at rest, in bytes.
    pub steady_bytes: u64,
    /// The memory that each object adds to the operator at rest, in bytes.
    pub bytes_per_object: u64,
    /// The time until the operator is done with all objects, in seconds. If the measured time grows faster than the
    /// number of objects, because an API server becomes slower with more objects, the forecast continues this faster
    /// growth; otherwise the forecast time grows in proportion to the number of objects.
    pub seconds: f64,
    /// True if only one number of objects was measured: the line that forecasts the memory then goes through this
    /// measurement and the measurement of the idle operator (without objects).
    pub through_idle: bool,
}

impl Forecast {
    /// Returns the forecast for `objects` objects, or `None` if there is no measurement.
    pub fn of(idle: Idle, measured: &[Measured], objects: u32) -> Option<Forecast> {
        let largest = measured.iter().max_by_key(|one| one.objects)?;
        let through_idle = measured.len() == 1;
        let idle = through_idle.then_some((0.0, as_f64(idle.steady_bytes)));
        let points = measured.iter().map(|one| (f64::from(one.objects), as_f64(one.steady_bytes)));
        let steady = Line::through(&idle.into_iter().chain(points).collect::<Vec<_>>());
        let steady_bytes = steady.value_at(objects);
        let excess = measured.iter().map(|one| one.peak_bytes.saturating_sub(one.steady_bytes)).max();
        Some(Forecast {
            objects,
            peak_bytes: steady_bytes + excess.unwrap_or_default(),
            steady_bytes,
            bytes_per_object: round_to_integer(steady.slope),
            seconds: largest.seconds * (f64::from(objects) / f64::from(largest.objects.max(1))).powf(growth(measured)),
            through_idle,
        })
    }
}

/// Returns the exponent `e` such that the time grows with the power `e` of the number of objects: at least 1, and
/// exactly 1 if there is only one measurement.
fn growth(measured: &[Measured]) -> f64 {
    let points = measured.iter().filter(|one| one.objects > 0 && one.seconds > 0.0);
    let logarithms: Vec<_> = points.map(|one| (f64::from(one.objects).ln(), one.seconds.ln())).collect();
    Line::through(&logarithms).slope.max(1.0)
}

/// A line with a slope of at least 0, because more objects never need less memory.
#[derive(Clone, Copy, Debug)]
struct Line {
    slope: f64,
    start: f64,
}

impl Line {
    /// Fits a line by least squares.
    fn through(points: &[(f64, f64)]) -> Line {
        let number = as_f64(points.len().max(1) as u64);
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / number;
        let (x, y) = (mean(|point| point.0), mean(|point| point.1));
        let spread: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
        let shared: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
        let slope = if spread > 0.0 { (shared / spread).max(0.0) } else { 0.0 };
        Line { slope, start: y - slope * x }
    }

    fn value_at(self, objects: u32) -> u64 {
        round_to_integer(self.start + self.slope * f64::from(objects))
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the number is not negative, and is a number of bytes"
)]
fn round_to_integer(number: f64) -> u64 {
    number.max(0.0).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDLE: Idle = Idle { peak_bytes: 9_000_000, steady_bytes: 8_000_000, steady_millicores: 0.0 };

    fn measured(objects: u32, peak_bytes: u64, steady_bytes: u64) -> Measured {
        Measured { objects, peak_bytes, steady_bytes, seconds: f64::from(objects) / 100.0, ..Measured::default() }
    }

    #[test]
    fn two_measurements_give_the_line_through_both() {
        let points = [measured(1000, 12_000_000, 10_000_000), measured(5000, 24_000_000, 18_000_000)];
        let forecast = Forecast::of(IDLE, &points, 20_000).unwrap();
        assert_eq!((forecast.peak_bytes, forecast.steady_bytes), (54_000_000, 48_000_000));
        assert_eq!((forecast.bytes_per_object, forecast.through_idle), (2000, false));
        assert!((forecast.seconds - 200.0).abs() < 1e-6);
        let turned = [points[1].clone(), points[0].clone()];
        assert_eq!(Forecast::of(IDLE, &turned, 20_000).unwrap(), forecast);
    }

    #[test]
    fn the_time_grows_as_it_did_between_the_measurements() {
        let of = |objects: u32, seconds: f64| Measured { objects, seconds, ..Measured::default() };
        let seconds = |points: &[Measured], objects| Forecast::of(IDLE, points, objects).unwrap().seconds;
        assert!((seconds(&[of(1000, 10.0), of(5000, 90.0)], 25_000) - 810.0).abs() < 1e-6);
        // A pace that rises is chance, and one measurement has a pace alone.
        assert!((seconds(&[of(1000, 10.0), of(5000, 40.0)], 25_000) - 200.0).abs() < 1e-6);
        assert!((seconds(&[of(5000, 40.0)], 25_000) - 200.0).abs() < 1e-6);
    }

    #[test]
    fn a_third_measurement_is_fitted() {
        let points = [1000, 2000, 3000].map(|objects| {
            let noise = if objects == 2000 { 300_000 } else { 0 };
            measured(objects, 0, 8_000_000 + 1000 * u64::from(objects) + noise)
        });
        let forecast = Forecast::of(IDLE, &points, 10_000).unwrap();
        assert_eq!((forecast.steady_bytes, forecast.bytes_per_object), (18_100_000, 1000));
    }

    #[test]
    fn one_measurement_is_joined_to_the_operator_without_objects() {
        let forecast = Forecast::of(IDLE, &[measured(1000, 12_000_000, 10_000_000)], 4000).unwrap();
        assert_eq!((forecast.peak_bytes, forecast.steady_bytes), (18_000_000, 16_000_000));
        assert!(forecast.through_idle);
        assert_eq!(Forecast::of(IDLE, &[], 4000), None);
    }

    #[test]
    fn memory_never_falls_and_the_peak_is_at_least_the_rest() {
        let falling = [measured(20, 9_000_000, 9_500_000), measured(60, 8_800_000, 9_100_000)];
        let forecast = Forecast::of(IDLE, &falling, 20_000).unwrap();
        assert_eq!((forecast.peak_bytes, forecast.steady_bytes, forecast.bytes_per_object), (9_300_000, 9_300_000, 0));
    }
}
