"""The whole lesson, as recipe.toml beside this file says."""

from __future__ import annotations

import argparse
import hashlib
import tomllib
from pathlib import Path

from tools.go_lesson.judge import Teacher, play
from tools.go_lesson.kata_net import convert
from tools.go_lesson.learn import learn

RECIPE = Path(__file__).with_name("recipe.toml")


def main() -> None:
    parser = argparse.ArgumentParser(description="Teaches a brain for Go as the shipped one was taught.")
    parser.add_argument("net", type=Path, help="the teacher's file, as KataGo publishes it")
    parser.add_argument("--folder", type=Path, default=Path("build/lesson"))
    parser.add_argument("--recipe", type=Path, default=RECIPE)
    given = parser.parse_args()
    recipe = tomllib.loads(given.recipe.read_text())
    if (found := hashlib.sha256(given.net.read_bytes()).hexdigest()) != recipe["teacher"]:
        parser.error(f"{given.net} is not the teacher of the recipe: its SHA-256 is {found}.")
    teacher, samples = given.folder / "teacher.onnx", given.folder / "samples"
    if not teacher.exists():
        convert(given.net, teacher)
    brain = None
    for number, stage in enumerate(recipe["stages"], 1):
        out = given.folder / f"go-{number}.onnx"
        if stage.get("afresh"):  # nothing that was judged before is learned again
            samples = given.folder / f"samples-{number}"
        if not out.with_suffix(".json").exists():  # which is written last
            shares = {int(size): float(share) for size, share in stage["shares"].items()}
            play(
                Teacher(teacher.read_bytes()),
                samples,
                files=stage["files"],
                seed=stage.get("seed", number),
                shares=shares,
                wild=stage.get("wild", 0.0),
                fights=stage.get("fights", 0.0),
            )
            learn(
                samples,
                out,
                samples=stage["samples"],
                blocks=stage.get("blocks", recipe["blocks"]),
                channels=stage.get("channels", recipe["channels"]),
                rate=stage["rate"],
                start=brain,
                keeps=stage.get("keeps", 0.0),
            )
        brain = out
    print(brain)


if __name__ == "__main__":
    main()
