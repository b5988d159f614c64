// The first thread that needs a configuration loads it. The server wants its own, but a worker may be faster. `--cfg fixed`: the server
// loads it before there are workers.
use std::sync::OnceLock;
use std::thread;

static PORT: OnceLock<u16> = OnceLock::new();

fn worker() {
    let port = PORT.get_or_init(|| 80);
    assert!(*port > 0);
}

fn main() {
    if cfg!(fixed) {
        PORT.set(8080).unwrap();
    }
    let worker = thread::spawn(worker);
    let port = *PORT.get_or_init(|| 8080);
    worker.join().unwrap();
    assert_eq!(port, 8080, "the server listens on the wrong port");
}
