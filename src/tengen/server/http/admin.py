"""The operator's own API and page: who is here, what is played, reports, bans, notices, an end without haste.

Both are there only where a token was given (`--admin-token-file`), and the API answers as if it were not to
everybody who does not have it. Programs send it as `Authorization: Bearer`; the page asks for it once and
keeps a cookie that is made from it, good for some hours at every process. What can be done is `DEEDS`, by
name: the API takes JSON, the page forms. Start reading at `door` and `DEEDS`.
"""

from __future__ import annotations

import asyncio
import hmac
import html
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import parse_qs

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from tengen.records.record import shorten
from tengen.server.errors import Refusal
from tengen.server.house import network
from tengen.server.http.endpoints import ROUTE, Endpoint, explain, now_ms, read_body
from tengen.server.http.replies import json_response
from tengen.server.http.service import Service
from tengen.server.limits import TooMany
from tengen.server.names import clean_text, shape
from tengen.server.people import cookie_name, cookie_of
from tengen.server.store.house import BanRow, NoticeRow

SESSION_S = 8 * 3600
MOST_SHOWN = 200  # rows of a list
EVERYWHERE = "*"
MOST_NOTICE = 300  # characters
LEAST_TOKEN = 16
Deed = Callable[[Service, Mapping[str, str]], Awaitable[None]]


# Who may


def door(request: Request) -> Service:
    """The service, for who has the token; everybody else finds nothing here."""
    service: Service = request.app.state.service
    token = service.web.admin_token
    if not token:
        raise HTTPException(404)
    kind, _, given = request.headers.get("authorization", "").partition(" ")
    right = kind.lower() == "bearer" and _same(given.strip(), token)
    if not right and not _is_session(token, cookie_of(request, _cookie(request))):
        address = request.client.host if request.client else ""
        if given:
            service.limits.take("keys", address)
        raise HTTPException(404)
    return service


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


def _cookie(request: Request) -> str:
    return f"{cookie_name(request)}-admin"


def _session(token: str, until_s: int) -> str:
    return f"{until_s}-{hmac.digest(token.encode(), f'session {until_s}'.encode(), 'sha256').hex()}"


def _is_session(token: str, cookie: str) -> bool:
    until, _, _ = cookie.partition("-")
    if not (until.isascii() and until.isdigit() and len(until) < 15):
        return False
    return int(until) > time.time() and _same(cookie, _session(token, int(until)))


# What is there


async def overview(service: Service) -> dict[str, Any]:
    hub, store = service.hub, service.store
    rows = await store.rows(await store.house.live(MOST_SHOWN))
    people = [
        {"address": one.address, "name": one.name, "watching": one.watching}
        for one in list(hub.connections)[:MOST_SHOWN]
    ]
    return {
        "draining": hub.house.draining,
        "sockets": len(hub.connections),
        "rooms": len(hub.rooms),
        "matches": await store.count_live(),
        "engine_queue": hub.engines.waiting,
        "loop_lag_s": service.pulse.worst_lately_s,
        "limits": {
            "on": service.limits.enabled,
            "sockets": service.limits.max_sockets,
            "rates": {name: [rate.burst, rate.per_second] for name, rate in service.limits.rates.items()},
            "owing": service.limits.owing(20),
        },
        "sessions": people,
        "live": [
            {
                "id": row.id,
                "game": row.game,
                "names": [seat.name or seat.kind for seat in row.seats],
                "moves": row.summary.moves,
                "moved_ms": row.summary.moved_ms,
            }
            for row in sorted(rows.values(), key=lambda row: -row.summary.moved_ms)
        ],
        "reports": [
            {
                "id": one.id,
                "created_ms": one.created_ms,
                "kind": one.kind,
                "subject": one.subject,
                "text": one.text,
                "reason": one.reason,
                "address": one.address,
            }
            for one in await store.house.reports()
        ],
        "bans": [
            {"kind": one.kind, "value": one.value, "until_ms": one.until_ms, "note": one.note}
            for one in hub.house.bans
            if one.kind != "drain"
        ],
        "notices": [{"id": one.id, "text": one.text, "until_ms": one.until_ms} for one in hub.house.notices],
    }


