"""Facts about the machine and the packages that a number depends on; nothing that names the machine."""

import os
import platform
from importlib.metadata import version
from pathlib import Path

PACKAGES = ("tengen", "open_spiel", "pettingzoo", "sgfmill", "numpy")


def machine_facts() -> dict[str, str | int]:
    return {
        "cpu": _cpu_model(),
        "cores": os.cpu_count() or 1,
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
    }


def package_versions() -> dict[str, str]:
    return {package: version(package) for package in PACKAGES}


def _cpu_model() -> str:
    cpuinfo = Path("/proc/cpuinfo")  # Linux; elsewhere the platform's own word has to do
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"
