"""What `import tengen` costs: the time of fresh interpreters, and the heavy modules it must leave alone."""

import subprocess
import sys
from dataclasses import dataclass
from time import perf_counter

HEAVY_MODULES = ("torch", "fastapi", "onnxruntime", "numpy")
INTERPRETERS = 9  # of each kind; the best of them is the least disturbed


@dataclass(frozen=True)
class ImportCost:
    seconds: float  # best `import tengen` less best empty program
    empty_seconds: float  # the empty program alone
    heavy_modules: tuple[str, ...]  # those of HEAVY_MODULES that the import brought in


def import_cost() -> ImportCost:
    empty, importing = [], []
    for _ in range(INTERPRETERS):
        empty.append(_wall_seconds("pass"))
        importing.append(_wall_seconds("import tengen"))
    return ImportCost(min(importing) - min(empty), min(empty), _heavy_modules())


def _python(program: str) -> list[str]:
    return [sys.executable, "-I", "-c", program]  # -I: the installed package, whatever the folder


def _wall_seconds(program: str) -> float:
    start = perf_counter()
    subprocess.run(_python(program), check=True)
    return perf_counter() - start


def _heavy_modules() -> tuple[str, ...]:
    program = f"import sys, tengen; print(*(m for m in {HEAVY_MODULES!r} if m in sys.modules))"
    run = subprocess.run(_python(program), check=True, capture_output=True, text=True)
    return tuple(run.stdout.split())
