"""Passkeys: what a browser is asked, and whether its answer is worth anything. The checks are py_webauthn's.

A passkey belongs to the name of the server in the address bar, so it works only where that is a name, over
https or on this machine. A challenge is a key of the store that is good for one answer within a few minutes,
at whichever process it arrives. Start reading at `make` and `owner`.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
from collections.abc import Callable
from importlib import import_module
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

import msgspec

from tengen.server import people
from tengen.server.errors import Refusal
from tengen.server.http.endpoints import Call, now_ms
from tengen.server.store.people import KeyKind, PasskeyRow
from tengen.server.store.rows import PersonRow

if TYPE_CHECKING:
    from webauthn.authentication.verify_authentication_response import VerifiedAuthentication
    from webauthn.registration.verify_registration_response import VerifiedRegistration

__all__ = ["KeyKind", "make", "options_to_enter", "options_to_make", "owner", "short_id"]

CHALLENGE_MS = 5 * 60_000
MOST = 10  # of a person
NAME = "tengen"
NOT_GOOD = "That passkey is not known here, or its answer is not right: try again."
log = logging.getLogger(__name__)
_imported = False
T = TypeVar("T")


def short_id(passkey_id: str) -> str:
    """By which a passkey is named to its owner; the id itself may be very long."""
    return hashlib.sha256(passkey_id.encode()).hexdigest()[:24]


async def _library() -> None:
    """Imports py_webauthn beside the event loop, where nobody has yet: that takes a sixth of a second."""
    global _imported
    if not _imported:
        await asyncio.to_thread(import_module, "webauthn")
        _imported = True


async def options_to_make(call: Call, person: PersonRow) -> dict[str, Any]:
    site, _ = _place(call)
    await _library()
    from webauthn import base64url_to_bytes, generate_registration_options
    from webauthn.helpers import structs

    had = await call.service.store.people.passkeys(person.id)
    if len(had) >= MOST:
        raise Refusal("too-many", f"You have {MOST} passkeys; forget one first.")
    options = generate_registration_options(
        rp_id=site,
        rp_name=NAME,
        user_name=person.name or NAME,
        user_id=hashlib.sha256(person.id.encode()).digest(),
        challenge=await _challenge(call, person.id),
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED,
            user_verification=structs.UserVerificationRequirement.PREFERRED,
        ),
        exclude_credentials=[
            structs.PublicKeyCredentialDescriptor(id=base64url_to_bytes(one.id)) for one in had
        ],
    )
    return _as_json(options)


async def make(call: Call, person: PersonRow, credential: dict[str, Any]) -> PasskeyRow:
    """Keeps the passkey that the browser has made; raises Refusal."""
    site, origin = _place(call)
    await _library()
    from webauthn import verify_registration_response
    from webauthn.helpers import bytes_to_base64url

    challenge = await _answered(call, credential, person.id)

    def verify() -> VerifiedRegistration:
        return verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site,
            expected_origin=origin,
        )

    found = await call.aside(_checked, verify)
    row = PasskeyRow(
        id=bytes_to_base64url(found.credential_id),
        person=person.id,
        public_key=found.credential_public_key,
        uses=found.sign_count,
        name=people.device_name(call.request),
        created_ms=now_ms(),
    )
    if not await call.service.store.people.add_passkey(row):
        raise Refusal("not-now", "That passkey is known already.")
    return row


async def options_to_enter(call: Call) -> dict[str, Any]:
    site, _ = _place(call)
    await _library()
    from webauthn import generate_authentication_options

    return _as_json(generate_authentication_options(rp_id=site, challenge=await _challenge(call, None)))


async def owner(call: Call, credential: dict[str, Any]) -> str:
    """The id of the person whose passkey has answered; raises Refusal."""
    site, origin = _place(call)
    await _library()
    from webauthn import verify_authentication_response

    challenge = await _answered(call, credential, None)
    named = credential.get("id")
    row = await call.service.store.people.passkey(named) if isinstance(named, str) else None
    if row is None:
        raise Refusal("stranger", NOT_GOOD)

    def verify() -> VerifiedAuthentication:
        return verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site,
            expected_origin=origin,
            credential_public_key=row.public_key,
            credential_current_sign_count=row.uses,
        )

    found = await call.aside(_checked, verify)
    store = call.service.store.people
    if not await store.passkey_used(row.id, row.uses, found.new_sign_count, now_ms()):
        raise Refusal("stranger", NOT_GOOD)
    return row.person


def _place(call: Call) -> tuple[str, str]:
    """The name that passkeys belong to, and the origin of the page. The guard has let that origin in."""
    origin = call.request.headers.get("origin", "")
    try:
        name = urlsplit(origin).hostname or ""
    except ValueError:
        name = ""
    if not name:
        raise Refusal("not-now", "Passkeys are for browsers.")
    if _is_address(name):
        raise Refusal("not-now", "Passkeys need a server with a name, not just an address.")
    return name, origin


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


async def _challenge(call: Call, person_id: str | None) -> bytes:
    challenge = secrets.token_bytes(32)
    key = people.hash_secret(challenge.hex())
    at_ms = now_ms()
    await call.service.store.people.add_key("challenge", key, person_id, at_ms, at_ms + CHALLENGE_MS)
    return challenge


async def _answered(call: Call, credential: dict[str, Any], person_id: str | None) -> bytes:
    """The challenge that an answer is for, which was given to that person, and is spent now."""
    challenge = _challenge_of(credential)
    key = people.hash_secret(challenge.hex())
    if await call.service.store.people.use_key("challenge", key, now_ms()) != (person_id,):
        raise Refusal("stranger", NOT_GOOD)
    return challenge


def _challenge_of(credential: dict[str, Any]) -> bytes:
    from webauthn import base64url_to_bytes

    def read() -> bytes:
        said = msgspec.json.decode(base64url_to_bytes(credential["response"]["clientDataJSON"]))
        return base64url_to_bytes(said["challenge"])

    return _checked(read)


def _checked(verify: Callable[[], T]) -> T:
    """What the check returns. Whatever it stumbles over in a stranger's bytes means that they are no good."""
    try:
        return verify()
    except Exception as error:
        log.debug("a passkey was refused: %r", error)
        raise Refusal("stranger", NOT_GOOD) from None


def _as_json(options: Any) -> dict[str, Any]:
    from webauthn import options_to_json

    found: dict[str, Any] = msgspec.json.decode(options_to_json(options))
    return found
