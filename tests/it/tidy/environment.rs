//! Checks that only one file of the tests reads environment variables of the machine: the file that sets the variables
//! of every program that a test starts.

use super::{code, files};

const KNOWS_THE_MACHINE: &str = "tests/it/support/environment.rs";

/// The test file that contains the source code of a user's tests as a string.
const HAS_SOURCES: &str = "tests/it/opctl_test.rs";

#[test]
fn tests_start_programs_in_one_place_and_read_the_environment_there() {
    // The words are put together, so that this file does not contain them.
    let words = [
        concat!("Command::", "new("),
        concat!("env::", "var"),
        concat!("env::", "home_dir"),
        concat!("env::", "temp_dir"),
        concat!("env_", "clear"),
        concat!("CARGO_", "TARGET_TMPDIR"),
    ];
    let files = files("tests/it");
    let found = |path: &str| -> Vec<&str> {
        let code = code(&files[path]);
        words.into_iter().filter(|word| code.contains(word)).collect()
    };
    // The last one is used nowhere: what tests compile stays outside of the checkout.
    assert_eq!(found(KNOWS_THE_MACHINE), words[..5]);
    let mut wrong = Vec::new();
    for path in files.keys().filter(|path| ![KNOWS_THE_MACHINE, HAS_SOURCES].contains(&path.as_str())) {
        wrong.extend(found(path).into_iter().map(|word| format!("{path}: `{word}`: `support::tool` starts programs")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
