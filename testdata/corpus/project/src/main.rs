//! Reads objects as the types of the corpus, and prints them as those types write them: what an operator does.

mod types;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::error::Error;

type Rewrite = fn(&str) -> serde_json::Result<Value>;

fn rewrite<T: DeserializeOwned + Serialize>(object: &str) -> serde_json::Result<Value> {
    // From text, as kube reads what the server sends.
    serde_json::to_value(serde_json::from_str::<T>(object)?)
}

/// From `[[type, object], ..]` on stdin to `[{"written": object} or {"error": ".."}, ..]` on stdout.
fn main() -> Result<(), Box<dyn Error>> {
    let requests: Vec<(String, Value)> = serde_json::from_reader(std::io::stdin())?;
    let answers = requests.into_iter().map(|(name, object)| {
        let rewrite = types::TYPES.iter().find(|(path, _)| *path == name).map(|(_, rewrite)| rewrite);
        match rewrite.map(|rewrite| rewrite(&object.to_string())) {
            Some(Ok(written)) => json!({"written": written}),
            Some(Err(error)) => json!({"error": error.to_string()}),
            None => json!({"error": format!("`{name}` is no type of the corpus")}),
        }
    });
    println!("{}", Value::from_iter(answers));
    Ok(())
}
