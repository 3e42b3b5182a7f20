//! The generated Dockerfile and `opctl build`. Without a container engine, the tests execute the lines of the
//! Dockerfile one by one.

use crate::support::{Machine, lay, must, project, target_folder, text, tool};
use std::fs;
use std::path::{Path, PathBuf};

const NAME: &str = "webserver-operator";

/// Returns the instructions and arguments of the Dockerfile's first stage, with continued lines joined.
fn instructions(root: &Path) -> Vec<(String, String)> {
    let dockerfile = fs::read_to_string(root.join("Dockerfile")).unwrap().replace("\\\n", " ");
    let lines = dockerfile.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let lines: Vec<(String, String)> = lines
        .map(|line| line.split_once(' ').unwrap())
        .map(|(word, rest)| (word.to_owned(), rest.to_owned()))
        .collect();
    let stages = lines.iter().filter(|(word, _)| word == "FROM").count();
    assert_eq!(stages, 2, "one to build, one to run");
    let second = lines.iter().rposition(|(word, _)| word == "FROM").unwrap();
    let run = lines[second].1.split_once("@sha256:").expect("a digest").0;
    assert!(run.contains("distroless") && run.ends_with(":nonroot"), "{run}");
    for (_, image) in lines.iter().filter(|(word, _)| word == "FROM") {
        let digest = image.split_once("@sha256:").expect("a digest").1.split(' ').next().unwrap();
        assert!(digest.len() == 64 && digest.chars().all(|digit| digit.is_ascii_hexdigit()), "{image}");
    }
    assert!(lines[second..].contains(&("USER".to_owned(), "65532:65532".to_owned())), "a number, and not root's");
    lines[..second].to_vec()
}

/// Copies the build context from `root` to `to`: the files that `.dockerignore` does not exclude. `.dockerignore`
/// excludes everything, and lists exceptions.
fn context(root: &Path, to: &Path) {
    let ignored = fs::read_to_string(root.join(".dockerignore")).unwrap();
    let mut lines = ignored.lines().filter(|line| !line.starts_with('#'));
    assert_eq!(lines.next(), Some("*"));
    fs::create_dir_all(to).unwrap();
    for name in lines.map(|line| line.strip_prefix('!').unwrap()) {
        let path = root.join(name);
        if path.is_dir() {
            lay(&path, &to.join(name));
        } else {
            fs::copy(&path, to.join(name)).unwrap();
        }
    }
}

/// The folders that replace the image's root file system and the build context.
struct Image {
    root: PathBuf,
    context: PathBuf,
}

impl Image {
    fn work(&self) -> PathBuf {
        self.root.join("src")
    }

    /// Executes the instructions. Returns the stderr of each RUN.
    fn execute(&self, instructions: &[(String, String)]) -> Vec<String> {
        let mut said = Vec::new();
        for (word, arguments) in instructions {
            match word.as_str() {
                "FROM" | "ARG" => {}
                "WORKDIR" => {
                    assert_eq!(arguments, "/src");
                    fs::create_dir_all(self.work()).unwrap();
                }
                "COPY" => {
                    let mut paths: Vec<&str> = arguments.split_whitespace().collect();
                    let target = self.work().join(paths.pop().unwrap());
                    for path in paths {
                        let from = self.context.join(path);
                        if from.is_dir() {
                            lay(&from, &target);
                        } else {
                            fs::create_dir_all(&target).unwrap();
                            fs::copy(&from, target.join(from.file_name().unwrap())).unwrap();
                        }
                    }
                }
                "RUN" => said.push(self.run(arguments)),
                other => panic!("`{other}` is not known here"),
            }
        }
        said
    }

    fn run(&self, script: &str) -> String {
        let script = script.replace(" /manager", &format!(" '{}/manager'", self.root.display()));
        let mut shell = tool("sh");
        shell.args(["-ec", &script]).current_dir(self.work());
        // A builder sets this for an image of its own platform.
        shell.env("TARGETARCH", if cfg!(target_arch = "x86_64") { "amd64" } else { "arm64" });
        // The optimization level changes none of the results that are tested here.
        shell.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0").env("CARGO_PROFILE_RELEASE_LTO", "off");
        text(&must(&mut shell).stderr)
    }
}

