//! Ctrl-C.

use sojourner_check::Halt;
use std::sync::Arc;

/// From now on, Ctrl-C stops the searches that heed what is returned, which then have something to say.
pub fn heed() -> Arc<Halt<'static>> {
    // Before the handler, which is a thread.
    sojourner_store::prepare();
    let halt = Arc::new(Halt::new());
    let interrupted = Arc::clone(&halt);
    // A second Ctrl-C ends the process as it would without us. If no handler can be set, the first one does.
    let _ = ctrlc::set_handler(move || {
        if interrupted.interrupt() {
            std::process::exit(130);
        }
    });
    halt
}
