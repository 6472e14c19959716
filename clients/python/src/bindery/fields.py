"""Values of callers as parts of a form."""

from __future__ import annotations

import difflib
import json
from typing import Any, Iterable, Mapping, NamedTuple


class Row(NamedTuple):
    """What the client knows of an operation."""

    result: str
    #: File fields, the main one first.
    files: tuple[str, ...]
    #: Kinds of fields by their names in the API.
    fields: Mapping[str, str]
    #: Names in Python to names in the API.
    names: Mapping[str, str]


def find_row(operations: Mapping[str, Row], operation: str) -> tuple[str, Row]:
    """By its path, its address, or its last part where that is unique."""
    path = operation.strip().removeprefix("/").removeprefix("api/v1/")
    if path in operations:
        return path, operations[path]
    ending = [each for each in operations if each.endswith(f"/{path}")]
    if len(ending) == 1:
        return ending[0], operations[ending[0]]
    raise ValueError(f"There is no operation {operation!r}{_near(path, operations)}")


def wire_names(path: str, row: Row, params: Mapping[str, Any]) -> dict[str, Any]:
    """Refuses names that the operation does not have: REST would ignore them."""
    named: dict[str, Any] = {}
    for name, value in params.items():
        wire = row.names.get(name, name)
        if wire not in row.fields and wire not in row.files:
            known = [*row.names, *row.fields, *row.files]
            raise TypeError(f"{path} has no field {name!r}{_near(name, known)}")
        if value is not None:
            named[wire] = value
    return named


def _near(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), 1)
    return f"; did you mean {near[0]!r}?" if near else "."


def texts(kind: str, value: Any) -> list[str]:
    """A value as the text parts of a form."""
    if kind == "json":
        return [value if isinstance(value, str) else json.dumps(value)]
    items = list(value) if isinstance(value, (list, tuple, set, range)) else [value]
    if kind == "pages":
        return [",".join(str(item) for item in items)]
    return [_text(item) for item in items]


def _text(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)
