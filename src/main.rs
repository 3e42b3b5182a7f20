//! The `opctl` binary, which only calls the library.

fn main() -> std::process::ExitCode {
    opctl::cli::main()
}
