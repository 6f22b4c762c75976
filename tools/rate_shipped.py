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

from tengen.brains.file import read_brain
from tengen.brains.store import RATINGS_FILE, SHIPPED, BrainStore
from tengen.games import games
from tengen.rating import Examiner


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures the brains that come with tengen.")
    parser.add_argument("brain", nargs="*", help="only these files, without .onnx")
    parser.add_argument("--games", type=int, default=20, help="against each opponent of the ladder")
    arguments = parser.parse_args()
    path = SHIPPED / RATINGS_FILE
    known: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        store = BrainStore(Path(folder))
        shipped = {one.path.stem: one for name in games() for one in store.list(name)}
        digests = {one.digest for one in shipped.values()}
        for name in arguments.brain or shipped:
            measured = Examiner(store, arguments.games).rate(read_brain(shipped[name].path))
            known[shipped[name].digest] = asdict(measured.rating)
            rows = {digest: row for digest, row in known.items() if digest in digests}
            path.write_text(json.dumps(rows, indent=1, sort_keys=True) + "\n")
            print(name, measured.rating, flush=True)


if __name__ == "__main__":
    main()
