"""Search over the compiled games."""

from tengen.search.playouts import Tally, playouts

__all__ = ["Tally", "playouts"]
