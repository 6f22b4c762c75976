"""The native half of `npm run bench` in web/: prints the processor's seconds of a machine's first move.

python -m benchmarks.page '{"game": "go", "options": {"size": 9}, "machine": "mcts:8000"}'
"""

from __future__ import annotations

import json
import sys
import time

import tengen
from tengen.players import make_player


def main() -> None:
    work = json.loads(sys.argv[1])
    game = tengen.game(work["game"], **work["options"])
    make_player(work["machine"], game, seed=1).choose(game.start())  # as the page has done before
    player = make_player(work["machine"], game, seed=1)
    begun = time.process_time()
    player.choose(game.start())
    print(time.process_time() - begun)


if __name__ == "__main__":
    main()
