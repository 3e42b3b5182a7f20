//! `opctl rename`: the tree afterwards is equal to one made by commands with the new name, and code that users wrote
//! still compiles.

use crate::support::{
    CORE, Place, Random, Tree, assert_same, cargo_in, edit, keep, must, random_api, random_policy, random_webhook,
    target_folder, text,
};
use crate::update::earlier;
use opctl::test_api::plan::{LEDGER_FILE, Ledger};
use serde_json::Value;
use std::fs;

fn run(place: &Place, arguments: &[String]) -> Value {
    place.json(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}

/// Returns the value of a flag, or an empty text.
fn value<'a>(arguments: &'a [String], flag: &str) -> &'a str {
    let at = arguments.iter().position(|word| word == flag);
    at.map_or("", |at| arguments[at + 1].as_str())
}

/// Returns the arguments with the value of `flag` replaced by `new`. Arguments without `flag` are returned unchanged.
fn with(arguments: &[String], flag: &str, new: &str) -> Vec<String> {
    let mut changed = arguments.to_vec();
    if let Some(at) = arguments.iter().position(|word| word == flag) {
        new.clone_into(&mut changed[at + 1]);
    }
    changed
}

/// A random project, the commands that made it, and one of the kinds that it defines.
struct Subject {
    seed: u64,
    place: Place,
    commands: Vec<Vec<String>>,
    before: Tree,
    group: String,
    kind: String,
}

impl Subject {
    /// Makes a project with random parts. Returns `None` if it defines no kind.
    fn random(seed: u64, random: &mut Random) -> Option<Self> {
        let (place, mut commands) = (Place::with_project(), Vec::new());
        for round in 0..16 {
            let arguments = match round % 4 {
                0 | 1 => random_api(random),
                2 => random_webhook(random),
                _ => random_policy(random),
            };
            if run(&place, &arguments)["outcome"] == "changed" {
                commands.push(arguments);
            }
        }
        let before = place.tree();
        let resources = place.json(&["list"])["data"]["resources"].clone();
        let is_own = |one: &&Value| one["core"] == false && one["external"] == false;
        let own: Vec<&Value> = resources.as_array().unwrap().iter().filter(is_own).collect();
        let chosen = own.get(random.below(own.len().max(1)))?;
        let group = chosen["group"].as_str().unwrap_or_default().trim_end_matches("example.com").trim_end_matches('.');
        let (group, kind) = (group.to_owned(), chosen["kind"].as_str().unwrap().to_owned());
        Some(Subject { seed, place, commands, before, group, kind })
    }

    fn is_in_group(&self, arguments: &[String]) -> bool {
        let is_core = CORE.iter().any(|(_, kind)| *kind == value(arguments, "--kind"));
        let is_external = arguments.iter().any(|word| word == "--external-api-path");
        value(arguments, "--group") == self.group && !is_core && !is_external
    }

    /// Makes a second project by the commands of the first. `changed` returns the new arguments of a command, given its
    /// old arguments.
    fn anew(&self, changed: impl Fn(&[String]) -> Vec<String>) -> Place {
        let anew = Place::with_project();
        for command in self.commands.iter().map(|command| changed(command)) {
            assert_eq!(run(&anew, &command)["outcome"], "changed", "seed {}: {command:?}", self.seed);
        }
        anew
    }

    fn kind_is_renamed_and_back(&self, to: &str) {
        let Subject { seed, place, commands, before, group, kind } = self;
        let rename = |kind: &str, to: &str| {
            let group = if group.is_empty() { String::new() } else { format!(" --group {group}") };
            words(&format!("rename api{group} --kind {kind} --to {to}"))
        };
        let anew = self.anew(|command| {
            let is_it = self.is_in_group(command) && value(command, "--kind") == kind;
            if is_it { with(command, "--kind", to) } else { command.to_vec() }
        });
        let command = rename(kind, to);
        let dry = run(place, &[command.clone(), vec!["--dry-run".to_owned()]].concat());
        assert_same(before, &place.tree(), &format!("a dry run of {command:?}"));
        let report = run(place, &command);
        assert_eq!(report["outcome"], "changed", "seed {seed}: {command:?} {report:#}");
        assert_eq!(dry["changes"], report["changes"], "{command:?}");
        assert_same(&anew.tree(), &place.tree(), &format!("seed {seed}: {commands:?}, then {command:?}"));
        let back = rename(to, kind);
        assert_eq!(run(place, &back)["outcome"], "changed", "seed {seed}: {back:?}");
        assert_same(before, &place.tree(), &format!("seed {seed}: {back:?}"));
    }

