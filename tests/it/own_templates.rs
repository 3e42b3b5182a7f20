//! Templates of a team in its project: they replace what opctl generates, add files, and apply in every command.

use crate::merges::Repository;
use crate::support::{Place, assert_same, text, tool};
use std::fs;

const DOCKERFILE: &str =
    "FROM {% if project.owner %}{[ project.owner | lower ]}{% else %}scratch{% endif %}\n# {[ project.name ]}\n";
const ON_CALL: &str = "Who is called for {[ project.name ]}?\n";
const ALERTS: &str = "kind: {[ kind.name ]}\nmodule: {[ kind.module ]}\napi: {[ kind.api_version ]}\n";
const SAMPLE: &str =
    "apiVersion: {[ kind.api_version ]}\nkind: {[ kind.name ]}\nmetadata:\n  name: of-a-team\nspec: {}\n";

fn write(place: &Place, path: &str, content: impl AsRef<[u8]>) {
    let path = place.root().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

fn read(place: &Place, path: &str) -> String {
    fs::read_to_string(place.root().join(path)).unwrap()
}

fn with_kind() -> Place {
    let place = Place::with_project();
    place.ok(&["create", "api", "--kind", "WebServer"]);
    place
}

fn with_templates() -> Place {
    let place = Place::new();
    for (path, content) in [
        ("Dockerfile", DOCKERFILE),
        ("docs/on-call.md", ON_CALL),
        ("config/alerts/{singular}.yaml", ALERTS),
        ("config/samples/{version}_{singular}.yaml", SAMPLE),
    ] {
        write(&place, &format!(".opctl/templates/{path}.tera"), content);
    }
    place
}

/// Checks that `opctl update --check` finds nothing to update.
fn is_up_to_date(place: &Place) {
    let output = place.run(&["update", "--check"]);
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
}

#[test]
fn commands_use_the_templates() {
    let place = with_templates();
    place.ok(&["init", "--domain", "example.com", "--name", "shop-operator"]);
    assert_eq!(read(&place, "Dockerfile"), "FROM scratch\n# shop-operator\n");
    assert_eq!(read(&place, "docs/on-call.md"), "Who is called for shop-operator?\n");
    assert!(!place.root().join("config/alerts").exists());
    is_up_to_date(&place);
    let before = place.content();

    let shown = place.ok(&["create", "api", "--kind", "WebServer", "--dry-run"]);
    assert!(shown.contains("create config/alerts/webserver.yaml"), "{shown}");
    assert_same(&before, &place.content(), "a dry run");
    let made = place.json(&["create", "api", "--kind", "WebServer"]);
    assert!(made["changes"].to_string().contains("config/alerts/webserver.yaml"), "{made:#}");
    let alerts = "kind: WebServer\nmodule: web_server\napi: example.com/v1alpha1\n";
    assert_eq!(read(&place, "config/alerts/webserver.yaml"), alerts);
    assert!(read(&place, "config/samples/v1alpha1_webserver.yaml").contains("name: of-a-team\n"));
    is_up_to_date(&place);
    assert!(place.ok(&["create", "api", "--kind", "WebServer"]).contains("nothing to do"));

    place.ok(&["rename", "api", "--kind", "WebServer", "--to", "Site"]);
    assert!(!place.root().join("config/alerts/webserver.yaml").exists());
    assert_eq!(read(&place, "config/alerts/site.yaml"), "kind: Site\nmodule: site\napi: example.com/v1alpha1\n");
    is_up_to_date(&place);

    place.ok(&["delete", "api", "--kind", "Site"]);
    assert_same(&before, &place.content(), "created and deleted");
}

#[test]
fn update_brings_a_project_to_its_templates() {
    // The base of a merge is in the history.
    let repository = Repository::of(with_kind());
    let place = &repository.place;
    let of_opctl = read(place, "Dockerfile");
    write(place, "docs/on-call.md", "Mine.\n");
    for (path, content) in
        [("Dockerfile", DOCKERFILE), ("docs/on-call.md", ON_CALL), ("docs/{name}.md", "{[ kind.plural ]}\n")]
    {
        write(place, &format!(".opctl/templates/{path}.tera"), content);
    }
    let behind = place.run(&["update", "--check"]);
    assert_eq!(behind.status.code(), Some(3));
    assert!(text(&behind.stderr).contains("`Dockerfile` would change"), "{}", text(&behind.stderr));
    place.ok(&["update"]);
    assert!(read(place, "Dockerfile").starts_with("FROM scratch\n"));
    assert_eq!(read(place, "docs/on-call.md"), "Mine.\n", "a file of a user is kept");
    assert_eq!(read(place, "docs/WebServer.md"), "webservers\n");
    is_up_to_date(place);
    repository.commit("Templates");

    // An edited file is merged with what changes in the template.
    write(place, "Dockerfile", read(place, "Dockerfile") + "# of a user\n");
    write(place, ".opctl/templates/Dockerfile.tera", format!("# of a team\n{DOCKERFILE}"));
    place.ok(&["update"]);
    let merged = read(place, "Dockerfile");
    assert!(merged.starts_with("# of a team\nFROM scratch\n") && merged.ends_with("# of a user\n"), "{merged}");
    is_up_to_date(place);

    // Without its template, a file is opctl's again, and an unmodified one that only the team has goes.
    write(place, "Dockerfile", merged.replace("# of a user\n", ""));
    fs::remove_dir_all(place.root().join(".opctl/templates")).unwrap();
    place.ok(&["update"]);
    assert_eq!(read(place, "Dockerfile"), of_opctl);
    assert!(!place.root().join("docs/WebServer.md").exists());
    assert_eq!(read(place, "docs/on-call.md"), "Mine.\n");
    is_up_to_date(place);
}

/// Checks that a merge of two branches that each add a kind, followed by `opctl resolve`, results in a project with
/// both kinds and with the files that the project's templates generate for them.
#[test]
fn branches_are_merged_with_the_files_of_the_templates() {
    let place = with_templates();
    place.ok(&["init", "--domain", "example.com", "--name", "shop-operator"]);
    let repository = Repository::of(place);
    for (branch, kind) in [("left", "Shop"), ("right", "Shelf")] {
        repository.git(&["checkout", "-q", "-b", branch, "main"]);
        repository.place.ok(&["create", "api", "--kind", kind]);
        repository.commit(branch);
    }
    let merged = tool("git").args(["merge", "left"]).current_dir(repository.place.root()).output().unwrap();
    assert!(!merged.status.success(), "{}", text(&merged.stdout));
    repository.place.ok(&["resolve", "--manifests=false"]);
    for path in ["config/alerts/shop.yaml", "config/alerts/shelf.yaml", "config/samples/v1alpha1_shop.yaml"] {
        assert!(repository.place.root().join(path).is_file(), "{path}");
    }
    is_up_to_date(&repository.place);
}

/// Each file that `init` generates can be used unchanged as its own template.
#[test]
fn files_of_opctl_are_templates_of_themselves() {
    let create = |place: &Place| drop(place.ok(&["create", "api", "--kind", "WebServer"]));
    let init = |place: &Place| drop(place.ok(&["init", "--domain", "example.com", "--name", "web-operator"]));
    let (plain, own) = (Place::new(), Place::new());
    init(&plain);
    let mut count = 0;
    for (path, content) in plain.content() {
        let is_opctls = ["PROJECT", "Cargo.lock", ".gitignore", ".gitattributes", "config/rbac/role.yaml"]
            .contains(&path.as_str())
            || path.ends_with('/')
            || [".opctl/", "runtime/"].iter().any(|folder| path.starts_with(folder));
        if !is_opctls {
            write(&own, &format!(".opctl/templates/{path}.tera"), content);
            count += 1;
        }
    }
    assert!(count > 30, "{count}");
    init(&own);
    create(&plain);
    create(&own);
    let mut found = own.content();
    found.retain(|path, _| !path.starts_with(".opctl/templates/"));
    assert_same(&plain.content(), &found, "templates that are opctl's own files");
    is_up_to_date(&own);
}

#[test]
fn faults_of_templates_are_named_and_nothing_is_written() {
    for (path, content, expected) in [
        ("Dockerfile", "FROM a", "error: `.opctl/templates/Dockerfile` is not a template"),
        ("docs/.tera", "", "`docs/` is not the path of a file"),
        ("PROJECT.tera", "", "error: `.opctl/templates/PROJECT.tera` cannot be used"),
        ("runtime/src/lib.rs.tera", "", "a template cannot generate `runtime/src/lib.rs`"),
        (".opctl/files.yaml.tera", "", "a template cannot generate `.opctl/files.yaml`"),
        ("config/crd/bases/x.yaml.tera", "", "a template cannot generate `config/crd/bases/x.yaml`"),
        ("config/rbac/role.yaml.tera", "", "a template cannot generate `config/rbac/role.yaml`"),
        (
            "docs/{kind}.md.tera",
            "",
            "`{kind}` is not a placeholder for the path of a template; the placeholders are `{group}`, `{module}`",
        ),
        (
            "docs/a.md.tera",
            "a\n{[ kind.name ]}",
            "`{[ kind.name ]}` on line 2: `kind.name` is not a value of this template; the values are `project.domain`",
        ),
        (
            "docs/a.md.tera",
            "{% for x in y %}{% endfor %}",
            "`{% for x in y %}` on line 1: templates in `.opctl/templates` support only `if`",
        ),
        (
            "docs/WebServer.md.tera",
            "",
            "the template `.opctl/templates/docs/WebServer.md.tera` also generates `docs/WebServer.md`",
        ),
        ("docs/a.md.tera", "\u{1f600} {[ é ]}", "`é` is not allowed in the tag"),
    ] {
        let place = with_kind();
        write(&place, ".opctl/templates/docs/{name}.md.tera", "{[ kind.name ]}\n");
        write(&place, &format!(".opctl/templates/{path}"), content);
        let before = place.content();
        for command in [&["update"][..], &["create", "api", "--kind", "Shop"]] {
            let output = place.run(command);
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{path}: {said}");
            assert!(said.contains(expected) && said.contains("hint: "), "{path}: {said}");
        }
        assert_same(&before, &place.content(), path);
    }
    // The name of a kind makes it a path of the runtime.
    let place = Place::with_project();
    write(&place, ".opctl/templates/{singular}/src/own.rs.tera", "");
    place.ok(&["update"]);
    let said = text(&place.run(&["create", "api", "--kind", "Runtime"]).stderr);
    assert!(said.contains("a template cannot generate `runtime/src/own.rs`"), "{said}");
    let place = Place::with_project();
    write(&place, ".opctl/templates/docs/a.md.tera", b"\xff\xfe");
    let said = text(&place.run(&["update"]).stderr);
    assert!(said.contains("docs/a.md.tera"), "{said}");
}

/// A template folder that is a symlink is refused, so that no templates come from outside of the project.
#[test]
#[cfg(unix)]
fn a_folder_of_templates_is_no_symlink() {
    let (place, other) = (Place::with_project(), crate::support::temporary());
    fs::write(other.path().join("Dockerfile.tera"), "FROM a").unwrap();
    std::os::unix::fs::symlink(other.path(), place.root().join(".opctl/templates")).unwrap();
    let before = read(&place, "Dockerfile");
    let said = text(&place.run(&["update"]).stderr);
    assert!(said.contains("error: `.opctl/templates` is a symlink"), "{said}");
    assert_eq!(read(&place, "Dockerfile"), before);
    let many = Place::with_project();
    for number in 0..501 {
        write(&many, &format!(".opctl/templates/docs/{number}.md.tera"), "");
    }
    let said = text(&many.run(&["update"]).stderr);
    assert!(said.contains("error: `.opctl/templates` has 501 files"), "{said}");
}
