//! Schedules: lists of choices, one byte each. Every byte is valid in every state, so that bytes can be left out or
//! lowered. The empty schedule is the run without faults.

use crate::run::Scenario;
use std::fmt::Write as _;

/// A choice: its kind, and often the number of the request, watch or object that it is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Choice {
    /// The next step in the order without faults.
    Next,
    Answer(usize),
    Tell(usize),
    Lose(usize),
    TimeOut(usize),
    Refuse(usize, u16),
    Cut(usize),
    EndWatch {
        watch: usize,
        gap: bool,
    },
    Bookmark(usize),
    Wait(u64),
    User {
        name: usize,
        act: u8,
    },
    Collect(usize),
    Crash {
        process: usize,
        carried_out: bool,
        stop: bool,
    },
    PageSize(usize),
    Hold(usize),
    Compact,
    /// An action of a user on a `Page`.
    Page {
        name: usize,
        act: u8,
    },
}

/// The times of [`Choice::Wait`], in milliseconds.
const WAITS: [u64; 16] =
    [1, 5, 20, 100, 500, 1_000, 1_500, 2_000, 3_000, 5_000, 8_000, 11_000, 16_000, 31_000, 61_000, 100_000];

impl Choice {
    pub(crate) fn of(byte: u8) -> Self {
        let (which, low) = (usize::from(byte & 15), byte & 15);
        match byte >> 4 {
            0 => Self::Next,
            1 => Self::Answer(which),
            2 => Self::Tell(which),
            3 => Self::Lose(which),
            4 => Self::TimeOut(which),
            5 => Self::Refuse(which & 3, [429, 503, 504, 500][which >> 2]),
            6 => Self::Cut(which),
            7 => Self::EndWatch { watch: which >> 1, gap: low & 1 == 1 },
            8 => Self::Bookmark(which),
            9 => Self::Wait(WAITS[which]),
            10 => Self::User { name: 0, act: low },
            11 => Self::Collect(which),
            12 => Self::Crash { process: which & 1, carried_out: low & 2 == 2, stop: low & 12 == 12 },
            13 if low < 8 => Self::PageSize(which & 3),
            13 => Self::Hold(which - 8),
            14 if low < 8 => Self::Compact,
            14 => Self::Page { name: which & 1, act: (low & 6) >> 1 },
            _ => Self::User { name: 1, act: low },
        }
    }
}

/// Random numbers that are the same for the same seed, everywhere.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xd1b5_4a32_d192_ed03)
    }

    /// Returns a number below `end`, by splitmix64.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) >> 1).unwrap_or(0) % end
    }
}

/// The weight of each kind of choice in a random schedule.
const WEIGHTS: [(u8, usize); 16] = [
    (0, 30),
    (1, 20),
    (2, 20),
    (3, 3),
    (4, 2),
    (5, 3),
    (6, 2),
    (7, 3),
    (8, 2),
    (9, 6),
    (10, 12),
    (11, 6),
    (12, 2),
    (13, 2),
    (14, 1),
    (15, 6),
];

/// The additional weights of choices with two controllers: watches are held back, and users act on pages.
const BESIDE: [(u8, usize); 2] = [(13, 6), (14, 10)];

pub(crate) fn random(seed: u64, scenario: Scenario) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut weights = WEIGHTS.to_vec();
    weights.extend(BESIDE.iter().filter(|_| scenario == Scenario::Beside));
    let all: usize = weights.iter().map(|(_, weight)| weight).sum();
    let length = 5 + random.below(75);
    let mut byte = || {
        let mut left = random.below(all);
        let (kind, _) = weights.iter().find(|(_, weight)| {
            let found = left < *weight;
            left = left.saturating_sub(*weight);
            found
        })?;
        Some(kind << 4 | u8::try_from(random.below(16)).ok()?)
    };
    (0..length).filter_map(|_| byte()).collect()
}

