"""The server: requests of the protocol become calls of memory in a thread, and their answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import anyio.to_thread
import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from vademecum import __version__
from vademecum.core.errors import VademecumError
from vademecum.surfaces.mcp import offers, prompts
from vademecum.surfaces.mcp.door import Door
from vademecum.surfaces.mcp.replies import Reply
from vademecum.surfaces.rendering.visible import one_line

if TYPE_CHECKING:
    from vademecum.service.memory import Memory

Context = ServerRequestContext[Any]
Paged = types.PaginatedRequestParams | None
T = TypeVar("T")

_FIXED = CacheHint(ttl_ms=3_600_000, scope="public")
"""Lists that only another version of the program changes."""


def server(door: Door) -> Server[Any]:
    """Return a server that speaks for the memory behind `door`; nothing is opened for it."""
    answering = _Answering(door)
    return Server(
        "vademecum",
        version=__version__,
        title="Vademecum memory",
        instructions=offers.INSTRUCTIONS,
        cache_hints={
            "tools/list": _FIXED,
            "prompts/list": _FIXED,
            "resources/templates/list": _FIXED,
        },
        on_list_tools=answering.list_tools,
        on_call_tool=answering.call_tool,
        on_list_resources=answering.list_resources,
        on_list_resource_templates=answering.list_templates,
        on_read_resource=answering.read_resource,
        on_list_prompts=answering.list_prompts,
        on_get_prompt=answering.get_prompt,
    )


class _Answering:
    """One handler a method of the protocol."""

    def __init__(self, door: Door) -> None:
        self._door = door

    async def list_tools(self, context: Context, params: Paged) -> types.ListToolsResult:
        del context, params
        return types.ListToolsResult(tools=[_tool(offer) for offer in offers.OFFERS])

    async def call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        from vademecum.surfaces.mcp.calls import (  # noqa: PLC0415  `initialize` needs none
            call,
        )

        if params.name not in offers.BY_NAME:
            named = ", ".join(offers.BY_NAME)
            raise _invalid(f"There is no tool {params.name!r}; there are {named}.")
        told = await anyio.to_thread.run_sync(
            call, self._door, params.name, params.arguments, _client_of(context)
        )
        return _result(told)

    async def list_resources(self, context: Context, params: Paged) -> types.ListResourcesResult:
        from vademecum.surfaces.mcp import resources  # noqa: PLC0415  as above

        cursor = (params.cursor if params else None) or ""
        page = await self._asked(context, lambda memory: resources.page(memory, cursor))
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=resources.address(note.path),
                    name=note.path,
                    mime_type="text/markdown",
                    size=note.size,
                    annotations=types.Annotations(last_modified=note.modified.isoformat()),
                )
                for note in page.notes
            ],
            next_cursor=page.following or None,
        )

    async def list_templates(
        self, context: Context, params: Paged
    ) -> types.ListResourceTemplatesResult:
        from vademecum.surfaces.mcp import resources  # noqa: PLC0415  as above

        del context, params
        note = types.ResourceTemplate(
            uri_template=resources.TEMPLATE,
            name="note",
            title="Note",
            description="A note by its path; `lines` (3-9, 3-) gives a part.",
            mime_type="text/markdown",
        )
        return types.ListResourceTemplatesResult(resource_templates=[note])

    async def read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        from vademecum.surfaces.mcp import resources  # noqa: PLC0415  as above

        uri = str(params.uri)
        text = await self._asked(context, lambda memory: resources.read(memory, uri), uri)
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=uri, mime_type="text/markdown", text=text)]
        )

    async def list_prompts(self, context: Context, params: Paged) -> types.ListPromptsResult:
        del context, params
        return types.ListPromptsResult(prompts=[_prompt(one) for one in prompts.PROMPTS])

    async def get_prompt(
        self, context: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        del context
        found = prompts.BY_NAME.get(params.name)
        if found is None:
            named = ", ".join(prompts.BY_NAME)
            raise _invalid(f"There is no prompt {params.name!r}; there are {named}.")
        text = found.filled((params.arguments or {}).get(found.argument, ""))
        said = types.PromptMessage(role="user", content=types.TextContent(text=text))
        return types.GetPromptResult(description=found.description, messages=[said])

    async def _asked(
        self, context: Context, question: Callable[[Memory], T], uri: str | None = None
    ) -> T:
        """Answer in a thread; an error of memory becomes one of the protocol."""
        client = _client_of(context)
        try:
            return await anyio.to_thread.run_sync(lambda: question(self._door.memory(client)))
        except VademecumError as error:
            told = one_line(f"{error} {error.hint}".strip())
            raise _invalid(told, {"uri": uri} if uri else None) from error


def _tool(offer: offers.Offer) -> types.Tool:
    return types.Tool(
        name=offer.name,
        title=offer.title,
        description=offer.description,
        input_schema=offer.schema,
        annotations=types.ToolAnnotations(
            read_only_hint=offer.reads_only,
            destructive_hint=False,
            idempotent_hint=offer.repeatable,
            open_world_hint=False,
        ),
        _meta={"anthropic/alwaysLoad": True} if offer.always_loaded else None,
    )


def _prompt(offered: prompts.Offered) -> types.Prompt:
    argument = types.PromptArgument(
        name=offered.argument, description=offered.argument_description, required=False
    )
    return types.Prompt(
        name=offered.name,
        title=offered.title,
        description=offered.description,
        arguments=[argument],
    )


def _result(told: Reply) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(text=told.text)],
        structured_content=told.fields,
        is_error=told.failed,
    )


def _client_of(context: Context) -> str:
    """Return the name that the client gave itself, empty where it gave none."""
    params = context.session.client_params
    return params.client_info.name if params and params.client_info else ""


def _invalid(message: str, data: dict[str, str] | None = None) -> MCPError:
    return MCPError(code=types.INVALID_PARAMS, message=message, data=data)