/// Returns the packages that cargo compiled according to its output.
fn compiled(said: &str) -> Vec<&str> {
    let lines = said.lines().filter_map(|line| line.trim().strip_prefix("Compiling "));
    let mut names: Vec<&str> = lines.filter_map(|line| line.split_whitespace().next()).collect();
    names.sort_unstable();
    names
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn a_code_change_compiles_no_dependency() {
    let golden = project(NAME);
    // The same folder in each run, where cargo finds what it compiled before, as in a cached layer.
    let image =
        Image { root: target_folder().with_file_name("image"), context: target_folder().with_file_name("context") };
    for path in [image.work().join("src"), image.work().join("api"), image.context.clone()] {
        let _ = fs::remove_dir_all(path);
    }
    context(&golden, &image.context);
    let all = instructions(&golden);
    let own = ["webserver-operator", "webserver-operator-api"];

    let said = image.execute(&all);
    assert_eq!(said.len(), 3, "the target, dependencies, then the operator");
    assert_eq!(compiled(&said[2]), own, "the last layer finds its dependencies:\n{}", said[2]);
    let first = fs::read(image.root.join("manager")).unwrap();

    // As a builder does: all layers before the first COPY with changed files are kept.
    let source = image.context.join("src/controller/web_server.rs");
    let code = fs::read_to_string(&source).unwrap();
    fs::write(&source, code.replace("//! ", "//! Changed: ") + "\n// Changed.\n").unwrap();
    let from = all.iter().position(|(word, arguments)| word == "COPY" && arguments.starts_with("src")).unwrap();
    let said = image.execute(&all[from..]);
    assert!(compiled(&said[0]).iter().all(|name| own.contains(name)), "{}", said[0]);
    assert!(compiled(&said[0]).contains(&NAME), "{}", said[0]);

    // The same sources give the same program.
    context(&golden, &image.context);
    image.execute(&all[from..]);
    assert!(fs::read(image.root.join("manager")).unwrap() == first, "the image is reproducible");
}

/// Returns the exit code, the stderr and the stdout of `opctl build`. The fake container tool prints to stdout.
fn build(machine: &Machine, arguments: &[&str]) -> (i32, String, String) {
    let output = machine.command(&[&["build"], arguments].concat()).output().unwrap();
    (output.status.code().unwrap(), text(&output.stderr), text(&output.stdout))
}

#[test]
fn no_engine_is_one_clear_error() {
    let machine = Machine::new(&[]);
    let image = ["--image", "r.example.com/web:1"];
    let (code, said, _) = build(&machine, &image);
    assert_eq!(code, 4, "{said}");
    assert!(said.contains("`podman` is not installed") && said.contains("--local --archive image.tar"), "{said}");

    machine.program("docker", "echo 'Cannot connect to the Docker daemon' >&2; exit 1");
    let (code, said, _) = build(&machine, &image);
    assert_eq!(code, 4, "{said}");
    assert!(said.contains("`docker` does not work: Cannot connect to the Docker daemon"), "{said}");
    assert!(said.contains("docker info"), "{said}");

    machine.program("docker", "[ \"$1\" = info ]");
    let (code, said, _) = build(&machine, &image);
    assert_eq!(code, 4, "{said}");
    assert!(said.contains("`docker` lacks its plugin buildx") && said.contains("hint: install buildx"), "{said}");
    machine.program("docker", "exit 1");

    // Another installed engine is used. It is a script here, which prints its arguments.
    machine.program("podman", "[ \"$1\" = info ] || echo \"podman $*\"");
    let (code, said, asked) = build(&machine, &[&image[..], &["--push"]].concat());
    assert_eq!(code, 0, "{said}");
    assert_eq!(asked, "podman build --tag r.example.com/web:1 .\npodman push r.example.com/web:1\n");
    assert!(said.contains("opctl deploy --image r.example.com/web:1"), "{said}");
    machine.program("podman", "[ \"$1\" = info ] || exit 3");
    let (code, said, _) = build(&machine, &image);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("`podman build --tag r.example.com/web:1 .` failed"), "{said}");
    let (code, said, _) = build(&machine, &["--image", "web", "--platform", "linux/amd64,linux/arm64"]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("several platforms must be pushed to a registry"), "{said}");
    let (code, said, asked) = build(&machine, &["--image", "web", "--dry-run", "--tool", "nerdctl"]);
    assert_eq!((code, asked.as_str()), (0, "nerdctl build --tag web .\n"), "{said}");
}

/// A build for several platforms needs a builder, or an engine whose images are in containerd's store.
#[test]
fn several_platforms_need_a_builder() {
    let machine = Machine::new(&[]);
    let asked = ["--image", "r.example.com/web:1", "--platform", "linux/amd64,linux/arm64", "--push"];
    let engine = |driver: &str, store: &str| {
        machine.program(
            "docker",
            &format!(
                "case \"$*\" in info) echo '{store}' ;; 'buildx version') ;; 'buildx inspect') echo 'Driver: {driver}' ;;\
                 *) echo \"docker $*\" ;; esac"
            ),
        );
        build(&machine, &asked)
    };
    let (code, said, _) = engine("docker", "Storage Driver: overlay2");
    assert_eq!(code, 4, "{said}");
    assert!(said.contains("image store to build for several platforms, and has neither\n"), "{said}");
    assert!(said.contains("hint: docker buildx create --use\n"), "{said}");
    let expected = "docker buildx build --platform linux/amd64,linux/arm64 --tag r.example.com/web:1 --push .\n";
    for (driver, store) in
        [("docker", "driver-type: io.containerd.snapshotter.v1"), ("docker-container", "Storage Driver: overlay2")]
    {
        let (code, said, ran) = engine(driver, store);
        assert_eq!((code, ran.as_str()), (0, expected), "{said}");
    }
}