/// Schedules in which the operator starts, and a user performs two actions: each request is answered in turn,
/// without a fault.
const STORIES: [[u8; 18]; 4] = [
    // The spec is changed, and the object deleted.
    [0, 0, 0, 0, 0, 0, 0, 0xa1, 0, 0, 0, 0xa3, 0, 0, 0, 0, 0, 0],
    // A child is deleted, and then the object without its children.
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0xa6, 0, 0, 0, 0xa5, 0, 0, 0, 0],
    // A child loses the label by which the operator watches it, and the object wants another field.
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0xa8, 0, 0, 0xa2, 0, 0, 0, 0, 0],
    // The object is deleted, and made again under its name.
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0xa4, 0, 0, 0, 0xa0, 0, 0, 0, 0],
];

/// Schedules in which the events of a watch are held back, while objects of both kinds change that have the same
/// child. The lists and watches of the two controllers come first.
const BESIDE_STORIES: [[u8; 24]; 5] = [
    // The held watch is that of the first kind's objects: one of them is deleted, and the other kind's object changed.
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xdc, 0xf3, 0, 0, 0xe9, 0, 0, 0, 0],
    // The held watch is that of the first kind's objects: one of them is deleted whose name nothing else has.
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xdc, 0xa3, 0, 0],
    // The held watch is that of the first kind's children: the other kind's object is deleted.
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xd8, 0xeb, 0, 0, 0xf1, 0, 0, 0, 0],
    // The held watch is that of the second kind's children: an object of the first kind is deleted without them.
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xd9, 0xf5, 0, 0, 0xe9, 0, 0, 0, 0],
    // The held watch is that of the second kind's objects: one is deleted, and then the child.
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xda, 0xeb, 0, 0, 0xf6, 0, 0, 0, 0],
];

/// The choices that may replace the next step in the order without faults: another answer, an event of another
/// watch, a step of the garbage collector, and an answer that is lost.
const REORDERINGS: [u8; 7] = [0x11, 0x12, 0x20, 0x21, 0x22, 0xb0, 0x30];

/// Returns the fixed schedules of a scenario, with every combination of at most two reorderings.
pub(crate) fn reordered(scenario: Scenario) -> impl Iterator<Item = Vec<u8>> {
    let stories: Vec<&'static [u8]> = match scenario {
        Scenario::Beside => BESIDE_STORIES.iter().map(|story| &story[..]).collect(),
        _ => STORIES.iter().map(|story| &story[..]).collect(),
    };
    stories.into_iter().flat_map(|story| {
        let places = move |from: usize| (from..story.len()).filter(move |place| story[*place] == 0);
        let singles = move |from| places(from).flat_map(|place| REORDERINGS.map(|byte| (place, byte)));
        let pairs = move |one: (usize, u8)| {
            let two = singles(one.0 + 1).map(move |other| vec![one, other]);
            std::iter::once(vec![one]).chain(two)
        };
        let all = std::iter::once(Vec::new()).chain(singles(0).flat_map(pairs));
        all.map(move |changes| {
            let mut schedule = story.to_vec();
            changes.into_iter().for_each(|(place, byte)| schedule[place] = byte);
            schedule
        })
    })
}

/// Leaves out and lowers bytes of a schedule while it still fails. Returns the shortest and lowest schedule found.
pub(crate) fn shrink(mut schedule: Vec<u8>, fails: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut chunk = schedule.len().next_power_of_two();
    while chunk > 0 {
        let mut start = 0;
        while start < schedule.len() {
            let mut shorter = schedule.clone();
            shorter.drain(start..(start + chunk).min(schedule.len()));
            if fails(&shorter) {
                schedule = shorter;
            } else {
                start += chunk;
            }
        }
        chunk /= 2;
    }
    for index in 0..schedule.len() {
        for lower in [0, schedule[index] & 0xf0, schedule[index].saturating_sub(1)] {
            let mut lowered = schedule.clone();
            lowered[index] = lower;
            if lower < schedule[index] && fails(&lowered) {
                schedule = lowered;
                break;
            }
        }
    }
    schedule
}

pub(crate) fn hex(schedule: &[u8]) -> String {
    schedule.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x} ");
        text
    })
}

pub(crate) fn from_hex(text: &str) -> Vec<u8> {
    let bytes = text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16));
    bytes.collect::<Result<_, _>>().expect("a schedule is hexadecimal bytes")
}
