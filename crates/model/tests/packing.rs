//! What is packed comes back, equal values have equal bytes, and foreign bytes do no harm.
#![allow(clippy::unusual_byte_groupings, reason = "digits are grouped by field")]

use proptest::collection::{btree_map, btree_set, vec, vec_deque};
use proptest::prelude::*;
use sojourner_model::{Encoded, Packed, Parts, Row, State};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Debug;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
enum Stage {
    #[default]
    First,
    Second,
    Third,
}

#[derive(Clone, Debug, PartialEq, State)]
enum Message {
    Nothing,
    Number(u16),
    Text { text: String, urgent: bool },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
struct Cell {
    stage: Stage,
    seen: bool,
    value: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, State)]
struct Unit;

#[derive(Clone, Debug, PartialEq, State)]
struct Pair<T>(T, i64);

#[derive(Clone, Debug, PartialEq, State)]
struct Whole {
    #[state(local)]
    cells: Row<Cell, 9>,
    bytes: Row<u8, 20>,
    fixed: [Stage; 5],
    rows: Row<Row<u8, 3>, 4>,
    messages: VecDeque<Message>,
    map: BTreeMap<u8, Vec<char>>,
    set: BTreeSet<(i8, bool)>,
    pair: Box<Pair<Option<String>>>,
    unit: Unit,
    large: (u64, i32, usize),
}

fn stage() -> impl Strategy<Value = Stage> {
    prop_oneof![Just(Stage::First), Just(Stage::Second), Just(Stage::Third)]
}

fn message() -> impl Strategy<Value = Message> {
    prop_oneof![
        Just(Message::Nothing),
        any::<u16>().prop_map(Message::Number),
        (".*", any::<bool>()).prop_map(|(text, urgent)| Message::Text { text, urgent }),
    ]
}

prop_compose! {
    fn cell()(stage in stage(), seen: bool, value: Option<u16>) -> Cell {
        Cell { stage, seen, value }
    }
}

prop_compose! {
    fn whole()(
        cells in vec(cell(), 0..=9),
        bytes in vec(any::<u8>(), 0..=20),
        fixed in [stage(), stage(), stage(), stage(), stage()],
        rows in vec(vec(any::<u8>(), 0..=3), 0..=4),
        messages in vec_deque(message(), 0..4),
        map in btree_map(any::<u8>(), vec(any::<char>(), 0..3), 0..4),
        set in btree_set(any::<(i8, bool)>(), 0..4),
        text: Option<bool>,
        number: i64,
        large: (u64, i32, usize),
    ) -> Whole {
        Whole {
            cells: cells.into_iter().collect(),
            bytes: bytes.into_iter().collect(),
            fixed,
            rows: rows.into_iter().map(|row| row.into_iter().collect()).collect(),
            messages,
            map,
            set,
            pair: Box::new(Pair(text.map(|text| text.to_string()), number)),
            unit: Unit,
            large,
        }
    }
}

fn packed<S: State>(state: &S) -> Vec<u8> {
    let mut packed = Packed::new();
    state.pack(&mut packed);
    packed.bytes().to_vec()
}

fn encoded<S: State>(state: &S) -> Encoded {
    let mut encoded = Encoded::new();
    state.encode(&mut encoded);
    encoded
}

fn round_trips<S: State + Clone + Debug + PartialEq>(from: &S, over: &S) {
    let bytes = packed(from);
    let mut rest = &bytes[..];
    assert_eq!(S::read(&mut rest).as_ref(), Ok(from));
    assert!(rest.is_empty());
    // Over any other value, whose memory is kept.
    let mut value = over.clone();
    assert_eq!(value.unpack_all(&bytes), Ok(()));
    assert_eq!(&value, from);
    let components = encoded(from);
    let mut value = over.clone();
    assert_eq!(Parts::of(&components, |parts| value.decode(parts)), Ok(()));
    assert_eq!(&value, from);
}

/// Foreign bytes give an error, or a value that packs into exactly these bytes.
fn survives<S: State + Clone>(over: &S, bytes: &[u8]) {
    let mut value = over.clone();
    if value.unpack_all(bytes).is_ok() {
        assert_eq!(packed(&value), bytes);
    }
}

