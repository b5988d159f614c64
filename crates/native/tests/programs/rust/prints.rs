// Two threads print.
use std::thread;

fn main() {
    let other = thread::spawn(|| println!("from a thread"));
    println!("from main");
    other.join().unwrap();
}
