"""The rules of the house: addresses and names that are not served, words not wanted, and what all are told.

The operator decides, at whichever process; the others are told, and look by themselves every few seconds
(`refresh`).
"""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from tengen.server.errors import Refusal
from tengen.server.limits import group
from tengen.server.names import Words, clean_name, shape
from tengen.server.store.house import BanRow, NoticeRow
from tengen.server.store.store import Store

REVOKED_MS = 60_000  # how far back it is looked for devices that other processes have shut out


class House:
    def __init__(self, store: Store, words: Words | None = None) -> None:
        self.words = words or Words()
        self.bans: list[BanRow] = []
        self.notices: list[NoticeRow] = []
        self.since_ms = 0  # when this process began to serve
        self.drained_here = False  # whether the operator has drained this process alone
        self._store = store
        self._networks: list[IPv4Network | IPv6Network] = []
        self._names: frozenset[str] = frozenset()
        self._answers: dict[str, bool] = {}

    @property
    def draining(self) -> bool:
        """Whether nothing new begins here; a process that has started since everything was drained is new."""
        everywhere = any(one.kind == "drain" and one.created_ms >= self.since_ms for one in self.bans)
        return self.drained_here or everywhere

    async def refresh(self, now_ms: int) -> list[str]:
        """Reads what the operator has decided; the hashes of devices that were shut out of late."""
        self.bans = await self._store.house.bans(now_ms)
        self.notices = await self._store.house.notices(now_ms)
        self._networks = [ip_network(one.value) for one in self.bans if one.kind == "address"]
        self._names = frozenset(shape(one.value) for one in self.bans if one.kind == "name")
        self._answers.clear()
        return await self._store.people.revoked(now_ms - REVOKED_MS) if self._store.shared else []

    def bars(self, address: str) -> bool:
        """Whether nobody at that address is served."""
        if not self._networks:
            return False
        known = self._answers.get(address)
        if known is None:
            if len(self._answers) > 10_000:
                self._answers.clear()
            known = self._answers[address] = self._bars(address)
        return known

    def _bars(self, address: str) -> bool:
        try:
            found = ip_address(address.partition("%")[0].removeprefix("::ffff:"))
        except ValueError:
            return False
        return any(found in network for network in self._networks if network.version == found.version)

    def name(self, given: str) -> str:
        """The nickname that somebody may have for that; raises Refusal."""
        name = clean_name(given)
        self.words.check_name(name)
        if name and shape(name) in self._names:
            raise Refusal("malformed", "That name is not wanted on this server; choose another.")
        return name


def network(text: str) -> str:
    """An address or network as it is kept; an IPv6 address stands for its /64, as limits count it."""
    try:
        return str(ip_network(text.strip() if "/" in text else group(text.strip()), strict=False))
    except ValueError:
        raise Refusal("malformed", f"{text!r} is no address or network.") from None
