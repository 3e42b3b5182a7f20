//! Mirrors and download folders that contain wrong or incomplete files.

use crate::support::{Mirror, Place, Trouble, Web, certificate, fails, must, published, text};
use opctl::test_api::envtest::platform;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const VERSION: &str = "1.30.7";
const MANAGER: &str = "kube-controller-manager";

/// Returns an `opctl envtest setup` command for a machine without Go, where missing programs cannot be built.
fn setup(place: &Place, more: &[&str]) -> Command {
    let mut command = place.command(&[&["envtest", "setup", VERSION], more].concat());
    command.env("PATH", "/nowhere");
    command
}

fn home(place: &Place) -> PathBuf {
    place.root().parent().unwrap().join("home")
}

fn store(place: &Place) -> PathBuf {
    home(place).join("data/kubebuilder-envtest")
}

fn entry(place: &Place) -> PathBuf {
    store(place).join(format!("k8s/{VERSION}-{}", platform()))
}

/// Checks that the store contains the programs from the archive, and neither other programs nor parts of downloads.
#[track_caller]
fn only_the_archive_is_kept(place: &Place, case: &str) {
    let mut names: Vec<_> = fs::read_dir(entry(place)).unwrap().map(|file| file.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["etcd", "kube-apiserver", "kubectl"], "{case}");
    let names = fs::read_dir(store(place)).unwrap().map(|file| file.unwrap().file_name());
    let names: Vec<_> = names.filter(|name| !["k8s", "opctl.lock"].contains(&name.to_str().unwrap())).collect();
    assert!(names.iter().all(|name| name == "opctl-partial"), "{case}: {names:?}");
    let kept = fs::read_dir(store(place).join("opctl-partial")).into_iter().flatten();
    let kept: u64 = kept.map(|file| file.unwrap().metadata().unwrap().len()).sum();
    assert_eq!(kept, 0, "{case}");
}

#[test]
fn a_program_that_is_not_what_was_published_is_not_kept() {
    let program = Mirror::program(VERSION, MANAGER);
    let checksum = format!("{program}.sha256");
    let page = b"<!DOCTYPE html>\n<html>Sign in</html>".to_vec();
    for (path, trouble, said) in [
        (&program, Trouble::Is(b"another program".to_vec()), "the checksum of `kube-controller-manager-v1.30.7-"),
        (&program, Trouble::Endless, "is larger than 400 MB"),
        (&program, Trouble::Missing, "cannot be fetched\ncaused by: http status: 404"),
        (&checksum, Trouble::Is(page), "does not contain a SHA-256 checksum\ncaused by: it begins with `<!DOCTYPE`"),
        (&checksum, Trouble::Is(Vec::new()), "does not contain a SHA-256 checksum\ncaused by: it is empty"),
        (&checksum, Trouble::Is(vec![b'a'; 2000]), "is larger than 1 kB"),
        (
            &checksum,
            Trouble::Is(vec![b'a'; 900]),
            "does not contain a SHA-256 checksum\ncaused by: it begins with `aaaaaaaa",
        ),
        (&checksum, Trouble::Endless, "is larger than 1 kB"),
        (&checksum, Trouble::Is(b"../../../../etc/passwd".to_vec()), "does not contain a SHA-256 checksum"),
        (&checksum, Trouble::Missing, "cannot be fetched\ncaused by: http status: 404"),
    ] {
        let (place, mirror) = (Place::new(), Mirror::serve(&[VERSION]));
        mirror.trouble(path, trouble.clone());
        let output = setup(&place, &["--mirror", &mirror.url()]).output().unwrap();
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{trouble:?}: {told}");
        assert!(told.contains(said) && told.contains("\nhint: "), "{trouble:?}: {told}");
        only_the_archive_is_kept(&place, said);
        mirror.mend();
        let output = setup(&place, &["--mirror", &mirror.url()]).output().unwrap();
        assert!(output.status.success(), "{trouble:?}: {}", text(&output.stderr));
        assert!(entry(&place).join(MANAGER).is_file());
    }
}

/// Checks that opctl resumes an interrupted download at the byte at which the download broke off. One run makes up to
/// four attempts, provided that each attempt receives enough bytes. After that, the next run resumes the download.
#[test]
fn a_body_that_breaks_off_is_gone_on_with() {
    let (place, mirror) = (Place::new(), Mirror::serve(&[VERSION]));
    let program = Mirror::program(VERSION, MANAGER);
    mirror.trouble(&program, Trouble::Cut(150_000));
    let output = setup(&place, &["--mirror", &mirror.url()]).output().unwrap();
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{told}");
    assert!(told.contains(&format!("error: the download of `{}/{program}` was interrupted\n", mirror.url())), "{told}");
    assert_eq!(mirror.asked(&program), [0, 150_000, 300_000, 450_000]);
    mirror.mend();
    must(&mut setup(&place, &["--mirror", &mirror.url()]));
    assert_eq!(mirror.asked(&program)[4..], [600_000]);
}

