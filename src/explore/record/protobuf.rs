//! Reads the name of an object in Kubernetes' protobuf encoding, which Go clients send for built-in kinds.

/// The first bytes of a body in Kubernetes' protobuf encoding (`application/vnd.kubernetes.protobuf`, kubernetes.io,
/// "Alternate representations of resources").
const MAGIC: &[u8] = b"k8s\0";
/// The field number of `Unknown.raw` in `generated.proto`. The following constants are the field numbers of `metadata`
/// in every object, of `ObjectMeta.name` and of `ObjectMeta.generateName`.
const RAW: u64 = 2;
const METADATA: u64 = 1;
const NAME: u64 = 1;
const GENERATE_NAME: u64 = 2;

/// The name of an object, or the prefix of its generated name.
#[derive(Debug, PartialEq, Eq)]
pub enum Name<'a> {
    Given(&'a str),
    Generated(&'a str),
}

/// Returns the name of the object in `body`; `None` if `body` is not in protobuf encoding.
pub fn name(body: &[u8]) -> Option<Name<'_>> {
    let metadata = field(field(body.strip_prefix(MAGIC)?, RAW)?, METADATA)?;
    let text = |number| field(metadata, number).and_then(|bytes| std::str::from_utf8(bytes).ok());
    let given = text(NAME).filter(|name| !name.is_empty()).map(Name::Given);
    given.or_else(|| text(GENERATE_NAME).map(Name::Generated))
}

/// Returns the bytes of the first length-delimited field with the field number `number` in a protobuf message;
/// `None` if the message has no such field or is damaged.
fn field(mut message: &[u8], number: u64) -> Option<&[u8]> {
    loop {
        let tag = varint(&mut message)?;
        let size = match tag & 7 {
            0 => {
                varint(&mut message)?;
                continue;
            }
            1 => 8,
            2 => usize::try_from(varint(&mut message)?).ok()?,
            5 => 4,
            _ => return None,
        };
        let (bytes, rest) = message.split_at_checked(size)?;
        if tag >> 3 == number && tag & 7 == 2 {
            return Some(bytes);
        }
        message = rest;
    }
}

fn varint(message: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (first, rest) = message.split_first()?;
        *message = rest;
        value |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(number: u8, content: &[u8]) -> Vec<u8> {
        [&[number << 3 | 2, u8::try_from(content.len()).unwrap()], content].concat()
    }

    fn object(metadata: &[u8]) -> Vec<u8> {
        let spec = [bytes(2, b"spec"), vec![3 << 3, 0xac, 0x02]].concat();
        let raw = [vec![4 << 3 | 5, 1, 2, 3, 4], bytes(1, metadata), spec].concat();
        [MAGIC, &bytes(1, &bytes(1, b"v1")), &bytes(2, &raw)].concat()
    }

    #[test]
    fn a_name_is_found_in_the_metadata() {
        assert_eq!(name(&object(&[bytes(2, b"web-"), bytes(1, b"web")].concat())), Some(Name::Given("web")));
        assert_eq!(name(&object(&[bytes(1, b""), bytes(2, b"web-")].concat())), Some(Name::Generated("web-")));
        assert_eq!(name(&object(&bytes(3, b"namespace"))), None);
    }

    #[test]
    fn damaged_objects_have_no_name() {
        let whole = object(&bytes(1, b"web"));
        for end in 0..whole.len() - 8 {
            assert_ne!(name(&whole[..end]), Some(Name::Generated("web")));
        }
        for body in [
            b"".as_slice(),
            b"{}",
            b"k8s\0",
            b"k8s\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
            b"k8s\0\x12\x7f",
        ] {
            assert_eq!(name(body), None);
        }
    }
}
