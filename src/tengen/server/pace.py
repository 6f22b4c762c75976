"""How often an address is read from: who sends a byte at a time is read less often, and then more at once.

To read from a connection costs some tens of microseconds, be it a byte or a page. So reads are counted by
address, those of all its connections together (`Limits`, "reads"), and a connection of one that has had too
many is left alone until that is paid off; the system keeps what comes meanwhile. Start at `Pace.wait_s`.
"""

from __future__ import annotations

from collections.abc import Container

from tengen.server.limits import Limits

AT_ONCE = 8  # reads of a connection that are counted together


class Pace:
    """Without limits nobody waits; nor does a trusted proxy, before it has said for whom it speaks."""

    def __init__(self, limits: Limits | None = None, trusted: Container[str] = ()) -> None:
        self._limits, self._trusted = limits, trusted

    def wait_s(self, host: str) -> float:
        """How long that address is not to be read from, which has had AT_ONCE reads more; 0 mostly."""
        if self._limits is None or host in self._trusted:
            return 0.0
        self._limits.charge("reads", host, AT_ONCE)
        return self._limits.owed_s("reads", host)
