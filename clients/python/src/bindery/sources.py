"""Documents as callers have them: paths, bytes, open files, uploads."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Callable, Sequence, Tuple, Union

from .errors import BinderyError

IN_MEMORY_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True)
class Upload:
    """A file that has arrived at the service: usable once, within the hour, wherever a file is asked for."""

    id: str
    filename: str
    size: int


#: A path, bytes, an open binary file, ``(name, content)``, or an upload.
FileSource = Union[str, "os.PathLike[str]", bytes, IO[bytes], Tuple[str, Union[bytes, IO[bytes]]], Upload]

#: ``"1,3,5-8"``, a page, or a list of pages.
PageSelection = Union[str, int, Sequence[Union[int, str]]]


@dataclass(frozen=True)
class OpenedFile:
    """A file that can be read from its start as often as a call is repeated."""

    name: str
    size: int
    open: Callable[[], IO[bytes]]


def open_source(source: FileSource) -> OpenedFile | Upload:
    if isinstance(source, Upload):
        return source
    if isinstance(source, (str, os.PathLike)):
        return _from_path(Path(source))
    if isinstance(source, tuple):
        name, content = source
        return _from_content(content, name)
    name = os.path.basename(str(getattr(source, "name", "") or "document"))
    return _from_content(source, name)


def _from_path(path: Path) -> OpenedFile:
    try:
        size = path.stat().st_size
        with path.open("rb"):
            pass
    except OSError as error:
        raise BinderyError(
            f"{path} cannot be read: {error.strerror}.",
            code="input_unreadable",
            hint="Check the path and that the file may be read.",
        ) from error
    return OpenedFile(path.name, size, lambda: path.open("rb"))


def _from_content(content: bytes | IO[bytes], name: str) -> OpenedFile:
    # What may be read only once goes to disk where it is large: a call may have to be repeated.
    kept = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY_BYTES)
    if isinstance(content, (bytes, bytearray, memoryview)):
        kept.write(content)
    else:
        shutil.copyfileobj(content, kept)
    size = kept.tell()

    def rewound() -> IO[bytes]:
        kept.seek(0)
        return kept

    return OpenedFile(name, size, rewound)
