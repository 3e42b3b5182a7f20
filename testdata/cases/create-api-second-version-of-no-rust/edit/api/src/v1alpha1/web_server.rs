pub struct WebServerSpec {
    pub message: String
    pub size: i32,
}
