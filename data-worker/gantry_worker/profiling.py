"""What arrived becomes a table with its facts: kind by content, parts of Parquet, rejected rows with reasons, statistics.

The same request again answers with the facts that are there: a caller that was cut off asks once more.
"""

import hashlib
import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

from . import kinds
from .documents import pages
from .engine import Engine, literal
from .expand import Room, gunzip, unzip
from .languages import languages
from .limits import FILES_TOLD, FILES_TOLD_BYTES, INPUT_BYTES, INPUTS, LANGUAGE_SAMPLE, MIB
from .problem import Problem, bad_field
from .sieve import Rejects, clean
from .statistics import duplicates, statistics
from .tables import Source, recoded, write_rows, write_table
from .tasks import Job

FORMAT = 1
_FACTS = "facts.json"
_NAME_CHARS = 1_024
_DOCUMENT_COLUMNS = {"file": "VARCHAR", "kind": "VARCHAR", "page": "BIGINT", "text": "VARCHAR"}
_MEDIA_COLUMNS = {"file": "VARCHAR", "kind": "VARCHAR", "bytes": "BIGINT"}
_REJECT_COLUMNS = {"file": "VARCHAR", "line": "BIGINT", "code": "VARCHAR", "reason": "VARCHAR", "text": "VARCHAR"}


def run(job: Job) -> dict:
    """{out, inputs: [{path, name}], kind?} → the facts, which stand in <out>/facts.json too."""
    out, inputs, kind = _out(job), _inputs(job), job.request.get("kind")
    if kind is not None and kind not in (*kinds.TABLES, "text", "markdown"):
        raise bad_field("kind", f"must be one of {', '.join((*kinds.TABLES, 'text', 'markdown'))}")
    digest = hashlib.sha256(json.dumps([FORMAT, job.request], sort_keys=True).encode()).hexdigest()
    if (facts := _known(out, digest)) is not None:
        return facts
    job.places.remove(out)
    out.mkdir(parents=True)
    facts = _profile(job, out, _sources(job, inputs, kind))
    _keep(out, {"request": digest, "facts": facts})
    return facts


def _out(job: Job) -> Path:
    return job.places.path(job.request.get("out"), ("out",), "out")


def _inputs(job: Job) -> list[Source]:
    value = job.request.get("inputs")
    if not (isinstance(value, list) and 1 <= len(value) <= INPUTS and all(isinstance(one, dict) for one in value)):
        raise bad_field("inputs", f"must be a list of 1 to {INPUTS} objects with path and name")
    found = []
    for one in value:
        path = job.places.existing(one.get("path"), ("in", "out"), "inputs.path")
        name = one.get("name", one["path"].rpartition("/")[2])
        if not (isinstance(name, str) and 1 <= len(name) <= _NAME_CHARS):
            raise bad_field("inputs.name", f"must be text of 1 to {_NAME_CHARS} characters")
        found.append(Source(path, clean(name), "", path.stat().st_size))
    _bounded(found)
    return found


def _bounded(sources: list[Source]) -> None:
    total = sum(source.bytes for source in sources)
    if total > INPUT_BYTES:
        told = f"These are {total} bytes of data: at most {INPUT_BYTES} are made a table, and files stay as they came."
        raise Problem("TooLarge", told, bytes=total, most=INPUT_BYTES)


def _known(out: Path, digest: str) -> dict | None:
    try:
        kept = json.loads((out / _FACTS).read_text())
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    return kept["facts"] if kept["request"] == digest else None


def _keep(out: Path, kept: dict) -> None:
    """Complete, or not there."""
    new = out / f"{_FACTS}.new"
    new.write_text(json.dumps(kept))
    os.replace(new, out / _FACTS)


def _sources(job: Job, inputs: list[Source], kind: str | None) -> list[Source]:
    """Archives opened, kinds found, text in UTF-8. A file that cannot be read has its problem."""
    found, room = [], Room(job.scratch)
    for number, source in enumerate(inputs):
        job.tell({"step": "kinds", "done": number, "of": len(inputs)})
        found += _opened_or_not(source, job.scratch / f"input-{number}", kind, room)
    _bounded(found)
    return found


def _opened(source: Source, folder: Path, wanted: str | None, room: Room, is_inside: bool = False) -> list[Source]:
    kind, encoding = kinds.kind_of(source.path, source.name)
    if kind in kinds.ARCHIVES and is_inside:
        raise Problem("ArchiveInArchive", f"{source.name} is an archive inside of another: it is not opened.")
    if kind == "gzip":
        folder.mkdir()
        gunzip(source.path, source.name, folder / "data", room)
        return _opened(_at(folder / "data", source.name), folder / "inside", wanted, room, is_inside=True)
    if kind == "zip":
        folder.mkdir()
        files = enumerate(unzip(source.path, source.name, folder, room))
        return [
            one
            for number, (path, name) in files
            for one in _opened_or_not(_at(path, clean(name)), folder / f"inside-{number}", wanted, room, is_inside=True)
        ]
    named = replace(source, kind=wanted if wanted and encoding else kind, encoding=encoding)
    if encoding in ("", "utf-8") or (encoding == "utf-8-sig" and named.kind not in ("json", "text", "markdown")):
        return [named]
    folder.mkdir()
    return [recoded(named, folder / "utf-8")]