proptest! {
    #[test]
    fn packed_state_is_unpacked_unchanged(from in whole(), over in whole()) {
        round_trips(&from, &over);
        prop_assert_eq!(from == over, packed(&from) == packed(&over));
        prop_assert_eq!(from == over, encoded(&from) == encoded(&over));
    }

    #[test]
    fn states_that_are_not_structs_come_back(
        from in vec(message(), 0..5), over in vec(message(), 0..5), a in message(), b in message(), n: u32, m: u32,
    ) {
        round_trips(&from, &over);
        round_trips(&a, &b);
        round_trips(&n, &m);
        round_trips(&[Some(n), None], &[None, Some(m)]);
    }

    #[test]
    fn foreign_bytes_do_no_harm(over in whole(), bytes in vec(0..5u8, 0..60), any in vec(any::<u8>(), 0..60)) {
        for bytes in [bytes, any] {
            survives(&over, &bytes);
            survives(&over.cells, &bytes);
            survives(&over.map, &bytes);
            survives(&over.set, &bytes);
            survives(&over.messages, &bytes);
            survives(&over.pair, &bytes);
            survives(&over.fixed, &bytes);
        }
    }

    #[test]
    fn damaged_bytes_do_no_harm(from in whole(), at: prop::sample::Index, byte: u8) {
        let mut bytes = packed(&from);
        let at = at.index(bytes.len());
        bytes[at] = byte;
        survives(&from, &bytes);
        survives(&from, &bytes[..at]);
    }

    #[test]
    fn components_of_another_state_are_refused(from in whole(), other in whole()) {
        let mut components = encoded(&from);
        components.put(3, &[]);
        let mut value = other;
        prop_assert!(Parts::of(&components, |parts| value.decode(parts)).is_err());
    }
}

#[test]
fn the_packing_is_small_and_stays_as_it_is() {
    let cell = Cell { stage: Stage::Third, seen: true, value: Some(0x102) };
    assert_eq!(packed(&cell), [2, 1, 1, 2, 1]);
    assert_eq!(packed(&Message::Text { text: "ab".to_owned(), urgent: false }), [2, 2, b'a', b'b', 0]);
    assert_eq!(packed(&Row::<Stage, 7>::filled(3, Stage::Second)), [3, 1, 1, 1]);
    assert_eq!(packed(&vec![0u8; 200])[..3], [200, 1, 0]);
    assert_eq!(Cell::WIDTH, Some(5));
    assert_eq!(<[Stage; 5]>::WIDTH, Some(5));
    assert_eq!(Message::WIDTH, None);
}

#[test]
fn state_fields_are_component_kinds_and_sequences_are_split() {
    #[derive(State)]
    struct Small {
        #[state(local)]
        cells: Row<Stage, 4>,
        total: u16,
        names: Vec<String>,
    }
    let small = Small { cells: Row::filled(2, Stage::Second), total: 7, names: vec!["x".to_owned()] };
    let components = encoded(&small);
    let parts: Vec<(u8, &[u8])> = components.components().collect();
    assert_eq!(parts, [(0, &[1][..]), (0, &[1]), (1, &[7, 0]), (2, &[1, b'x'])]);
    assert_eq!(Small::KINDS, ["cells", "total", "names"]);
    assert_eq!(Small::LOCAL, Some(0));
}

#[test]
fn a_row_is_a_slice_that_grows_up_to_its_bound() {
    let mut row: Row<u8, 4> = (1..=3).collect();
    row.push(9);
    assert_eq!(row.remove(1), 2);
    assert_eq!(&*row, [1, 3, 9]);
    assert_eq!(row.pop(), Some(9));
    row[0] = 5;
    assert_eq!(row, Row::from_iter([5, 3]));
    assert_eq!(format!("{row:?}"), "[5, 3]");
}

#[test]
fn small_fields_share_a_byte() {
    #[derive(Clone, Copy, Debug, Default, PartialEq, State)]
    struct Small {
        stage: Stage,
        sent: bool,
        seen: Option<Stage>,
    }
    let small = Small { stage: Stage::Third, sent: true, seen: Some(Stage::Second) };
    assert_eq!((Small::BITS, packed(&small)), (Some(6), vec![0b011_1_10]));
    assert_eq!(packed(&(small, true)), [0b1_011_1_10]);
    let row: Row<Small, 3> = [small, Small::default()].into_iter().collect();
    assert_eq!(packed(&row), [2, 0b011_1_10, 0]);
    for byte in 0..=255 {
        survives(&small, &[byte]);
        survives(&(small, true), &[byte]);
        survives(&row, &[2, byte, byte]);
    }
}
