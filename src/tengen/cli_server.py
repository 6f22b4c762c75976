"""The commands that run a server and look after its database; `tengen.cli` adds them to the others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tengen.extras import need

DatabaseUrl = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        envvar="TENGEN_DATABASE_URL",
        show_default=False,
        help="Where matches are kept, such as postgresql://user@host/tengen; "
        "SQLite in your data folder unless given.",
    ),
]


def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 lets others in.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(help="The settings say which unless given; 0 takes a free one.", min=0, max=65535),
    ] = None,
    database_url: DatabaseUrl = None,
    program: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=COMMAND", help="A GTP program that may have a seat."),
    ] = None,
    trust_proxy: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="A proxy (or network) whose X-Forwarded-For is believed."),
    ] = None,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(metavar="ORIGIN", help="What browsers call this server, if a proxy hides it."),
    ] = None,
    prefix: Annotated[
        str, typer.Option(metavar="PATH", help="The path below which a proxy shows this server: /tengen.")
    ] = "",
    metrics_from: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="Who may read /metrics beside this machine."),
    ] = None,
    log: Annotated[str, typer.Option(help="How logs are written: text or json.")] = "text",
    tuning: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", show_default=False, help="Limits and log level as JSON; read again on SIGHUP."
        ),
    ] = None,
    traces: Annotated[
        str,
        typer.Option(
            metavar="URL",
            show_default=False,
            help="Send OpenTelemetry's traces to a collector: http://127.0.0.1:4318/v1/traces.",
        ),
    ] = "",
    no_limits: Annotated[
        bool, typer.Option("--no-limits", help="No limits on what an address may ask for.")
    ] = False,
    no_machines: Annotated[
        bool, typer.Option("--no-machines", help="Leave machine seats to other processes with this database.")
    ] = False,
    admin_token_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            envvar="TENGEN_ADMIN_TOKEN_FILE",
            show_default=False,
            help="Opens /admin to who knows the token in that file.",
        ),
    ] = None,
    words: Annotated[
        Path | None,
        typer.Option(metavar="FILE", show_default=False, help="Words not wanted in names and studies."),
    ] = None,
    studies_mb: Annotated[
        int,
        typer.Option(metavar="MB", min=0, help="The most that all studies take together."),
    ] = 1024,
    keep_studies: Annotated[
        int | None,
        typer.Option(
            metavar="DAYS",
            min=1,
            show_default=False,
            help="Forget studies after so long; never unless given.",
        ),
    ] = None,
    lab: Annotated[
        bool,
        typer.Option(
            "--lab",
            help="Everybody who gets here may train and remove brains. "
            "Without it the Lab is open on your own machine alone.",
        ),
    ] = False,
) -> None:
    """Host matches for others, in the browser and for `tengen join`.

    Example: tengen serve --host 0.0.0.0 --program "gnugo=gnugo --mode gtp"
    """
    need("server", "tengen serve")
    from tengen.server.options import running
    from tengen.server.serve import serve as run
    from tengen.settings import load

    run(
        running(
            host=host,
            port=load().port if port is None else port,
            database_url=database_url,
            programs=program or [],
            trusted_proxies=trust_proxy or [],
            origins=allow_origin or [],
            metrics_addresses=metrics_from or [],
            log=log,
            limits=not no_limits,
            tuning=tuning,
            lab=lab,
            machines=not no_machines,
            prefix=prefix,
            admin_token_file=admin_token_file,
            words_file=words,
            studies_mb=studies_mb,
            keep_studies=keep_studies,
            traces=traces,
        )
    )


def worker(
    database_url: DatabaseUrl = None,
    program: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=COMMAND", help="A GTP program that this host has."),
    ] = None,
    searches: Annotated[
        int | None,
        typer.Option(min=1, show_default=False, help="How many think at once; a processor is left free."),
    ] = None,
    log: Annotated[str, typer.Option(help="How logs are written: text or json.")] = "text",
) -> None:
    """Think for machine seats of a server's matches, on any host that reaches its PostgreSQL.

    Example: tengen worker --database-url postgresql://tengen@db.example.org/tengen
    """
    need("server", "tengen worker")
    from tengen.server.options import working
    from tengen.server.worker import work

    work(working(database_url=database_url, programs=program or [], searches=searches, log=log))


def join(
    url: Annotated[
        str | None,
        typer.Argument(help="A server, the link of a match or an invitation; the settings say unless given."),
    ] = None,
    name: Annotated[str | None, typer.Option(help="What others see you called.")] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Take no seat.")] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="For screen readers: no drawing, no colours.")
    ] = False,
    lines: Annotated[
        bool, typer.Option("--lines", help="One line after the other, not the full screen.")
    ] = False,
) -> None:
    """Play on a server, from the terminal.

    Example: tengen join 192.168.0.2

    Example: tengen join "http://192.168.0.2:7777/join/MATCH#TOKEN" --name Ann
    """
    need("server", "tengen join")
    from tengen.settings import load
    from tengen.terminal.join import join as play_there

    settings = load()
    play_there(
        url or settings.default_ip, port=settings.port, name=name, watch=watch, plain=plain, lines=lines
    )


def backup(
    file: Annotated[Path, typer.Argument(help="The file to write; it must not be there yet.")],
    database_url: DatabaseUrl = None,
) -> None:
    """Copy the database to a file, also while a server runs on it.

    For PostgreSQL use pg_dump.

    Example: tengen backup tengen-monday.sqlite3
    """
    need("server", "tengen backup")
    from tengen.server.serve import back_up

    back_up(file, database_url)
    typer.echo(f"Wrote {file}.", err=True)


def add_to(app: typer.Typer) -> None:
    for command in (serve, worker, join, backup):
        app.command()(command)
