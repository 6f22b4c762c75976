"""Where others find this server: addresses of this machine, found out without sending anything."""

from __future__ import annotations

import contextlib
import socket
import struct
import sys
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address

_SIOCGIFADDR = 0x8915  # Linux: the address of an interface
# Reserved for documentation: a datagram socket "connected" to it only asks the routing table.
_NOWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}


def is_everywhere(host: str) -> bool:
    """Whether that address to listen on means all of this machine's."""
    return host in ("", "0.0.0.0", "::")  # noqa: S104


def is_own_machine(host: str) -> bool:
    """Whether only this machine can reach a server on that address."""
    if host == "localhost":
        return True
    with contextlib.suppress(ValueError):
        return ip_address(host).is_loopback
    return False


def url(host: str, port: int) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}/" if port == 80 else f"http://{shown}:{port}/"


def to_share(host: str, port: int) -> list[str]:
    """What to give to others on the network, likeliest first; empty for a server of one's own machine."""
    if is_own_machine(host):
        return []
    if not is_everywhere(host):
        return [url(host, port)]
    found = dict.fromkeys([*_routed(socket.AF_INET), *_by_interface()])
    if host == "::":
        found |= dict.fromkeys(_routed(socket.AF_INET6))
    usable = [address for address in found if not (address.is_loopback or address.is_link_local)]
    return [url(str(address), port) for address in usable]


def _routed(family: socket.AddressFamily) -> Iterator[IPv4Address | IPv6Address]:
    """The address that this machine would send from."""
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((_NOWHERE[family], 9))
        address = ip_address(probe.getsockname()[0])
        if not address.is_unspecified:
            yield address


def _by_interface() -> Iterator[IPv4Address]:
    if sys.platform != "linux":
        return
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):
                asked = struct.pack("256s", name.encode()[:15])
                yield IPv4Address(fcntl.ioctl(probe, _SIOCGIFADDR, asked)[20:24])
