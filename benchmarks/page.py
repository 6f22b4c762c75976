"""The native half of `npm run bench` in web/: prints the processor's seconds of one search, on one thread.

python -m benchmarks.page '{"game": "go", "options": {"size": 9}, "visits": 8000}'
"""

from __future__ import annotations

import json
import sys
import time

import tengen
from tengen.search.mcts import Search


def main() -> None:
    work = json.loads(sys.argv[1])
    search = Search(tengen.game(work["game"], **work["options"]).start())
    search.run(visits=max(1, work["visits"] // 4))  # as the page has done before
    search = Search(search.state)
    begun = time.process_time()
    search.run(visits=work["visits"])
    print(time.process_time() - begun)


if __name__ == "__main__":
    main()
