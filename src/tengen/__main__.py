"""`python -m tengen`: says what there is to play with."""

import sys

import tengen


def main() -> int:
    print(f"tengen {tengen.__version__}: the rules engine, from Python. There is no board to click on yet.")
    print("Games:", ", ".join(tengen.games()))
    game = tengen.game("great-kingdom")
    print(game.text(game.start()))
    print("Try it:  .venv/bin/python -i -c 'import tengen'")
    return 0


if __name__ == "__main__":
    sys.exit(main())
