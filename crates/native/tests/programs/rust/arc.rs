// Who drops the last reference gets what is inside. `--cfg broken`: by a way in which perhaps nobody does.
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

static GOT: AtomicU32 = AtomicU32::new(0);

fn give_back(shared: Arc<String>) {
    let inside = if cfg!(broken) { Arc::try_unwrap(shared).ok() } else { Arc::into_inner(shared) };
    if let Some(text) = inside {
        assert_eq!(text, "shared");
        GOT.fetch_add(1, Ordering::SeqCst);
    }
}

fn main() {
    let shared = Arc::new(String::from("shared"));
    let other = Arc::clone(&shared);
    let other = thread::spawn(move || give_back(other));
    give_back(shared);
    other.join().unwrap();
    assert_eq!(GOT.load(Ordering::SeqCst), 1);
}
