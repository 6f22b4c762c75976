"""Writes the type stub of the compiled module, or with --check says whether it is current."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from nanobind.stubgen import StubGen

import tengen._core

STUB = Path(__file__).parent.parent / "src" / "tengen" / "_core.pyi"
HEADER = '"""The compiled rules and search. Generated from the bindings by `make stubs`."""\n\n'


def generate() -> str:
    generator = StubGen(tengen._core, include_docstrings=True)
    generator.put(tengen._core)
    # The function tengen.game hides the module of that name from type checkers, so name what is used of it.
    text = generator.get().replace("import tengen.game", "from tengen.game import Game, Outcome, View")
    text = re.sub(r"tengen\.game\.(Game|Outcome|View)", r"\1", text)
    # The last overload takes any object, so type checkers want its result to fit those of the others.
    text = re.sub(r"(state: object.*|states: Sequence\[object\].*)-> Python\w+:", r"\1-> Any:", text)
    text = re.sub(r"(?m)^([A-Z_]+): tuple = ", r"\1: tuple[int, ...] = ", text)
    return HEADER + text.rstrip() + "\n"


def main() -> int:
    text = generate()
    if "--check" not in sys.argv:
        STUB.write_text(text)
        return 0
    if STUB.read_text() == text:
        return 0
    print("src/tengen/_core.pyi does not fit the compiled module; run `make stubs`.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
