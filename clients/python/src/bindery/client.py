"""The client: one method for each operation, grouped as the service's paths are."""

from __future__ import annotations

import json
import os
from types import TracebackType
from typing import Any, Mapping, Sequence

import httpx

from .fields import find_row, texts, wire_names
from .operations import OPERATIONS, Operations
from .pipeline import Pipeline, Step
from .results import FileResult
from .sources import FileSource, OpenedFile, Upload, open_source
from .transport import Part, Transport

FIVE_MINUTES = 300.0
DEFAULT_URL = "http://127.0.0.1:8080"

Files = Mapping[str, "FileSource | Sequence[FileSource]"]


class Bindery(Operations):
    """``bindery.general.rotate_pdf("in.pdf", angle=90).save("out.pdf")``

    Without arguments the address and the key are those of ``BINDERY_URL`` and ``BINDERY_API_KEY``. ``timeout`` is that
    of a whole call, in seconds; calls that fail for a passing reason are repeated ``retries`` times, safely.
    """

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float = FIVE_MINUTES,
        retries: int = 2,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        key = api_key or os.environ.get("BINDERY_API_KEY")
        if not key:
            raise ValueError("An API key is needed: api_key, or BINDERY_API_KEY.")
        url = base_url or os.environ.get("BINDERY_URL") or DEFAULT_URL
        self._transport = Transport(url, key, timeout=timeout, retries=retries, transport=transport)
        super().__init__(self._run)

    def close(self) -> None:
        self._transport.close()

    def __enter__(self) -> Bindery:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def status(self) -> dict[str, Any]:
        """The limits of the service."""
        return self._transport.status()

    def upload(self, source: FileSource, *, timeout: float | None = None) -> Upload:
        """Sends a file in chunks, whatever its size, for use in a later call."""
        opened = open_source(source)
        return opened if isinstance(opened, Upload) else self._transport.upload(opened, timeout)

    def delete_upload(self, upload: Upload) -> None:
        self._transport.delete_upload(upload.id)

    def call(self, operation: str, files: Files, params: Mapping[str, Any] | None = None, **options: Any) -> FileResult:
        """Any operation by its path, for programs that choose at run time; JSON results come as a file, too."""
        path, row = find_row(OPERATIONS, operation)
        named = wire_names(path, row, {**files, **(params or {})})
        return self._send(path, row.files, row.fields, named, **options)

    def pipeline(self, files: FileSource | Sequence[FileSource]) -> Pipeline:
        """The start of a pipeline: add steps, then run it."""
        return Pipeline(self, files if isinstance(files, list) else [files])  # type: ignore[list-item]

    def run_pipeline(
        self,
        files: Sequence[FileSource],
        steps: Sequence[Step],
        *,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> FileResult:
        """A pipeline whose steps come from elsewhere: pairs of an operation and its fields."""
        parts = [Part("fileInput", open_source(file)) for file in files]
        sent: list[dict[str, Any]] = []
        for at, (operation, params) in enumerate(steps):
            path, row = find_row(OPERATIONS, operation)
            named: dict[str, Any] = {}
            for field, value in wire_names(path, row, params).items():
                if field not in row.files:
                    named[field] = ",".join(map(str, value)) if _is_pages(row.fields[field], value) else value
                    continue
                for source in value if isinstance(value, list) else [value]:
                    opened = open_source(source)
                    kind = "upload" if isinstance(opened, Upload) else "part"
                    # Under a name of its own, which the step speaks of.
                    part = Part(f"step{at}-{field}-{len(parts)}", opened, named_in=(named, field))
                    if kind == "upload":
                        named.setdefault(f"{field}@upload", []).append(opened.id)  # type: ignore[union-attr]
                    else:
                        parts.append(part)
                        named.setdefault(f"{field}@part", []).append(part.field)
            sent.append({"op": path, "params": named})
        return self._transport.call(
            "pipeline", parts, lambda: [("steps", json.dumps(sent))], timeout=timeout, idempotency_key=idempotency_key
        )

    def _run(self, path: str, files: Mapping[str, Any], params: Mapping[str, Any], options: Mapping[str, Any]) -> Any:
        row = OPERATIONS[path]
        given = {name: value for name, value in {**files, **params}.items() if value is not None}
        result = self._send(path, row.files, row.fields, given, **options)
        return result.json() if row.result == "json" else result

    def _send(
        self,
        path: str,
        file_fields: Sequence[str],
        kinds: Mapping[str, str],
        given: Mapping[str, Any],
        *,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> FileResult:
        parts: list[Part] = []
        fields: list[tuple[str, str]] = []
        for name, value in given.items():
            if name in file_fields:
                parts += [Part(name, open_source(each)) for each in (value if isinstance(value, list) else [value])]
            else:
                fields += [(name, text) for text in texts(kinds.get(name, "text"), value)]
        return self._transport.call(path, parts, lambda: fields, timeout=timeout, idempotency_key=idempotency_key)


def _is_pages(kind: str, value: Any) -> bool:
    return kind == "pages" and isinstance(value, (list, tuple, range))


__all__ = ["Bindery", "OpenedFile"]
