//! The environment of the programs that tests start. It is made here, so that no setting of the machine or of the user
//! changes what a test sees.

use super::kept;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The variables that programs get from the machine: where programs and servers are, and how compilers, crates and
/// modules are found.
const FROM_MACHINE: [&str; 26] = [
    "PATH",
    "TMPDIR",
    "KUBEBUILDER_ASSETS",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "CURL_CA_BUNDLE",
    "NIX_SSL_CERT_FILE",
    "AR",
    "CC",
    "DEVELOPER_DIR",
    "SDKROOT",
    "GOCACHE",
    "GOENV",
    "GOFLAGS",
    "GOINSECURE",
    "GOMODCACHE",
    "GONOPROXY",
    "GONOSUMDB",
    "GOPATH",
    "GOPRIVATE",
    "GOPROXY",
    "GOROOT",
    "GOSUMDB",
    "GOTOOLCHAIN",
    "CARGO_HOME",
    "XDG_DATA_HOME",
];

/// The prefixes of further variables that programs get from the machine. The prefixes that begin with `CARGO_` are for
/// variables that configure cargo's registries and network.
const FROM_MACHINE_BEGINNINGS: [&str; 6] =
    ["RUSTUP_", "CARGO_HTTP_", "CARGO_NET_", "CARGO_REGISTRIES_", "CARGO_REGISTRY_", "CARGO_SOURCE_"];

/// The environment variables that name a proxy. Only programs that use the network get them, because kube's clients
/// would use a proxy for a server on this machine.
const PROXIES: [&str; 8] =
    ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"];

/// Environment variables that name a file or a folder, each with the path below the user's home that programs use if
/// the variable is not set.
const BELOW_HOME: [(&str, &str); 5] = [
    ("CARGO_HOME", ".cargo"),
    ("RUSTUP_HOME", ".rustup"),
    ("GOPATH", "go"),
    ("GOENV", ".config/go/env"),
    ("XDG_DATA_HOME", ".local/share"),
];

/// The environment variable that marks a process which runs a single test for a parent test process. The value is the
/// folder in which the parent process keeps its files.
const APART: &str = "OPCTL_TESTS_FOLDER";

/// Returns the value of an environment variable of this process, or `None` if the variable is unset or empty.
pub(crate) fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// Returns the number in an environment variable with which a user sets the length of a test, such as its number of
/// rounds. Returns `None` if the variable is not set.
///
/// # Panics
///
/// Panics if the value is not a number.
pub(crate) fn asked(name: &str) -> Option<u64> {
    variable(name).map(|value| {
        value
            .to_str()
            .and_then(|text| text.parse().ok())
            .unwrap_or_else(|| panic!("`{}` in {name} is no number", value.display()))
    })
}

/// Returns true if the tests must overwrite the recorded data.
pub(crate) fn records() -> bool {
    variable("SNAPSHOTS").is_some_and(|mode| mode == "overwrite")
}

/// Returns the home of the user who runs the tests.
fn home_of_user() -> PathBuf {
    std::env::home_dir().unwrap_or_else(std::env::temp_dir)
}

/// Returns the folder for files that stay from one run to the next: `opctl` in the user's cache folder, or a folder
/// for temporary files if the cache folder is not writable.
pub(super) fn base_of_kept() -> PathBuf {
    let base = caches().join("opctl");
    let is_writable = fs::create_dir_all(&base).and_then(|()| tempfile::tempfile_in(&base)).is_ok();
    let user = rustix::process::getuid().as_raw();
    if is_writable { base } else { std::env::temp_dir().join(format!("opctl-{user}")) }
}

/// Returns the folder of the user's caches.
fn caches() -> PathBuf {
    variable("XDG_CACHE_HOME").map_or_else(|| home_of_user().join(".cache"), PathBuf::from)
}

