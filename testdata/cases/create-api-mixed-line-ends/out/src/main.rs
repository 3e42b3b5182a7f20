fn main() {
    let a = 1;
    manager.add(webserver_operator::controller::web_server::controller());
    // +opctl:scaffold:controllers
}
