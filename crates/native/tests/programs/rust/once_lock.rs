// Two threads race to initialise a OnceLock. `--cfg broken`: main expects to be the first.
use std::sync::OnceLock;
use std::thread;

static CELL: OnceLock<u32> = OnceLock::new();

fn main() {
    let other = thread::spawn(|| *CELL.get_or_init(|| 7));
    let mine = *CELL.get_or_init(|| 8);
    let theirs = other.join().unwrap();
    assert_eq!(mine, theirs);
    if cfg!(broken) {
        assert_eq!(mine, 8);
    }
}
