"""The HTTP API of who somebody is: ways back in, devices, passkeys, what is kept of a person, and its end.

A way in is tried at a rate that no guess survives, is worth one use, and leaves no trace of why it failed.
Start reading at `ENDPOINTS`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import msgspec
from starlette.responses import Response, StreamingResponse

from tengen.match import Match, Setup
from tengen.server import people
from tengen.server.errors import Refusal
from tengen.server.http import passkeys
from tengen.server.http.api_abuse import short_id
from tengen.server.http.endpoints import Call, Endpoint, now_ms
from tengen.server.http.replies import encode
from tengen.server.matches.describe import record
from tengen.server.protocol import (
    Account,
    Admitted,
    Blocked,
    Device,
    DeviceLink,
    Erase,
    PasskeyAnswer,
    PasskeyInfo,
    PasskeyOptions,
    Recover,
    RecoveryCode,
    UseLink,
)
from tengen.server.store.people import DeviceRow
from tengen.server.store.rows import MatchRow, PersonRow, Stored

LINK_MS = 5 * 60_000  # for which the link to another device is good
A_PAGE = 25  # matches that are read at a time
NO_WAY = "That does not let anybody in: it is mistyped, used or too old."


async def account(call: Call) -> Response:
    person = await call.person()
    if person is None:
        return call.reply(Account(known=False))
    store = call.service.store.people
    keys = await store.passkeys(person.id)
    return call.reply(
        Account(
            known=True,
            name=person.name,
            recovery_ms=await store.key_made("recovery", person.id),
            devices=[_device(one, person) for one in await _devices(call, person)],
            blocked=[
                Blocked(short_id(one.blocked), one.name, one.created_ms)
                for one in await store.blocks(person.id)
            ],
            passkeys=[
                PasskeyInfo(passkeys.short_id(one.id), one.name, one.created_ms, one.used_ms) for one in keys
            ],
        )
    )


async def _devices(call: Call, person: PersonRow) -> list[DeviceRow]:
    """With the one that asks, also if an older version has let it in."""
    store = call.service.store.people
    found = await store.devices(person.id)
    if all(one.secret_hash != person.secret_hash for one in found):
        await store.seen(person.secret_hash, people.device_name(call.request), now_ms())
        found = await store.devices(person.id)
    return found


def _device(row: DeviceRow, person: PersonRow) -> Device:
    return Device(row.id, row.name, row.created_ms, row.seen_ms, row.secret_hash == person.secret_hash)


# Ways back


async def make_recovery(call: Call) -> Response:
    person = await call.known_person()
    return call.reply(RecoveryCode(await _new_code(call, person.id)), 201)


async def _new_code(call: Call, person_id: str) -> str:
    code = people.new_code()
    key = people.code_hash(code)
    assert key is not None
    await call.service.store.people.add_key("recovery", key, person_id, now_ms(), None)
    return code


async def drop_recovery(call: Call) -> Response:
    person = await call.known_person()
    await call.service.store.people.drop_keys("recovery", person.id)
    return Response(status_code=204)


async def recover(call: Call) -> Response:
    wish: Recover = call.body
    call.service.limits.take("keys", call.address)
    key = people.code_hash(wish.code)
    owner = await _owner(call, "recovery", key)
    code = await _new_code(call, owner)
    return await _admitted(call, owner, code)


async def make_link(call: Call) -> Response:
    person = await call.known_person()
    token, until_ms = people.new_secret(), now_ms() + LINK_MS
    key = people.hash_secret(token)
    await call.service.store.people.add_key("device", key, person.id, now_ms(), until_ms)
    return call.reply(DeviceLink(token, until_ms), 201)


async def use_link(call: Call) -> Response:
    wish: UseLink = call.body
    call.service.limits.take("keys", call.address)
    return await _admitted(call, await _owner(call, "device", people.hash_secret(wish.token[:200])))


async def _owner(call: Call, kind: passkeys.KeyKind, key: str | None) -> str:
    found = None if key is None else await call.service.store.people.use_key(kind, key, now_ms())
    if found is None or found[0] is None:
        raise Refusal("stranger", NO_WAY)
    return found[0]


async def _admitted(call: Call, person_id: str, code: str | None = None) -> Response:
    person = await call.service.store.people.person(person_id)
    if person is None:
        raise Refusal("stranger", NO_WAY)
    secret = await call.admit(person.id)
    return call.reply(Admitted(person.name, code, secret))


# Devices


async def drop_device(call: Call) -> Response:
    person, wanted = await call.known_person(), call.parameter("device")
    found = {one.id: one for one in await _devices(call, person)}
    if wanted not in found:
        raise Refusal("unknown", "You have no such device.")
    if found[wanted].secret_hash == person.secret_hash:
        call.forget()
    await _shut_out(call, person, [wanted])
    return call.finish(Response(status_code=204))


async def drop_others(call: Call) -> Response:
    """Keys that are under way are no good either: who asks for this has lost a device."""
    person = await call.known_person()
    found = await _devices(call, person)
    await call.service.store.people.drop_keys("device", person.id)
    await _shut_out(call, person, [one.id for one in found if one.secret_hash != person.secret_hash])
    return Response(status_code=204)


async def _shut_out(call: Call, person: PersonRow, devices: list[str]) -> None:
    hashes = await call.service.store.people.revoke(person.id, devices, now_ms())
    call.service.hub.shut_out(hashes)


# Passkeys


async def passkey_options(call: Call) -> Response:
    person = await call.known_person()
    return call.reply(PasskeyOptions(await passkeys.options_to_make(call, person)))


async def make_passkey(call: Call) -> Response:
    wish: PasskeyAnswer = call.body
    person = await call.known_person()
    made = await passkeys.make(call, person, wish.credential)
    return call.reply(PasskeyInfo(passkeys.short_id(made.id), made.name, made.created_ms), 201)


async def drop_passkey(call: Call) -> Response:
    person, store = await call.known_person(), call.service.store.people
    for one in await store.passkeys(person.id):
        if passkeys.short_id(one.id) == call.parameter("passkey"):
            await store.drop_passkey(person.id, one.id)
            return Response(status_code=204)
    raise Refusal("unknown", "You have no such passkey.")


async def login_options(call: Call) -> Response:
    call.service.limits.take("keys", call.address)
    return call.reply(PasskeyOptions(await passkeys.options_to_enter(call)))


async def login(call: Call) -> Response:
    wish: PasskeyAnswer = call.body
    call.service.limits.take("keys", call.address)
    return await _admitted(call, await passkeys.owner(call, wish.credential))


# All that is kept, and its end


async def export(call: Call) -> Response:
    """One JSON document, written while it is read: nobody's matches are all in memory at once."""
    person = await call.known_person()
    call.service.limits.take("exports", call.address)
    headers = {"content-disposition": 'attachment; filename="tengen.json"', "cache-control": "no-store"}
    return StreamingResponse(_exported(call, person), media_type="application/json", headers=headers)


