use super::*;

const START: u64 = 1_800_000_000;
const LIFE: Lifetimes = Lifetimes {
    authority: 10_000,
    serving: 2_000,
    spread: 100,
};

fn names() -> Vec<String> {
    vec!["web.shop.svc".into(), "web.shop.svc.cluster.local".into()]
}

fn made(data: &Data, now: u64) -> Option<Data> {
    let renewed = renew(data, &names(), LIFE, now).unwrap();
    renewed.map(|renewed| renewed.data)
}

/// Returns true if a client that trusts `bundle` accepts the certificate of `served`. Unlike
/// rustls, the client checks the validity of the authority.
fn accepts(bundle: &Data, served: &Data, now: u64) -> bool {
    let chain = parse(&served["tls.crt"].0);
    let mut trusted = certificates(bundle).filter(|(_, one)| is_valid(one, now));
    trusted.any(|(_, authority)| {
        let mut names = names().into_iter();
        names.all(|name| verify(&chain[0], &authority, &name, now).is_ok())
    })
}

fn put(data: &Data, key: &str, value: &str) -> Data {
    let mut data = data.clone();
    data.insert(key.into(), ByteString(value.into()));
    data
}

#[test]
fn valid_certificates_and_data_of_others_in_the_secret_are_kept() {
    let data = put(&Data::new(), "note", "of somebody");
    let first = made(&data, START).unwrap();
    assert_eq!(text(&first, "note"), "of somebody");
    assert!(accepts(&first, &first, START));
    assert_eq!(made(&first, START + 1_000), None);
    assert_eq!(made(&first, START + LIFE.serving * 2 / 3), None);
    let renewed = made(&first, START + LIFE.serving * 2 / 3 + 2).unwrap();
    assert_ne!(renewed["tls.crt"], first["tls.crt"]);
    assert_eq!(renewed["ca.crt"], first["ca.crt"], "no new trust is needed");
}

#[test]
fn a_certificate_never_outlives_its_authority() {
    let first = made(&Data::new(), START).unwrap();
    let long = Lifetimes {
        serving: 50_000,
        ..LIFE
    };
    let data = put(&first, "tls.crt", "");
    let data = renew(&data, &names(), long, START).unwrap().unwrap().data;
    let end = expires(&parse(&data["tls.crt"].0)[0]);
    assert_eq!(end, Some(START + LIFE.authority));
}

#[test]
fn rubbish_is_replaced_and_what_was_trusted_stays_trusted() {
    let first = made(&Data::new(), START).unwrap();
    let other = made(&Data::new(), START).unwrap();
    for key in ["ca.crt", "ca.key", "tls.crt", "tls.key"] {
        for rubbish in ["", "rubbish", text(&other, key), text(&first, "tls.crt")] {
            if rubbish == text(&first, key) {
                continue;
            }
            let repaired = made(&put(&first, key, rubbish), START + 5).unwrap();
            assert!(accepts(&repaired, &repaired, START + 5), "{key}: {rubbish}");
            assert_eq!(made(&repaired, START + 5), None, "{key}: {rubbish}");
            if key != "ca.crt" {
                let still = accepts(&repaired, &first, START + 5);
                assert!(still, "{key}: {rubbish}: other replicas serve the old one");
            }
        }
    }
    let mut binary = first.clone();
    binary.insert("ca.key".into(), ByteString(vec![255; 100]));
    assert!(made(&binary, START).is_some());
    // No more than two authorities are trusted, however often a new one is made.
    let mut data = first.clone();
    for _ in 0..5 {
        data = made(&put(&data, "ca.key", ""), START).unwrap();
    }
    assert_eq!(certificates(&data).count(), 2);
    // The serving certificate and its key in the place of the authority.
    let mut swapped = put(&first, "ca.crt", text(&first, "tls.crt"));
    swapped.insert("ca.key".into(), first["tls.key"].clone());
    let repaired = made(&swapped, START).unwrap();
    assert!(accepts(&repaired, &repaired, START));
}

