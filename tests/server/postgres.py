"""A PostgreSQL server of our own for tests: in a temporary folder, on a free port of the loopback address."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg import sql

from benchmarks.serving.processes import free_port

PASSWORD = "only-for-tests"


class NoPostgres(Exception):
    """There is no PostgreSQL that could be started here."""


def binaries() -> Path:
    """The folder of the newest installation that can start a server."""
    found = list(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return max(found, key=lambda path: int(path.parts[-3])).parent
    if on_path := shutil.which("initdb"):
        return Path(on_path).parent
    raise NoPostgres("no initdb under /usr/lib/postgresql nor on the PATH")


class PostgresServer:
    """Start reading at `running`. PostgreSQL refuses to run as root, so another user does then."""

    def __init__(self, folder: Path, *, durable: bool = False) -> None:
        self._folder = folder
        self._fsync = "on" if durable else "off"
        self._binaries = binaries()
        self._account: dict[str, int | list[int]] = {}
        self.port = 0
        if os.geteuid() == 0:
            account = _account()
            os.chown(folder, account.pw_uid, account.pw_gid)
            self._account = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self._binaries / program, "-D", self._folder / "data", *arguments],
            cwd=self._folder,
            env={"LC_ALL": "C", "PATH": os.environ.get("PATH", "")},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=True,
            timeout=120,
            **self._account,  # type: ignore[call-overload]
        )

    def create(self) -> None:
        password = self._folder / "password"
        password.write_text(PASSWORD)
        password.chmod(0o644)
        settings = ("-U", "tengen", "--auth=scram-sha-256", f"--pwfile={password}", "-E", "UTF8", "--no-sync")
        self._run("initdb", *settings)

    def start(self) -> None:
        """On the port of the last start if there was one."""
        for last_try in (False, False, True):
            port = self.port or free_port()
            options = (
                f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' "
                f"-c fsync={self._fsync} -c max_connections=60 -c shared_buffers=32MB"
            )
            try:
                self._run("pg_ctl", "-w", "-l", str(self._folder / "log"), "-o", options, "start")
            except subprocess.CalledProcessError:
                if last_try or self.port:
                    raise
            else:
                self.port = port
                return

    def stop(self, mode: str = "immediate") -> None:
        self._run("pg_ctl", "-w", "-m", mode, "stop")

    def restart(self) -> None:
        """As after a crash: nobody is told, and nothing is written out."""
        self.stop()
        self.start()

    def url(self, database: str) -> str:
        return f"postgresql+psycopg://tengen:{PASSWORD}@127.0.0.1:{self.port}/{database}"

    def _execute(self, statement: str, database: str) -> None:
        address = f"host=127.0.0.1 port={self.port} user=tengen password={PASSWORD} dbname=postgres"
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(sql.SQL(statement).format(sql.Identifier(database)))

    @contextmanager
    def database(self, name: str) -> Iterator[str]:
        """The URL of a new, empty database, gone afterwards."""
        self._execute("CREATE DATABASE {}", name)
        try:
            yield self.url(name)
        finally:
            self._execute("DROP DATABASE {} WITH (FORCE)", name)


@contextmanager
def running(*, durable: bool = False) -> Iterator[PostgresServer]:
    """A server that is stopped and removed afterwards; raises NoPostgres if there is none to be had.

    Without `durable` it does not sync to disk: enough for tests, and quicker.
    """
    folder = Path(tempfile.mkdtemp(prefix="tengen-postgres-"))
    try:
        server = PostgresServer(folder, durable=durable)
        try:
            server.create()
            server.start()
        except (OSError, subprocess.SubprocessError) as error:
            words = getattr(error, "stderr", b"") or b""
            raise NoPostgres(f"{error} {words.decode(errors='replace').strip()}") from None
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _account() -> pwd.struct_passwd:
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise NoPostgres("neither postgres nor nobody is a user here")
