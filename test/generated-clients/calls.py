"""The calls of a day through a client that openapi-python-client made: python3 calls.py <address> <key> <documents>."""

import io
import json
import pathlib
import sys

from bindery_client import AuthenticatedClient
from bindery_client.api.analysis import analysis_page_count
from bindery_client.api.form import form_fill
from bindery_client.api.general import general_merge_pdfs, general_rotate_pdf
from bindery_client.api.security import security_auto_redact
from bindery_client.api.uploads import upload_begin, upload_chunk, upload_complete
from bindery_client.models import (
    AnalysisPageCountBody,
    FormFillBody,
    GeneralMergePdfsBody,
    GeneralRotatePdfBody,
    Problem,
    SecurityAutoRedactBody,
    UploadRequest,
)
from bindery_client.types import File

address, key, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
client = AuthenticatedClient(base_url=address, token=key, prefix="", auth_header_name="X-API-KEY", timeout=120)


def document(name: str) -> File:
    return File(payload=io.BytesIO((folder / name).read_bytes()), file_name=name, mime_type="application/pdf")


def keep(name: str, answer) -> None:
    assert answer.status_code == 200, (name, answer.status_code, answer.content[:300])
    (folder / name).write_bytes(answer.content)


count = analysis_page_count.sync(client=client, body=AnalysisPageCountBody(file_input=document("text.pdf")))
assert count.page_count == 2, count

both = GeneralMergePdfsBody(file_input=[document("text.pdf"), document("form.pdf")])
keep("merged.pdf", general_merge_pdfs.sync_detailed(client=client, body=both))

terms = SecurityAutoRedactBody(file_input=document("text.pdf"), list_of_text=sys.argv[4:6])
keep("redacted.pdf", security_auto_redact.sync_detailed(client=client, body=terms))

values = FormFillBody(file_input=document("form.pdf"), data=json.dumps({sys.argv[6]: "Grace Hopper"}))
keep("filled.pdf", form_fill.sync_detailed(client=client, body=values))

whole = (folder / "text.pdf").read_bytes()
begun = upload_begin.sync(client=client, body=UploadRequest(filename="text.pdf", size=len(whole)))
for index in range(begun.chunk_count):
    chunk = whole[index * begun.chunk_size : (index + 1) * begun.chunk_size]
    sent = upload_chunk.sync_detailed(begun.id, index, client=client, body=File(payload=io.BytesIO(chunk)))
    assert sent.status_code == 204, sent
completed = upload_complete.sync(begun.id, client=client)
assert completed.size == len(whole), completed
# The description requires a file: an empty one stands beside an upload.
empty = File(payload=io.BytesIO(b""), file_name="none")
turned = GeneralRotatePdfBody(file_input=empty, file_inputupload=completed.id, angle=180)
keep("turned.pdf", general_rotate_pdf.sync_detailed(client=client, body=turned))

wrong = general_rotate_pdf.sync(client=client, body=GeneralRotatePdfBody(file_input=document("text.pdf"), angle=45))
assert isinstance(wrong, Problem), wrong
assert wrong.reason == "invalid_parameter" and "angle" in wrong.detail, wrong
