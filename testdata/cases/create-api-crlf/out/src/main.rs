fn main() {
    manager.add(webserver_operator::controller::web_server::controller());
    // +opctl:scaffold:controllers
}
