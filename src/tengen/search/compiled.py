"""The states that the compiled search and playouts take."""

from __future__ import annotations

from tengen import _core

CompiledState = (
    _core.GreatKingdom7
    | _core.GreatKingdom9
    | _core.GreatKingdom19
    | _core.Go9
    | _core.Go19
    | _core.Kelasu
    | _core.ShortDominionDuel
    | _core.LongDominionDuel
)
