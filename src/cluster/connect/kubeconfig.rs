//! Reads the kubeconfig with a size limit, and on a separate thread, because reading a pipe, as in
//! `KUBECONFIG=<(command)`, may never end.

use crate::cluster::Target;
use crate::reading::{self, Limit};
use kube::config::{ExecConfig, Kubeconfig, KubeconfigError};
use std::collections::BTreeMap;
use std::io::{self, Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tokio::sync::oneshot;

/// The kubeconfigs read from pipes, by path: a command connects more than once, but a pipe can be read only once.
static SAID: Mutex<BTreeMap<PathBuf, Vec<u8>>> = Mutex::new(BTreeMap::new());

/// Reads the kubeconfig on another thread, so that a pipe without data does not block the runtime.
pub async fn read(target: &Target) -> Result<Kubeconfig, KubeconfigError> {
    let (sender, receiver) = oneshot::channel();
    let paths = paths(target);
    std::thread::spawn(move || drop(sender.send(paths.and_then(|paths| merge_files(&paths, &read_file_or_pipe)))));
    // A thread that panics has said why.
    let lost = |_| Err(KubeconfigError::ReadConfig(ErrorKind::Interrupted.into(), PathBuf::new()));
    receiver.await.unwrap_or_else(lost)
}

/// Reads the kubeconfig without waiting; fails if the kubeconfig is a pipe that has not been read before.
pub fn at_once(target: &Target) -> Result<Kubeconfig, KubeconfigError> {
    let known = |path: &Path| SAID.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
    merge_files(&paths(target)?, &|path| known(path).map_or_else(|| reading::bytes(path, Limit::Source), Ok))
}

/// Returns all files of the kubeconfig merged into one, with the context of `target` as the current context.
///
/// # Errors
/// Fails if the kubeconfig cannot be read.
pub fn merged_kubeconfig(target: &Target) -> Result<Kubeconfig, crate::Error> {
    let mut kubeconfig = at_once(target).map_err(|error| {
        crate::Error::environment("cannot read the kubeconfig").source(&error).hint(target.kubectl("config view"))
    })?;
    kubeconfig.current_context = target.context.clone().or(kubeconfig.current_context);
    Ok(kubeconfig)
}

/// Returns the paths of the kubeconfig. As in kubectl, some of the files in `KUBECONFIG` may be missing, but not all.
fn paths(target: &Target) -> Result<Vec<PathBuf>, KubeconfigError> {
    if let Some(path) = &target.kubeconfig {
        return Ok(vec![path.clone()]);
    }
    let value = std::env::var_os("KUBECONFIG").unwrap_or_default();
    let paths: Vec<PathBuf> = std::env::split_paths(&value).filter(|path| !path.as_os_str().is_empty()).collect();
    if paths.is_empty() {
        let home = std::env::home_dir().ok_or(KubeconfigError::FindPath)?;
        return Ok(vec![home.join(".kube").join("config")]);
    }
    let there: Vec<PathBuf> = paths.iter().filter(|path| path.exists()).cloned().collect();
    Ok(if there.is_empty() { paths } else { there })
}

type Read<'a> = &'a dyn Fn(&Path) -> io::Result<Vec<u8>>;

fn merge_files(paths: &[PathBuf], read: Read) -> Result<Kubeconfig, KubeconfigError> {
    paths.iter().try_fold(Kubeconfig::default(), |merged, path| merged.merge(read_one_file(path, read)?))
}

fn read_one_file(path: &Path, read: Read) -> Result<Kubeconfig, KubeconfigError> {
    let text = read(path).and_then(decode_text).map_err(|error| KubeconfigError::ReadConfig(error, path.to_owned()))?;
    let mut kubeconfig = Kubeconfig::from_yaml(&text)?;
    if let Some(folder) = path.parent() {
        resolve(&mut kubeconfig, folder);
    }
    Ok(kubeconfig)
}

/// Reads a file or a pipe, and keeps the content of a pipe for later calls.
fn read_file_or_pipe(path: &Path) -> io::Result<Vec<u8>> {
    if path.metadata()?.is_file() {
        return reading::bytes(path, Limit::Source);
    }
    if let Some(said) = SAID.lock().unwrap_or_else(PoisonError::into_inner).get(path) {
        return Ok(said.clone());
    }
    let said = reading::read_user_file_bytes(path, Limit::Source)?;
    SAID.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), said.clone());
    Ok(said)
}

