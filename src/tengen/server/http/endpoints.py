"""The plumbing under the HTTP API: what an endpoint is, how a request is read and an error answered.

An `Endpoint` is a row of a table: the router, the decoding of bodies and the OpenAPI document are all made
from it. A handler takes a `Call` and returns a Response; what it raises becomes a Problem. Start reading at
`Endpoint`, then `routes`.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from tengen.server import people
from tengen.server.errors import Refusal, plain
from tengen.server.http import bodies
from tengen.server.http.replies import CODE_OF_STATUS, STATUS_OF_CODE, json_response, problem
from tengen.server.limits import TooMany
from tengen.server.protocol import MAX_MESSAGE_BYTES, Code, Problem
from tengen.server.store.rows import PersonRow, StoreUnavailable

if TYPE_CHECKING:
    from tengen.server.http.service import Service
    from tengen.server.metrics import Metrics


class IdConvertor(Convertor[str]):
    """Ids of matches and studies in a path; too short for it are the words that stand beside them."""

    regex = "[A-Za-z0-9_-]{8,64}"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


class NameConvertor(IdConvertor):
    """Names of games, brains and training runs in a path; never those of a folder above."""

    regex = "[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}"


class PageConvertor(IdConvertor):
    """Paths that are not the API's, where a wrong method must not look like a missing page."""

    regex = "(?!api/).*"


register_url_convertor("id", IdConvertor())
register_url_convertor("name", NameConvertor())
register_url_convertor("page", PageConvertor())

log = logging.getLogger("tengen.http")
T = TypeVar("T")
JSON = "application/json"
BINARY = "application/octet-stream"
Schema = Mapping[str, Any]

COMMON_PROBLEMS = (403, 429, 500, 503)  # what any endpoint may answer
_CONVERTOR = re.compile(r":\w+}")
ROUTE = "tengen.route"  # where a scope has the template of its path, for logs and metrics
LONGEST_QUERY = 1000  # characters
SORRY = "Something went wrong on the server; nothing was changed."


