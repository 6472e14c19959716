"""Requests: the key, deadlines, safe repeats, files too large for one request sent ahead in chunks."""

from __future__ import annotations

import random
import time
import uuid
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Callable, Sequence
from urllib.parse import quote, urlsplit

import httpx

from .errors import BinderyError, plain, problem_of
from .results import FileResult, result_of
from .sources import OpenedFile, Upload

#: Room for part headers and text fields beside the files.
FORM_ROOM_BYTES = 1024 * 1024
LONGEST_WAIT = 30.0
PASSING_STATUSES = (429, 502, 503, 504)
#: The same document would fare no better.
LASTING_REASONS = ("missing_dependency", "deadline_exceeded", "memory_exceeded")
#: A chunk is sent again until a restarted service is back.
CHUNK_RETRIES = 9


@dataclass
class Part:
    """A file under the name of its form part."""

    field: str
    file: OpenedFile | Upload
    #: In a pipeline: the params of the step that speaks of it, and its field there.
    named_in: tuple[dict[str, Any], str] | None = None


class Transport:
    def __init__(
        self, url: str, key: str, *, timeout: float, retries: int, transport: httpx.BaseTransport | None
    ) -> None:
        if urlsplit(url).scheme not in ("http", "https"):
            raise ValueError(f"{url!r} is not an http or https address")
        self._timeout = timeout
        self._retries = retries
        self._limits: dict[str, Any] | None = None
        # Redirects are not followed: the key goes to the address given and nowhere else.
        self._http = httpx.Client(
            base_url=f"{url.rstrip('/')}/api/v1/", headers={"X-API-KEY": key}, transport=transport
        )

    def close(self) -> None:
        self._http.close()

    def status(self) -> dict[str, Any]:
        status: dict[str, Any] = self._send("GET", "info/status", self._deadline(None)).json()
        return status

    def call(
        self,
        path: str,
        parts: Sequence[Part],
        fields: Callable[[], list[tuple[str, str]]],
        *,
        timeout: float | None,
        idempotency_key: str | None,
    ) -> FileResult:
        deadline = self._deadline(timeout)
        uploads = self._send_ahead(parts, deadline)
        headers = {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}
        try:
            return self._send("POST", path, deadline, headers=headers, form=(parts, fields))
        except BaseException:
            # One that was used is gone already, which is no failure.
            for upload in uploads:
                self.delete_upload(upload.id)
            raise

    def upload(self, file: OpenedFile, timeout: float | None) -> Upload:
        return self._upload(file, self._deadline(timeout))

    def delete_upload(self, upload_id: str) -> None:
        try:
            self._http.delete(f"uploads/{quote(upload_id, safe='')}", timeout=5)
        except httpx.HTTPError:
            pass

    def _deadline(self, timeout: float | None) -> float:
        seconds = self._timeout if timeout is None else timeout
        return time.monotonic() + seconds if seconds > 0 else float("inf")

    def _send_ahead(self, parts: Sequence[Part], deadline: float) -> list[Upload]:
        """The largest first, until the rest fits into one request."""
        files = [part for part in parts if isinstance(part.file, OpenedFile)]
        left = sum(part.file.size for part in files)
        if left <= FORM_ROOM_BYTES:
            return []
        if self._limits is None:
            self._limits = self._send("GET", "info/status", deadline).json()
        most = int(self._limits["maxUploadBytes"]) - FORM_ROOM_BYTES
        sent: list[Upload] = []
        for part in sorted(files, key=lambda each: -each.file.size):
            if left <= most:
                break
            assert isinstance(part.file, OpenedFile)
            left -= part.file.size
            part.file = self._upload(part.file, deadline)
            sent.append(part.file)
            if part.named_in is not None:
                params, field = part.named_in
                params[f"{field}@part"].remove(part.field)
                if not params[f"{field}@part"]:
                    del params[f"{field}@part"]
                params.setdefault(f"{field}@upload", []).append(part.file.id)
        return sent

    def _upload(self, file: OpenedFile, deadline: float) -> Upload:
        body = {"filename": file.name, "size": file.size}
        begun = self._send("POST", "uploads", deadline, json=body).json()
        upload = Upload(str(begun["id"]), file.name, file.size)
        path = f"uploads/{quote(upload.id, safe='')}"
        try:
            with file.open() as stream:
                for index in range(int(begun["chunkCount"])):
                    chunk = stream.read(int(begun["chunkSize"]))
                    self._send("PUT", f"{path}/chunks/{index}", deadline, content=chunk, retries=CHUNK_RETRIES)
            self._send("POST", f"{path}/complete", deadline, retries=CHUNK_RETRIES)
        except BaseException:
            self.delete_upload(upload.id)
            raise
        return upload

    def _send(
        self,
        method: str,
        path: str,
        deadline: float,
        *,
        headers: dict[str, str] | None = None,
        form: tuple[Sequence[Part], Callable[[], list[tuple[str, str]]]] | None = None,
        json: Any = None,
        content: bytes | None = None,
        retries: int | None = None,
    ) -> FileResult:
        attempt = 0
        while True:
            try:
                return self._once(method, path, deadline, headers or {}, form, json, content)
            except BinderyError as error:
                wait = _wait(error, attempt) if attempt < (self._retries if retries is None else retries) else None
                if wait is None or time.monotonic() + wait > deadline:
                    raise
                time.sleep(wait)
                attempt += 1

    def _once(
        self,
        method: str,
        path: str,
        deadline: float,
        headers: dict[str, str],
        form: tuple[Sequence[Part], Callable[[], list[tuple[str, str]]]] | None,
        json: Any,
        content: bytes | None,
    ) -> FileResult:
        left = deadline - time.monotonic()
        if left <= 0:
            raise BinderyError("There was no result in time.", code="timeout", hint="Give the call a longer timeout.")
        with ExitStack() as stack:
            body: dict[str, Any] = {"json": json} if json is not None else {}
            if content is not None:
                body = {"content": content}
            if form is not None:
                body = _form(form[0], form[1](), stack)
            try:
                timeout = None if left == float("inf") else left
                with self._http.stream(method, path, headers=headers, timeout=timeout, **body) as response:
                    if response.status_code == 204 and form is not None:
                        raise BinderyError(
                            "There is nothing to return.", code="no_content", status=204,
                            request_id=response.headers.get("x-request-id"),
                        )
                    if not response.is_success:
                        raise problem_of(response, response.read())
                    return result_of(response)
            except httpx.TimeoutException as error:
                raise BinderyError("There was no result in time.", code="timeout") from error
            except httpx.HTTPError as error:
                raise BinderyError(
                    f"The service cannot be reached: {plain(error) or type(error).__name__}.",
                    code="network_error",
                    hint="Check the address of the service and that it is running.",
                ) from error


