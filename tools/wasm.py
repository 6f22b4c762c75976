"""Compiles the core for the browser: web/src/engine/core/core.wasm, with the compiler in the package ziglang.

`python tools/wasm.py OUT` writes it there, and beside it into brains/ the brains that it plays with. Where
the compiler is missing it says so in a sentence, ends with 3 and leaves nothing behind, and the client is
built without an engine. Objects are kept in build/wasm, or where TENGEN_WASM_OBJECTS says, and only what has
changed is compiled again.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCES = ("wasm", "describe", "games", "net")
# Zig is what users can have everywhere by pip; its C++ library knows neither exceptions nor, here, threads.
TARGET = ("-target", "wasm32-wasi", "-O3")
FLAGS = ("-std=c++20", "-DNDEBUG", "-msimd128", "-fno-exceptions", "-fno-rtti", "-Wall", "-Wextra")
LINK = ("-mexec-model=reactor", "-s", "-Wl,--no-entry", "-Wl,--gc-sections", "-Wl,-z,stack-size=2097152")
SHIPPED = ROOT / "src" / "tengen" / "brains" / "shipped"
MISSING = 3


def compiler() -> list[str] | None:
    """The command, or None where there is no compiler for WebAssembly."""
    return [sys.executable, "-m", "ziglang", "c++"] if find_spec("ziglang") else None


def sources() -> list[Path]:
    return sorted(path for part in SOURCES for path in (ROOT / "cpp" / part).rglob("*.cpp"))


def headers() -> Iterator[Path]:
    return (path for path in sorted((ROOT / "cpp").rglob("*.hpp")) if path.parent.name != "bind")


def run(command: list[str]) -> None:
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)  # noqa: S603
    if found.returncode != 0:
        raise SystemExit(f"The core could not be compiled for the browser.\n{found.stderr}")


def build(zig: list[str], out: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    shared = hashlib.sha256(repr((zig[1:], TARGET, FLAGS)).encode())
    for header in headers():
        shared.update(header.read_bytes())

    def compiled(source: Path) -> Path:
        digest = shared.copy()
        digest.update(source.read_bytes())
        name = "_".join(source.relative_to(ROOT / "cpp").with_suffix("").parts)
        target = folder / f"{name}-{digest.hexdigest()[:16]}.o"
        if not target.exists():
            for old in folder.glob(f"{name}-*.o"):
                old.unlink()
            fresh = target.with_suffix(f".{os.getpid()}.new")  # another build may go on beside this one
            run([*zig, *TARGET, *FLAGS, f"-I{ROOT / 'cpp'}", "-c", str(source), "-o", str(fresh)])
            fresh.replace(target)
        return target

    with ThreadPoolExecutor(os.cpu_count()) as workers:
        objects = [str(path) for path in workers.map(compiled, sources())]
    fresh = folder / f"core.{os.getpid()}.wasm"
    run([*zig, *TARGET, *LINK, *objects, "-o", str(fresh)])
    out.parent.mkdir(parents=True, exist_ok=True)
    if not out.exists() or out.read_bytes() != fresh.read_bytes():
        out.write_bytes(fresh.read_bytes())
    fresh.unlink()


def copy_brains(folder: Path) -> None:
    """Those that come with tengen, and no others that were there before."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {path.name: path.read_bytes() for path in sorted(SHIPPED.glob("*.onnx"))}
    for old in folder.glob("*.onnx"):
        if old.name not in wanted:
            old.unlink()
    for name, data in wanted.items():
        if not (folder / name).exists() or (folder / name).read_bytes() != data:
            (folder / name).write_bytes(data)


def main() -> int:
    out = Path(sys.argv[1]).resolve()
    folder = Path(os.environ.get("TENGEN_WASM_OBJECTS", ROOT / "build" / "wasm"))
    zig = compiler()
    if zig is None:
        out.unlink(missing_ok=True)
        print(
            "The browser client is built without an engine: compiling it needs the Python package ziglang.",
            file=sys.stderr,
        )
        return MISSING
    build(zig, out, folder)
    copy_brains(out.parent / "brains")
    return 0


if __name__ == "__main__":
    sys.exit(main())