#[test]
fn a_part_that_does_not_fit_is_not_used() {
    let program = Mirror::program(VERSION, MANAGER);
    for (trouble, asked) in [
        (Trouble::Whole, &[0, 50_000][..]),
        // The part is refused, and the whole is asked for.
        (Trouble::OtherPart, &[0, 50_000, 0]),
    ] {
        let (place, mirror) = (Place::new(), Mirror::serve(&[VERSION]));
        mirror.trouble(&program, Trouble::Cut(50_000));
        fails(&mut setup(&place, &["--mirror", &mirror.url()]), 4, "was interrupted");
        mirror.trouble(&program, trouble);
        must(&mut setup(&place, &["--mirror", &mirror.url()]));
        assert_eq!(mirror.asked(&program), asked);
        assert!(entry(&place).join(MANAGER).is_file());
    }
}

#[test]
fn a_file_that_was_kept_and_is_wrong_is_downloaded_again() {
    let program = Mirror::program(VERSION, MANAGER);
    // Shorter than the program, and longer.
    for (length, asked) in [(1000, &[0, 50_000, 1000, 0][..]), (900_000, &[0, 50_000, 900_000, 0])] {
        let (place, mirror) = (Place::new(), Mirror::serve(&[VERSION]));
        mirror.trouble(&program, Trouble::Cut(50_000));
        fails(&mut setup(&place, &["--mirror", &mirror.url()]), 4, "was interrupted");
        let file = fs::read_dir(store(&place).join("opctl-partial")).unwrap().next().unwrap().unwrap().path();
        mirror.trouble(&program, Trouble::Missing);
        fails(&mut setup(&place, &["--mirror", &mirror.url()]), 4, "cannot be fetched");
        assert_eq!(fs::metadata(&file).unwrap().len(), 50_000, "it is kept");
        fs::write(&file, vec![b'x'; length]).unwrap();
        mirror.mend();
        must(&mut setup(&place, &["--mirror", &mirror.url()]));
        assert_eq!(mirror.asked(&program), asked);
    }
}

/// The setup gives up on a server that sends nothing for 30 seconds. The test waits that long.
#[test]
fn a_server_that_stops_sending_is_given_up() {
    let (place, mirror, begun) = (Place::new(), Mirror::serve(&[VERSION]), Instant::now());
    mirror.trouble(&Mirror::program(VERSION, MANAGER), Trouble::Stalls(20_000));
    fails(&mut setup(&place, &["--mirror", &mirror.url()]), 4, "was interrupted");
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}

#[test]
fn no_program_comes_by_http_from_a_mirror_by_https() {
    let plain = Mirror::serve(&[VERSION]);
    let program = Mirror::program(VERSION, MANAGER);
    let (authority, serving) = certificate();
    let (files, to, moved) = (published(&[VERSION], &platform()), plain.url(), format!("/{program}"));
    let secure = Web::serve(Some(serving), move |path, _, stream| match files.get(path.trim_start_matches('/')) {
        Some(file) if path != moved => Web::body(stream, file),
        _ => Web::redirect(stream, &format!("{to}{path}")),
    });
    let place = Place::new();
    let pem = home(&place).join("authority.pem");
    fs::write(&pem, authority).unwrap();
    for more in [&[][..], &["--allow-http"]] {
        let mut command = setup(&place, &[&["--mirror", &secure.url("")], more].concat());
        fails(command.env("SSL_CERT_FILE", &pem), 4, &format!("redirects to `{}/{program}`", plain.url()));
    }
    assert_eq!(plain.requests(), 0, "nothing is asked by http");
    only_the_archive_is_kept(&place, "http");
}

