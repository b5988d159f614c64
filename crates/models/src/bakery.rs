//! Lamport's bakery (1974): a lock by tickets, read and written one at a time.

use super::registry::{About, Named, Parameter, Values};
use sojourner_model::{Footprint, Mode, Model, ObjectId, Properties, Row, State, Transitions};

/// Processes that draw a ticket higher than all they see and enter in the order of their tickets. Each enters `rounds`
/// times, so that tickets do not grow for ever.
#[derive(Clone, Debug)]
pub struct Bakery {
    /// How many processes.
    pub n: u8,
    /// How often each enters.
    pub rounds: u8,
    /// Whether a process shows that it is drawing a ticket and is waited for. If not, two can enter.
    pub choosing: bool,
}

/// What the processes do and what they share.
#[derive(Clone, Debug, State)]
pub struct Shop {
    #[state(local)]
    customers: Row<Customer, 8>,
    tickets: Row<u8, 8>,
    choosing: Row<bool, 8>,
}

/// A process.
#[derive(Clone, Copy, Debug, Default, State)]
struct Customer {
    stage: Stage,
    rounds_left: u8,
    /// The process it looks at next.
    next: u8,
    /// The highest ticket it has seen.
    highest: u8,
}

/// What a process is about to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
enum Stage {
    #[default]
    Start,
    Scan,
    Draw,
    Chosen,
    AwaitChoice,
    AwaitTurn,
    Critical,
    Done,
}

const MOVE: u32 = 0;

impl Bakery {
    fn ticket(i: usize) -> ObjectId {
        ObjectId(i as u64)
    }

    fn choice(&self, i: usize) -> ObjectId {
        ObjectId(u64::from(self.n) + i as u64)
    }

    /// Whether process `i` need not wait for the ticket of the one it looks at.
    fn goes_before(shop: &Shop, i: usize) -> bool {
        let other = usize::from(shop.customers[i].next);
        shop.tickets[other] == 0 || (shop.tickets[other], other) >= (shop.tickets[i], i)
    }

    /// Where a process goes that has dealt with the one it looked at.
    fn onward(&self, customer: &mut Customer) -> Stage {
        customer.next += 1;
        if customer.next < self.n {
            return if self.choosing { Stage::AwaitChoice } else { Stage::AwaitTurn };
        }
        customer.next = 0;
        Stage::Critical
    }
}

impl Named for Bakery {
    const ABOUT: About = About {
        name: "bakery",
        summary: "Lamport's bakery lock; without the choosing flags two processes can be inside",
        parameters: &[
            Parameter::number("n", 3, 2, 8, "how many processes"),
            Parameter::number("rounds", 1, 1, 15, "how often each of them enters"),
            Parameter::flag("choosing", true, "whether one that draws a ticket is waited for"),
        ],
    };

    fn with(values: &Values) -> Self {
        Bakery { n: values.number("n"), rounds: values.number("rounds"), choosing: values.flag("choosing") }
    }
}

impl Model for Bakery {
    type State = Shop;

    fn initial(&self) -> Shop {
        let n = self.n.into();
        let customer = Customer { rounds_left: self.rounds, ..Customer::default() };
        Shop {
            customers: Row::filled(n, customer),
            tickets: Row::filled(n, 0),
            choosing: Row::filled(n, false),
        }
    }

    fn processes(&self) -> u32 {
        self.n.into()
    }

    fn transitions(&self, shop: &Shop, on: &mut Transitions<'_>) {
        for (i, customer) in shop.customers.iter().enumerate() {
            let may_move = match customer.stage {
                Stage::AwaitChoice => !shop.choosing[usize::from(customer.next)],
                Stage::AwaitTurn => Self::goes_before(shop, i),
                Stage::Done => false,
                _ => true,
            };
            on.when(may_move, i, MOVE);
        }
    }

    fn fire(&self, shop: &mut Shop, i: usize, _: u32) {
        let customer = &mut shop.customers[i];
        customer.stage = match customer.stage {
            Stage::Start => {
                shop.choosing[i] = self.choosing;
                Stage::Scan
            }
            Stage::Scan => {
                customer.highest = customer.highest.max(shop.tickets[usize::from(customer.next)]);
                customer.next += 1;
                if customer.next < self.n { Stage::Scan } else { Stage::Draw }
            }
            Stage::Draw => {
                shop.tickets[i] = customer.highest + 1;
                customer.highest = 0;
                customer.next = 0;
                if self.choosing { Stage::Chosen } else { Stage::AwaitTurn }
            }
            Stage::Chosen => {
                shop.choosing[i] = false;
                Stage::AwaitChoice
            }
            Stage::AwaitChoice => Stage::AwaitTurn,
            Stage::AwaitTurn => self.onward(customer),
            Stage::Critical | Stage::Done => {
                shop.tickets[i] = 0;
                customer.rounds_left -= 1;
                if customer.rounds_left == 0 { Stage::Done } else { Stage::Start }
            }
        };
    }

    fn may_end(&self, shop: &Shop) -> bool {
        shop.customers.iter().all(|customer| customer.stage == Stage::Done)
    }

    fn properties(&self, expect: &mut Properties<Self>) {
        expect.invariant("mutual exclusion", |_, shop| {
            shop.customers.iter().filter(|customer| customer.stage == Stage::Critical).count() < 2
        });
    }

    fn words(&self, shop: &Shop, i: usize, _: u32) -> String {
        let Customer { stage, next, highest, .. } = shop.customers[i];
        match stage {
            Stage::Start => "sets out".to_owned(),
            Stage::Scan => format!("reads the ticket of process {next}: {}", shop.tickets[usize::from(next)]),
            Stage::Draw => format!("draws ticket {}", highest + 1),
            Stage::Chosen => "has chosen".to_owned(),
            Stage::AwaitChoice => format!("sees that process {next} is not choosing"),
            Stage::AwaitTurn => format!("goes before process {next}"),
            Stage::Critical | Stage::Done => "leaves the critical section".to_owned(),
        }
    }

    fn footprint(&self, shop: &Shop, i: usize, _: u32, out: &mut Footprint) -> bool {
        let customer = &shop.customers[i];
        let next = usize::from(customer.next);
        match customer.stage {
            Stage::Start | Stage::Chosen => out.touch(self.choice(i), Mode::Write),
            Stage::Scan | Stage::AwaitTurn => out.touch(Self::ticket(next), Mode::Read),
            Stage::AwaitChoice => out.touch(self.choice(next), Mode::Read),
            Stage::Draw | Stage::Critical => out.touch(Self::ticket(i), Mode::Write),
            Stage::Done => {}
        }
        true
    }

    fn blocked_on(&self, shop: &Shop, i: usize, out: &mut Footprint) -> bool {
        self.footprint(shop, i, MOVE, out)
    }

    fn object_name(&self, object: ObjectId) -> String {
        match object.0.checked_sub(self.n.into()) {
            None => format!("the ticket of process {}", object.0),
            Some(i) => format!("whether process {i} is choosing"),
        }
    }
}
