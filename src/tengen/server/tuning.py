"""What an operator may change while a server runs: limits and how much is logged, from a file.

    {"log_level": "debug", "sockets": 128, "rates": {"requests": {"burst": 600, "per_second": 60}}}

`tengen serve --tuning FILE` reads it at the start, and again on SIGHUP. What the file does not name is as it
is without one. A file that cannot be used changes nothing, and a line of the log says why.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated, Literal

from msgspec import DecodeError, Meta, Struct, json

from tengen.server.errors import plain
from tengen.server.limits import MAX_SOCKETS, RATES, Limits, Rate

log = logging.getLogger("tengen.serve")

Positive = Annotated[float, Meta(gt=0)]


class TunedRate(Struct, frozen=True, forbid_unknown_fields=True):
    burst: Positive
    per_second: Positive


class Tuning(Struct, frozen=True, forbid_unknown_fields=True):
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    sockets: Annotated[int, Meta(ge=1)] = MAX_SOCKETS
    rates: dict[str, TunedRate] = {}

    def apply(self, limits: Limits) -> None:
        rates = {name: Rate(rate.burst, rate.per_second) for name, rate in self.rates.items()}
        limits.retune({**RATES, **rates}, self.sockets)
        logging.getLogger("tengen").setLevel(self.log_level.upper())


class TuningError(ValueError):
    """The file cannot be used; one sentence."""


def read(path: Path) -> Tuning:
    try:
        found = json.decode(path.read_bytes(), type=Tuning)
    except OSError as error:
        raise TuningError(f"The tuning file {path} cannot be read: {error.strerror}.") from None
    except (DecodeError, UnicodeDecodeError) as error:
        raise TuningError(f"The tuning file {path} cannot be used. {plain(str(error))}") from None
    if unknown := sorted(set(found.rates) - set(RATES)):
        raise TuningError(
            f"The tuning file {path} has no such rate: {unknown[0]}; there are {', '.join(RATES)}."
        )
    return found


def retune(path: Path, limits: Limits) -> None:
    """What SIGHUP does."""
    try:
        read(path).apply(limits)
    except TuningError as error:
        log.error("%s Nothing was changed", error)
    else:
        log.warning("Limits and log level were read again", extra={"data": {"file": str(path)}})
