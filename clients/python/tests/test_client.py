"""Against a real service: BINDERY_URL, BINDERY_API_KEY, and BINDERY_FIXTURES for the documents."""

import io
import os
import pathlib
import shutil
import subprocess

import bindery
import httpx
import pytest

FIXTURES = pathlib.Path(os.environ["BINDERY_FIXTURES"])
TEXT = FIXTURES / "text-two-pages.pdf"
FORM = FIXTURES / "form-fields.pdf"


@pytest.fixture(scope="module")
def client():
    with bindery.Bindery() as made:
        yield made


def pages(path: pathlib.Path) -> int:
    told = subprocess.run(["qpdf", "--show-npages", path], capture_output=True, check=True, text=True)
    return int(told.stdout)


def text_of(path: pathlib.Path) -> str:
    return subprocess.run(["pdftotext", path, "-"], capture_output=True, check=True, text=True).stdout


def test_json_results_are_values(client):
    assert client.analysis.page_count(TEXT)["pageCount"] == 2
    assert client.analysis.page_count(str(TEXT))["pageCount"] == 2
    assert client.analysis.page_count(TEXT.read_bytes())["pageCount"] == 2
    assert client.analysis.page_count(("named.pdf", io.BytesIO(TEXT.read_bytes())))["pageCount"] == 2
    with TEXT.open("rb") as file:
        assert client.analysis.page_count(file)["pageCount"] == 2


def test_several_files_in_their_order(client, tmp_path):
    merged = client.general.merge_pdfs([TEXT, FORM])
    saved = merged.save(tmp_path / "merged.pdf")
    assert pages(saved) == pages(TEXT) + pages(FORM)
    assert merged.media_type == "application/pdf" and merged.request_id
    assert saved.read_bytes() == merged.content


def test_lists_and_pages_and_json(client, tmp_path):
    redacted = client.security.auto_redact(TEXT, list_of_text=["voluptua", "consetetur"])
    left = text_of(redacted.save(tmp_path / "redacted.pdf"))
    assert "voluptua" not in left and "consetetur" not in left and "Lorem ipsum" in left
    turned = client.general.rotate_pdf(TEXT, angle=180, page_numbers=[1])
    sizes = subprocess.run(
        ["pdfinfo", "-l", "2", turned.save(tmp_path / "turned.pdf")], capture_output=True, check=True, text=True
    ).stdout
    assert [line.split()[-1] for line in sizes.splitlines() if " rot:" in line] == ["180", "0"]
    field = next(each for each in client.form.fields(FORM)["fields"] if each["type"] == "text")
    filled = client.form.fill(FORM, data={field["name"]: "Grace Hopper"}, flatten=True)
    assert "Grace Hopper" in text_of(filled.save(tmp_path / "filled.pdf"))


def test_pipelines(client, tmp_path):
    made = (
        client.pipeline([TEXT, FORM])
        .step("general/merge-pdfs")
        .step("rotate-pdf", angle=90, page_numbers=[1, 2])
        .step("general/overlay-pdfs", overlay_files=[TEXT])
        .run()
    )
    assert pages(made.save(tmp_path)) == pages(TEXT) + pages(FORM)


def test_names_that_no_field_has_are_refused_with_the_nearest(client):
    with pytest.raises(TypeError):
        client.general.rotate_pdf(TEXT, angel=90)
    with pytest.raises(TypeError, match="did you mean 'angle'"):
        client.pipeline(TEXT).step("general/rotate-pdf", angel=90).run()
    with pytest.raises(TypeError, match="did you mean 'angle'"):
        client.call("general/rotate-pdf", {"fileInput": TEXT}, {"angel": 90})
    with pytest.raises(ValueError, match="general/rotate-pdf"):
        client.call("general/rotate-pd", {"fileInput": TEXT})


def test_problems_tell_why(client):
    with pytest.raises(bindery.BinderyError) as refused:
        client.general.rotate_pdf(TEXT, angle=45)
    error = refused.value
    assert (error.reason, error.code, error.status) == ("invalid_parameter", "bad_request", 400)
    assert "angle" in error.detail and error.hint and error.request_id and error.problem["reason"] == error.reason


def test_nothing_to_return(client):
    with pytest.raises(bindery.BinderyError) as nothing:
        client.filter.filter_page_count(TEXT, page_count=5, comparator="Greater")
    assert (nothing.value.reason, nothing.value.status) == ("no_content", 204)


def test_files_that_cannot_be_read(client, tmp_path):
    with pytest.raises(bindery.BinderyError) as unreadable:
        client.analysis.page_count(tmp_path / "none.pdf")
    assert unreadable.value.code == "input_unreadable"


def test_uploads_and_files_too_large_for_one_request(client, tmp_path):
    upload = client.upload(TEXT)
    assert client.analysis.page_count(upload)["pageCount"] == 2
    # The service under test takes 3 MB in one request, in chunks of 1 MB.
    large = tmp_path / "large.pdf"
    shutil.copy(TEXT, large)
    with large.open("ab") as file:
        file.write(b"\n%" + b"x" * 4_000_000)
    assert client.analysis.page_count(large)["pageCount"] == 2
    assert pages(client.pipeline([large, TEXT]).step("merge-pdfs").run().save(tmp_path / "both.pdf")) == 4


def test_what_exists_stays(client, tmp_path):
    result = client.general.rotate_pdf(TEXT)
    path = result.save(tmp_path)
    with pytest.raises(FileExistsError):
        result.save(path)
    assert result.save(path, overwrite=True) == path
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_a_service_that_is_not_there():
    with bindery.Bindery("http://127.0.0.1:9", "some-key", retries=0) as nobody:
        with pytest.raises(bindery.BinderyError) as gone:
            nobody.analysis.page_count(TEXT)
    assert gone.value.code == "network_error"


def test_servers_are_not_trusted_with_names_and_terminals(tmp_path):
    def hostile(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("rotate-pdf"):
            headers = {"content-disposition": 'attachment; filename="../../.profile"'}
            return httpx.Response(200, headers=headers, content=b"x")
        problem = {"code": "bad\x1b[2Jcode", "detail": "a\nb\x1b]0;title\x07", "reason": "r"}
        return httpx.Response(400, json=problem)

    with bindery.Bindery("http://h", "k", retries=0, transport=httpx.MockTransport(hostile)) as client:
        assert client.general.rotate_pdf(TEXT).save(tmp_path) == tmp_path / "profile"
        with pytest.raises(bindery.BinderyError) as error:
            client.analysis.page_count(TEXT)
    assert str(error.value).isprintable()
