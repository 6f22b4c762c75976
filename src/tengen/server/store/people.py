"""People in the store: their devices, the keys that let them in once, passkeys, whom they block, and erasure.

Every device has a secret of its own. `people.secret_hash` is that of the first one; a device that an older
version has let in gets its row in `devices` when it is next seen (`seen`). Functions take a connection inside
a transaction, `People` is the async face of them: start reading there.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, Protocol, TypeVar

import msgspec
from sqlalchemy import Connection, delete, func, or_, select, update

from tengen.server.store.rows import PersonRow
from tengen.server.store.schema import (
    blocks,
    devices,
    keys,
    matches,
    passkeys,
    people,
    reports,
    seats,
    studies,
)
from tengen.server.store.statements import insert

T = TypeVar("T")
KeyKind = Literal["recovery", "device", "challenge", "revoked"]
REMEMBERED_MS = 3_600_000  # how long other processes may take to hear that a device is out


@dataclass(frozen=True, slots=True)
class DeviceRow:
    """`secret_hash` says which one asks; it is told to nobody."""

    id: str
    secret_hash: str
    name: str
    created_ms: int
    seen_ms: int


@dataclass(frozen=True, slots=True)
class PasskeyRow:
    """`uses` is the counter of the authenticator, which stays 0 where it keeps none."""

    id: str
    person: str
    public_key: bytes
    uses: int
    name: str
    created_ms: int
    used_ms: int | None = None


@dataclass(frozen=True, slots=True)
class BlockRow:
    """The name is the one that was seen when somebody was blocked."""

    blocked: str
    name: str
    created_ms: int


class Write(Protocol):
    def __call__(self, work: Callable[[Connection], T], durable: bool = True) -> Coroutine[Any, Any, T]: ...


class People:
    """What `Store.people` offers; `read` and `write` are the store's, and raise StoreUnavailable.

    `tell` writes what other processes should hear of.
    """

    def __init__(self, read: Callable[..., Coroutine[Any, Any, Any]], write: Write, tell: Write) -> None:
        self._read, self._write, self._tell = read, write, tell

    # Devices

    async def add_device(self, person_id: str, device: DeviceRow) -> None:
        await self._write(partial(_add_device, person_id=person_id, device=device))

    async def seen(self, secret_hash: str, name: str, now_ms: int) -> None:
        """That the device of that secret is in use. Not durable."""
        await self._write(partial(_seen, secret_hash=secret_hash, name=name, now_ms=now_ms), durable=False)

    async def devices(self, person_id: str) -> list[DeviceRow]:
        """The one used last first."""
        found: list[DeviceRow] = await self._read(_devices, person_id)
        return found

    async def revoke(self, person_id: str, device_ids: list[str], now_ms: int) -> list[str]:
        """Shuts those devices of the person out; the hashes of the secrets that are worth nothing now."""
        return await self._tell(partial(_revoke, person_id=person_id, device_ids=device_ids, now_ms=now_ms))

    async def revoked(self, since_ms: int) -> list[str]:
        """The hashes of devices that any process has shut out since then."""
        found: list[str] = await self._read(_revoked, since_ms)
        return found

    # Keys

    async def add_key(
        self, kind: KeyKind, key_hash: str, person_id: str | None, now_ms: int, until_ms: int | None
    ) -> None:
        """A person has one of a kind: the new one takes the place of the old one."""
        arguments = (kind, key_hash, person_id, now_ms, until_ms)
        await self._write(lambda connection: _add_key(connection, *arguments))

    async def use_key(self, kind: KeyKind, key_hash: str, now_ms: int) -> tuple[str | None] | None:
        """Whose key it was, which is gone now; None where there is none, or its time is over."""
        return await self._write(partial(_use_key, kind=kind, key_hash=key_hash, now_ms=now_ms))

    async def key_made(self, kind: KeyKind, person_id: str) -> int | None:
        """When the person's key of that kind was made; None where there is none."""
        found: int | None = await self._read(_key_made, kind, person_id)
        return found

    async def drop_keys(self, kind: KeyKind, person_id: str) -> None:
        statement = delete(keys).where(keys.c.kind == kind, keys.c.person == person_id)
        await self._write(lambda connection: connection.execute(statement) and None)

    # Passkeys

    async def add_passkey(self, row: PasskeyRow) -> bool:
        """False where there is one with that id."""
        return await self._write(partial(_add_passkey, row=row))

    async def passkey(self, passkey_id: str) -> PasskeyRow | None:
        found: PasskeyRow | None = await self._read(_passkey, passkey_id)
        return found

    async def passkeys(self, person_id: str) -> list[PasskeyRow]:
        found: list[PasskeyRow] = await self._read(_passkeys, person_id)
        return found

    async def passkey_used(self, passkey_id: str, before: int, uses: int, now_ms: int) -> bool:
        """False where somebody else has used it since the counter stood at `before`."""
        return await self._write(
            partial(_passkey_used, passkey_id=passkey_id, before=before, uses=uses, now_ms=now_ms)
        )

    async def drop_passkey(self, person_id: str, passkey_id: str) -> bool:
        statement = delete(passkeys).where(passkeys.c.person == person_id, passkeys.c.id == passkey_id)
        return await self._write(lambda connection: connection.execute(statement).rowcount == 1)

    # Blocks

    async def block(self, person_id: str, row: BlockRow) -> None:
        await self._write(partial(_block, person_id=person_id, row=row))

    async def unblock(self, person_id: str, blocked: str) -> bool:
        statement = delete(blocks).where(blocks.c.person == person_id, blocks.c.blocked == blocked)
        return await self._write(lambda connection: connection.execute(statement).rowcount == 1)

    async def blocks(self, person_id: str) -> list[BlockRow]:
        found: list[BlockRow] = await self._read(_blocks, person_id)
        return found

    async def blocked_between(self, one: str, other: str) -> bool:
        """Whether either of the two has blocked the other."""
        found: bool = await self._read(_blocked_between, one, other)
        return found

    async def apart(self, person_ids: Collection[str]) -> dict[str, set[str]]:
        """By person, whom they have blocked or were blocked by; who is with nobody apart is not in it."""
        if not person_ids:
            return {}
        found: dict[str, set[str]] = await self._read(_apart, list(person_ids))
        return found

    # All of a person

    async def person(self, person_id: str) -> PersonRow | None:
        found: PersonRow | None = await self._read(_person, person_id)
        return found

    async def owner_of(self, study_id: str) -> str | None:
        found: str | None = await self._read(_owner_of, study_id)
        return found

    async def studies(self, person_id: str) -> list[tuple[str, int]]:
        """(id, when it was made) of those that the person has kept, the first made first."""
        found: list[tuple[str, int]] = await self._read(_studies, person_id)
        return found