# What can be done


def _until(given: Mapping[str, str]) -> int | None:
    """`hours` from now on; for ever without it."""
    hours = given.get("hours", "").strip()
    if not hours:
        return None
    try:
        found = float(hours)
    except ValueError:
        found = -1.0
    if not 0 < found <= 100_000:
        raise Refusal("malformed", "hours must be a number above 0, or empty for good.")
    return now_ms() + int(found * 3_600_000)


def _wanted(given: Mapping[str, str], name: str) -> str:
    found = given.get(name, "").strip()
    if not found:
        raise Refusal("malformed", f"{name} is missing.")
    return found


async def ban(service: Service, given: Mapping[str, str]) -> None:
    """An address or network, or a name with all that look like it, which is taken from who has it."""
    value, note, until_ms = _wanted(given, "value"), shorten(given.get("note", ""), 200), _until(given)
    if given.get("kind") == "name":
        alike = shape(value)
        await service.store.house.ban(BanRow("name", alike, now_ms(), until_ms, note))
        names = await service.store.house.names()  # of all people: too many for the event loop
        taken = await asyncio.to_thread(lambda: [name for name in names if shape(name) == alike])
        await service.hub.reread(await service.store.unname(taken))
    elif given.get("kind") == "address":
        await service.store.house.ban(BanRow("address", network(value), now_ms(), until_ms, note))
    else:
        raise Refusal("malformed", "kind must be address or name.")


async def unban(service: Service, given: Mapping[str, str]) -> None:
    await service.store.house.unban(_wanted(given, "kind"), _wanted(given, "value"))


async def announce(service: Service, given: Mapping[str, str]) -> None:
    text = shorten(clean_text(_wanted(given, "text")), MOST_NOTICE)
    await service.store.house.add_notice(NoticeRow(secrets.token_urlsafe(9), text, now_ms(), _until(given)))


async def withdraw(service: Service, given: Mapping[str, str]) -> None:
    await service.store.house.drop_notice(_wanted(given, "id"))


async def done(service: Service, given: Mapping[str, str]) -> None:
    await service.store.house.close_report(_wanted(given, "id"), now_ms())


async def drain(service: Service, given: Mapping[str, str]) -> None:
    """No new match begins at this process, and load balancers send nobody; what is played goes on.

    With `where` as `all`, the same at every process that runs now. With `on` as `0` that is over.
    """
    on, house = given.get("on", "1") in ("1", "true", "on"), service.store.house
    if given.get("where") != "all":
        service.hub.house.drained_here = on
    elif on:
        await house.ban(BanRow("drain", EVERYWHERE, now_ms()))
    if not on:
        service.hub.house.drained_here = False
        await house.unban("drain", EVERYWHERE)


DEEDS: Mapping[str, Deed] = {
    "ban": ban,
    "unban": unban,
    "announce": announce,
    "withdraw": withdraw,
    "done": done,
    "drain": drain,
}


async def perform(service: Service, name: str, given: Mapping[str, str]) -> None:
    deed = DEEDS.get(name)
    if deed is None:
        raise Refusal("unknown", "There is no such thing to do.")
    await deed(service, given)
    await service.hub.refresh_house()


# The API


async def api(request: Request) -> Response:
    """GET: everything. POST /api/admin/DEED with a JSON object of texts."""
    request.scope[ROUTE] = "/api/admin"
    try:
        service = door(request)
        if request.method == "POST":
            given = await read_body(request, _BODY)
            await perform(service, request.path_params["deed"], given)
        return json_response(await overview(service), request_headers=request.headers)
    except Exception as error:
        return explain(error, request.app.state.service.metrics)


async def _nothing(_: Any) -> Response:
    raise AssertionError("it has no handler of its own")


_BODY = Endpoint("POST", "/api/admin/{deed}", _nothing, "What the operator does", body=dict[str, str])

# The page