/// Returns the home folder of the programs that tests start. It is empty when a test run begins.
fn home() -> PathBuf {
    let home = kept::folder().join("home");
    if folder_of_caller().is_none() {
        let _ = fs::remove_dir_all(&home);
        fs::create_dir_all(&home).unwrap();
        if cfg!(target_os = "macos") {
            // Go and opctl find their folders below it, whatever the variables are.
            let _ = std::os::unix::fs::symlink(home_of_user().join("Library"), home.join("Library"));
        }
    }
    home
}

/// Returns rustup's name of the toolchain that has compiled the tests.
fn toolchain() -> Option<&'static OsStr> {
    let folder = Path::new(env!("CARGO")).ancestors().nth(2)?;
    folder.file_name().filter(|_| folder.parent().is_some_and(|above| above.ends_with("toolchains")))
}

fn made() -> &'static [(OsString, OsString)] {
    static MADE: OnceLock<Vec<(OsString, OsString)>> = OnceLock::new();
    MADE.get_or_init(|| {
        let is_passed = |name: &str| {
            FROM_MACHINE.contains(&name) || FROM_MACHINE_BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
        };
        let of_machine =
            std::env::vars_os().filter(|(name, value)| name.to_str().is_some_and(is_passed) && !value.is_empty());
        let mut all: Vec<(OsString, OsString)> = of_machine.collect();
        let user = home_of_user();
        for (name, folder) in BELOW_HOME.into_iter().filter(|(name, _)| variable(name).is_none()) {
            all.push((name.into(), user.join(folder).into()));
        }
        let mut set = |name: &str, value: &OsStr| all.push((name.into(), value.to_owned()));
        set("HOME", home().as_os_str());
        set("XDG_CACHE_HOME", caches().as_os_str());
        // cargo alone uses this proxy.
        if variable("CARGO_HTTP_PROXY").is_none()
            && let Some(proxy) = PROXIES.into_iter().take(2).find_map(variable)
        {
            set("CARGO_HTTP_PROXY", &proxy);
        }
        // A file in the folder of a crate, where cargo starts rustc, may name another toolchain or ask for components, for
        // which rustup would replace the toolchain of the user.
        set("RUSTUP_AUTO_INSTALL", "0".as_ref());
        if let Some(toolchain) = toolchain().filter(|_| variable("RUSTUP_TOOLCHAIN").is_none()) {
            set("RUSTUP_TOOLCHAIN", toolchain);
        }
        // What tests compile is at another path each time, where nothing of an earlier build is found again, and no
        // debugger is started.
        set("CARGO_INCREMENTAL", "0".as_ref());
        set("CARGO_PROFILE_DEV_DEBUG", "none".as_ref());
        // Without the machine's settings for git, but with an author. A folder of a test is in no repository of the user.
        set("GIT_CONFIG_NOSYSTEM", "1".as_ref());
        set("GIT_CONFIG_GLOBAL", "/dev/null".as_ref());
        for who in ["GIT_AUTHOR", "GIT_COMMITTER"] {
            set(&format!("{who}_NAME"), "A Name".as_ref());
            set(&format!("{who}_EMAIL"), "name@example.com".as_ref());
        }
        let above = [std::env::temp_dir(), PathBuf::from("/dev/shm"), kept::folder().to_owned()];
        set("GIT_CEILING_DIRECTORIES", &std::env::join_paths(above).unwrap());
        all
    })
}

/// Returns a command with the environment of the tests. Tests start all programs with this function.
pub(crate) fn tool(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.env_clear().envs(made().iter().map(|(name, value)| (name, value)));
    command
}

/// Passes the proxy variables of the machine to a command, which may need them to use the network.
pub(crate) fn with_network(command: &mut Command) -> &mut Command {
    command.envs(PROXIES.into_iter().filter_map(|name| Some((name, variable(name)?))))
}

