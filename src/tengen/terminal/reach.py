"""A link to a match that others can use: a server on our own machine has another address for them."""

from __future__ import annotations

from tengen.remote import RemoteError, Server

ALONE = (
    "That link works on this computer alone. For others, stop the server and start it so: "
    "tengen serve --host 0.0.0.0"
)


def for_others(server: Server, link: str) -> tuple[str, str]:
    """The link under an address that others can reach, and where there is none a sentence that says so."""
    if not server.direct:
        return link, ""
    try:
        addresses = server.info().addresses
    except RemoteError:  # it has just gone away, and will be told about elsewhere
        return link, ""
    if not addresses:
        return link, ALONE
    return link.replace(server.url, addresses[0].rstrip("/"), 1), ""