/// Decodes the text of a file, which is in UTF-8, or in UTF-16 if `PowerShell` has written the file.
fn decode_text(bytes: Vec<u8>) -> io::Result<String> {
    let invalid = |name: &str| Error::new(ErrorKind::InvalidData, format!("it is not {name}"));
    let wide = |unit: fn([u8; 2]) -> u16| {
        let units = bytes[2..].as_chunks().0.iter().map(|pair| unit(*pair));
        char::decode_utf16(units).collect::<Result<String, _>>().map_err(|_| invalid("UTF-16"))
    };
    match bytes[..] {
        [0xFF, 0xFE, ..] => wide(u16::from_le_bytes),
        [0xFE, 0xFF, ..] => wide(u16::from_be_bytes),
        [0xEF, 0xBB, 0xBF, ref rest @ ..] => String::from_utf8(rest.to_vec()).map_err(|_| invalid("UTF-8")),
        _ => String::from_utf8(bytes).map_err(|_| invalid("UTF-8")),
    }
}

/// Makes the relative paths in a kubeconfig absolute, below `folder`. Leaves a credential plugin's command unchanged if
/// it is only a name, because it is then searched on `PATH`.
fn resolve(kubeconfig: &mut Kubeconfig, folder: &Path) {
    let absolute = |path: &mut Option<String>| {
        if let Some(path) = path.as_mut().filter(|path| Path::new(path).is_relative()) {
            *path = folder.join(&*path).to_string_lossy().into_owned();
        }
    };
    for cluster in kubeconfig.clusters.iter_mut().filter_map(|named| named.cluster.as_mut()) {
        absolute(&mut cluster.certificate_authority);
    }
    for user in kubeconfig.auth_infos.iter_mut().filter_map(|named| named.auth_info.as_mut()) {
        absolute(&mut user.client_certificate);
        absolute(&mut user.client_key);
        absolute(&mut user.token_file);
        if let Some(ExecConfig { command, .. }) = &mut user.exec
            && command.as_ref().is_some_and(|command| command.contains(std::path::MAIN_SEPARATOR))
        {
            absolute(command);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kubeconfigs_in_utf_16_and_with_byte_order_marks_are_read() {
        let wide = |mark: [u8; 2], unit: fn(u16) -> [u8; 2]| {
            mark.into_iter().chain("kind: ö😀".encode_utf16().flat_map(unit)).collect::<Vec<u8>>()
        };
        for bytes in [
            wide([0xFF, 0xFE], u16::to_le_bytes),
            wide([0xFE, 0xFF], u16::to_be_bytes),
            [&[0xEF, 0xBB, 0xBF], "kind: ö😀".as_bytes()].concat(),
            "kind: ö😀".as_bytes().to_vec(),
        ] {
            assert_eq!(decode_text(bytes).unwrap(), "kind: ö😀");
        }
        assert_eq!(decode_text(vec![0xFF, 0xFE, 0, 0xD8]).unwrap_err().to_string(), "it is not UTF-16");
        assert_eq!(decode_text(vec![b'a', 0xFF]).unwrap_err().to_string(), "it is not UTF-8");
    }

    #[test]
    fn paths_are_those_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config");
        let text = "clusters: [{name: a, cluster: {certificate-authority: ca.crt}}]\n\
                    users:\n- name: a\n  user: {client-key: keys/a.key, tokenFile: /t, exec: {command: bin/login}}\n\
                    - name: b\n  user: {exec: {command: aws}}\n";
        std::fs::write(&path, text).unwrap();
        let read = merge_files(&[path], &read_file_or_pipe).unwrap();
        let at = |below: &str| Some(folder.path().join(below).to_string_lossy().into_owned());
        assert_eq!(read.clusters[0].cluster.as_ref().unwrap().certificate_authority, at("ca.crt"));
        let user = |index: usize| read.auth_infos[index].auth_info.clone().unwrap();
        assert_eq!(user(0).client_key, at("keys/a.key"));
        assert_eq!(user(0).token_file, Some("/t".to_owned()));
        assert_eq!(user(0).exec.unwrap().command, at("bin/login"));
        assert_eq!(user(1).exec.unwrap().command, Some("aws".to_owned()));
    }
}
