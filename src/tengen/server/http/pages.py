"""The browser client: files of the package folder `web`, held in memory, and the pages that they make up.

The folder is read once and again when its index.html has changed, so no path of a request ever reaches the
file system. A file that has a compressed twin (`.br`, `.gz`) beside it is sent as that to whoever takes it.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from tengen.server.http.replies import MIN_GZIP_BYTES, accepts

INDEX = "index.html"
# First words of page paths.
PAGES = ("play", "join", "lobby", "games", "review", "study", "rules", "settings", "device", "lab")
_CODINGS = (("br", ".br"), ("gzip", ".gz"))
_TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".wasm": "application/wasm",
}
_SQUEEZABLE = ("text/", "application/json", "application/manifest+json", "image/svg", "application/wasm")
_OWN = re.compile(r'\b(src|href)="/')  # addresses of our own in the page
FOREVER = "public, max-age=31536000, immutable"

NOT_BUILT = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>tengen</title></head>
<body>
<h1>tengen is running</h1>
<p>The server works, but its browser client has not been built. With Node.js installed, run
<code>make web</code> in the source tree and reload this page.</p>
<p>The terminal client works as it is: <code>tengen join</code> with the address of this page.
Programs find the API described at <a href="/api/openapi.json">/api/openapi.json</a>.</p>
</body>
</html>
"""


@dataclass(frozen=True, slots=True)
class File:
    """One file, whole and compressed."""

    body: bytes
    media: str
    etag: str
    codings: dict[str, bytes] = field(default_factory=dict)


class Pages:
    """Answers what is not the API."""

    def __init__(self, folder: Path, prefix: str = "") -> None:
        self._folder, self._prefix = folder, prefix
        self._stamp: int | None = None
        self._files: dict[str, File] = {}
        self._refresh()

    async def __call__(self, request: Request) -> Response:
        self._refresh()
        path = request.url.path.lstrip("/")
        found = self._files.get(path) if path != INDEX else None
        if found is not None:
            cached = FOREVER if path.startswith("assets/") else "no-cache"
            return _send(found, request.headers, cached)
        first = path.partition("/")[0]
        if first in ("api", "assets") or (first not in (*PAGES, "") and not _wants_page(request.headers)):
            raise HTTPException(404)
        status = 200 if first in (*PAGES, "") else 404
        index = self._files.get(INDEX)
        if index is None:
            return Response(NOT_BUILT, status, {"cache-control": "no-store"}, media_type="text/html")
        return _send(index, request.headers, "no-cache", status)

    def _refresh(self) -> None:
        try:
            stamp = (self._folder / INDEX).stat().st_mtime_ns
        except OSError:
            self._stamp, self._files = None, {}
            return
        if stamp != self._stamp:
            self._files, self._stamp = load(self._folder), stamp
            if self._prefix:
                self._files[INDEX] = placed(self._files[INDEX], self._prefix)


def placed(page: File, prefix: str) -> File:
    """The page as it is shown below that path; what it loads finds the rest by itself."""
    text = _OWN.sub(rf'\1="{prefix}/', page.body.decode())
    body = text.replace("<head>", f'<head><meta name="tengen-base" content="{prefix}" />', 1).encode()
    return file_of(body, page.media)


def file_of(body: bytes, media: str, codings: Mapping[str, bytes] = MappingProxyType({})) -> File:
    """With gzip added where that pays and nobody has."""
    found = dict(codings)
    if "gzip" not in found and len(body) >= MIN_GZIP_BYTES and media.startswith(_SQUEEZABLE):
        found["gzip"] = gzip.compress(body, 9, mtime=0)
    return File(body, media, f'"{hashlib.sha256(body).hexdigest()[:20]}"', found)


def load(folder: Path) -> dict[str, File]:
    """All files of the folder by their path in it; hidden ones and links are left out."""
    found: dict[str, File] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if hidden or path.is_symlink() or not path.is_file() or path.suffix in (".br", ".gz"):
            continue
        body = path.read_bytes()
        media = _TYPES.get(path.suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        codings = {
            coding: twin.read_bytes()
            for coding, suffix in _CODINGS
            if (twin := path.with_name(path.name + suffix)).is_file()
        }
        found[name] = file_of(body, media, codings)
    return found


def _wants_page(headers: Headers) -> bool:
    return "text/html" in headers.get("accept", "")


def _send(file: File, asked: Headers, cached: str, status: int = 200) -> Response:
    headers = {"cache-control": cached, "etag": file.etag}
    if file.codings:
        headers["vary"] = "Accept-Encoding"
    if status == 200 and file.etag in asked.get("if-none-match", ""):
        return Response(None, 304, headers, media_type=file.media)  # by which the policy is chosen
    coding = next((name for name, _ in _CODINGS if name in file.codings and accepts(asked, name)), None)
    if coding is not None:
        headers["content-encoding"] = coding
    return Response(
        file.body if coding is None else file.codings[coding], status, headers, media_type=file.media
    )
