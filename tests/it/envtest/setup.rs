//! Setup of servers from an archive.

use super::*;

/// A web server on this machine that lists and serves one archive of small files.
struct Published {
    index: String,
    downloads: Arc<AtomicUsize>,
}

/// Publishes version 1.30.7. `hash` may change the checksum in the index, and a slow server sends half of the archive,
/// then pauses.
fn publish(hash: impl Fn(String) -> String, slow: bool) -> Published {
    let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for name in ["etcd", "kube-apiserver", "kubectl"] {
        let mut header = tar::Header::new_gnu();
        header.set_size(name.len() as u64);
        header.set_mode(0o755);
        builder.append_data(&mut header, format!("controller-tools/envtest/{name}"), name.as_bytes()).unwrap();
    }
    let archive = builder.into_inner().unwrap().finish().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let sum = Sha512::digest(&archive).iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
    let name = format!("envtest-v1.30.7-{}.tar.gz", platform());
    let index =
        format!("releases:\n  v1.30.7:\n    {name}:\n      hash: {}\n      selfLink: {base}/{name}\n", hash(sum));
    let downloads = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&downloads);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let request = lines.next().unwrap().unwrap();
            while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
            let wanted_archive = request.contains(".tar.gz");
            let body = if wanted_archive { &archive[..] } else { index.as_bytes() };
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            let half = body.len() / 2;
            // Write errors are ignored, because one test kills the client.
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body[..half]));
            if wanted_archive {
                counter.fetch_add(1, Ordering::SeqCst);
                thread::sleep(Duration::from_millis(if slow { 700 } else { 0 }));
            }
            let _ = stream.write_all(&body[half..]);
        }
    });
    Published { index: format!("{base}/index.yaml"), downloads }
}

#[test]
fn a_download_is_checked_and_kept() {
    let home = Home::new();
    let published = publish(|hash| hash, false);
    let setup = |more: &[&str]| {
        let arguments = [&["setup", "1.30", "--index", &published.index], more].concat();
        home.with_own_store(&arguments).output().unwrap()
    };
    let planned = setup(&["--dry-run"]);
    assert!(planned.status.success() && stderr(&planned).contains("would download"), "{}", stderr(&planned));
    assert_eq!(published.downloads.load(Ordering::SeqCst), 0);

    let done = setup(&[]);
    assert!(done.status.success(), "{}", stderr(&done));
    assert!(stderr(&done).contains("hold no kube-controller-manager"), "{}", stderr(&done));
    let entry = home.0.path().join(format!("data/kubebuilder-envtest/k8s/1.30.7-{}", platform()));
    assert_eq!(fs::read_to_string(entry.join("kube-apiserver")).unwrap(), "kube-apiserver");
    assert_eq!(fs::read_dir(home.0.path().join("data/kubebuilder-envtest/k8s")).unwrap().count(), 1);

    let again = setup(&[]);
    assert!(again.status.success() && stderr(&again).contains("is there already"), "{}", stderr(&again));
    assert_eq!(published.downloads.load(Ordering::SeqCst), 1, "what is there is not fetched again");
    let list = home.with_own_store(&["list"]).output().unwrap();
    assert!(stdout(&list).contains("1.30.7") && stdout(&list).contains("without kube-controller-manager"));
}

#[test]
fn a_download_with_a_wrong_checksum_is_refused() {
    let home = Home::new();
    let published = publish(|hash| hash.replace(['0', '1'], "2"), false);
    let output = home.with_own_store(&["setup", "1.30.7", "--index", &published.index]).output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    let told = stderr(&output);
    assert!(told.contains("error: the checksum of `envtest-v1.30.7-") && told.contains("hint: "), "{told}");
    assert_eq!(fs::read_dir(home.0.path().join("data/kubebuilder-envtest/k8s")).unwrap().count(), 0);
}

#[test]
fn a_version_that_is_not_published_is_told_with_those_that_are() {
    let home = Home::new();
    let published = publish(|hash| hash, false);
    let output = home.with_own_store(&["setup", "1.31", "--index", &published.index]).output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    let told = stderr(&output);
    assert!(told.contains("no archive of Kubernetes `1.31` is published"), "{told}");
    assert!(told.contains("caused by: the newest are `1.30.7`"), "{told}");
    let nowhere = home.with_own_store(&["setup", "--index", "http://127.0.0.1:1/index.yaml"]).output().unwrap();
    assert_eq!(nowhere.status.code(), Some(4));
    assert!(
        stderr(&nowhere).contains("error: `http://127.0.0.1:1/index.yaml` cannot be fetched"),
        "{}",
        stderr(&nowhere)
    );
}

#[test]
fn without_network_and_without_go_one_error_tells_the_mend() {
    let home = Home::new();
    let mut command = home.with_own_store(&["setup", "--from-source"]);
    let output = command.env("PATH", "/nowhere").output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    assert!(stderr(&output).contains("hint: install Go 1."), "{}", stderr(&output));
    // A proxy that nobody listens at stands for a machine without network.
    let mut command = home.with_own_store(&["setup"]);
    let output = command.env("PATH", "/nowhere").env("HTTPS_PROXY", "http://127.0.0.1:1").output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    assert_eq!(stderr(&output).matches("error: ").count(), 1, "{}", stderr(&output));
    assert!(stderr(&output).contains("hint: connect to the network, or install Go"), "{}", stderr(&output));
}

#[test]
fn two_setups_at_once_download_once_and_a_killed_one_leaves_no_entry() {
    let home = Home::new();
    let published = publish(|hash| hash, true);
    let setup = || {
        let mut command = home.with_own_store(&["setup", "1.30.7", "--index", &published.index]);
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let mut killed = setup();
    while published.downloads.load(Ordering::SeqCst) == 0 {
        assert_eq!(killed.try_wait().unwrap(), None, "it ended before it downloaded");
        thread::sleep(Duration::from_millis(5));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(fs::read_dir(home.0.path().join("data/kubebuilder-envtest/k8s")).unwrap().count(), 0);

    let setups = [setup(), setup()];
    let outputs = setups.map(|setup| setup.wait_with_output().unwrap());
    let told: String = outputs.iter().map(stderr).collect();
    assert!(outputs.iter().all(|output| output.status.success()), "{told}");
    assert!(told.contains("is installed") && told.contains("is there already"), "{told}");
    assert_eq!(published.downloads.load(Ordering::SeqCst), 2, "{told}");
    let left = fs::read_dir(home.0.path().join("data/kubebuilder-envtest")).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).filter(|name| name != "k8s").collect();
    assert_eq!(left, ["opctl.lock"]);
}
