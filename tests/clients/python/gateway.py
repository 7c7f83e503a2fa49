"""The switch, seen by the official Python SDK: `rea gateway` before the reference server and before a server with 207 tools.

    python gateway.py --rea PATH --servers FILE --mode auto|legacy

FILE is JSON: {"everything": [command, arguments …], "stub": [command, arguments …]}.
One line a check, `ok NAME` or `not ok NAME`; the last line sums up. Exit code 1 if a check didn't hold.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path

from peer import Refused, connect, sdk_version
from session import check, counts, leaves, section

ON, OFF = "on", "off"


class Switch:
    """One state file and one configuration."""

    def __init__(self, rea: str, folder: Path, lines: dict[str, list[str]], **toggle: object):
        self.rea, self.state, self.config = rea, folder / "state.json", folder / "servers.json"
        named = {name: {"command": line[0], "args": line[1:]} for name, line in lines.items()}
        self.config.write_text(json.dumps({"mcpServers": named, "reaToggle": toggle}))

    def arguments(self, conversation: str, parent: str | None = None) -> list[str]:
        more = ["--parent", parent] if parent else []
        return ["gateway", "--no-prompt", "--config", str(self.config), "--state", str(self.state),
                "--conversation", conversation, *more]

    def set(self, conversation: str, position: str) -> None:
        line = [self.rea, "toggle", position, "--conversation", conversation, "--state", str(self.state)]
        subprocess.run(line, check=True, capture_output=True)


async def names(peer) -> list[str]:
    return [tool["name"] for tool in await peer.tools()]


async def settled(ask, wanted, patience: float = 5):
    """Asks until the answer is the wanted one, or time is up. Gives the last answer."""
    for _ in range(int(patience / 0.05)):
        if (seen := await ask()) == wanted:
            return seen
        await asyncio.sleep(0.05)
    return seen


async def refusal(peer, name: str) -> tuple[int, str]:
    refused = await peer.refusal("tools/call", {"name": name, "arguments": {}})
    return refused.code, str(refused).replace(name, "NAME")


async def one_server(rea: str, line: list[str], mode: str, folder: Path, instructions: bool) -> None:
    switch = Switch(rea, folder, {"one": line})
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        direct = await enter(connect(line[0], mode, line[1:]))
        tools = await direct.tools()
        # A conversation that was never switched is off.
        off = await enter(connect(rea, mode, switch.arguments("off")))
        check("off: no tools", await names(off) == [], await off.tools())
        check("off: no instructions", not off.instructions, off.instructions)
        switch.set("on", ON)
        on = await enter(connect(rea, mode, switch.arguments("on")))
        child = await enter(connect(rea, mode, switch.arguments("child", "on")))
        check("on: the tools of the server", await on.tools() == tools, await on.tools())
        check("on: its prompts", await on.prompts() == await direct.prompts(), await on.prompts())
        if instructions:
            check("on: its instructions", on.instructions == direct.instructions and on.instructions, on.instructions)
        check("a sub-agent follows", await child.tools() == tools)
        name = tools[0]["name"]
        check("off: a call is refused like an unknown tool", await refusal(off, name) == await refusal(off, "nope"))
        check("unknown is unknown, on or off", await refusal(on, "nope") == await refusal(off, name))
        called = await on.session.call_tool("echo", {"message": "hello"})
        check("on: a call", "hello" in str(called), called)

        switch.set("on", OFF)
        check("flipped off elsewhere", await settled(lambda: names(on), []) == [])
        check("the sub-agent too", await settled(lambda: names(child), []) == [])
        switch.set("on", ON)
        check("and on again, as before", await settled(on.tools, tools) == tools)
        check("the other conversation is still off", await names(off) == [])


async def two_servers(rea: str, lines: dict[str, list[str]], mode: str, folder: Path) -> None:
    switch = Switch(rea, folder, lines, servers=["stub"])
    async with connect(rea, mode, switch.arguments("c")) as peer:
        seen = await names(peer)
        check("ungoverned: on", seen and all(name.startswith("everything__") for name in seen), seen)
        called = await peer.session.call_tool("everything__echo", {"message": "hello"})
        check("a prefixed call", "hello" in str(called), called)
        check("hidden is unknown", await refusal(peer, "stub__echo") == await refusal(peer, "stub__nope"))
        switch.set("c", ON)
        all_of_them = await settled(lambda: names(peer), None, 1.5)
        stub = [name for name in all_of_them if name.startswith("stub__")]
        check("207 tools and those that do something", len(stub) == 207 + 11, len(stub))
        check("names are good for model providers", all(len(name) <= 64 for name in all_of_them))


async def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rea", required=True)
    parser.add_argument("--servers", type=Path, required=True)
    parser.add_argument("--mode", choices=["auto", "legacy"], required=True)
    arguments = parser.parse_args()
    servers = json.loads(arguments.servers.read_text())
    print(f"# {sdk_version()}, {arguments.mode}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, line) in enumerate(servers.items()):
            place = Path(folder) / str(number)
            place.mkdir()
            with section(name):
                try:
                    await one_server(arguments.rea, line, arguments.mode, place, True)
                except* Refused as refused:
                    raise RuntimeError(leaves(refused)) from None
        if len(servers) > 1:
            with section("two servers"):
                await two_servers(arguments.rea, servers, arguments.mode, Path(folder))
    print(f"{counts['ok']} passed, {counts['not ok']} failed, {counts['skip']} skipped", flush=True)
    return 1 if counts["not ok"] else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