#[test]
fn a_mirror_by_http_is_for_those_who_ask_and_its_password_is_not_shown() {
    let (place, mirror) = (Place::new(), Mirror::serve(&[VERSION]));
    let elsewhere = mirror.url().replace("127.0.0.1", "0.0.0.0");
    fails(&mut setup(&place, &["--mirror", &elsewhere]), 4, "/envtest-releases.yaml` is not an https URL");
    fails(setup(&place, &[]).env("OPCTL_ENVTEST_MIRROR", &elsewhere), 4, "is not an https URL");
    assert_eq!(mirror.requests(), 0, "nothing is asked");
    let secret = mirror.url().replace("http://", "http://ada:secret@");
    mirror.trouble("envtest-releases.yaml", Trouble::Missing);
    let output = setup(&place, &["--mirror", &secret]).output().unwrap();
    let told = text(&output.stderr);
    assert!(told.contains("`http://…@127.0.0.1:") && !told.contains("secret"), "{told}");
    mirror.mend();
    let mut command = setup(&place, &["--allow-http"]);
    must(command.env("OPCTL_ENVTEST_MIRROR", &elsewhere));
}

/// A download that is continued through a redirect requests only the missing part of the file.
#[test]
fn the_rest_of_a_file_can_be_elsewhere() {
    let (place, first, second) = (Place::new(), Mirror::serve(&[VERSION]), Mirror::serve(&[VERSION]));
    let program = Mirror::program(VERSION, MANAGER);
    first.trouble(&program, Trouble::At(format!("{}/{program}", second.url())));
    second.trouble(&program, Trouble::Cut(50_000));
    fails(&mut setup(&place, &["--mirror", &first.url()]), 4, "was interrupted");
    second.mend();
    must(&mut setup(&place, &["--mirror", &first.url()]));
    assert_eq!(second.asked(&program), [0, 50_000]);
}

/// A function that changes the file at a path.
type Change<'a> = &'a dyn Fn(&Path);

/// Writes the files of a mirror into a folder.
fn folder(place: &Place) -> PathBuf {
    let folder = place.root().join("programs");
    for (path, content) in published(&[VERSION], &platform()) {
        fs::create_dir_all(folder.join(&path).parent().unwrap()).unwrap();
        fs::write(folder.join(path), content).unwrap();
    }
    folder
}

#[test]
fn a_folder_gives_regular_files_of_the_right_size_only() {
    let program = Mirror::program(VERSION, MANAGER);
    let (checksum, archive, index) = (format!("{program}.sha256"), Mirror::archive(VERSION), "envtest-releases.yaml");
    let pipe = |path: &Path| {
        fs::remove_file(path).unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, 0o644.into(), 0).unwrap();
    };
    let link = |path: &Path| {
        fs::remove_file(path).unwrap();
        symlink("/dev/zero", path).unwrap();
    };
    // It takes no room on the disk.
    let huge = |path: &Path| fs::File::create(path).unwrap().set_len(1 << 40).unwrap();
    let gone = |path: &Path| fs::remove_file(path).unwrap();
    let other = |path: &Path| fs::write(path, "other").unwrap();
    for (path, change, said) in [
        (program.as_str(), &pipe as Change, "caused by: it is not a regular file"),
        (&program, &link, "caused by: the path is a symbolic link, but opctl reads only regular files"),
        (&program, &huge, "is larger than 400 MB"),
        (&program, &gone, "caused by: No such file or directory"),
        (&program, &other, "the checksum of `kube-controller-manager-"),
        (&checksum, &pipe, "caused by: it is not a regular file"),
        (&checksum, &link, "caused by: the path is a symbolic link, but opctl reads only regular files"),
        (&checksum, &huge, "is larger than 1 kB"),
        (&checksum, &other, "does not contain a SHA-256 checksum"),
        (&archive, &pipe, "caused by: it is not a regular file"),
        (&archive, &link, "caused by: the path is a symbolic link, but opctl reads only regular files"),
        (&archive, &huge, "is larger than 400 MB"),
        (&archive, &gone, "no archive of Kubernetes `1.30.7` is published"),
        (&archive, &other, "the checksum of `envtest-v1.30.7-"),
        (index, &pipe, "caused by: it is not a regular file"),
        (index, &link, "caused by: the path is a symbolic link, but opctl reads only regular files"),
        (index, &huge, "is larger than 8 MB"),
        (index, &other, "is not an index of envtest archives"),
    ] {
        let place = Place::new();
        let folder = folder(&place);
        change(&folder.join(path));
        let output = setup(&place, &["--from", "programs"]).output().unwrap();
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{path}: {told}");
        assert!(told.contains(said) && told.contains("\nhint: "), "{path}: {told}");
        assert!(!entry(&place).join(MANAGER).exists());
    }
    let place = Place::new();
    folder(&place);
    must(&mut setup(&place, &["--from", "programs"]));
    assert!(entry(&place).join(MANAGER).is_file());
}