async def page(request: Request) -> Response:
    request.scope[ROUTE] = "/admin"
    service: Service = request.app.state.service
    if not service.web.admin_token:
        raise HTTPException(404)
    try:
        door(request)
    except HTTPException:
        return _html(_LOGIN)
    return _html(_page(await overview(service), request.query_params.get("said", "")))


async def enter(request: Request) -> Response:
    request.scope[ROUTE] = "/admin"
    service: Service = request.app.state.service
    token = service.web.admin_token
    if not token:
        raise HTTPException(404)
    try:
        service.limits.take("keys", request.client.host if request.client else "")
    except TooMany as error:
        return explain(error)
    given = (await _form(request)).get("token", "")
    answer = RedirectResponse("/admin", 303)
    if _same(given.strip(), token):
        until_s = int(time.time()) + SESSION_S
        secure = request.url.scheme == "https"
        answer.set_cookie(
            _cookie(request),
            _session(token, until_s),
            max_age=SESSION_S,
            path=service.web.prefix or "/",
            httponly=True,
            samesite="strict",
            secure=secure,
        )
    return answer


async def act(request: Request) -> Response:
    request.scope[ROUTE] = "/admin"
    service = door(request)
    given = await _form(request)
    try:
        await perform(service, request.path_params["deed"], given)
    except Refusal as refusal:
        return RedirectResponse(f"/admin?said={refusal.code}", 303)
    return RedirectResponse("/admin", 303)


async def style(request: Request) -> Response:
    request.scope[ROUTE] = "/admin"
    return Response(_STYLE, media_type="text/css", headers={"cache-control": "no-cache"})


async def _form(request: Request) -> dict[str, str]:
    """A small form; what is larger is cut off, and makes no sense then."""
    data = b""
    async for chunk in request.stream():
        data += chunk
        if len(data) > 16_384:
            raise HTTPException(413)
    return {name: values[0] for name, values in parse_qs(data.decode("utf-8", "replace")).items()}


def _html(body: str) -> Response:
    head = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>tengen: operator</title>'
    head += (
        '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="admin/style.css">'
    )
    return Response(f"{head}</head><body>{body}</body></html>", media_type="text/html", headers=_NO_STORE)


_NO_STORE = {"cache-control": "no-store"}
_LOGIN = """<h1>Operator</h1><form method="post" action="admin/enter">
<label>Token <input name="token" type="password" autocomplete="current-password" required></label>
<button>Enter</button></form>"""
_STYLE = """:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 1rem auto; padding: 0 1rem; }
table { width: 100%; border-collapse: collapse; } td, th { padding: .3rem .5rem; text-align: start;
border-top: 1px solid #8886; vertical-align: top; overflow-wrap: break-word; }
td { max-width: 30rem; } td:last-child { white-space: nowrap; }
form { display: inline-flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-inline-end: .5rem; }
input, select, button { font: inherit; padding: .3rem .6rem; min-height: 2.5rem; }
section { margin: 2rem 0; overflow-x: auto; } dl { display: flex; flex-wrap: wrap; gap: .5rem 2rem; }
dt { opacity: .7; } dd { margin: 0; font-weight: 600; }"""


def _page(found: dict[str, Any], said: str) -> str:
    numbers = ("sockets", "rooms", "matches", "engine_queue", "loop_lag_s")
    facts = "".join(f"<div><dt>{_plain(name)}</dt><dd>{_text(found[name])}</dd></div>" for name in numbers)
    on = found["draining"]
    if on:
        draining = _form_of("drain", {"on": "0"}, "Take new matches again")
    else:
        everywhere = _form_of("drain", {"on": "1", "where": "all"}, "Drain all processes")
        draining = _form_of("drain", {"on": "1"}, "Drain") + everywhere
    problem = f"<p role=alert>That was refused ({_text(said)}): look at what you wrote.</p>" if said else ""
    return "".join(
        (
            f"<h1>Operator</h1>{problem}<dl>{facts}</dl>",
            f"<p>{'No new match begins here.' if on else 'New matches begin here.'} {draining}</p>",
            _section("Announce", _ANNOUNCE + _table(found["notices"], ("text",), _withdraw)),
            _section("Reports", _table(found["reports"], ("kind", "text", "reason", "subject"), _report)),
            _section("Bans", _BAN + _table(found["bans"], ("kind", "value", "note"), _unban)),
            _section("Live matches", _table(found["live"], ("game", "names", "moves"), _watch)),
            _section("Sessions", _table(found["sessions"], ("address", "name", "watching"), _bar)),
            _section("Limits", _limits(found["limits"])),
        )
    )


