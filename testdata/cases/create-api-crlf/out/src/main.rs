fn main() {
    webserver_operator::controller::web_server::setup(&mut manager);
    // +opctl:scaffold:controllers
}
