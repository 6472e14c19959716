"""What a call failed by."""

from __future__ import annotations

import json
from typing import Any

import httpx


def plain(text: object) -> str:
    """One line without anything a terminal would act on: these are words of a server."""
    return " ".join("".join(c if c.isprintable() else " " for c in str(text)).split())[:2000]


class BinderyError(Exception):
    """Branch on ``reason``; ``code`` is coarser, ``hint`` tells what to do.

    Reasons of the service are those of ``bindery.Reason``; the client's own are ``no_content`` (it worked, and there is
    nothing to return), ``timeout``, ``network_error``, ``bad_response`` and ``input_unreadable``.
    """

    def __init__(
        self,
        detail: str,
        *,
        code: str,
        reason: str | None = None,
        hint: str = "",
        status: int | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
        problem: dict[str, Any] | None = None,
    ) -> None:
        self.detail = plain(detail)
        self.code = plain(code)
        self.reason = plain(reason or code)
        self.hint = plain(hint)
        self.status = status
        self.request_id = request_id
        self.retry_after = retry_after
        self.problem = problem or {}
        about = f" (request {request_id})" if request_id else ""
        super().__init__(f"{self.detail} [{self.reason}]{about}{' ' + self.hint if self.hint else ''}")


def problem_of(response: httpx.Response, body: bytes) -> BinderyError:
    """The service's problem document, or that there is none."""
    status = response.status_code
    request_id = plain(response.headers.get("x-request-id", ""))[:128] or None
    after = response.headers.get("retry-after", "")
    more: dict[str, Any] = {"status": status, "request_id": request_id}
    more["retry_after"] = float(after) if after.isdigit() else None
    try:
        problem = json.loads(body)
    except ValueError:
        problem = None
    if isinstance(problem, dict) and isinstance(problem.get("code"), str):
        detail = problem.get("detail") or problem.get("title") or f"status {status}"
        return BinderyError(
            str(detail),
            code=problem["code"],
            reason=str(problem.get("reason") or problem["code"]),
            hint=str(problem.get("hint") or ""),
            problem=problem,
            **more,
        )
    return BinderyError(
        f"The answer has status {status} and is no problem document.",
        code="bad_response",
        hint="Check that the address is that of a Bindery service.",
        **more,
    )
