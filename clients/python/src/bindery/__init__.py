"""Client of a Bindery PDF service: one method for each operation, pipelines, uploads of any size."""

from .client import Bindery
from .errors import BinderyError
from .operations import Reason
from .pipeline import Pipeline
from .results import FileResult
from .sources import FileSource, PageSelection, Upload

__all__ = ["Bindery", "BinderyError", "FileResult", "FileSource", "PageSelection", "Pipeline", "Reason", "Upload"]
