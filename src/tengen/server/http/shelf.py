"""How much room there is for studies, which anybody may bring: all of them have a limit together."""

from __future__ import annotations

import time

from tengen.server.errors import Refusal
from tengen.server.store.store import Store

FRESH_S = 60.0  # after which it is looked what others have brought, or what was forgotten


class Shelf:
    def __init__(self, store: Store, most: int) -> None:
        self._store, self._most = store, most
        self._taken = 0
        self._counted_at = -FRESH_S

    async def take(self, size: int) -> None:
        """Room for one more study, or Refusal."""
        if time.monotonic() - self._counted_at >= FRESH_S or self._taken + size > self._most:
            self._taken, self._counted_at = await self._store.study_bytes(), time.monotonic()
        if self._taken + size > self._most:
            raise Refusal("not-now", "This server has no room for more studies; ask whoever runs it.")
        self._taken += size
