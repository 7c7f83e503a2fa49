//! How a connection ends, and what a client that does not read costs; in one process, over a pipe in memory.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

use std::time::{Duration, Instant};

use rea_front::{Front, guarded};
use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt as _,
    model::*,
    service::{NotificationContext, RequestContext},
};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream};

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;

/// The tool `wait` ends only when cancelled, `size` gives a hundred thousand letters; every custom notification panics.
struct Handler;

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn call_tool(
        &self,
        asked: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if asked.name == "wait" {
            context.ct.cancelled().await;
        }
        let text = "x".repeat(100_000);
        Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
    }

    async fn on_custom_notification(
        &self,
        _: CustomNotification,
        _: NotificationContext<RoleServer>,
    ) {
        panic!("a detail");
    }
}

struct Client {
    input: DuplexStream,
    output: tokio::io::Lines<BufReader<DuplexStream>>,
    served: tokio::task::JoinHandle<()>,
}

async fn open(grace: Duration) -> Client {
    let (input, read) = tokio::io::duplex(1 << 16);
    let (write, output) = tokio::io::duplex(1 << 16);
    let served = tokio::spawn(async move {
        let front = Front::new(&Handler, read, write).with_grace(grace);
        guarded(Handler)
            .serve(front)
            .await
            .unwrap()
            .waiting()
            .await
            .unwrap();
    });
    let output = BufReader::new(output).lines();
    let mut client = Client {
        input,
        output,
        served,
    };
    client.say(INITIALIZE).await;
    client.output.next_line().await.unwrap().unwrap();
    client
}

impl Client {
    async fn say(&mut self, line: &str) {
        self.input
            .write_all(format!("{line}\n").as_bytes())
            .await
            .unwrap();
    }
}

fn call(id: usize, tool: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}"}}}}"#)
}

#[tokio::test]
async fn a_request_that_does_not_end_is_given_up_after_the_grace() {
    let mut client = open(Duration::from_millis(200)).await;
    client.say(&call(1, "wait")).await;
    client.say(&call(2, "size")).await;
    let start = Instant::now();
    drop(client.input);
    // The other one is answered, this one is not.
    assert!(
        client
            .output
            .next_line()
            .await
            .unwrap()
            .unwrap()
            .contains("\"id\":2")
    );
    assert_eq!(client.output.next_line().await.unwrap(), None);
    client.served.await.unwrap();
    let took = start.elapsed();
    assert!(
        took >= Duration::from_millis(200) && took < Duration::from_secs(3),
        "{took:?}"
    );
}

#[tokio::test]
async fn a_panic_in_a_notification_costs_nothing() {
    let mut client = open(Duration::from_secs(5)).await;
    client
        .say(r#"{"jsonrpc":"2.0","method":"notifications/no/such"}"#)
        .await;
    client
        .say(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
        .await;
    let answer = client.output.next_line().await.unwrap().unwrap();
    assert_eq!(answer, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_does_not_read_is_not_read_from_and_loses_nothing() {
    let mut client = open(Duration::from_secs(20)).await;
    const ALL: usize = 3_000;
    let mut said = 0;
    // 300 MB of answers are asked for. Lines of 16 KB, so that what the pipe and the reader hold is soon full.
    let padding = " ".repeat(16_000);
    while said < ALL {
        let line = call(said, "size") + &padding;
        let wait = Duration::from_millis(1500);
        match tokio::time::timeout(wait, client.say(&line)).await {
            Ok(()) => said += 1,
            Err(_) => break,
        }
    }
    // About 335 answers fill 32 MiB; some more are under way when reading stops.
    assert!((300..1_500).contains(&said), "{said}");
    // The last line may be cut, so its rest and an end are said while all is read.
    let mut input = client.input;
    let writer = tokio::spawn(async move {
        let _ = input.write_all(b"\n").await;
    });
    let mut answered = 0;
    while let Some(line) = client.output.next_line().await.unwrap() {
        answered += usize::from(line.contains("xxx"));
    }
    writer.await.unwrap();
    client.served.await.unwrap();
    assert!(answered >= said, "{answered} of {said}");
}
