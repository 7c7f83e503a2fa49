"""One way to talk to `rea mcp`, or another server, through the official Python SDK, whichever of its two majors is installed."""

from contextlib import asynccontextmanager
from typing import Any, ClassVar

import mcp
from mcp import ClientSession, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from pydantic import BaseModel

try:  # 2.x
    from mcp import Client
    from mcp.shared.exceptions import MCPError as RpcError
except ImportError:  # 1.x
    Client = None
    from mcp.shared.exceptions import McpError as RpcError

# Longer than any answer takes; a server that hangs must not hang the tests.
TIMEOUT = 60


class Raw(BaseModel):
    """A request that the SDK would not let through, because its params are wrong."""

    # 2.x looks for it on whatever it sends.
    name_param: ClassVar[None] = None
    method: str
    params: dict[str, Any]


class Refused(Exception):
    """The JSON-RPC error that a request got."""

    def __init__(self, error: Any):
        super().__init__(f"{error.code}: {error.message}")
        self.code, self.message, self.data = error.code, error.message, error.data


def plain(model: BaseModel) -> dict[str, Any]:
    """What came over the wire."""
    return model.model_dump(by_alias=True, mode="json", exclude_none=True)


class Peer:
    """A connection. Every answer is plain JSON."""

    def __init__(self, session: ClientSession, version: str, capabilities: dict[str, Any], instructions: str | None):
        self.session, self.version, self.capabilities = session, version, capabilities
        self.instructions = instructions

    async def _ask(self, answer: Any) -> dict[str, Any]:
        try:
            return plain(await answer)
        except RpcError as error:
            raise Refused(error.error) from None

    async def prompts(self) -> list[dict[str, Any]]:
        return (await self._ask(self.session.list_prompts()))["prompts"]

    async def tools(self) -> list[dict[str, Any]]:
        return (await self._ask(self.session.list_tools()))["tools"]

    async def prompt(self, name: str, arguments: dict[str, str]) -> dict[str, Any]:
        return await self._ask(self.session.get_prompt(name, arguments))

    async def complete(self, prompt: str, argument: str, value: str = "", **context: str) -> dict[str, Any]:
        """The `completion` object: values, total, hasMore."""
        ref = types.PromptReference(type="ref/prompt", name=prompt)
        what = {"name": argument, "value": value}
        answer = await self._ask(self.session.complete(ref, what, context_arguments=context or None))
        return answer["completion"]

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """A tool's structured content. A tool that says that it failed is an exception."""
        answer = await self._ask(self.session.call_tool(tool, arguments))
        if answer.get("isError"):
            raise RuntimeError(f"{tool}: {answer['content'][0]['text']}")
        return answer["structuredContent"]

    async def refusal(self, method: str, params: dict[str, Any]) -> Refused:
        """The error that a wrong request gets."""
        try:
            await self._ask(self.session.send_request(Raw(method=method, params=params), types.EmptyResult))
        except Refused as refused:
            return refused
        raise AssertionError(f"{method} with {params} was answered")


@asynccontextmanager
async def connect(rea: str, mode: str, arguments: list[str] | None = None):
    """Starts `rea mcp` and shakes hands: `legacy` with initialize, `auto` as the SDK thinks best."""
    server = StdioServerParameters(command=rea, args=arguments or ["mcp"])
    if Client is not None:
        async with Client(server, mode=mode, read_timeout_seconds=TIMEOUT) as client:
            yield Peer(client.session, client.protocol_version, plain(client.server_capabilities), client.instructions)
        return
    from datetime import timedelta

    if mode != "legacy":
        raise SystemExit("this SDK knows the legacy handshake only")
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write, read_timeout_seconds=timedelta(seconds=TIMEOUT)) as session:
            hello = await session.initialize()
            yield Peer(session, hello.protocolVersion, plain(hello.capabilities), hello.instructions)


def sdk_version() -> str:
    """Which SDK this is, for people."""
    from importlib.metadata import version

    return f"{mcp.__name__} {version('mcp')}"