def _form(parts: Sequence[Part], fields: list[tuple[str, str]], stack: ExitStack) -> dict[str, Any]:
    texts: dict[str, list[str]] = {}
    files: list[tuple[str, tuple[str, Any, str]]] = []
    for part in parts:
        if isinstance(part.file, Upload):
            if part.named_in is None:
                texts.setdefault(f"{part.field}@upload", []).append(part.file.id)
            continue
        stream = part.file.open()
        if hasattr(stream, "fileno") and not hasattr(stream, "rollover"):
            stack.callback(stream.close)
        files.append((part.field, (part.file.name, stream, "application/octet-stream")))
    for name, text in fields:
        texts.setdefault(name, []).append(text)
    return {"data": texts, "files": files} if files else {"data": texts}


def _wait(error: BinderyError, attempt: int) -> float | None:
    """None: repeating is of no use."""
    passes = (
        error.code == "network_error"
        or error.reason == "request_in_progress"
        or (error.status in PASSING_STATUSES and error.reason not in LASTING_REASONS)
    )
    asked = error.retry_after or 0.0
    if not passes or asked > LONGEST_WAIT:
        return None
    # Clients that failed together should not come back together.
    backoff = min(0.5 * float(2**attempt), LONGEST_WAIT)
    return max(asked, backoff * random.uniform(0.75, 1.25))
