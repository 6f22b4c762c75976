"""A client of a tengen server, for programs and the terminal: plain calls, nothing asynchronous.

In reading order: `address` (what people type, and who we are on each server), `server` (what is asked once,
over HTTP), `link` (what is live, over one socket that heals by itself), `table` (a match as the messages tell
it). All deal in the types of `tengen.server.protocol`. What a server says is checked for its form, never for
its sense. examples/bot.py is a whole program on top of it.
"""

from tengen.remote.address import Address, RemoteError, keep_secret, load_secret, printable, read_address
from tengen.remote.link import Healed, Link, Received, Trouble
from tengen.remote.server import Server
from tengen.remote.table import Table

__all__ = [
    "Address",
    "Healed",
    "Link",
    "Received",
    "RemoteError",
    "Server",
    "Table",
    "Trouble",
    "keep_secret",
    "load_secret",
    "printable",
    "read_address",
]
