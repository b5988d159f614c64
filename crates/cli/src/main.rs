//! The command `sojourner`.

#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    sojourner_cli::main()
}
