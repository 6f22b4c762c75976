"""Builds the package as a stranger would and installs it where nothing of this folder can be seen.

It is compiled from the sdist, as `make` compiles this folder, so that ccache has most of it. Without ccache
it is not optimised, since what is asked is whether all of it is there.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PATIENCE_S = 600
NODE = (20, 19)  # what the browser client is built with, or newer
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
PYTHON_VARIABLES = ("PYTHON", "VIRTUAL_ENV", "XDG_", "PYTEST_", "TENGEN_")


def build_sdist(target: Path) -> Path:
    code = "import sys, scikit_build_core.build as build; build.build_sdist(sys.argv[1])"
    _checked([sys.executable, "-c", code, str(target)], cwd=ROOT)
    return next(target.glob("*.tar.gz"))


def build_wheel(sdist: Path, target: Path) -> Path:
    with tarfile.open(sdist) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.4 has it
        archive.extractall(target.parent)
    source = target.parent / sdist.name.removesuffix(".tar.gz")
    if os.environ.get("CMAKE_CXX_COMPILER_LAUNCHER"):  # the Makefile has found it
        options, more = ["-Ccmake.define.TENGEN_WERROR=ON"], {"CCACHE_BASEDIR": str(source / "cpp")}
    else:
        options, more = ["-Ccmake.build-type=Plain"], {"CXXFLAGS": "-O0"}
    _checked(
        [*PIP, "wheel", "--no-deps", "--no-build-isolation", f"--wheel-dir={target}", *options, str(source)],
        cwd=target.parent,
        env=os.environ | more | {"TENGEN_WASM_OBJECTS": str(ROOT / "build" / "wasm")},
    )
    return next(target.glob("*.whl"))


def has_node() -> bool:
    """Whether the browser client can be built here, as CMakeLists.txt sees it."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        return False
    said = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)\.(\d+)", said)
    return found is not None and (int(found[1]), int(found[2])) >= NODE


@dataclass(frozen=True)
class Installed:
    """An environment with tengen in it and a home of its own, outside the repository."""

    folder: Path

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def python(self) -> Path:
        return self.folder / "env" / "bin" / "python"

    @property
    def tengen(self) -> Path:
        return self.python.with_name("tengen")

    @property
    def variables(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(PYTHON_VARIABLES)}
        return kept | {"HOME": str(self.home), "PATH": f"{self.python.parent}:{os.environ['PATH']}"}

    def run(self, *arguments: str, code: int = 0, typed: str = "") -> str:
        """What the command says on both streams; it must end with that exit code."""
        ran = subprocess.run(
            [str(self.tengen), *arguments],
            cwd=self.home,
            env=self.variables,
            input=typed,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert ran.returncode == code, (
            f"tengen {' '.join(arguments)} ended with {ran.returncode}:\n{ran.stdout}"
        )
        assert "Traceback" not in ran.stdout, ran.stdout
        return ran.stdout

    @contextmanager
    def serving(self) -> Iterator[str]:
        """The address of a server on a free port."""
        with subprocess.Popen(
            [str(self.tengen), "serve", "--port", "0"],
            cwd=self.home,
            env=self.variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as server:
            try:
                assert server.stdout is not None
                said = ""
                for line in server.stdout:
                    said += line
                    if found := re.search(r"http://127\.0\.0\.1:\d+", line):
                        break
                else:
                    raise AssertionError(f"The server did not start:\n{said}")
                yield found[0]
            finally:
                server.terminate()


def install(wheel: Path, folder: Path, extras: Iterable[str] = ()) -> Installed:
    """A new environment with nothing but the wheel and what it asks for."""
    installed = Installed(folder)
    installed.home.mkdir(parents=True)
    venv.create(folder / "env", with_pip=False)
    add(wheel, installed, extras)
    return installed


def add(wheel: Path, to: Installed, extras: Iterable[str]) -> None:
    """Installs the wheel there, with those extras."""
    named = f"[{','.join(extras)}]" if extras else ""
    command = [*PIP, f"--python={to.python}", "install", "--no-compile", f"tengen{named} @ {wheel.as_uri()}"]
    _checked(command, cwd=to.folder)


def lend(name: str, to: Installed) -> None:
    """Makes a distribution of this environment and what it needs importable there, without a copy."""
    lent = to.folder / "lent"
    lent.mkdir(exist_ok=True)
    for each in sorted(_with_needs(name, set())):
        for file in metadata.files(each) or []:
            top = Path(str(file.locate()))
            while top.parent != Path(str(metadata.distribution(each).locate_file(""))):
                if top == top.parent:
                    break
                top = top.parent
            else:
                if top.exists() and top.name not in ("__pycache__", "..") and not (lent / top.name).exists():
                    (lent / top.name).symlink_to(top)
    site = next((to.folder / "env" / "lib").glob("python*/site-packages"))
    (site / "lent.pth").write_text(f"{lent}\n")


def _with_needs(name: str, found: set[str]) -> set[str]:
    """The distribution and all that it needs here."""
    if name in found:
        return found
    try:
        needs = metadata.requires(name) or []
    except metadata.PackageNotFoundError:  # for another system
        return found
    found.add(name)
    for need in map(Requirement, needs):
        if need.marker is None or need.marker.evaluate({"extra": ""}):
            _with_needs(need.name, found)
    return found


def _checked(command: list[str], *, cwd: Path, env: dict[str, str] | None = None) -> None:
    cwd.mkdir(parents=True, exist_ok=True)
    ran = subprocess.run(
        command,
        cwd=cwd,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ran.returncode == 0, f"{' '.join(command)}\n{ran.stdout[-4000:]}"
