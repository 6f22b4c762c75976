"""Great Kingdom on paper: SGF with its name and options in a property of ours, for it has no number."""

from __future__ import annotations

from tengen.facets.records import Records


class GreatKingdomRecords(Records):
    formats = ("json", "sgf")

    @property
    def sgf_mark(self) -> int | None:
        """The neutral castle."""
        return self.game.width * self.game.height // 2 if self.game.options["neutral"] else None
