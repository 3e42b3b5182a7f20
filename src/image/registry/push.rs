//! Pushes images: uploads the blobs that the registry lacks, then the manifests.

use super::address::Address;
use super::credential::credential;
use super::session::{FindCredential, Session};
use crate::Result;
use crate::image::blob::Blob;
use crate::image::image::{Image, index};
use http::header::LOCATION;
use http::{Method, Uri};

/// Pushes images of one program to a registry: a single image as it is, several images in an index of platforms.
/// Calls `say` with the digest of each blob before the upload. Returns the digest of the pushed image or index.
///
/// Uses the credentials of `docker login` or `podman login`.
///
/// # Errors
/// Fails if the registry cannot be reached or refuses the push.
pub fn push(reference: &str, images: &[Image], say: &mut dyn FnMut(&str)) -> Result<String> {
    push_as(credential, reference, images, say)
}

/// Pushes images as [`push`] does, with the credential that `find` returns.
pub(super) fn push_as(
    find: FindCredential,
    reference: &str,
    images: &[Image],
    say: &mut dyn FnMut(&str),
) -> Result<String> {
    let address = Address::of(reference);
    let mut session = Session::new(&address, find);
    for image in images {
        for blob in image.layers.iter().chain([&image.config]) {
            send_blob(&mut session, &address, blob, say)?;
        }
    }
    if let [image] = images {
        send_manifest(&mut session, &address, &image.manifest, &address.name)?;
        return Ok(image.manifest.digest.clone());
    }
    for image in images {
        send_manifest(&mut session, &address, &image.manifest, &image.manifest.digest)?;
    }
    let index = index(images);
    send_manifest(&mut session, &address, &index, &address.name)?;
    Ok(index.digest)
}

fn send_blob(session: &mut Session, address: &Address, blob: &Blob, say: &mut dyn FnMut(&str)) -> Result<()> {
    const BYTES: &str = "application/octet-stream";
    let url = address.url();
    let known = session.send(&Method::HEAD, &format!("{url}/blobs/{}", blob.digest), BYTES, &[])?;
    // A registry may redirect to a server for the data.
    if known.status().is_success() || known.status().is_redirection() {
        return Ok(());
    }
    say(&blob.digest);
    let mut begun = session.send(&Method::POST, &format!("{url}/blobs/uploads/"), BYTES, &[])?;
    if !begun.status().is_success() {
        return Err(session.not_allowed(&mut begun));
    }
    let location = begun.headers().get(LOCATION).and_then(|location| location.to_str().ok());
    let location = location.ok_or_else(|| session.protocol_error("the response has no address for the upload"))?;
    let mut upload = absolute(&url, location);
    upload.push(if upload.contains('?') { '&' } else { '?' });
    upload.push_str(&format!("digest={}", blob.digest));
    let mut sent = session.send(&Method::PUT, &upload, BYTES, &blob.bytes)?;
    if sent.status().is_success() { Ok(()) } else { Err(session.not_allowed(&mut sent)) }
}

fn send_manifest(session: &mut Session, address: &Address, manifest: &Blob, name: &str) -> Result<()> {
    let url = format!("{}/manifests/{name}", address.url());
    let mut sent = session.send(&Method::PUT, &url, &manifest.media_type, &manifest.bytes)?;
    if sent.status().is_success() { Ok(()) } else { Err(session.not_allowed(&mut sent)) }
}

/// Returns `location` as an absolute URL. If `location` is a path, it is on the same host as `url`.
fn absolute(url: &str, location: &str) -> String {
    let host = url.parse::<Uri>().ok().and_then(|uri| Some(format!("{}://{}", uri.scheme()?, uri.authority()?)));
    match host {
        Some(host) if location.starts_with('/') => format!("{host}{location}"),
        _ => location.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::absolute;

    #[test]
    fn a_path_is_on_the_same_host() {
        let url = "http://localhost:5000/v2/web";
        assert_eq!(absolute(url, "/v2/web/blobs/uploads/1?s=2"), "http://localhost:5000/v2/web/blobs/uploads/1?s=2");
        assert_eq!(absolute(url, "https://data.example.com/u/1"), "https://data.example.com/u/1");
    }
}
