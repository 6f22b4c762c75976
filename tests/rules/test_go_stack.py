"""What Go reads about ladders fits on a small stack, wherever a thread of somebody else's runs it."""

from __future__ import annotations

import subprocess
import sys

READS = """
import random, threading
import tengen

def read():
    rng, game = random.Random(1), tengen.game("go", size=19)
    for _ in range(8):
        state = game.start()
        while state.outcome is None and len(state.actions) < 500:
            state = state.play(rng.choice(state.legal_actions()))
            state.encode()
    print("read")

threading.stack_size(256 * 1024)
thread = threading.Thread(target=read)
thread.start()
thread.join()
"""


def test_boards_full_of_chains_in_atari_are_read_on_a_small_stack() -> None:
    """In a process of its own, which a stack that is too small would end."""
    found = subprocess.run([sys.executable, "-c", READS], capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (0, "read\n")
