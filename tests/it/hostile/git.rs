//! Checks that no opctl command runs a program that the configuration or hooks in a hostile `.git` name.

use crate::support::{Machine, program, tool, variable};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

/// Keys of git's configuration that name a program which a git command may run, and keys that look similar but name no
/// program that git runs.
const KEYS: &[&str] = &[
    "core.fsmonitor",
    "core.pager",
    "core.editor",
    "core.askPass",
    "core.sshCommand",
    "core.gitProxy",
    "core.alternateRefsCommand",
    "credential.helper",
    "diff.external",
    "diff.evil.command",
    "diff.evil.textconv",
    "filter.evil.clean",
    "filter.evil.smudge",
    "filter.evil.process",
    "gpg.program",
    "gpg.openpgp.program",
    "gpg.ssh.program",
    "gpg.ssh.defaultKeyCommand",
    "gpg.x509.program",
    "hook.evil.command",
    "interactive.diffFilter",
    "merge.evil.driver",
    "pager.cat-file",
    "pager.log",
    "pager.show",
    "remote.origin.uploadpack",
    "remote.origin.receivepack",
    "sequence.editor",
    "uploadpack.packObjectsHook",
];

const SETTINGS: &[(&str, &str)] = &[
    ("hook.evil.event", "post-index-change"),
    ("log.showSignature", "true"),
    ("extensions.partialClone", "origin"),
    ("remote.origin.promisor", "true"),
    ("remote.origin.url", "ext::sh -c evil% %S"),
    ("protocol.ext.allow", "always"),
    ("protocol.file.allow", "always"),
    ("diff.evil.cachetextconv", "false"),
    ("alias.log", "!touch aliased"),
];

const HOOKS: &[&str] =
    &["post-index-change", "fsmonitor-watchman", "pre-commit", "post-checkout", "reference-transaction"];

const COMMANDS: &[&[&str]] = &[
    &["resolve", "--dry-run"],
    &["resolve"],
    &["list"],
    &["update", "--check"],
    &["update"],
    &["manifests", "--against", "main", "--dry-run"],
    &["manifests", "--against", "signed", "--dry-run"],
    &["manifests", "--against", "lost", "--dry-run"],
    &["docs", "--check"],
    &["doctor"],
    &["status", "--timeout", "1"],
    &["create", "api", "--kind", "Other"],
];

fn git(root: &Path, words: &[&str], input: &str) -> Output {
    let mut git = tool("git");
    git.args(["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "core.editor=true"]).args(words);
    git.current_dir(root).env("GIT_CONFIG_NOSYSTEM", "1").env("HOME", root).env("GIT_CONFIG_GLOBAL", "/dev/null");
    let mut child = git.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn must(root: &Path, words: &[&str], input: &str) -> String {
    let output = git(root, words, input);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Makes a project in a git repository with a merge conflict, a signed commit, and a branch `lost` that lacks a git
/// object. Then adds a hostile git configuration, whose programs write their names into the file `ran`.
fn attacked() -> Machine {
    let machine = Machine::new(&[&["create", "api", "--kind", "WebServer"]]);
    let root = machine.root();
    let begin = |words: &[&str]| drop(must(&root, words, ""));
    begin(&["init", "-q", "-b", "main"]);
    fs::create_dir_all(root.join("config/crd/bases")).unwrap();
    fs::write(root.join("config/crd/bases/a.yaml"), "kind: ConfigMap\n").unwrap();
    fs::write(root.join(".gitattributes"), "* filter=evil diff=evil merge=evil\n").unwrap();
    begin(&["add", "--all"]);
    begin(&["commit", "-q", "-m", "Begin"]);
    let tree = must(&root, &["rev-parse", "HEAD^{tree}"], "");
    let signed = format!(
        "tree {tree}\nauthor A <a@example.com> 1 +0000\ncommitter A <a@example.com> 1 +0000\n\
         gpgsig -----BEGIN PGP SIGNATURE-----\n \n aaaa\n -----END PGP SIGNATURE-----\n\nSigned\n"
    );
    let signed = must(&root, &["hash-object", "-t", "commit", "-w", "--stdin"], &signed);
    begin(&["branch", "signed", &signed]);
    let of = |kind: &str| {
        let made = machine.command(&["create", "api", "--kind", kind]).output().unwrap().status;
        assert!(made.success());
        begin(&["add", "--all"]);
        begin(&["commit", "-q", "-m", kind]);
    };
    begin(&["checkout", "-q", "-b", "theirs"]);
    of("Theirs");
    begin(&["checkout", "-q", "main"]);
    of("Ours");
    // The commit is there, its file is not.
    fs::write(root.join("config/crd/bases/a.yaml"), "kind: Secret\n").unwrap();
    begin(&["checkout", "-q", "-b", "lost"]);
    begin(&["commit", "-q", "-a", "-m", "lost"]);
    let blob = must(&root, &["rev-parse", "HEAD:config/crd/bases/a.yaml"], "");
    begin(&["checkout", "-q", "main"]);
    fs::remove_file(root.join(".git/objects").join(&blob[..2]).join(&blob[2..])).unwrap();
    assert!(!git(&root, &["merge", "theirs"], "").status.success(), "a conflict");
    let ran = |name: &str| format!("echo {name} >>{}; cat", root.join("ran").display());
    let programs = root.parent().unwrap().to_owned();
    for key in KEYS {
        let path = program(&programs, &key.replace('.', "-"), &ran(key));
        begin(&["config", key, &path.to_string_lossy()]);
    }
    for (key, value) in SETTINGS {
        begin(&["config", key, value]);
    }
    fs::create_dir_all(root.join(".git/hooks")).unwrap();
    for hook in HOOKS {
        program(&root.join(".git/hooks"), hook, &ran(hook));
    }
    machine
}

#[test]
fn no_program_of_the_configuration_runs() {
    let machine = attacked();
    let root = machine.root();
    let path = variable("PATH").unwrap();
    for words in COMMANDS {
        let output = machine.command(words).env("PATH", &path).env("CARGO", "/bin/false").output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(matches!(output.status.code(), Some(0..=5)), "{words:?}: {said}");
        assert!(!root.join("ran").exists(), "{words:?} runs {}", fs::read_to_string(root.join("ran")).unwrap());
        assert!(!root.join("aliased").exists(), "{words:?} runs an alias");
    }
    // The attack is one: git itself runs what the commands do not.
    git(&root, &["status"], "");
    git(&root, &["add", "README.md"], "");
    // `add` leaves out the filter where the monitor says that no file changed.
    git(&root, &["hash-object", "README.md"], "");
    let ran = fs::read_to_string(root.join("ran")).unwrap();
    for name in ["core.fsmonitor", "filter.evil.process", "post-index-change"] {
        assert!(ran.contains(name), "git does not run {name}: {ran}");
    }
}

#[test]
fn resolve_leaves_git_add_to_the_user_if_it_would_run_a_filter() {
    let machine = attacked();
    let output = machine.command(&["resolve"]).env("PATH", variable("PATH").unwrap()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("error: opctl did not mark the files as resolved in git"), "{said}");
    assert!(
        said.contains(
            "`git add` would run a program that the configuration of the repository defines: the filter `evil` on `"
        ),
        "{said}"
    );
    assert!(said.contains("hint: git add "), "{said}");
}
