"""A file that came back: in memory while it is small, else on disk until it is no longer wanted."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from email.message import Message
from pathlib import Path
from typing import IO, Any, Mapping, cast

import httpx

from .errors import BinderyError, plain
from .sources import IN_MEMORY_BYTES

#: Longer than any result: a server that sends on and on is given up.
LONGEST_BYTES = 1024**3


class FileResult:
    """``save(path)``, ``content``, ``text()`` or ``json()``, as you like; ``headers`` are those of the answer."""

    def __init__(self, filename: str, media_type: str, headers: Mapping[str, str], body: IO[bytes], size: int) -> None:
        self.filename = filename
        self.media_type = media_type
        self.headers = headers
        self.size = size
        self._body = body

    @property
    def request_id(self) -> str | None:
        return self.headers.get("x-request-id")

    @property
    def content(self) -> bytes:
        self._body.seek(0)
        return self._body.read()

    def text(self) -> str:
        return self.content.decode("utf-8")

    def json(self) -> Any:
        try:
            return json.loads(self.content)
        except ValueError as error:
            raise BinderyError("The answer is not the JSON that was promised.", code="bad_response") from error

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Into a file, or into a folder under ``filename``. What exists stays, unless ``overwrite``."""
        target = Path(path)
        if target.is_dir():
            target = target / self.filename
        if target.exists() and not overwrite:
            raise FileExistsError(f"{target} exists already; overwrite=True replaces it")
        # Under another name first, so that nobody finds half a file.
        handle, part = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                self._body.seek(0)
                shutil.copyfileobj(self._body, file)
            os.chmod(part, 0o666 & ~_umask())
            if overwrite:
                os.replace(part, target)
            else:
                os.link(part, target)
                os.unlink(part)
        except BaseException:
            Path(part).unlink(missing_ok=True)
            raise
        return target


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def result_of(response: httpx.Response) -> FileResult:
    """Reads a streamed answer to its end."""
    body = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY_BYTES)
    size = 0
    for piece in response.iter_bytes():
        size += len(piece)
        if size > LONGEST_BYTES:
            raise BinderyError("The answer is longer than any result.", code="bad_response")
        body.write(piece)
    media_type = response.headers.get("content-type", "application/octet-stream").split(";")[0].strip()
    name = _filename(response.headers.get("content-disposition", ""))
    return FileResult(name, media_type, response.headers, cast("IO[bytes]", body), size)


def _filename(disposition: str) -> str:
    """The service's name for it, without folders and without anything that hides it or looks like an option."""
    message = Message()
    message["content-disposition"] = disposition or "attachment"
    name = plain(message.get_filename() or "").replace("\\", "/").rsplit("/", 1)[-1].lstrip(".-~ ")
    return name[:200] or "result"
