//! What the system refuses: an error with the path, and no position lost.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    process::{Command, Output},
};

use crate::bed::{Bed, said};

/// A file with more positions than a small limit has room for.
fn filled(bed: &Bed) -> String {
    let entries: Vec<String> = (0..100)
        .map(|n| format!(r#""c{n:03}":{{"enabled":true,"revision":{}}}"#, n + 1))
        .collect();
    let text = format!(
        r#"{{"version":1,"revision":100,"conversations":{{{}}}}}"#,
        entries.join(",")
    );
    fs::write(bed.state(), &text).unwrap();
    text
}

fn refused(bed: &Bed, output: &Output, words: &[&str], before: &str) {
    let text = said(output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for word in words {
        assert!(text.contains(word), "{text}");
    }
    assert_eq!(fs::read_to_string(bed.state()).unwrap(), before);
    assert_eq!(bed.names(), ["s.json"]);
}

#[test]
fn a_limit_on_file_sizes_is_an_error_and_not_the_end() {
    let bed = Bed::new();
    let before = filled(&bed);
    let script =
        "ulimit -c 0; ulimit -f 2; exec \"$0\" toggle off --conversation c001 --state \"$1\"";
    let output = Command::new("bash")
        .args(["-c", script])
        .arg(rea_tests::program())
        .arg(bed.state())
        .output()
        .unwrap();
    refused(&bed, &output, &["s.json.tmp", "too large"], &before);
    assert_eq!(bed.switch("off", "c001"), "off");
}

#[test]
fn a_full_disk_is_an_error_with_the_path() {
    let bed = Bed::new();
    let mount = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=24k", "tmpfs"])
        .arg(bed.folder())
        .stderr(std::process::Stdio::null())
        .status();
    if !mount.is_ok_and(|status| status.success()) {
        println!("mounting isn't allowed here; the limit on file sizes stands for it");
        return;
    }
    let before = filled(&bed);
    // Room for a lock, not for the document. (A page each.)
    let fill = fs::write(bed.path("fill"), vec![0; 64 << 10]);
    assert!(fill.is_err());
    let size = fs::metadata(bed.path("fill")).unwrap().len();
    fs::File::options()
        .write(true)
        .open(bed.path("fill"))
        .unwrap()
        .set_len(size - 4096)
        .unwrap();
    let output = bed.rea(&["off", "--conversation", "c001"]);
    let _ = fs::remove_file(bed.path("fill"));
    let checked =
        std::panic::catch_unwind(|| refused(&bed, &output, &["s.json", "space"], &before));
    Command::new("umount").arg(bed.folder()).status().unwrap();
    checked.unwrap();
}

#[test]
fn a_folder_that_may_not_be_written_is_an_error_with_the_path() {
    let bed = Bed::new();
    let before = filled(&bed);
    fs::set_permissions(bed.state(), fs::Permissions::from_mode(0o644)).unwrap();
    fs::set_permissions(bed.folder(), fs::Permissions::from_mode(0o555)).unwrap();
    let mut command = bed.command(&["off", "--conversation", "c001"]);
    if fs::write(bed.path("probe"), "").is_ok() {
        // An administrator may write anywhere, so it is tried as somebody else.
        fs::remove_file(bed.path("probe")).unwrap();
        let mut other = Command::new("setpriv");
        other.args(["--reuid=65534", "--regid=65534", "--clear-groups"]);
        other.arg(command.get_program()).args(command.get_args());
        command = other;
    }
    let output = command.output();
    fs::set_permissions(bed.folder(), fs::Permissions::from_mode(0o755)).unwrap();
    match output {
        Ok(output) if said(&output).contains("failed to execute") => {
            println!("nobody else may run the program here");
        }
        Ok(output) => refused(&bed, &output, &["s.json", "denied"], &before),
        Err(error) => println!("no setpriv: {error}"),
    }
}

#[test]
fn something_else_in_its_place_is_an_error_with_the_path() {
    let bed = Bed::new();
    fs::create_dir(bed.state()).unwrap();
    let output = bed.rea(&["on", "--conversation", "c"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said(&output).contains("s.json is a folder"),
        "{}",
        said(&output)
    );
    fs::remove_dir(bed.state()).unwrap();

    assert!(
        Command::new("mkfifo")
            .arg(bed.state())
            .status()
            .unwrap()
            .success()
    );
    let output = bed.rea(&["status", "--conversation", "c"]);
    assert_eq!(
        output.status.code(),
        Some(1),
        "and it waits for nobody to write into the pipe"
    );
    fs::remove_file(bed.state()).unwrap();

    fs::write(bed.state(), "").unwrap();
    let inside = bed.state().join("s.json");
    let output = Command::new(rea_tests::program())
        .args(["toggle", "on", "--conversation", "c", "--state"])
        .arg(inside)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("s.json/s.json"), "{}", said(&output));
}

#[test]
fn wrong_usage_is_code_2() {
    let bed = Bed::new();
    for arguments in [
        &["on"][..],
        &["flip", "--conversation", "c"],
        &["list", "--conversation", "c"],
        &[],
    ] {
        assert_eq!(bed.rea(arguments).status.code(), Some(2), "{arguments:?}");
    }
}
