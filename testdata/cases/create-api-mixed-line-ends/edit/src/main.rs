fn main() {
    let a = 1;
    // +opctl:scaffold:controllers
}
