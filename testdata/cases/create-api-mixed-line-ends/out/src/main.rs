fn main() {
    let a = 1;
    webserver_operator::controller::web_server::setup(&mut manager);
    // +opctl:scaffold:controllers
}
