"""The calls of a day through a client that OpenAPI Generator made (python): as calls.py."""

import json
import pathlib
import sys

import openapi_client
from openapi_client.exceptions import ApiException

address, key, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
settings = openapi_client.Configuration(host=address, api_key={"apiKey": key})
client = openapi_client.ApiClient(settings)
general = openapi_client.GeneralApi(client)
uploads = openapi_client.UploadsApi(client)


def document(name: str) -> tuple[str, bytes]:
    return name, (folder / name).read_bytes()


def keep(name: str, content: bytes) -> None:
    (folder / name).write_bytes(bytes(content))


count = openapi_client.AnalysisApi(client).analysis_page_count(document("text.pdf"))
assert count.page_count == 2, count

keep("merged.pdf", general.general_merge_pdfs([document("text.pdf"), document("form.pdf")]))

security = openapi_client.SecurityApi(client)
keep("redacted.pdf", security.security_auto_redact(document("text.pdf"), sys.argv[4:6]))

data = json.dumps({sys.argv[6]: "Grace Hopper"})
keep("filled.pdf", openapi_client.FormApi(client).form_fill(document("form.pdf"), data=data))

whole = (folder / "text.pdf").read_bytes()
begun = uploads.upload_begin(openapi_client.UploadRequest(filename="text.pdf", size=len(whole)))
for index in range(begun.chunk_count):
    uploads.upload_chunk(begun.id, index, whole[index * begun.chunk_size : (index + 1) * begun.chunk_size])
completed = uploads.upload_complete(begun.id)
assert completed.size == len(whole), completed
# The description requires a file: an empty one stands beside an upload.
keep("turned.pdf", general.general_rotate_pdf(("none", b""), file_inputupload=completed.id, angle=180))

try:
    # What the description bounds, this client refuses itself; how many pages there are it cannot know.
    general.general_rotate_pdf(document("text.pdf"), page_numbers="99")
    raise AssertionError("a page 99 was accepted")
except ApiException as error:
    problem = json.loads(error.body)
    assert error.status == 400 and problem["reason"] == "page_out_of_range" and "99" in problem["detail"], problem
