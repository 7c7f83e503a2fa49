//! The gateway before one server, whose switch stands on: for tests over real pipes. Arguments: the server's command.

use std::{process::ExitCode, sync::Arc};

use rea_gateway::{Config, Gateway, InMemory, Options, Seat, Serves, serve, standard};

fn main() -> ExitCode {
    let runtime = match tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("no runtime: {error}");
            return ExitCode::FAILURE;
        }
    };
    let served = runtime.block_on(async {
        let mut arguments = std::env::args().skip(1);
        let command = arguments.next().ok_or("no server is named")?;
        let arguments: Vec<String> = arguments.collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let seat = Seat {
            conversation: "test".to_owned(),
            parent: None,
        };
        let options = Options {
            serves: Serves::One(seat.clone()),
            shared: Default::default(),
            prompt: false,
        };
        let policy = Arc::new(InMemory::new(["server".to_owned()], true));
        let gateway = Gateway::new(
            Config::of_child("server", command, &arguments),
            policy,
            options,
        );
        let (read, write) = standard();
        serve(&gateway, seat, read, write).await?;
        gateway.close().await;
        Ok::<(), String>(())
    });
    runtime.shutdown_background();
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
