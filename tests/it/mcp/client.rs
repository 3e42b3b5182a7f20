//! A client of the Model Context Protocol that talks to a child process over its stdin and stdout.
#![expect(clippy::needless_pass_by_value, reason = "tests write `json!(..)` where they call")]

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub(super) struct Client {
    pub(super) server: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    sent: u64,
}

impl Client {
    /// Starts an MCP server as a child process, and initializes the protocol.
    pub(super) fn start(server: &mut Command) -> Client {
        let mut server = server.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (stdin, stdout) = (server.stdin.take(), BufReader::new(server.stdout.take().unwrap()));
        let mut client = Client { server, stdin, stdout, sent: 0 };
        let about = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        });
        let agreed = client.ask("initialize", about);
        assert_eq!(agreed["result"]["serverInfo"]["name"], "opctl", "{agreed}");
        client.tell("notifications/initialized", json!({}));
        client
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.stdin.as_ref().unwrap(), "{message}").unwrap();
    }

    pub(super) fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request, and returns its JSON-RPC id.
    pub(super) fn request(&mut self, method: &str, params: Value) -> u64 {
        self.sent += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.sent, "method": method, "params": params}));
        self.sent
    }

    pub(super) fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: `{line}`"))
    }

    pub(super) fn ask(&mut self, method: &str, params: Value) -> Value {
        let number = self.request(method, params);
        let answer = self.answer();
        assert_eq!(answer["id"], number, "{answer}");
        answer
    }

    /// Calls a tool, and returns its result.
    pub(super) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        answer.get("result").unwrap_or_else(|| panic!("{answer}")).clone()
    }

    /// Calls a tool that must be refused or fail, and returns its message and its hint.
    #[track_caller]
    pub(super) fn refused(&mut self, tool: &str, arguments: Value) -> (String, String) {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        let error = &result["structuredContent"]["error"];
        let text = |name: &str| error[name].as_str().unwrap_or_default().to_owned();
        (text("message"), text("hint"))
    }

    /// Closes the server's stdin, and returns the server's exit code.
    pub(super) fn leave(mut self) -> Option<i32> {
        self.stdin = None;
        self.server.wait().unwrap().code()
    }
}
