//! The program of `docs/tutorial.md`: a model with a command of its own.

#[path = "../../models/tests/tutorial/ticket_lock.rs"]
mod ticket_lock;

use ticket_lock::TicketLock;

use sojourner_cli::check_model;

fn main() -> std::process::ExitCode {
    check_model("ticket-lock", |arguments| {
        let atomic = match arguments {
            [] => false,
            [word] if word == "atomic" => true,
            _ => return Err("there is one argument: atomic".into()),
        };
        Ok(TicketLock { threads: 3, atomic })
    })
}