def _opened_or_not(
    source: Source, folder: Path, wanted: str | None, room: Room, is_inside: bool = False
) -> list[Source]:
    """A file that cannot be opened is listed with its problem. What is too much in all refuses the request."""
    try:
        return _opened(source, folder, wanted, room, is_inside)
    except Problem as problem:
        if room.is_full:
            raise
        shutil.rmtree(folder, ignore_errors=True)
        return [replace(source, kind="other", problem=problem.as_json())]


def _at(path: Path, name: str) -> Source:
    return Source(path, name, "", path.stat().st_size)


def _profile(job: Job, out: Path, sources: list[Source]) -> dict:
    engine = Engine(job.limits, job.places, job.scratch)
    rejects = Rejects(job.scratch / "rejects")
    table = [source for source in sources if source.kind in kinds.TABLES and not source.problem]
    found = {source.kind for source in table}
    if len(found) > 1:
        several = f"These are tables of several kinds ({', '.join(sorted(found))}): a version has one."
        raise Problem("SeveralKinds", several, kinds=sorted(found))
    if table:
        written = write_table(engine, table, out, job.scratch, rejects, job.tell)
        kind, files, way = table[0].kind, written.files, written.way
    else:
        kind, files, way = _as_rows(job, engine, out, sources)
    rejects.close()
    rejected = (
        write_rows(engine, job.scratch / "rejects", _REJECT_COLUMNS, out, "rejected") if rejects.count > 0 else []
    )
    columns, is_cut = statistics(engine, files, job.tell)
    job.tell({"step": "duplicates"})
    doubles = duplicates(engine, files)
    job.tell({"step": "languages"})
    spoken = languages(engine, files, columns)
    parts = [*_parts(job, engine, files, "data"), *_parts(job, engine, rejected, "rejected")]
    return {
        "format": FORMAT,
        "kind": kind,
        "way": way,
        "rows": sum(part["rows"] for part in parts if part["kind"] == "data"),
        "rejected": rejects.count,
        "rejectedKept": rejects.kept,
        "duplicates": doubles,
        "languages": spoken,
        "languageSample": LANGUAGE_SAMPLE,
        "columns": columns,
        "isCut": is_cut,
        "parts": parts,
        **_files(sources),
    }


def _files(sources: list[Source]) -> dict:
    """The first ones, as many as their bound has room for: names in an archive may be very long."""
    told, left = [], FILES_TOLD_BYTES
    for source in sources[:FILES_TOLD]:
        file = _file(source)
        left -= len(json.dumps(file))
        if left < 0:
            break
        told.append(file)
    return {"files": told, "filesMore": len(sources) - len(told)}


def _file(source: Source) -> dict:
    told = {"name": source.name, "kind": source.kind, "bytes": source.bytes}
    return {
        **told,
        **({"encoding": source.encoding} if source.encoding else {}),
        **({"problem": source.problem} if source.problem else {}),
    }


def _as_rows(job: Job, engine: Engine, out: Path, sources: list[Source]) -> tuple[str, list[Path], str]:
    """Documents are rows of text, one for each page; other files are rows of a list."""
    documents = [source for source in sources if source.kind in kinds.DOCUMENTS and not source.problem]
    lines = job.scratch / "rows"
    columns = _DOCUMENT_COLUMNS if documents else _MEDIA_COLUMNS
    with lines.open("w", encoding="ascii") as file:
        for number, source in enumerate(documents):
            job.tell({"step": "documents", "done": number, "of": len(documents)})
            try:
                for page, text in enumerate(pages(source.path, source.name, source.kind, source.encoding), 1):
                    row = {"file": source.name, "kind": source.kind, "page": page, "text": clean(text)}
                    file.write(json.dumps(row) + "\n")
            except Problem as problem:
                source.problem = problem.as_json()
        if not documents:
            for source in sources:
                file.write(json.dumps({"file": source.name, "kind": source.kind, "bytes": source.bytes}) + "\n")
    if documents and lines.stat().st_size == 0:
        first = next((source.problem for source in documents if source.problem), None)
        if first:
            raise Problem(first["code"], first["sentence"], **first["values"])
    found = sorted({source.kind for source in (documents or sources)})
    kind = found[0] if len(found) == 1 else "documents" if documents else "files"
    return kind, write_rows(engine, lines, columns, out, "data"), "documents" if documents else "files"


def _parts(job: Job, engine: Engine, files: list[Path], kind: str) -> list[dict]:
    told, first = [], 0
    for file in files:
        rows = engine.row(f"SELECT num_rows FROM parquet_file_metadata({literal(str(file))})")[0]
        told.append(
            {
                "path": job.places.name(file),
                "kind": kind,
                "firstRow": first,
                "rows": rows,
                "bytes": file.stat().st_size,
                "sha256": _sha256(file),
            }
        )
        first += rows
    return told


def _sha256(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as opened:
        while piece := opened.read(MIB):
            digest.update(piece)
    return digest.hexdigest()
