//! Rules that reviewers would otherwise have to check: dependencies between layers, modules that must have no side
//! effects, sizes and words.

mod circles;
mod environment;
mod faces;
mod layers;
mod paths;

use layers::{LAYERS, PURE};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Returns the files below `folder` of the repository, by path.
fn files(folder: &str) -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tree = crate::support::tree(&root.join(folder));
    let texts =
        tree.into_iter().filter(|(path, _)| Path::new(path).extension().is_some_and(|extension| extension == "rs"));
    texts.map(|(path, bytes)| (format!("{folder}/{path}"), String::from_utf8(bytes).unwrap())).collect()
}

fn room(path: &str) -> &str {
    path.trim_start_matches("src/").split('/').next().unwrap().trim_end_matches(".rs")
}

/// True if a file below `src` holds nothing but tests.
fn is_of_tests(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/")
}

/// Returns the code without comments and unit tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// Returns the top-level modules that follow `crate::`, including those in braces.
fn used(code: &str) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        let (mut depth, mut word, mut first) = (0, String::new(), true);
        for character in rest.chars() {
            match character {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => first = true,
                _ if first && (character.is_alphanumeric() || character == '_') => {
                    word.push(character);
                    continue;
                }
                _ if first && word.is_empty() && character.is_whitespace() => continue,
                _ => first = false,
            }
            used.insert(std::mem::take(&mut word));
            if depth == 0 {
                break;
            }
        }
    }
    used
}