async def _exported(call: Call, person: PersonRow) -> AsyncIterator[bytes]:
    store = call.service.store
    about = {
        "format": "tengen-export",
        "version": 1,
        "exported_ms": now_ms(),
        "name": person.name,
        "created_ms": person.created_ms,
        "sessions": [_device(one, person) for one in await _devices(call, person)],
        "passkeys": [
            {"name": one.name, "created_ms": one.created_ms, "used_ms": one.used_ms}
            for one in await store.people.passkeys(person.id)
        ],
        "blocked": [
            {"name": one.name, "created_ms": one.created_ms} for one in await store.people.blocks(person.id)
        ],
    }
    yield encode(about)[:-1] + b',"studies":['
    begun = False
    for study_id, created_ms in await store.people.studies(person.id):
        data = await store.study(study_id)
        if data is not None:
            kept = {"id": study_id, "created_ms": created_ms, "study": msgspec.Raw(data)}
            yield (b"," if begun else b"") + encode(kept)
            begun = True
    yield b'],"matches":['
    first = True
    async for rows in _pages(call, person):
        logs = await store.events_of({row.id: 0 for row in rows if row.setup is not None})
        for row in rows:
            told = await call.aside(_told, row, person, logs.get(row.id, []))
            yield (b"" if first else b",") + told
            first = False
    yield b"]}"


