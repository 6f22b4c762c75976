"""The HTTP API of brains and the Lab. Brains can be played by everybody; all else is for the operator.

Training takes the processor, and a brain that is removed is gone, so what changes something is open only as
`WebConfig.lab` says: to who has started it where the server is for nobody else, to everyone where the
operator said so, else to no one, who then learns nothing of it either. Start reading at `ENDPOINTS`.
"""

from __future__ import annotations

import asyncio
from ipaddress import ip_address

from starlette.requests import Request
from starlette.responses import Response

from tengen.server.errors import Refusal
from tengen.server.http.endpoints import BINARY, Call, Endpoint, Parameter
from tengen.server.http.security import is_known_host
from tengen.server.http.service import Service
from tengen.server.lab import brains, training
from tengen.server.protocol import BrainInfo, Lab, NewRun, RunReport, RunWish

MAX_BRAIN_BYTES = 64 * 1024 * 1024
_MOST_AFTER = 10_000_000


def may_use(request: Request, service: Service) -> bool:
    """Whether whoever asks is let into the Lab."""
    web = service.web
    if web.lab != "here":
        host = request.headers.get("host", "")
        return web.lab == "everyone" and is_known_host(host, web.origins)
    forwarded = any(name in request.headers for name in ("x-forwarded-for", "forwarded"))
    if request.client is None or forwarded:  # a proxy that nobody told us of
        return False
    try:
        here = ip_address(request.client.host.removeprefix("::ffff:")).is_loopback
    except ValueError:
        return False
    return here and service.lab_keys.admits(request)


def door(call: Call) -> None:
    if not may_use(call.request, call.service):
        raise Refusal("stranger", "The Lab of this server is for its operator.")


async def brain_list(call: Call) -> Response:
    everything = may_use(call.request, call.service)
    return call.reply(await asyncio.to_thread(brains.listed, everything))


async def upload_brain(call: Call) -> Response:
    data: bytes = call.body
    return call.reply(await call.aside(brains.add, data), 201)


async def download_brain(call: Call) -> Response:
    name, data = await asyncio.to_thread(brains.file, call.parameter("game"), call.parameter("brain"))
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(data, headers=headers, media_type=BINARY)


async def use_brain(call: Call) -> Response:
    await asyncio.to_thread(brains.use, call.parameter("game"), call.parameter("brain"))
    return Response(status_code=204)


async def remove_brain(call: Call) -> Response:
    await asyncio.to_thread(brains.remove, call.parameter("game"), call.parameter("brain"))
    return Response(status_code=204)


async def lab(call: Call) -> Response:
    return call.reply(await asyncio.to_thread(training.lab))


async def start_run(call: Call) -> Response:
    wish: NewRun = call.body
    made = await asyncio.to_thread(training.start, wish)
    return call.reply(made, 201, location=f"/api/lab/runs/{made.run.name}")


async def run_report(call: Call) -> Response:
    after = _after(call.query("after"))
    return call.reply(await asyncio.to_thread(training.report, call.parameter("run"), after))


async def control_run(call: Call) -> Response:
    wish: RunWish = call.body
    return call.reply(await asyncio.to_thread(training.control, call.parameter("run"), wish))


async def remove_run(call: Call) -> Response:
    await asyncio.to_thread(training.remove, call.parameter("run"))
    return Response(status_code=204)


def _after(text: str | None) -> int:
    if text is None:
        return 0
    if not (text.isascii() and text.isdigit() and len(text) <= 8 and int(text) <= _MOST_AFTER):
        raise Refusal("malformed", "after must be how many points you have.")
    return int(text)


_BRAIN = "/api/brains/{game:name}/{brain:name}"
_RUN = "/api/lab/runs/{run:name}"
_AFTER = Parameter(
    "after",
    "How many points you have already.",
    {"type": "integer", "minimum": 0, "maximum": _MOST_AFTER},
)

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET",
        "/api/brains",
        brain_list,
        "The brains that can have a seat: the champion of each game, in the Lab all of them",
        answer=list[BrainInfo],
    ),
    Endpoint(
        "POST",
        "/api/brains",
        upload_brain,
        "Keeps a brain, from its file",
        body=bytes,
        takes=BINARY,
        max_bytes=MAX_BRAIN_BYTES,
        answer=BrainInfo,
        status=201,
        problems=(409,),
        door=door,
    ),
    Endpoint(
        "GET",
        f"{_BRAIN}/file",
        download_brain,
        "A brain as a file, which is ONNX",
        media=(BINARY,),
        problems=(404,),
        door=door,
    ),
    Endpoint(
        "POST",
        f"{_BRAIN}/use",
        use_brain,
        "Makes it the champion, which brain:latest means from then on",
        status=204,
        problems=(404, 409),
        door=door,
    ),
    Endpoint("DELETE", _BRAIN, remove_brain, "Removes a brain", status=204, problems=(404, 409), door=door),
    Endpoint(
        "GET", "/api/lab", lab, "What can be trained here, and the training runs", answer=Lab, door=door
    ),
    Endpoint(
        "POST",
        "/api/lab/runs",
        start_run,
        "Starts to train, or lets two brains play each other and learn",
        body=NewRun,
        answer=RunReport,
        status=201,
        problems=(404, 409),
        door=door,
    ),
    Endpoint(
        "GET",
        _RUN,
        run_report,
        "How a training run stands, with its live board and what its curves are drawn from",
        answer=RunReport,
        problems=(400, 404),
        query=(_AFTER,),
        door=door,
    ),
    Endpoint(
        "POST",
        _RUN,
        control_run,
        "Pauses or stops a run, goes on with it, or saves its brain",
        body=RunWish,
        answer=RunReport,
        problems=(404, 409),
        door=door,
    ),
    Endpoint(
        "DELETE",
        _RUN,
        remove_run,
        "Forgets a run; its brains stay",
        status=204,
        problems=(404, 409),
        door=door,
    ),
)