def now_ms() -> int:
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Parameter:
    """A part of the query. What does not fit the schema is for the handler to refuse."""

    name: str
    help: str
    schema: Schema


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One method of one path."""

    method: str
    path: str
    handler: Callable[[Call], Coroutine[Any, Any, Response]]
    summary: str
    body: Any = None  # the type of the request's body
    takes: str = JSON  # the media type of the body; anything else than JSON is bytes
    max_bytes: int = MAX_MESSAGE_BYTES
    answer: Any = None  # the type of the answer's body; None where it is not JSON of ours, or empty
    status: int = 200
    media: tuple[str, ...] = (JSON,)
    problems: tuple[int, ...] = ()  # statuses that it may answer with beside the common ones
    query: tuple[Parameter, ...] = ()
    identity: bool = False  # whether it makes a difference who asks
    door: Callable[[Call], None] | None = None  # raises Refusal for whom it is not, before the body is read
    searches: bool = False  # and so takes long, while others of the same address are answered

    @property
    def template(self) -> str:
        """The path as OpenAPI writes it."""
        return _CONVERTOR.sub("}", self.path)


@dataclass(slots=True)
class Call:
    """A request that is being answered."""

    request: Request
    service: Service
    body: Any = None
    _cookie: str | None = field(default=None, repr=False)

    @property
    def address(self) -> str:
        return self.request.client.host if self.request.client else ""

    def parameter(self, name: str) -> str:
        return str(self.request.path_params[name])

    def query(self, name: str) -> str | None:
        """A part of the query that may be given once."""
        if len(self.request.scope["query_string"]) > LONGEST_QUERY:
            raise Refusal("malformed", "What follows the question mark is too long.")
        found = self.request.query_params.getlist(name)
        if len(found) > 1:
            raise Refusal("malformed", f"{name} is given more than once.")
        return found[0] if found else None

    def choice(self, name: str, choices: Sequence[str]) -> str:
        """The first unless the query says another."""
        given = self.query(name)
        if given is None:
            return choices[0]
        if given not in choices:
            raise Refusal("malformed", f"{name} must be {' or '.join(choices)}.")
        return given

    async def person(self) -> PersonRow | None:
        """Who asks; None for somebody who has not been seen before."""
        service = self.service
        person = await people.known(service.store, people.secret_of(self.request))
        if person is not None and service.lately.is_due(person.secret_hash):
            name = people.device_name(self.request)
            service.hub.spawn(service.store.people.seen(person.secret_hash, name, now_ms()))
        return person

    async def known_person(self) -> PersonRow:
        """Who asks; refuses somebody who has not been seen before."""
        person = await self.person()
        if person is None:
            raise Refusal("stranger", "The server does not know you yet: take a nickname or a seat first.")
        return person

    async def admit(self, person_id: str) -> str | None:
        """Makes this device one of that person, if it is not; the secret for who is no browser."""
        person = await self.person()
        if person is not None and person.id == person_id:
            return None
        name = people.device_name(self.request)
        secret = await people.admitted(self.service.store, person_id, name, now_ms())
        self._cookie = secret
        return None if people.is_browser(self.request) else secret

    def forget(self) -> None:
        """Takes the cookie away, in the answer."""
        self._cookie = ""

    async def made_person(self, name: str | None) -> tuple[PersonRow, str | None]:
        """Who asks, made on the spot if need be, with the name taken; and the secret of somebody new.

        The secret is None for browsers, which get it as a cookie.
        """
        store, house = self.service.store, self.service.hub.house
        wanted = None if name is None else house.name(name)
        person, secret = await self.person(), people.secret_of(self.request)
        told = None
        if person is None:
            self.service.limits.take("creates", self.address)
            person, secret = await people.created(
                store, now_ms(), wanted or "", people.device_name(self.request)
            )
            told = None if people.is_browser(self.request) else secret
        elif wanted is not None and wanted != person.name:
            await store.rename(person.id, wanted)
            person = replace(person, name=wanted)
        if told is not None or not people.sends_bearer(self.request):
            self._cookie = secret
        return person, told

    async def aside(self, compute: Callable[..., T], *args: Any) -> T:
        """What the function returns, computed beside the event loop when the turn of this address comes."""
        return await self.service.heavy.run(self.address, compute, *args)

    def reply(self, value: Any, status: int = 200, **headers: str) -> Response:
        return self.finish(json_response(value, status, request_headers=self.request.headers, **headers))

    def finish(self, response: Response) -> Response:
        if self._cookie is not None:
            response.set_cookie(
                people.cookie_name(self.request),
                self._cookie,
                max_age=people.COOKIE_SECONDS if self._cookie else 0,
                httponly=True,
                path=self.service.web.prefix or "/",
                samesite="lax",
                secure=self.request.url.scheme == "https",
            )
        return response


def routes(endpoints: Sequence[Endpoint]) -> list[Route]:
    """A route a path, so that a wrong method is answered with all that are right."""
    by_path: dict[str, dict[str, Endpoint]] = {}
    for endpoint in endpoints:
        by_path.setdefault(endpoint.path, {})[endpoint.method] = endpoint
    return [Route(path, _answer(methods), methods=list(methods)) for path, methods in by_path.items()]


def _answer(methods: Mapping[str, Endpoint]) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        method = "GET" if request.method == "HEAD" else request.method
        endpoint = methods[method]
        request.scope[ROUTE] = endpoint.template
        call = Call(request, request.app.state.service)
        try:
            if endpoint.door is not None:
                endpoint.door(call)
            if endpoint.body is not None:
                call.body = await read_body(request, endpoint)
            if endpoint.searches:
                return await _unless_left(request, endpoint.handler(call))
            async with call.service.at_once.turn(call.address):
                return await endpoint.handler(call)
        except Exception as error:
            return call.finish(explain(error, call.service.metrics))

    return answer


async def _unless_left(request: Request, answer: Coroutine[Any, Any, Response]) -> Response:
    """The answer; what computes it is stopped when nobody waits for it any more."""

    async def leaving() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    work, left = asyncio.create_task(answer), asyncio.create_task(leaving())
    try:
        await asyncio.wait((work, left), return_when=asyncio.FIRST_COMPLETED)
        if work.done():
            return work.result()
        raise ClientDisconnect
    finally:
        work.cancel()
        left.cancel()


async def read_body(request: Request, endpoint: Endpoint) -> Any:
    """The body as the type that the endpoint takes; raises HTTPException, TooMany or Refusal."""
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != endpoint.takes:
        what = "be JSON, with" if endpoint.takes == JSON else "have"
        raise HTTPException(415, f"The body must {what} the content type {endpoint.takes}.")
    limits, address = request.app.state.service.limits, request.client.host if request.client else ""
    data = await bodies.received(request, endpoint.max_bytes, limits, address)
    if endpoint.takes != JSON:
        return data
    try:
        return await bodies.decoded(data, endpoint.body)
    except msgspec.ValidationError as error:
        raise Refusal("malformed", plain(str(error))) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refusal("malformed", "The body is not JSON.") from None


def explain(error: Exception, metrics: Metrics | None = None) -> Response:
    """The answer to a request that failed; whatever is not meant for people is only logged."""
    status, found, headers = _problem(error)
    if metrics is not None:
        metrics.refused(found.code)
    return problem(status, found, **headers)


def _problem(error: Exception) -> tuple[int, Problem, dict[str, str]]:
    if isinstance(error, Refusal):
        return STATUS_OF_CODE[error.code], Problem(error.code, error.message), {}
    if isinstance(error, TooMany):
        wait = {"retry_after": str(max(1, round(error.wait_s)))}
        return 429, Problem("too-many", str(error)), wait
    if isinstance(error, StoreUnavailable):
        sentence = "The server cannot reach its store now; try again."
        return 503, Problem("unavailable", sentence), {"retry_after": "2"}
    if isinstance(error, HTTPException):
        code: Code = CODE_OF_STATUS.get(error.status_code, "malformed")
        return error.status_code, Problem(code, _sentence(error)), dict(error.headers or {})
    if not isinstance(error, ClientDisconnect):
        log.error("A request failed", exc_info=error)
    return 500, Problem("unavailable", SORRY), {}


def _sentence(error: HTTPException) -> str:
    if error.status_code == 404:
        return "There is nothing here."
    if error.status_code == 405:
        return "That cannot be done with this address."
    return error.detail
