//! The alternating bit protocol (Bartlett, Scantlebury and Wilkinson 1969).

use super::registry::{About, Named, Parameter, Values};
use sojourner_model::{Model, Properties, Row, State, Transitions};

/// A sender, a receiver, and two lines between them that lose what they like. The sender repeats an item until its
/// bit is acknowledged; the receiver knows a repetition by its bit.
#[derive(Clone, Debug)]
pub struct Abp {
    /// How many items are sent.
    pub items: u8,
    /// How many messages are on a line at most.
    pub capacity: u8,
    /// Whether the receiver looks at the bit. If not, it takes repetitions for new items.
    pub checks: bool,
}

/// How far sender and receiver have come, and what is on the lines.
#[derive(Clone, Debug, State)]
pub struct Link {
    sender: Sender,
    receiver: Receiver,
    messages: Row<Message, 8>,
    acknowledgements: Row<bool, 8>,
}

/// The sender.
#[derive(Clone, Debug, State)]
struct Sender {
    /// The item that it is sending.
    item: u8,
    bit: bool,
}

/// The receiver.
#[derive(Clone, Debug, State)]
struct Receiver {
    /// How many items it has taken.
    taken: u8,
    /// The bit it expects.
    bit: bool,
    /// Whether all that it took was what came next.
    in_order: bool,
}

/// An item on its way.
#[derive(Clone, Copy, Debug, Default, State)]
struct Message {
    item: u8,
    bit: bool,
}

const SENDER: usize = 0;
const RECEIVER: usize = 1;
const MESSAGE_LINE: usize = 2;
const ACKNOWLEDGEMENT_LINE: usize = 3;

// Of the sender.
const SEND: u32 = 0;
const LISTEN: u32 = 1;

// Of the receiver.
const RECEIVE: u32 = 0;

// Of a line: the oldest message gets lost.
const LOSE: u32 = 0;

impl Named for Abp {
    const ABOUT: About = About {
        name: "abp",
        summary: "the alternating bit protocol over lossy lines; without a look at the bit items are doubled",
        parameters: &[
            Parameter::number("items", 3, 1, 100, "how many items are sent"),
            Parameter::number("capacity", 2, 1, 8, "how many messages are on a line at most"),
            Parameter::flag("checks", true, "whether the receiver looks at the bit"),
        ],
    };

    fn with(values: &Values) -> Self {
        Abp {
            items: values.number("items"),
            capacity: values.number("capacity"),
            checks: values.flag("checks"),
        }
    }
}

impl Model for Abp {
    type State = Link;

    fn initial(&self) -> Link {
        Link {
            sender: Sender { item: 0, bit: false },
            receiver: Receiver { taken: 0, bit: false, in_order: true },
            messages: Row::new(),
            acknowledgements: Row::new(),
        }
    }

    fn processes(&self) -> u32 {
        4
    }

    fn transitions(&self, link: &Link, on: &mut Transitions<'_>) {
        let capacity = usize::from(self.capacity);
        on.when(link.sender.item < self.items && link.messages.len() < capacity, SENDER, SEND);
        on.when(!link.acknowledgements.is_empty(), SENDER, LISTEN);
        on.when(!link.messages.is_empty() && link.acknowledgements.len() < capacity, RECEIVER, RECEIVE);
        on.when(!link.messages.is_empty(), MESSAGE_LINE, LOSE);
        on.when(!link.acknowledgements.is_empty(), ACKNOWLEDGEMENT_LINE, LOSE);
    }

    fn fire(&self, link: &mut Link, process: usize, action: u32) {
        let Link { sender, receiver, messages, acknowledgements } = link;
        match (process, action) {
            (SENDER, SEND) => messages.push(Message { item: sender.item, bit: sender.bit }),
            (SENDER, _) => {
                if acknowledgements.remove(0) == sender.bit && sender.item < self.items {
                    sender.item += 1;
                    sender.bit = !sender.bit;
                }
            }
            (RECEIVER, _) => {
                let Message { item, bit } = messages.remove(0);
                if bit == receiver.bit || !self.checks {
                    receiver.in_order &= item == receiver.taken;
                    // A receiver that is out of order stays so; what else it takes does not matter.
                    receiver.taken = (receiver.taken + 1).min(self.items);
                    receiver.bit = !bit;
                }
                acknowledgements.push(bit);
            }
            (MESSAGE_LINE, _) => {
                messages.remove(0);
            }
            _ => {
                acknowledgements.remove(0);
            }
        }
    }

    fn may_end(&self, link: &Link) -> bool {
        link.sender.item == self.items
    }

    fn properties(&self, expect: &mut Properties<Self>) {
        expect.invariant("items arrive once and in order", |_, link| link.receiver.in_order);
        expect.at_end("all items have arrived", |model, link| link.receiver.taken == model.items);
        expect.goal("all items are acknowledged", |model, link| link.sender.item == model.items);
    }

    fn name(&self, process: usize) -> String {
        ["sender", "receiver", "message line", "acknowledgement line"][process].to_owned()
    }

    fn words(&self, link: &Link, process: usize, action: u32) -> String {
        match (process, action) {
            (SENDER, SEND) => format!("sends item {}", link.sender.item),
            (SENDER, _) => "reads an acknowledgement".to_owned(),
            (RECEIVER, _) => format!("receives item {}", link.messages[0].item),
            (MESSAGE_LINE, _) => format!("loses item {}", link.messages[0].item),
            _ => "loses an acknowledgement".to_owned(),
        }
    }
}
