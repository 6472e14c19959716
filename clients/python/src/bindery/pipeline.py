"""Several operations in one request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

from .results import FileResult
from .sources import FileSource

if TYPE_CHECKING:
    from .client import Bindery

Step = tuple[str, dict[str, Any]]


class Pipeline:
    """``bindery.pipeline("a.pdf").step("general/rotate-pdf", angle=90).run()``; each step gives a new pipeline."""

    def __init__(self, client: Bindery, files: Sequence[FileSource], steps: tuple[Step, ...] = ()) -> None:
        self._client = client
        self._files = files
        self._steps = steps

    def step(self, operation: str, **params: Any) -> Pipeline:
        """Fields by their names in Python or in the API; file fields take what files are anywhere else."""
        return Pipeline(self._client, self._files, (*self._steps, (operation, params)))

    def run(self, *, timeout: float | None = None, idempotency_key: str | None = None) -> FileResult:
        return self._client.run_pipeline(
            self._files, self._steps, timeout=timeout, idempotency_key=idempotency_key
        )