async def _pages(call: Call, person: PersonRow) -> AsyncIterator[list[MatchRow]]:
    before: tuple[int, str | None] | None = None
    while rows := await call.service.store.matches_of(person.id, A_PAGE, before):
        yield rows
        before = rows[-1].summary.moved_ms, rows[-1].id


def _told(row: MatchRow, person: PersonRow, log: list[Stored]) -> bytes:
    """A match with its record, where it has begun."""
    kept = None
    if row.setup is not None:
        match = Match.replay(Setup.from_json(row.setup), [stored.event for stored in log])
        kept = msgspec.Raw(record(match).to_json().encode())
    seats = [number for number, seat in enumerate(row.seats) if seat.holder == person.id]
    about = {"id": row.id, "created_ms": row.created_ms, "status": row.status, "you": seats}
    return encode(about | {"record": kept})


async def erase(call: Call) -> Response:
    wish: Erase = call.body
    if not wish.sure:
        raise Refusal("malformed", "Say that you are sure: nobody can bring back what is erased.")
    person = await call.known_person()
    await call.service.hub.seating.erase(person)
    call.forget()
    return call.finish(Response(status_code=204))


ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET",
        "/api/me/account",
        account,
        "How you come back, and your devices",
        answer=Account,
        identity=True,
    ),
    Endpoint(
        "POST",
        "/api/me/recovery",
        make_recovery,
        "Makes a recovery code, in the place of the one before",
        answer=RecoveryCode,
        status=201,
        identity=True,
    ),
    Endpoint(
        "DELETE", "/api/me/recovery", drop_recovery, "Ends your recovery code", status=204, identity=True
    ),
    Endpoint(
        "POST",
        "/api/me/recover",
        recover,
        "Makes this device yours by a recovery code, which is spent with it",
        body=Recover,
        answer=Admitted,
        identity=True,
    ),
    Endpoint(
        "POST",
        "/api/me/link",
        make_link,
        "Makes a link for another device, good once and for five minutes",
        answer=DeviceLink,
        status=201,
        identity=True,
    ),
    Endpoint(
        "POST",
        "/api/me/device",
        use_link,
        "Makes this device yours by such a link",
        body=UseLink,
        answer=Admitted,
        identity=True,
    ),
    Endpoint(
        "DELETE",
        "/api/me/devices",
        drop_others,
        "Shuts all your other devices out",
        status=204,
        identity=True,
    ),
    Endpoint(
        "DELETE",
        "/api/me/devices/{device:id}",
        drop_device,
        "Shuts one of your devices out",
        status=204,
        problems=(404,),
        identity=True,
    ),
    Endpoint(
        "POST",
        "/api/me/passkeys/options",
        passkey_options,
        "What the browser is to be asked to make a passkey",
        answer=PasskeyOptions,
        problems=(409,),
        identity=True,
    ),
    Endpoint(
        "POST",
        "/api/me/passkeys",
        make_passkey,
        "Keeps a passkey",
        body=PasskeyAnswer,
        answer=PasskeyInfo,
        status=201,
        problems=(409,),
        identity=True,
    ),
    Endpoint(
        "DELETE",
        "/api/me/passkeys/{passkey:id}",
        drop_passkey,
        "Forgets a passkey",
        status=204,
        problems=(404,),
        identity=True,
    ),
    Endpoint(
        "POST",
        "/api/me/passkey/options",
        login_options,
        "What the browser is to be asked to come in by a passkey",
        answer=PasskeyOptions,
        problems=(409,),
    ),
    Endpoint(
        "POST",
        "/api/me/passkey",
        login,
        "Makes this device yours by a passkey",
        body=PasskeyAnswer,
        answer=Admitted,
        problems=(409,),
    ),
    Endpoint("GET", "/api/me/export", export, "All that is kept of you", answer=dict, identity=True),
    Endpoint(
        "POST",
        "/api/me/erase",
        erase,
        "Forgets you; your games stay as games of nobody",
        body=Erase,
        status=204,
        identity=True,
    ),
)