    fn group_is_renamed_and_back(&self) {
        let Subject { seed, place, commands, before, group, .. } = self;
        let anew = self
            .anew(|command| if self.is_in_group(command) { with(command, "--group", "zoo") } else { command.to_vec() });
        let rename = |from: &str, to: &str| run(place, &words(&format!("rename group --group {from} --to {to}")));
        assert_eq!(rename(group, "zoo")["outcome"], "changed", "seed {seed}");
        let what = format!("seed {seed}: {commands:?} in another group than {group}");
        assert_same(&anew.tree(), &place.tree(), &what);
        assert_eq!(rename("zoo", group)["outcome"], "changed", "seed {seed}");
        assert_same(before, &place.tree(), &format!("seed {seed}: back to {group}"));
    }
}

#[test]
fn a_renamed_project_is_the_one_that_was_made_under_the_new_name() {
    let (mut kinds, mut groups) = (0, 0);
    for seed in (1..=8_u64).chain([22]) {
        let mut random = Random(seed * 32_452_843);
        let Some(subject) = Subject::random(seed, &mut random) else { continue };
        // The new name sorts before all others, or after them.
        subject.kind_is_renamed_and_back(random.pick(&["AardVark", "Zebra"]));
        kinds += 1;
        if !subject.group.is_empty() {
            subject.group_is_renamed_and_back();
            groups += 1;
        }
    }
    assert!(kinds > 3 && groups > 1, "{kinds} {groups}");
}

#[test]
fn a_renamed_project_has_its_name_everywhere() {
    let place = Place::new();
    let anew = Place::new();
    for (place, name) in [(&place, "web"), (&anew, "site-operator")] {
        place.ok(&["init", "--domain", "example.com", "--project-name", name]);
        place.ok(&["create", "api", "--kind", "Shop", "--finalizer"]);
        place.ok(&["create", "webhook", "--kind", "Shop", "--validation"]);
        place.ok(&["create", "policy", "--kind", "Shop"]);
        place.ok(&["edit", "--enable", "grafana"]);
    }
    let before = place.tree();
    let said = place.ok(&["rename", "project", "--to", "site-operator"]);
    assert!(said.contains("`opctl undeploy`"), "{said}");
    assert_same(&anew.tree(), &place.tree(), "another name");
    place.ok(&["rename", "project", "--to", "web"]);
    assert_same(&before, &place.tree(), "the first name");
}

/// The source code of a user. The code uses two kinds of the project, both called `Config`, and the type
/// `kube::Config`.
const MINE: &str = "//! Mine, for apps.example.com.\n\n\
    use api::{apps::v1alpha1::Config, net};\n\
    use k8s_openapi::api::apps::v1::Deployment;\n\n\
    /// Of both kinds, and of kube's own.\n\
    pub fn names(a: &Config, b: &net::v1alpha1::Config, c: &kube::Config) -> String {\n    \
    assert!(Deployment::default().metadata.name.is_none());\n    \
    let config = crate::controller::apps::config::copies(a);\n    \
    format!(\"{:?} {:?} {:?} {config}\", a.spec, b.spec, c.cluster_url)\n}\n";

