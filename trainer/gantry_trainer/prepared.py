"""Rows as token ids in files of the task's own folder, and the order in which an epoch has them."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from gantry_worker.places import Places
from gantry_worker.problem import Problem, bad_field

from .limits import EXAMPLES, PREVIEW_ROWS, PREVIEW_TOKENS, ROW_SECONDS
from .recipe import Recipe
from .render import Clock, Say, in_child
from .rows import conversation_of, count_of, preference_of, rows_of
from .template import Template, tokenizer_of

# Of a batch in the files: an example is found by division.
_BATCH = 512
_IDS = pa.list_(pa.int32())
_SCHEMAS = {
    "SFT": pa.schema([("ids", _IDS), ("trained", pa.list_(pa.int8()))]),
    "DPO": pa.schema([("prompt_ids", _IDS), ("chosen_ids", _IDS), ("rejected_ids", _IDS)]),
}


@dataclass(frozen=True)
class Facts:
    """Of all tables: `sets` are the examples of each dataset. `longest` is in tokens."""

    digest: str
    sets: list[int]
    evaluated: int
    rejected: int
    cut: int
    longest: int
    highest: int


def prepare(recipe: Recipe, places: Places, tell=lambda done, of: None) -> Facts:
    """Once for a Pod: the rehearsal leaves what training begins with."""
    folder = places.root / "tmp" / "prepared"
    told = folder / "facts.json"
    if told.exists():
        facts = Facts(**json.loads(told.read_text()))
        if facts.digest == recipe.digest:
            return facts
    places.remove(folder)
    folder.mkdir(parents=True)
    tables = [[places.existing(part, ("in",), "data.parts") for part in one.parts] for one in recipe.data]
    tables.append([places.existing(part, ("in",), "eval") for part in recipe.eval])
    base = str(places.root / recipe.base)

    def work(clock: Clock, say: Say) -> None:
        template = Template(tokenizer_of(base))
        say({"of": sum(map(count_of, tables))})
        for n, files in enumerate(tables):
            say(_write(folder / f"{n}.arrow", files, recipe, template, clock, say))

    sets, of, done, most = [], 0, 0, {"rejected": 0, "cut": 0, "longest": 0, "highest": 0}
    for line in in_child(work, ROW_SECONDS):
        if "of" in line:
            of = line["of"]
        elif "read" in line:
            done += line["read"]
        else:
            sets.append(line["examples"])
            most = {name: max(most[name], line[name]) if name in ("longest", "highest") else most[name] + line[name] for name in most}
        tell(done, of)
    facts = Facts(recipe.digest, sets[:-1], sets[-1], **most)
    if sum(facts.sets) == 0:
        raise Problem("NothingUsable", f"No row can be trained on: {facts.rejected} were left out.", rejected=facts.rejected)
    if recipe.eval and facts.evaluated == 0:
        raise Problem("NothingUsable", "No row of the evaluation set can be used.", rejected=facts.rejected)
    new = told.with_suffix(".new")
    new.write_text(json.dumps(facts.__dict__))
    os.replace(new, told)
    return facts


def _write(to: Path, files: list[Path], recipe: Recipe, template: Template, clock: Clock, say: Say) -> dict:
    schema = _SCHEMAS[recipe.objective]
    told = {"examples": 0, "rejected": 0, "cut": 0, "longest": 0, "highest": 0}
    with pa.OSFile(str(to), "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
        waiting: list[dict] = []
        read = 0
        for example, is_cut in _examples(files, recipe, template, clock):
            read += 1
            if example is None:
                told["rejected"] += 1
            else:
                waiting.append(example)
                told["examples"] += 1
                told["cut"] += is_cut
                told["longest"] = max(told["longest"], length_of(example))
                told["highest"] = max(told["highest"], *(max(ids, default=0) for name, ids in example.items() if name != "trained"))
            if len(waiting) == _BATCH:
                writer.write_batch(pa.RecordBatch.from_pylist(waiting, schema))
                waiting = []
            if read == _BATCH:
                say({"read": read})
                read = 0
        if waiting:
            writer.write_batch(pa.RecordBatch.from_pylist(waiting, schema))
        say({"read": read})
    return told


def length_of(example: dict) -> int:
    """In tokens, of what the model sees at once."""
    if "ids" in example:
        return len(example["ids"])
    return len(example["prompt_ids"]) + max(len(example["chosen_ids"]), len(example["rejected_ids"]))


def _examples(files: list[Path], recipe: Recipe, template: Template, clock: Clock) -> Iterator[tuple[dict | None, bool]]:
    make = _sft if recipe.objective == "SFT" else _dpo
    for n, row in enumerate(rows_of(files, recipe.columns), 1):
        clock.begins(n)
        yield make(row, recipe, template)
        clock.rests()


def _sft(row: dict, recipe: Recipe, template: Template) -> tuple[dict | None, bool]:
    messages = conversation_of(row)
    if messages is None:
        return None, False
    ids, trained = template.example(messages)
    most = recipe.parameters.max_length
    kept = {"ids": ids[:most], "trained": trained[:most]}
    return (kept if any(kept["trained"]) else None), len(ids) > most


def _dpo(row: dict, recipe: Recipe, template: Template) -> tuple[dict | None, bool]:
    pair = preference_of(row)
    if pair is None:
        return None, False
    prompt, chosen, rejected = template.pair(*pair)
    left = recipe.parameters.max_length - len(prompt)
    if left < 1 or not chosen or not rejected:
        return None, False
    kept = {"prompt_ids": prompt, "chosen_ids": chosen[:left], "rejected_ids": rejected[:left]}
    return kept, max(len(chosen), len(rejected)) > left


def preview(recipe: Recipe, places: Places) -> list[dict]:
    """The first rows as they will be trained on: pieces of text with their ids. Raises what training would raise."""
    files = [places.existing(part, ("in",), "data.parts") for part in recipe.data[0].parts]
    base = str(places.root / recipe.base)

    def work(clock: Clock, say: Say) -> None:
        template = Template(tokenizer_of(base))
        for n, row in enumerate(rows_of(files, recipe.columns), 1):
            clock.begins(n)
            say({"row": n, **_shown(row, recipe, template)})
            clock.rests()
            if n == PREVIEW_ROWS:
                return

    return list(in_child(work, ROW_SECONDS))


def _shown(row: dict, recipe: Recipe, template: Template) -> dict:
    if recipe.objective == "SFT":
        messages = conversation_of(row)
        pieces = template.pieces(messages) if messages else None
    else:
        pair = preference_of(row)
        pieces = None
        if pair:
            asked, chosen, rejected = pair
            prompt = template.text(asked, asks=True)
            pieces = [(prompt, False)]
            for answer in (chosen, rejected):
                whole = template.text([*asked, {"role": "assistant", "content": answer}])
                pieces.append((whole[len(os.path.commonprefix([prompt, whole])) :], True))
    if pieces is None:
        return {"pieces": None}
    told = [{"text": text, "ids": template.ids(text), "isTrained": is_trained} for text, is_trained in pieces]
    tokens = sum(len(one["ids"]) for one in told)
    left = PREVIEW_TOKENS
    for one in told:
        if len(one["ids"]) > left:
            one.update(ids=one["ids"][:left], text=one["text"][: left * 8], isCut=True)
        left -= len(one["ids"])
    return {"pieces": told, "tokens": tokens, "isTooLong": tokens > recipe.parameters.max_length}


class Examples:
    """A dataset as torch has it. Examples come from mapped files: memory holds none of them."""

    def __init__(self, files: list[Path], order: np.ndarray | None = None) -> None:
        self._tables = [pa.ipc.open_file(pa.memory_map(str(file))) for file in files]
        counts = [sum(table.get_batch(n).num_rows for n in range(table.num_record_batches)) for table in self._tables]
        self._starts = np.cumsum([0, *counts])
        self._order = order
        self._count = int(self._starts[-1]) if order is None else len(order)

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, at: int) -> dict[str, list[int]]:
        if not 0 <= at < self._count:
            raise IndexError(at)
        found = at if self._order is None else int(self._order[at])
        table = int(np.searchsorted(self._starts, found, side="right")) - 1
        batch, row = divmod(found - int(self._starts[table]), _BATCH)
        told = self._tables[table].get_batch(batch)
        return {name: told.column(name)[row].values.to_pylist() for name in told.schema.names}


def examples(recipe: Recipe, places: Places, facts: Facts) -> Examples:
    """An epoch: each dataset as often as its weight says, what is over chosen by the seed."""
    return Examples([places.root / "tmp" / "prepared" / f"{n}.arrow" for n in range(len(facts.sets))], order_of(recipe, facts))


def evaluated(recipe: Recipe, places: Places, facts: Facts) -> Examples | None:
    return Examples([places.root / "tmp" / "prepared" / f"{len(facts.sets)}.arrow"]) if recipe.eval else None


def order_of(recipe: Recipe, facts: Facts) -> np.ndarray:
    """Numbers of examples, over all datasets. The same recipe and seed give the same."""
    if sum(one.weight * count for one, count in zip(recipe.data, facts.sets, strict=True)) > EXAMPLES:
        raise bad_field("data.weight", f"must leave an epoch at most {EXAMPLES} examples")
    told, start = [], 0
    for n, (one, count) in enumerate(zip(recipe.data, facts.sets, strict=True)):
        numbers = np.arange(start, start + count, dtype=np.int64)
        whole, part = divmod(one.weight, 1)
        over = np.random.default_rng([recipe.parameters.seed, n]).permutation(numbers)[: round(part * count)]
        told += [*([numbers] * int(whole)), np.sort(over)]
        start += count
    order = np.concatenate(told)
    # So light that nothing is left of it: one example is.
    return order if len(order) else np.zeros(1, dtype=np.int64)


def longest(files: Examples) -> dict[str, list[int]]:
    """The example that takes the most memory."""
    return max((files[n] for n in range(len(files))), key=length_of)
