fn main() {
    // +opctl:scaffold:controllers
}