#[test]
fn other_names_get_another_certificate_of_the_same_authority() {
    let first = made(&Data::new(), START).unwrap();
    let others = [names()[0].clone(), "other.shop.svc".to_owned()];
    let renewed = renew(&first, &others, LIFE, START).unwrap().unwrap().data;
    assert_eq!(renewed["ca.crt"], first["ca.crt"]);
    assert_ne!(renewed["tls.crt"], first["tls.crt"]);
}

#[test]
fn a_clock_that_was_wrong_is_made_good() {
    let first = made(&Data::new(), START).unwrap();
    for wrong in [START + 10 * LIFE.authority, START - 10 * LIFE.authority] {
        let then = made(&first, wrong).unwrap();
        assert!(accepts(&then, &then, wrong));
        let good = made(&then, START).unwrap();
        assert!(accepts(&good, &good, START), "after {wrong}");
        assert_eq!(made(&good, START), None);
    }
    // A replica with a wrong clock has written the time at which the new authority begins to sign.
    let now = START + LIFE.authority * 2 / 3 + 2;
    let rotating = made(&first, now).unwrap();
    assert_eq!(made(&rotating, now + 1), None);
    let rotating = put(&rotating, "next.begins", "99999999999999");
    let good = made(&rotating, now).unwrap();
    assert_eq!(text(&good, "next.begins"), (now + LIFE.spread).to_string());
}

/// Checks at random times that every CA bundle of the last `spread` seconds accepts the current
/// certificate, and that the current CA bundle accepts every certificate of those seconds.
#[test]
fn at_no_time_is_anything_served_that_is_not_trusted() {
    let mut random = Random(42);
    for _ in 0..8 {
        let mut now = START;
        let mut data = made(&Data::new(), now).unwrap();
        let (mut history, mut authorities) = (vec![(now, data.clone())], 0);
        while now < START + 3 * LIFE.authority {
            let most = [60, 60, 400][random.below(3) as usize];
            now += 1 + random.below(most);
            if let Some(new) = made(&data, now) {
                authorities += usize::from(new["ca.crt"] != data["ca.crt"]);
                history.push((now, new.clone()));
                data = new;
            }
            assert!(certificates(&data).count() <= 2);
            // Others may be behind by `spread`: old bundles accept the present certificate, and the
            // present bundle accepts old certificates.
            let spread = LIFE.spread;
            let from = history.iter().rposition(|(since, _)| since + spread <= now);
            let recent = &history[from.unwrap_or(0)..];
            for (_, trusted) in recent {
                assert!(
                    accepts(trusted, &data, now),
                    "{} s after the start",
                    now - START
                );
            }
            for (_, served) in recent {
                assert!(
                    accepts(&data, served, now),
                    "{} s after the start",
                    now - START
                );
            }
        }
        assert!(authorities >= 3, "{authorities} authorities");
    }
}

/// A random number generator (xorshift64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

/// The secret with which conversions sign is never renewed, so that signatures stay valid.
#[test]
fn the_secret_of_conversions_outlives_every_certificate() {
    let first = made(&Data::new(), START).unwrap();
    assert_eq!(first[CONVERSION].0.len(), 32);
    let mut data = first.clone();
    for second in (0..30_000).step_by(500) {
        data = made(&data, START + second).unwrap_or(data);
    }
    assert_ne!(data["ca.key"], first["ca.key"]);
    assert_eq!(data[CONVERSION], first[CONVERSION]);
    // A Secret of an earlier release gets one, and stays as it is otherwise.
    let before = data.clone();
    data.remove(CONVERSION);
    let after = made(&data, START + 29_500).unwrap();
    assert_ne!(after[CONVERSION], before[CONVERSION]);
    assert_eq!(
        data,
        Data::from_iter(after.into_iter().filter(|(key, _)| key != CONVERSION))
    );
}
