//! The command `sojourner`.

fn main() -> std::process::ExitCode {
    sojourner_cli::main()
}