#[test]
fn rooms_use_only_what_lies_below_them() {
    let mut wrong = Vec::new();
    for (path, text) in files("src") {
        let room = room(&path);
        if ["lib", "main", "build", "test_api"].contains(&room) || is_of_tests(&path) {
            continue;
        }
        let Some((_, allowed)) = LAYERS.iter().find(|(name, _)| *name == room) else {
            wrong.push(format!("{path}: the room `{room}` has no place in the layers"));
            continue;
        };
        for other in used(&code(&text)) {
            if other != room && LAYERS.iter().any(|(name, _)| *name == other) && !allowed.contains(&other.as_str()) {
                wrong.push(format!("{path}: `{room}` must not use `{other}`"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_layers_have_no_circle() {
    for (position, (room, allowed)) in LAYERS.iter().enumerate() {
        for other in *allowed {
            assert!(LAYERS[..position].iter().any(|(name, _)| name == other), "`{other}` comes after `{room}`");
        }
    }
}

#[test]
fn rooms_that_decide_do_nothing_else() {
    let doing = [
        "std::fs",
        "std::process",
        "std::env",
        "TcpStream",
        "TcpListener",
        "UdpSocket",
        "std::thread",
        "SystemTime",
        "Instant",
        "OffsetDateTime",
        "std::io",
    ];
    let mut wrong = Vec::new();
    for (path, text) in files("src").into_iter().filter(|(path, _)| !is_of_tests(path)) {
        for word in doing.iter().filter(|word| PURE.contains(&room(&path)) && code(&text).contains(**word)) {
            wrong.push(format!("{path}: `{word}`"));
        }
        let printing = ["io::stdout(", "io::stderr(", "anstream::stdout(", "anstream::stderr("]
            .iter()
            .any(|word| code(&text).contains(word));
        let may = ["report", "exec", "envtest"].contains(&room(&path));
        if printing && !may {
            wrong.push(format!("{path}: only the report writes to the terminal"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Top-level modules that read or write files, and single files of other modules that read files of a project.
const READERS: (&[&str], &[&str]) = (
    &["cli", "cluster", "commands", "envtest", "exec", "explore", "reading", "system", "type_program", "workspace"],
    &["src/manifest/generate_crds.rs", "src/permissions/rights/granted.rs", "src/source/crate_sources.rs"],
);

/// Files that open files directly, for instance to read the kernel's information about processes.
const OPENERS: &[&str] = &["src/reading.rs", "src/system/linux.rs", "src/system/other.rs"];

/// Top-level modules that start programs, and single files of other modules that start a program.
const STARTERS: (&[&str], &[&str]) =
    (&["envtest", "exec", "system"], &["src/commands/build/engine.rs", "src/type_program/ask.rs"]);

fn reads_files(code: &str) -> bool {
    code.contains("std::fs")
}

fn starts_programs(code: &str) -> bool {
    let starts = concat!("Command::", "new(");
    code.contains(&format!("process::{starts}")) || code.contains("std::process") && code.contains(starts)
}

#[test]
fn files_are_read_and_programs_started_where_the_pages_say() {
    let files = files("src");
    let elsewhere = |does: fn(&str) -> bool, rooms: &[&str]| -> Vec<&str> {
        let known =
            |path: &str| is_of_tests(path) || ["main", "build"].contains(&room(path)) || rooms.contains(&room(path));
        let found = files.iter().filter(|(path, text)| !known(path) && does(&code(text)));
        found.map(|(path, _)| path.as_str()).collect()
    };
    assert_eq!(elsewhere(reads_files, READERS.0), READERS.1, "these read files");
    assert_eq!(elsewhere(starts_programs, STARTERS.0), STARTERS.1, "these start programs");
}

/// Checks that only [`OPENERS`] open files, only `syntax` parses Rust, and only `git_command` starts git. Other code
/// must read files with `reading`, which limits the size and does not wait.
#[test]
fn one_room_opens_files_and_one_parses_rust() {
    let files = files("src");
    let with = |words: &[&str]| -> Vec<&str> {
        let known = |path: &str| is_of_tests(path) || ["main", "build"].contains(&room(path));
        let has = |text: &str| words.iter().any(|word| code(text).contains(word));
        files.iter().filter(|(path, text)| !known(path) && has(text)).map(|(path, _)| path.as_str()).collect()
    };
    assert_eq!(with(&["fs::read(", "fs::read_to_string(", "File::open("]), OPENERS, "use `reading`");
    let parse = ["syn::parse_file", "syn::parse_str", ".parse::<TokenStream>()"];
    assert_eq!(with(&parse), ["src/syntax.rs"], "use `syntax`");
    assert_eq!(with(&[concat!("Command::", "new(\"git\")")]), ["src/exec/git_command.rs"], "use `git_command`");
}

#[test]
fn a_module_with_files_of_its_own_is_a_mod_rs() {
    let all: BTreeMap<String, String> = files("src").into_iter().chain(files("tests")).collect();
    let beside = |path: &&String| {
        let folder = format!("{}/", path.trim_end_matches(".rs"));
        all.keys().any(|other| other.starts_with(&folder))
    };
    assert_eq!(
        all.keys().filter(beside).collect::<Vec<_>>(),
        [""; 0],
        "move each to `mod.rs` in the folder of its name"
    );
}

/// The maximum number of files in `src` that may have the same name. If more files need the name, each file must be
/// named after its content instead.
const MOST_OF_A_NAME: usize = 4;

/// File names that any number of folders may use, because they mean the same in each folder.
const COMMON_NAMES: &[&str] =
    &["args.rs", "command.rs", "lints.rs", "mod.rs", "operations.rs", "options.rs", "tests.rs"];

#[test]
fn a_file_name_means_one_thing() {
    let mut folders: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in files("src").into_keys() {
        let (folder, name) = path.rsplit_once('/').unwrap();
        folders.entry(name.to_owned()).or_default().push(folder.to_owned());
    }
    folders.retain(|name, folders| !COMMON_NAMES.contains(&name.as_str()) && folders.len() > MOST_OF_A_NAME);
    assert_eq!(folders, BTreeMap::new(), "name each file after what it holds");
}

#[test]
fn one_room_knows_the_operating_system() {
    let special = [
        "std::os::",
        "rustix",
        "signal::unix",
        "cfg(unix",
        "cfg(windows",
        "cfg(target_os",
        "cfg(not(unix",
        "cfg(not(target_os",
    ];
    let mut wrong = Vec::new();
    for (path, text) in files("src").into_iter().filter(|(path, _)| room(path) != "system" && !is_of_tests(path)) {
        wrong
            .extend(special.iter().filter(|word| code(&text).contains(**word)).map(|word| format!("{path}: `{word}`")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Only `system` creates files and folders. Files that other code created under sudo would belong to root.
#[test]
fn one_room_makes_files_and_folders() {
    let functions = [
        "fs::write(",
        "fs::copy(",
        "File::create(",
        "File::create_new(",
        ".create(true)",
        "fs::create_dir(",
        "fs::create_dir_all(",
        ".tempdir_in(",
    ];
    let mut wrong = Vec::new();
    for (path, text) in files("src").into_iter().filter(|(path, _)| room(path) != "system" && !is_of_tests(path)) {
        // The first is a build script; the second writes files of the kernel.
        if ["src/build.rs", "src/envtest/node_cgroups.rs"].contains(&path.as_str()) {
            continue;
        }
        wrong
            .extend(functions.iter().filter(|name| code(&text).contains(**name)).map(|name| format!("{path}: {name}")));
    }
    assert!(wrong.is_empty(), "use the functions of `system` instead\n{}", wrong.join("\n"));
}

#[test]
fn files_are_short() {
    let all = files("src").into_iter().chain(files("tests"));
    let long = all.map(|(path, text)| (text.lines().count(), path)).filter(|(lines, _)| *lines > 400);
    assert_eq!(long.collect::<Vec<_>>(), [], "files over 400 lines");
}

#[test]
fn no_test_file_is_forgotten() {
    let files = files("tests/it");
    let listed = &files["tests/it/main.rs"];
    for path in files.keys().filter(|path| !path.ends_with("main.rs")) {
        let name = path.trim_start_matches("tests/it/").split('/').next().unwrap().trim_end_matches(".rs");
        let mut lines = listed.lines().zip(listed.lines().skip(1));
        let described = lines.any(|(above, line)| above.starts_with("/// ") && line == format!("mod {name};"));
        assert!(described, "main.rs has no `mod {name};` with its purpose above");
    }
}

#[test]
fn each_long_test_is_run_by_ci() {
    let script = std::fs::read_to_string(".ci/long").unwrap();
    let listed = script.lines().filter_map(|line| line.strip_prefix("    ")?.split(' ').next());
    let mut long = BTreeSet::new();
    for (path, text) in files("tests/it") {
        let module = path.trim_start_matches("tests/it/").trim_end_matches(".rs").trim_end_matches("/mod");
        for rest in text.split("#[ignore = \"it takes minutes: .ci/long\"]\n").skip(1) {
            let name = rest.split_once("fn ").unwrap().1.split('(').next().unwrap();
            long.insert(format!("{}::{name}", module.replace('/', "::")));
        }
    }
    assert_eq!(listed.map(str::to_owned).collect::<BTreeSet<_>>(), long);
}

#[test]
fn no_word_is_left_that_is_not_for_readers() {
    // The words are put together, so that this file does not contain them.
    let everywhere = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];
    let machine = ["/tmp/", "/home/", "/work/"];
    let in_code = ["todo!", "unimplemented!", "dbg!", "println!", "eprintln!", "print!(", ".unwrap()"];
    let mut wrong = Vec::new();
    for (path, text) in files("src") {
        // A build script prints to stdout for cargo.
        let code = if path == "src/build.rs" || is_of_tests(&path) { String::new() } else { code(&text) };
        // A folder in containers, whose name the Operator Lifecycle Manager prescribes.
        let code = code.replace("/tmp/k8s-webhook-server/", "");
        wrong.extend(everywhere.iter().filter(|word| text.contains(**word)).map(|word| format!("{path}: {word}")));
        wrong.extend(machine.iter().filter(|word| code.contains(**word)).map(|word| format!("{path}: {word}")));
        wrong.extend(in_code.iter().filter(|word| code.contains(**word)).map(|word| format!("{path}: {word}")));
        let numbered = |line: &&str| {
            line.split("issue")
                .skip(1)
                .any(|rest| rest.trim_start_matches([' ', '#', 's']).starts_with(|first: char| first.is_ascii_digit()))
        };
        wrong.extend(text.lines().filter(numbered).map(|line| format!("{path}: {line}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Checks that only `Target` makes command lines for a cluster. A command in a hint must name the cluster; otherwise
/// the command acts on another cluster.
#[test]
fn lines_that_touch_a_cluster_are_made_in_one_place() {
    let verbs = ["apply", "auth", "delete", "describe", "get", "logs", "patch", "rollout", "wait"];
    let kubectl = verbs.map(|verb| format!("kubectl {verb}"));
    let own = ["install", "uninstall", "deploy", "undeploy", "run"].map(|verb| format!("opctl {verb}"));
    let mut wrong = Vec::new();
    for (path, text) in files("src/cluster").into_iter().filter(|(path, _)| !path.ends_with("/target.rs")) {
        for line in kubectl.iter().chain(&own) {
            // In backticks, a command is only mentioned.
            let bare = code(&text).match_indices(line).any(|(at, _)| !code(&text)[..at].ends_with('`'));
            wrong.extend(bare.then(|| format!("{path}: `{line}` belongs to `Target`")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_package_holds_what_it_is_built_from_and_no_testdata() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut cargo = crate::support::tool(env!("CARGO"));
    let output = cargo.args(["package", "--list", "--allow-dirty", "--offline"]).current_dir(root).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let listed = String::from_utf8(output.stdout).unwrap();
    let packed: BTreeSet<&str> = listed.lines().collect();
    let tops: BTreeSet<&str> = packed.iter().filter_map(|path| Some(path.split_once('/')?.0)).collect();
    assert_eq!(tops, BTreeSet::from(["src", "templates"]));
    for path in crate::support::tree(&root.join("templates")).into_keys().filter(|path| !path.ends_with('/')) {
        assert!(packed.contains(format!("templates/{path}").as_str()), "templates/{path}");
    }
}