/// Lets a command find the programs of etcd and kube-apiserver that are installed on the machine.
pub(crate) fn with_store(command: &mut Command) -> &mut Command {
    let found = ["HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "KUBEBUILDER_ASSETS"];
    command.envs(made().iter().filter(|(name, _)| found.iter().any(|found| name == found)).cloned())
}

/// Links programs of the machine into a folder that a test uses as its `PATH`.
pub(crate) fn link(programs: &[&str], folder: &Path) {
    let path = variable("PATH").unwrap_or_default();
    for name in programs {
        let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file());
        let found = found.unwrap_or_else(|| panic!("`{name}` is not installed"));
        std::os::unix::fs::symlink(found, folder.join(name)).unwrap();
    }
}

/// Returns the folder for files of the parent process if this process was started to run a single test, otherwise
/// `None`.
pub(super) fn folder_of_caller() -> Option<PathBuf> {
    variable(APART).map(PathBuf::from)
}

/// Returns true if this process runs a single test with the environment of the tests.
pub(crate) fn is_apart() -> bool {
    folder_of_caller().is_some()
}

/// Runs the calling test in a separate process, and returns true after the test has passed there. In the separate
/// process, returns false instead, so that the test continues. `place` is the path of a function that is defined inside
/// the test: the path contains the name of the test.
pub(crate) fn has_passed_apart(place: &str) -> bool {
    if is_apart() {
        return false;
    }
    let (_, test) = place.rsplit_once("::").unwrap().0.split_once("::").unwrap();
    let mut apart = tool(std::env::current_exe().unwrap());
    apart.args(["--exact", test, "--include-ignored", "--nocapture"]).env(APART, kept::folder());
    apart.envs(variable("SNAPSHOTS").map(|mode| ("SNAPSHOTS", mode)));
    let output = super::must(&mut apart);
    let said = super::text(&output.stdout);
    assert!(said.contains("test result: ok. 1 passed;"), "{said}");
    print!("{said}{}", super::text(&output.stderr));
    true
}

/// Begins a test whose calls of opctl's library start programs. The programs inherit the environment of their
/// process, so the test runs in a separate process with the environment of the tests.
macro_rules! apart {
    () => {
        fn here() {}
        if $crate::support::has_passed_apart(std::any::type_name_of_val(&here)) {
            return;
        }
    };
}
pub(crate) use apart;

/// Environment variables that change what cargo, git, kubectl or opctl do.
const SETTINGS: [&str; 16] = [
    "CARGO",
    "CARGO_BUILD_JOBS",
    "CARGO_BUILD_RUSTFLAGS",
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_MANIFEST_DIR",
    "CARGO_PKG_NAME",
    "CARGO_TARGET_DIR",
    "CARGO_TERM_COLOR",
    "COLUMNS",
    "GITHUB_ACTIONS",
    "GIT_DIR",
    "HTTPS_PROXY",
    "KUBECONFIG",
    "NO_COLOR",
    "RUSTDOCFLAGS",
    "RUSTFLAGS",
];

#[test]
fn a_setting_of_the_machine_is_not_passed_on() {
    const SET: &str = "/a/setting/of/the/machine";
    if variable("KUBECONFIG").is_none_or(|value| value != SET) {
        let mut again = tool(std::env::current_exe().unwrap());
        again.args(["--exact", "support::environment::a_setting_of_the_machine_is_not_passed_on"]);
        again.envs(SETTINGS.map(|name| (name, SET))).env("HOME", SET).env(APART, kept::folder());
        let said = super::text(&super::must(&mut again).stdout);
        assert!(said.contains("test result: ok. 1 passed;"), "{said}");
        return;
    }
    let passed = super::text(&super::must(&mut tool("env")).stdout);
    let set: Vec<&str> =
        passed.lines().filter(|line| line.ends_with(SET) && !line.starts_with("CARGO_HTTP_PROXY=")).collect();
    assert!(set.is_empty(), "{set:#?}");
    assert!(passed.lines().any(|line| line == "RUSTUP_AUTO_INSTALL=0"), "{passed}");
    let home = format!("HOME={}", kept::folder().join("home").display());
    assert!(passed.lines().any(|line| line == home), "{passed}");
}
