"""What the engine has promised, and whether this run kept it."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.imports import ImportCost
from benchmarks.measure import Measured, Series, ratio

MAX_IMPORT_SECONDS = 0.15


@dataclass(frozen=True)
class Target:
    name: str
    value: float
    bound: float
    unit: str
    at_least: bool = True  # False: must stay below

    @property
    def met(self) -> bool:
        return self.value >= self.bound if self.at_least else self.value < self.bound


def targets(measured: Sequence[Measured], imported: ImportCost) -> list[Target]:
    rows = {entry.row.key: entry.series for entry in measured}

    def beside_openspiel(key: str, name: str, bound: float) -> Target:
        theirs = next(series for series in rows[key] if series.name == "OpenSpiel")
        return _times(name, bound, rows[key][0], theirs)

    return [
        beside_openspiel("go-9", "Go 9x9 playouts to OpenSpiel's", 12.0),
        beside_openspiel("go-19", "Go 19x19 playouts to OpenSpiel's", 35.0),
        _times("Great Kingdom 9x9 playouts to our Go's", 4.0, rows["great-kingdom-9"][0], rows["go-9"][0]),
        beside_openspiel("api-go-9", "Python API, Go 9x9 to OpenSpiel's", 1.5),
        beside_openspiel("tree-go-9", "Tree simulations, Go 9x9 to OpenSpiel's", 7.0),
        Target("import tengen", imported.seconds, MAX_IMPORT_SECONDS, " s", at_least=False),
        Target("heavy modules that it imports", len(imported.heavy_modules), 1, "", at_least=False),
    ]


def _times(name: str, bound: float, ours: Series, theirs: Series) -> Target:
    return Target(name, ratio(ours.units_per_second, theirs.units_per_second).median, bound, "x")
