"""Measures the brains that come with tengen, so that they stand in their place among others from the start.

    python tools/rate_shipped.py                     all of them
    python tools/rate_shipped.py great-kingdom --games 20

Writes src/tengen/brains/shipped/ratings.json, by the SHA-256 of the files; what is there of other files is
dropped. To be run after a shipped brain was replaced.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tengen.brains.store import DEFAULT, RATINGS_FILE, SHIPPED, BrainStore
from tengen.games import games
from tengen.rating import Examiner


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures the brains that come with tengen.")
    parser.add_argument("game", nargs="*", help="only these games")
    parser.add_argument("--games", type=int, default=20, help="against each opponent of the ladder")
    arguments = parser.parse_args()
    path = SHIPPED / RATINGS_FILE
    known: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    shipped = [name for name in games() if (SHIPPED / f"{name}.onnx").exists()]
    with tempfile.TemporaryDirectory() as folder:
        store = BrainStore(Path(folder))
        digests = {name: store.entry(name, DEFAULT).digest for name in shipped}
        for name in arguments.game or shipped:
            measured = Examiner(store, arguments.games).rate(store.find(name, DEFAULT))
            known[digests[name]] = asdict(measured.rating)
            rows = {digest: row for digest, row in known.items() if digest in digests.values()}
            path.write_text(json.dumps(rows, indent=1, sort_keys=True) + "\n")
            print(name, measured.rating, flush=True)


if __name__ == "__main__":
    main()