def find(connection: Connection, secret_hash: str) -> PersonRow | None:
    """The person with a device of that secret, which the row then has."""
    query = (
        select(people.c.id, people.c.name, people.c.created_ms)
        .join(devices, devices.c.person == people.c.id)
        .where(devices.c.secret_hash == secret_hash)
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        query = select(people.c.id, people.c.name, people.c.created_ms)
        row = connection.execute(query.where(people.c.secret_hash == secret_hash)).one_or_none()
    return None if row is None else PersonRow(row.id, secret_hash, row.name, row.created_ms)


def add(connection: Connection, row: PersonRow, device: str) -> None:
    """A new person with the first device, of that name."""
    values = {"id": row.id, "secret_hash": row.secret_hash, "name": row.name, "created_ms": row.created_ms}
    connection.execute(insert(connection, people).values(values).on_conflict_do_nothing())
    made = DeviceRow(_device_id(), row.secret_hash, device, row.created_ms, row.created_ms)
    _add_device(connection, row.id, made)


def new_device(secret_hash: str, name: str, now_ms: int) -> DeviceRow:
    return DeviceRow(_device_id(), secret_hash, name, now_ms, now_ms)


def _device_id() -> str:
    return secrets.token_urlsafe(9)


def _add_device(connection: Connection, person_id: str, device: DeviceRow) -> None:
    values = {
        "id": device.id,
        "person": person_id,
        "secret_hash": device.secret_hash,
        "name": device.name,
        "created_ms": device.created_ms,
        "seen_ms": device.seen_ms,
    }
    connection.execute(insert(connection, devices).values(values).on_conflict_do_nothing())


def _seen(connection: Connection, secret_hash: str, name: str, now_ms: int) -> None:
    known = update(devices).where(devices.c.secret_hash == secret_hash)
    values = {"seen_ms": now_ms} | ({"name": name} if name else {})
    if connection.execute(known.values(values)).rowcount:
        return
    person = find(connection, secret_hash)
    if person is not None:
        made = DeviceRow(_device_id(), secret_hash, name, person.created_ms, now_ms)
        _add_device(connection, person.id, made)


def _devices(connection: Connection, person_id: str) -> list[DeviceRow]:
    query = select(devices).where(devices.c.person == person_id).order_by(devices.c.seen_ms.desc())
    return [
        DeviceRow(row.id, row.secret_hash, row.name, row.created_ms, row.seen_ms)
        for row in connection.execute(query)
    ]


def _revoke(connection: Connection, person_id: str, device_ids: list[str], now_ms: int) -> list[str]:
    mine = (devices.c.person == person_id) & devices.c.id.in_(device_ids)
    statement = delete(devices).where(mine).returning(devices.c.secret_hash)
    hashes = list(connection.execute(statement).scalars())
    _shut_out(connection, hashes, now_ms)
    return hashes


def _shut_out(connection: Connection, hashes: list[str], now_ms: int) -> None:
    for one in hashes:
        first = update(people).where(people.c.secret_hash == one)
        connection.execute(first.values(secret_hash=f"none-{secrets.token_urlsafe(24)}"))
        _add_key(connection, "revoked", one, None, now_ms, now_ms + REMEMBERED_MS)


def _revoked(connection: Connection, since_ms: int) -> list[str]:
    query = select(keys.c.hash).where(keys.c.kind == "revoked", keys.c.created_ms >= since_ms)
    return list(connection.execute(query.where(keys.c.until_ms.is_not(None))).scalars())


def _add_key(
    connection: Connection,
    kind: KeyKind,
    key_hash: str,
    person_id: str | None,
    now_ms: int,
    until_ms: int | None,
) -> None:
    over = keys.c.until_ms <= now_ms
    if person_id is not None:
        over = or_(over, (keys.c.person == person_id) & (keys.c.kind == kind))
    connection.execute(delete(keys).where(over))
    values = {"hash": key_hash, "kind": kind, "person": person_id, "created_ms": now_ms, "until_ms": until_ms}
    connection.execute(insert(connection, keys).values(values).on_conflict_do_nothing())


def _use_key(connection: Connection, kind: KeyKind, key_hash: str, now_ms: int) -> tuple[str | None] | None:
    mine = (keys.c.hash == key_hash) & (keys.c.kind == kind)
    row = connection.execute(delete(keys).where(mine).returning(keys.c.person, keys.c.until_ms)).one_or_none()
    if row is None or (row.until_ms is not None and row.until_ms <= now_ms):
        return None
    return (row.person,)


def _key_made(connection: Connection, kind: KeyKind, person_id: str) -> int | None:
    query = select(func.max(keys.c.created_ms)).where(keys.c.kind == kind, keys.c.person == person_id)
    made: int | None = connection.execute(query).scalar_one()
    return made


def _add_passkey(connection: Connection, row: PasskeyRow) -> bool:
    values = {
        "id": row.id,
        "person": row.person,
        "public_key": row.public_key,
        "uses": row.uses,
        "name": row.name,
        "created_ms": row.created_ms,
    }
    statement = insert(connection, passkeys).values(values).on_conflict_do_nothing()
    return connection.execute(statement.returning(passkeys.c.id)).one_or_none() is not None


def _passkey(connection: Connection, passkey_id: str) -> PasskeyRow | None:
    row = connection.execute(select(passkeys).where(passkeys.c.id == passkey_id)).one_or_none()
    return None if row is None else PasskeyRow(*row)


def _passkeys(connection: Connection, person_id: str) -> list[PasskeyRow]:
    query = select(passkeys).where(passkeys.c.person == person_id).order_by(passkeys.c.created_ms)
    return [PasskeyRow(*row) for row in connection.execute(query)]


def _passkey_used(connection: Connection, passkey_id: str, before: int, uses: int, now_ms: int) -> bool:
    same = (passkeys.c.id == passkey_id) & (passkeys.c.uses == before)
    return connection.execute(update(passkeys).where(same).values(uses=uses, used_ms=now_ms)).rowcount == 1


def _block(connection: Connection, person_id: str, row: BlockRow) -> None:
    values = {
        "person": person_id,
        "blocked": row.blocked,
        "name": row.name,
        "created_ms": row.created_ms,
    }
    connection.execute(insert(connection, blocks).values(values).on_conflict_do_nothing())


def _blocks(connection: Connection, person_id: str) -> list[BlockRow]:
    query = select(blocks).where(blocks.c.person == person_id).order_by(blocks.c.created_ms)
    return [BlockRow(row.blocked, row.name, row.created_ms) for row in connection.execute(query)]


def _blocked_between(connection: Connection, one: str, other: str) -> bool:
    pairs = [
        (blocks.c.person == first) & (blocks.c.blocked == second)
        for first, second in ((one, other), (other, one))
    ]
    return connection.execute(select(blocks.c.person).where(or_(*pairs)).limit(1)).first() is not None


def _apart(connection: Connection, person_ids: list[str]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for one, other in ((blocks.c.person, blocks.c.blocked), (blocks.c.blocked, blocks.c.person)):
        for row in connection.execute(select(one, other).where(one.in_(person_ids))):
            found.setdefault(row[0], set()).add(row[1])
    return found


def _person(connection: Connection, person_id: str) -> PersonRow | None:
    row = connection.execute(select(people).where(people.c.id == person_id)).one_or_none()
    return None if row is None else PersonRow(row.id, row.secret_hash, row.name, row.created_ms)


def _owner_of(connection: Connection, study_id: str) -> str | None:
    return connection.execute(select(studies.c.owner).where(studies.c.id == study_id)).scalar_one_or_none()


def _studies(connection: Connection, person_id: str) -> list[tuple[str, int]]:
    query = select(studies.c.id, studies.c.created_ms).where(studies.c.owner == person_id)
    rows = connection.execute(query.order_by(studies.c.created_ms))
    return [(row.id, row.created_ms) for row in rows]


def erase(connection: Connection, person_id: str, now_ms: int) -> tuple[list[str], list[str]]:
    """Forgets the person: the matches that they sat in, and the hashes of secrets that are worth nothing now.

    Records of others stay, with an id that means nobody in the place of theirs, and without the name.
    """
    nobody = f"gone-{secrets.token_urlsafe(12)}"
    held = connection.execute(select(seats.c.match_id).where(seats.c.holder == person_id).distinct())
    touched = sorted(held.scalars())
    for match_id in touched:
        forget_in(connection, match_id, person_id, nobody)
    waiting = select(matches.c.id).where(matches.c.id.in_(touched), matches.c.status == "open")
    empty = {"kind": "open", "holder": None, "name": ""}
    connection.execute(
        update(seats).where(seats.c.holder == person_id, seats.c.match_id.in_(waiting)).values(empty)
    )
    connection.execute(update(seats).where(seats.c.holder == person_id).values(holder=nobody, name=""))
    connection.execute(update(matches).where(matches.c.creator == person_id).values(creator=nobody))
    first = select(people.c.secret_hash).where(people.c.id == person_id)
    others = select(devices.c.secret_hash).where(devices.c.person == person_id)
    hashes = list(connection.execute(first.union(others)).scalars())
    connection.execute(update(reports).where(reports.c.reporter == person_id).values(reporter=None))
    connection.execute(
        update(reports).where(reports.c.person == person_id).values(person=None, text="", subject="")
    )
    connection.execute(delete(studies).where(studies.c.owner == person_id))
    connection.execute(delete(blocks).where((blocks.c.person == person_id) | (blocks.c.blocked == person_id)))
    for table in (devices, keys, passkeys):
        connection.execute(delete(table).where(table.c.person == person_id))
    connection.execute(delete(people).where(people.c.id == person_id))
    _shut_out(connection, hashes, now_ms)
    return touched, hashes


def forget_in(connection: Connection, match_id: str, person_id: str, nobody: str) -> None:
    """Takes the name out of the setup of a match that has begun, and puts another id in the place of theirs.

    Who played both sides still did.
    """
    row = connection.execute(
        select(matches.c.setup).where(matches.c.id == match_id).with_for_update(key_share=True)
    ).one()
    if row.setup is None:
        return
    setup = msgspec.json.decode(row.setup)
    for seat in setup["seats"]:
        if seat["id"] == person_id:
            seat |= {"id": nobody, "name": ""}
    written = msgspec.json.encode(setup).decode()
    connection.execute(update(matches).where(matches.c.id == match_id).values(setup=written))
