"""A passkey in software: what a browser with an authenticator would answer, truthfully or not."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


def to_text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@dataclass
class Authenticator:
    """Answers for the page at `origin`, as a browser would tell it; lies where it is told to."""

    origin: str
    uses: int = 0
    id: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def make(self, options: dict[str, Any], **lies: Any) -> dict[str, Any]:
        client = self._client("webauthn.create", options, lies)
        numbers = self.key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32), -3: numbers.y.to_bytes(32)}
        attested = bytes(16) + len(self.id).to_bytes(2) + self.id + cbor2.dumps(public)
        data = self._data(lies.get("site", options["rp"]["id"]), PRESENT | VERIFIED | ATTESTED) + attested
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        return self._credential(
            {"clientDataJSON": to_text(client), "attestationObject": to_text(attestation)}
        )

    def enter(self, options: dict[str, Any], **lies: Any) -> dict[str, Any]:
        self.uses += 1
        client = self._client("webauthn.get", options, lies)
        data = self._data(lies.get("site", options["rpId"]), PRESENT | VERIFIED)
        signer = lies.get("key", self.key)
        signature = signer.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        answer = {"clientDataJSON": client, "authenticatorData": data, "signature": signature}
        return self._credential({name: to_text(value) for name, value in answer.items()})

    def _client(self, kind: str, options: dict[str, Any], lies: dict[str, Any]) -> bytes:
        said = {
            "type": kind,
            "challenge": lies.get("challenge", options["challenge"]),
            "origin": lies.get("origin", self.origin),
            "crossOrigin": False,
        }
        return json.dumps(said).encode()

    def _data(self, site: str, flags: int) -> bytes:
        return hashlib.sha256(site.encode()).digest() + bytes([flags]) + self.uses.to_bytes(4)

    def _credential(self, response: dict[str, str]) -> dict[str, Any]:
        name = to_text(self.id)
        return {
            "id": name,
            "rawId": name,
            "type": "public-key",
            "response": response,
            "clientExtensionResults": {},
        }
