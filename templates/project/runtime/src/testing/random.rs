//! Random values that a structural schema allows.

use serde_json::{Map, Value, json};

/// A generator of random numbers (`SplitMix64`), the same for the same seed.
pub struct Random(u64);

/// The nesting depth from which optional fields are left out.
const DEPTH: usize = 12;

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from `least` to `most`.
    fn between(&mut self, least: i64, most: i64) -> i64 {
        let wide = i128::from(most) - i128::from(least) + 1;
        let offset = i128::from(self.next()).rem_euclid(wide.max(1));
        i64::try_from(i128::from(least) + offset).unwrap_or(least)
    }

    fn one_of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        let last = i64::try_from(all.len()).unwrap_or(1) - 1;
        all.get(usize::try_from(self.between(0, last.max(0))).unwrap_or(0))
    }

    fn perhaps(&mut self) -> bool {
        self.next().is_multiple_of(2)
    }

    /// Returns a random value that the schema allows, except that patterns and rules are ignored.
    pub fn value(&mut self, schema: &Value) -> Value {
        self.value_at(schema, 0)
    }

    fn value_at(&mut self, schema: &Value, depth: usize) -> Value {
        if let Some(all) = schema["enum"].as_array() {
            let known: Vec<&Value> = all.iter().filter(|value| !value.is_null()).collect();
            return self.one_of(&known).copied().cloned().unwrap_or_default();
        }
        if schema["x-kubernetes-int-or-string"] == true {
            return if self.perhaps() {
                json!(self.between(0, 100))
            } else {
                json!(format!("{}%", self.between(0, 100)))
            };
        }
        match schema["type"].as_str() {
            Some("object") => self.object(schema, depth),
            Some("array") => {
                let length = self.length(schema, "minItems", "maxItems");
                (0..length)
                    .map(|_| self.value_at(&schema["items"], depth + 1))
                    .collect()
            }
            Some("string") => self.text(schema),
            Some("integer") => {
                let bound = |key: &str| schema[key].as_f64().map(|bound| bound as i64);
                let (least, most) = if schema["format"] == "int32" {
                    (i64::from(i32::MIN), i64::from(i32::MAX))
                } else {
                    (i64::MIN, i64::MAX)
                };
                let least = bound("minimum").unwrap_or(least);
                let most = bound("maximum").unwrap_or(most);
                json!(self.between(least, most))
            }
            Some("number") => {
                let bound = |key: &str, other: i64| schema[key].as_f64().unwrap_or(other as f64);
                let (least, most) = (bound("minimum", -1000), bound("maximum", 1000));
                // Sixteenths have the same value in every notation.
                let part = self.between(0, 16) as f64 / 16.0;
                json!(least + (most - least) * part)
            }
            Some("boolean") => json!(self.perhaps()),
            _ => json!({ "any": self.between(0, 100) }),
        }
    }

    fn length(&mut self, schema: &Value, least: &str, most: &str) -> i64 {
        let least = schema[least].as_i64().unwrap_or(0);
        let most = schema[most].as_i64().unwrap_or(i64::MAX);
        self.between(least, most.min(least.saturating_add(3)))
    }

    fn object(&mut self, schema: &Value, depth: usize) -> Value {
        let names = |of: &Value| -> Vec<String> {
            let names = of["required"].as_array().into_iter().flatten();
            names
                .filter_map(|name| name.as_str().map(str::to_owned))
                .collect()
        };
        let mut required = names(schema);
        let mut excluded = Vec::new();
        for key in ["oneOf", "anyOf"] {
            let branches: Vec<_> = schema[key].as_array().into_iter().flatten().collect();
            if let Some(chosen) = self.one_of(&branches) {
                let chosen = names(chosen);
                let all = branches.iter().flat_map(|branch| names(branch));
                excluded.extend(all.filter(|name| !chosen.contains(name)));
                required.extend(chosen);
            }
        }
        let mut object = Map::new();
        for (key, schema) in schema["properties"].as_object().into_iter().flatten() {
            let optional = depth < DEPTH && !excluded.contains(key) && self.perhaps();
            if required.contains(key) || optional {
                object.insert(key.clone(), self.value_at(schema, depth + 1));
            }
        }
        let others = &schema["additionalProperties"];
        if others.is_object() && depth < DEPTH {
            for _ in 0..self.length(schema, "minProperties", "maxProperties") {
                let key = format!("key{}", self.between(0, 1000));
                object.insert(key, self.value_at(others, depth + 1));
            }
        }
        object.into()
    }

    fn text(&mut self, schema: &Value) -> Value {
        match schema["format"].as_str() {
            Some("date-time") => {
                let (day, hour) = (self.between(10, 28), self.between(10, 23));
                return json!(format!("2026-11-{day}T{hour}:00:00Z"));
            }
            Some("date") => return json!(format!("2026-11-{}", self.between(10, 28))),
            Some("byte") => return json!("b3BlcmF0b3I="),
            Some("duration") => return json!(format!("{}s", self.between(0, 59))),
            Some("uuid") => return json!("67e55044-10b1-426f-9247-bb680e5fe0c8"),
            Some("uri") => return json!(format!("https://example.com/{}", self.between(0, 99))),
            _ => {}
        }
        let length = self.length(schema, "minLength", "maxLength");
        let letters =
            (0..length).map(|_| self.one_of(b"abcdefgh-").copied().map_or('a', char::from));
        json!(letters.collect::<String>())
    }
}