_ANNOUNCE = """<form method="post" action="admin/do/announce"><input name="text" maxlength="300" required
aria-label="Text" placeholder="Text for everybody"><input name="hours" size="6" aria-label="Hours"
placeholder="Hours"><button>Announce</button></form>"""
_BAN = """<form method="post" action="admin/do/ban"><select name="kind" aria-label="Kind"><option>address
<option>name</select><input name="value" required aria-label="Address or name" placeholder="Address or name">
<input name="hours" size="6" aria-label="Hours" placeholder="Hours"><input name="note" aria-label="Note"
placeholder="Note"><button>Ban</button></form>"""


def _limits(limits: dict[str, Any]) -> str:
    state = "on" if limits["on"] else "off"
    rates = limits["rates"].items()
    rows = [{"limit": name, "at once": burst, "a second": pace} for name, (burst, pace) in rates]
    owing = [{"address": one[1], "limit": one[0], "left": round(one[2], 1)} for one in limits["owing"]]
    return (
        f"<p>Limits are {state}. Who has the least left:</p>"
        + _table(owing, ("address", "limit", "left"))
        + _table(rows, ("limit", "at once", "a second"))
    )


def _section(title: str, inside: str) -> str:
    return f"<section><h2>{title}</h2>{inside}</section>"


def _table(
    rows: list[dict[str, Any]],
    columns: tuple[str, ...],
    action: Callable[[dict[str, Any]], str] = lambda row: "",
) -> str:
    if not rows:
        return "<p>None.</p>"
    head = "".join(f"<th>{_plain(column)}</th>" for column in columns)
    cells = ["".join(f"<td>{_text(row[column])}</td>" for column in columns) for row in rows]
    body = "".join(f"<tr>{told}<td>{action(row)}</td></tr>" for told, row in zip(cells, rows, strict=True))
    return f"<table><tr>{head}<th></th></tr>{body}</table>"


def _form_of(deed: str, fields: Mapping[str, str], label: str) -> str:
    hidden = "".join(f'<input type="hidden" name="{_text(n)}" value="{_text(v)}">' for n, v in fields.items())
    return f'<form method="post" action="admin/do/{deed}">{hidden}<button>{label}</button></form>'


def _withdraw(row: dict[str, Any]) -> str:
    return _form_of("withdraw", {"id": row["id"]}, "Withdraw")


def _report(row: dict[str, Any]) -> str:
    barred = {"kind": "name", "value": row["text"], "note": "reported"}
    both = _form_of("ban", barred, "Ban the name") if row["kind"] == "name" and row["text"] else ""
    return both + _form_of("done", {"id": row["id"]}, "Done")


def _unban(row: dict[str, Any]) -> str:
    return _form_of("unban", {"kind": row["kind"], "value": row["value"]}, "Lift")


def _watch(row: dict[str, Any]) -> str:
    return f'<a href="play/{_text(row["id"])}">Watch</a>'


def _bar(row: dict[str, Any]) -> str:
    return _form_of("ban", {"kind": "address", "value": row["address"]}, "Ban the address")


def _plain(name: str) -> str:
    return _text(name.replace("_", " "))


def _text(value: Any) -> str:
    if isinstance(value, list):
        return html.escape(", ".join(map(str, value)))
    return html.escape(f"{value:.3g}" if isinstance(value, float) else str(value))


ROUTES = (
    Route("/api/admin", api, methods=["GET"]),
    Route("/api/admin/{deed:name}", api, methods=["POST"]),
    Route("/admin", page, methods=["GET"]),
    Route("/admin/style.css", style, methods=["GET"]),
    Route("/admin/enter", enter, methods=["POST"]),
    Route("/admin/do/{deed:name}", act, methods=["POST"]),
)