fn project_with_code_of_a_user() -> Place {
    let place = Place::new();
    place.ok(&["init", "--domain", "example.com", "--project-name", "renamed-operator"]);
    for line in [
        "create api --group apps --kind Config --owns Deployment",
        "create api --group net --kind Config",
        "create api --group apps --kind Config --version v1 --storage-version",
        "create webhook --group apps --kind Config --conversion --spoke v1alpha1",
    ] {
        place.ok(&line.split(' ').collect::<Vec<_>>());
    }
    let copies = "\n/// How many copies of a [`Config`] there are.\n\
        pub fn copies(config: &Config) -> usize {\n    config.metadata.name.iter().count()\n}\n\n#[cfg(test)]";
    let root = place.root();
    edit(&root.join("src/controller/apps/config.rs"), "\n#[cfg(test)]", copies);
    edit(&root.join("src/lib.rs"), "pub mod controller;", "pub mod controller;\npub mod mine;");
    fs::write(root.join("src/mine.rs"), MINE).unwrap();
    let objects = "apiVersion: apps.example.com/v1\nkind: Config\n---\napiVersion: apps/v1\nkind: Deployment\n";
    fs::write(root.join("config/mine.yaml"), objects).unwrap();
    place
}

fn files_of_the_user_have_the_new_names(place: &Place) {
    let mine = fs::read_to_string(place.root().join("src/mine.rs")).unwrap();
    assert!(
        mine.contains("use api::{data::v1alpha1::Setting, net}") && mine.contains("k8s_openapi::api::apps::v1"),
        "{mine}"
    );
    assert!(mine.contains("c: &kube::Config") && mine.contains("data.example.com"), "{mine}");
    let yaml = fs::read_to_string(place.root().join("config/mine.yaml")).unwrap();
    assert!(
        yaml.starts_with("apiVersion: data.example.com/v1\n")
            && yaml.ends_with("apiVersion: apps/v1\nkind: Deployment\n"),
        "{yaml}"
    );
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn code_that_users_wrote_compiles_after_a_rename() {
    let place = project_with_code_of_a_user();
    let opctl = |line: &str| {
        let mut command = place.command(&line.split(' ').collect::<Vec<_>>());
        let output = command.env("CARGO_TARGET_DIR", target_folder()).output().unwrap();
        assert!(output.status.success(), "{line}: {}", text(&output.stderr));
        text(&output.stderr)
    };
    opctl("manifests");
    let said = opctl("rename api --group apps --kind Config --to Setting");
    let replaced = "`src/controller/apps/setting.rs` contains lines that you wrote, and names in them were replaced";
    assert!(said.contains(replaced), "{said}");
    assert!(said.contains("`Config` is also the name of other kinds"), "{said}");
    // The word names two kinds, so only a person can tell which one is meant here.
    let mine = place.root().join("src/mine.rs");
    edit(&mine, "use api::{apps::v1alpha1::Config, net}", "use api::{apps::v1alpha1::Setting, net}");
    edit(&mine, "a: &Config", "a: &Setting");
    edit(&mine, "apps::config::copies", "apps::setting::copies");
    opctl("rename group --group apps --to data");
    opctl("rename project --to named-operator");
    files_of_the_user_have_the_new_names(&place);

    opctl("manifests");
    let bases = fs::read_dir(place.root().join("config/crd/bases")).unwrap();
    let bases: Vec<String> = bases.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(bases.iter().all(|name| !name.starts_with("apps.")), "{bases:?}");
    assert!(bases.iter().any(|name| name == "data.example.com_settings.yaml"), "{bases:?}");
    let kept = keep("renamed", &place.root());
    for arguments in [
        &["fmt", "--check"][..],
        &["clippy", "--workspace", "--", "-D", "warnings"],
        &["clippy", "--all-targets", "--", "-D", "warnings"],
        &["test", "--lib"],
    ] {
        must(&mut cargo_in(&kept, arguments));
    }
    // A later `opctl update` still finds the base texts of the renamed files.
    let said = opctl("update --dry-run");
    assert!(said.contains("nothing to do"), "{said}");
}

#[test]
fn invalid_renames_are_refused_and_change_nothing() {
    let place = Place::with_project();
    place.ok(&["create", "api", "--kind", "Shop"]);
    place.ok(&["create", "api", "--kind", "Site"]);
    place.ok(&["create", "api", "--kind", "Old", "--version", "v1"]);
    place.ok(&["create", "api", "--kind", "Shop", "--resource=false", "--controller-name", "backup"]);
    place.ok(&["create", "api", "--group", "net", "--kind", "Route"]);
    place.ok(&["create", "api", "--group", "web", "--kind", "Route", "--version", "v1"]);
    place.ok(&["create", "api", "--group", "apps", "--kind", "Deployment", "--resource=false"]);
    fs::write(place.root().join("src/controller/house.rs"), "// mine\n").unwrap();
    let before = place.tree();
    for (line, message, hint) in [
        ("api --kind Shop --to Site", "`v1alpha1, kind Site` is in the project already", "opctl list"),
        ("api --kind Shop --to Old", "`v1, kind Old` is in the project already", "opctl list"),
        ("api --kind Shop --to Backup", "controller name `backup` conflicts with existing controller", "--to MyBackup"),
        ("group --group net --to web", "`web/v1, kind Route` is in the project already", "opctl list"),
        (
            "api --kind Shop --to House",
            "`src/controller/house.rs` is in the way",
            "git mv src/controller/house.rs src/controller/house.rs.old",
        ),
        ("api --kind Shop --to house", "`house` is not a valid kind", "--to House"),
        (
            "api --kind Shop --to Stall --plural sites",
            "`v1alpha1, kind Stall` collides with `v1alpha1, kind Site`",
            "--plural",
        ),
        ("api --kind Shops --to Stall", "the project has no kind `Shops`", "opctl rename api --kind Shop --to Stall"),
        (
            "api --group apps --kind Deployment --to Stall",
            "`Deployment` is not a kind that the project defines",
            "opctl list",
        ),
        (
            "group --group apps --to data",
            "the project defines no kind in the group `apps`",
            "opctl rename group --group net",
        ),
        ("group --group data --to data", "the project defines no kind in the group `data`", "opctl rename group"),
        ("group --group net --to Net", "`Net` is not a valid group", "--to net"),
        ("project --to a_b", "`a_b` is not a valid name", "--to a-b"),
    ] {
        let words: Vec<&str> = ["rename"].into_iter().chain(line.split(' ')).collect();
        let report = place.json(&words);
        let error = report["error"].to_string();
        assert!(error.contains(message) && error.contains(hint), "{line}: {error}");
        assert_same(&before, &place.tree(), line);
    }
}

#[test]
fn a_deleted_file_stays_deleted_under_its_new_name() {
    let place = Place::with_project();
    place.ok(&["create", "api", "--kind", "Shop"]);
    let sample = |kind: &str| place.root().join(format!("tests/it/{kind}.rs"));
    fs::remove_file(sample("shop")).unwrap();
    let main = fs::read_to_string(place.root().join("tests/it/main.rs")).unwrap();
    fs::write(place.root().join("tests/it/main.rs"), main.replace("mod shop;\n", "")).unwrap();
    place.ok(&["rename", "api", "--kind", "Shop", "--to", "Store"]);
    place.ok(&["update", "--check"]);
    place.ok(&["update"]);
    assert!(!sample("store").exists() && !sample("shop").exists());
}

/// A renaming does not update a file that an earlier opctl generated. Only `opctl update` does that.
#[test]
fn renaming_does_not_update_a_file_of_an_earlier_opctl() {
    let place = Place::with_project();
    place.ok(&["create", "api", "--kind", "Shop"]);
    let line = "// A line of an earlier opctl about a Shop.";
    earlier(&place, "src/controller/shop.rs", |text| format!("{text}\n{line}\n"));
    place.ok(&["rename", "api", "--kind", "Shop", "--to", "Store"]);
    let renamed = fs::read_to_string(place.root().join("src/controller/store.rs")).unwrap();
    assert!(renamed.ends_with("// A line of an earlier opctl about a Store.\n"), "{renamed}");
    let known = Ledger::parse(&fs::read_to_string(place.root().join(LEDGER_FILE)).unwrap()).unwrap();
    assert!(known.is_pristine("src/controller/store.rs", &renamed), "the user has not edited it");
}

#[test]
fn renaming_again_changes_nothing_and_says_so() {
    let place = Place::with_project();
    place.ok(&["create", "api", "--kind", "Shop"]);
    place.ok(&["create", "api", "--group", "apps", "--kind", "Site"]);
    for (line, said) in [
        ("api --kind Shop --to Stall --plural stands", "the project has the kind `Stall`, and no `Shop`"),
        ("api --kind Stall --to Stall", "the project has the kind `Stall`"),
        ("group --group apps --to web", "the project has the group `web`, and no `apps`"),
        ("project --to market", "the project is named `market`"),
    ] {
        let words: Vec<&str> = ["rename"].into_iter().chain(line.split(' ')).collect();
        place.json(&words);
        let before = place.tree();
        let again = place.json(&words);
        assert_eq!(again["outcome"], "unchanged", "{line}: {again:#}");
        assert!(place.ok(&words).contains(&format!("nothing to do: {said}")), "{line}");
        assert_same(&before, &place.tree(), line);
    }
    // The plural stays the same, and a CRD in a cluster keeps its kind.
    let said = place.ok(&["rename", "api", "--kind", "Stall", "--to", "Stand"]);
    assert!(said.contains("a cluster keeps the old kind of the CRD `stands.example.com`"), "{said}");
}

#[test]
fn files_that_commands_write_only_once_get_the_new_names() {
    let place = Place::new();
    place.ok(&["init", "--domain", "example.com", "--project-name", "web-operator"]);
    place.ok(&["create", "api", "--kind", "Shop"]);
    place.ok(&["create", "api", "--kind", "Service"]);
    let write = |file: &str, text: &str| {
        let path = place.root().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let read = |file: &str| fs::read_to_string(place.root().join(file)).unwrap_or_default();
    write("tests/explore.toml", "# A Shop.\nplans = [\"lost:patch:shops/shop-sample#1@create\"]\n");
    write("config/mine.yml", "kind: Shop\r\nname: shop-sample\r\n");
    write("config/core.yaml", "apiVersion: v1\nkind: Service\n");
    let base = "config/manifests/bases/web-operator.clusterserviceversion.yaml";
    write(base, "kind: ClusterServiceVersion\nmetadata: {name: web-operator.v0.0.0}\nspec: {description: Mine.}\n");
    place.ok(&["rename", "api", "--kind", "Shop", "--to", "Stall"]);
    assert_eq!(read("tests/explore.toml"), "# A Stall.\nplans = [\"lost:patch:stalls/stall-sample#1@create\"]\n");
    assert_eq!(read("config/mine.yml"), "kind: Stall\r\nname: stall-sample\r\n");
    let said = place.ok(&["rename", "api", "--kind", "Service", "--to", "Counter"]);
    assert!(said.contains("`Service` is also the name of other kinds"), "{said}");
    assert_eq!(read("config/core.yaml"), "apiVersion: v1\nkind: Service\n");
    assert!(read("config/samples/v1alpha1_counter.yaml").contains("kind: Counter\n"));
    place.ok(&["rename", "project", "--to", "site-operator"]);
    let moved = read("config/manifests/bases/site-operator.clusterserviceversion.yaml");
    assert!(moved.contains("site-operator.v0.0.0") && moved.contains("description: Mine."), "{moved}");
    assert_eq!(read(base), "");
}

/// A renaming keeps the user's lines in an edited webhook, and changes the name in its code and markers.
#[test]
fn an_edited_webhook_and_its_markers_get_the_new_name() {
    let place = Place::with_project();
    place.ok(&["create", "api", "--group", "data", "--kind", "Database"]);
    place.ok(&["create", "webhook", "--group", "data", "--kind", "Database", "--defaulting", "--validation"]);
    let file = |name: &str| place.root().join(format!("src/webhook/data/{name}.rs"));
    let read = |name: &str| fs::read_to_string(file(name)).unwrap();
    fs::write(file("database"), format!("// Mine.\n{}", read("database"))).unwrap();
    let before = read("database");
    place.ok(&["rename", "api", "--group", "data", "--kind", "Database", "--to", "Postgres"]);
    let renamed = read("postgres");
    for part in ["path=/mutate-data-example-com-v1alpha1-postgres,", "name=vpostgres-v1alpha1.data.example.com,"] {
        assert!(renamed.contains(part), "{part}: {renamed}");
    }
    assert!(renamed.starts_with("// Mine.\n") && !renamed.to_lowercase().contains("database"), "{renamed}");
    place.ok(&["update", "--check"]);
    place.ok(&["rename", "api", "--group", "data", "--kind", "Postgres", "--to", "Database"]);
    assert_eq!(read("database"), before);
}
