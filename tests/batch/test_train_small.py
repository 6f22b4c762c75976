"""examples/train_small.py learns: a few seconds of it beat random moves clearly."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "train_small.py"


def test_a_short_run_beats_random_moves() -> None:
    command = [sys.executable, str(EXAMPLE), "--updates", "20"]
    alone = os.environ | {
        "OPENBLAS_NUM_THREADS": "1"
    }  # its threads spin, which on a busy machine takes minutes
    ran = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300, env=alone)
    *_, last = ran.stdout.splitlines()
    before, after = (float(word.rstrip("%")) for word in last.split() if word.endswith("%"))
    assert 40 < before < 60
    assert after > 75
