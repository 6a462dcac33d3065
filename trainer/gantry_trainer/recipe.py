"""recipe.json: what to train, on what, and how. The gateway writes it; a field that is wrong is named all the same."""

import hashlib
import json
import math
from dataclasses import dataclass

from gantry_worker.problem import bad_field

from .fields import number, object_in, one_of, path, paths, whole

OBJECTIVES = ("SFT", "DPO")
METHODS = ("LoRA", "QLoRA", "Full")
SCHEDULES = {"Linear": "linear", "Cosine": "cosine", "Constant": "constant_with_warmup"}
_COLUMNS = ("prompt", "answer", "system", "messages", "chosen", "rejected")
_COLUMN_CHARS = 256
_DATASETS = 8
_EPOCHS = 3
_RECIPE_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True)
class Data:
    """The parts of one dataset version. `weight`: how often an epoch has each row; 0.5 is a half of them, chosen by the seed."""

    parts: list[str]
    weight: float


@dataclass(frozen=True)
class Parameters:
    epochs: float
    # None: by the epochs.
    max_steps: int | None
    batch: int
    accumulate: int
    learning_rate: float
    schedule: str
    warmup: float
    rank: int
    alpha: int
    dropout: float
    max_length: int
    beta: float
    seed: int


@dataclass(frozen=True)
class EarlyStop:
    patience: int
    min_delta: float


@dataclass(frozen=True)
class Recipe:
    objective: str
    method: str
    columns: dict[str, str]
    parameters: Parameters
    # None: ten over the run.
    every_steps: int | None
    keep: int
    early_stop: EarlyStop | None
    form: str
    gguf: bool
    base: str
    data: list[Data]
    eval: list[str]
    checkpoint: str | None
    threads: int
    # Of what decides how rows become tokens.
    digest: str

    @property
    def is_lora(self) -> bool:
        return self.method != "Full"

    def steps(self, examples: int, workers: int) -> int:
        """Of the optimizer, over the whole run."""
        if self.parameters.max_steps is not None:
            return self.parameters.max_steps
        batches = math.ceil(examples / (self.parameters.batch * workers))
        return max(1, math.ceil(self.parameters.epochs * math.ceil(batches / self.parameters.accumulate)))

    def save_every(self, steps: int) -> int:
        return self.every_steps or max(1, math.ceil(steps / 10))


def read_recipe(path) -> Recipe:
    try:
        if path.stat().st_size > _RECIPE_BYTES:
            raise bad_field("recipe", "is too large")
        return recipe_of(json.loads(path.read_bytes()))
    except FileNotFoundError as error:
        raise bad_field("recipe", "is not there") from error
    except (ValueError, RecursionError) as error:
        raise bad_field("recipe", "must be JSON") from error


def recipe_of(given: object) -> Recipe:
    """Raises a Problem that names the first field that breaks its rule."""
    if not isinstance(given, dict):
        raise bad_field("recipe", "must be an object")
    if given.get("kind", "FineTune") != "FineTune":
        raise bad_field("kind", "must be FineTune")
    objective = one_of(given, "objective", OBJECTIVES, "SFT")
    method = one_of(given, "method", METHODS, "LoRA")
    output = object_in(given, "output")
    form = one_of(output, "form", ("Adapter", "Merged"), "Merged" if method == "Full" else "Adapter", "output.form")
    if method == "Full" and form == "Adapter":
        raise bad_field("output.form", "must be Merged with method Full, which makes no adapter")
    gguf = output.get("gguf") is True
    if gguf and form == "Adapter":
        raise bad_field("output.gguf", "needs output.form Merged")
    data = _data(given)
    evaluated = paths(given.get("eval") or [], "eval")
    columns = _columns(object_in(given, "columns"), objective)
    checkpoints = object_in(given, "checkpoints")
    early_stop = _early_stop(given)
    if early_stop and not evaluated:
        raise bad_field("earlyStop", "needs eval")
    parameters = _parameters(object_in(given, "parameters"), objective, method)
    base = path(given.get("base", "in/base"), "base")
    told = [objective, columns, [one.parts for one in data], evaluated, base, parameters.max_length]
    return Recipe(
        objective=objective,
        method=method,
        columns=columns,
        parameters=parameters,
        every_steps=whole(checkpoints, "everySteps", 1, 10_000_000, None, "checkpoints."),
        keep=whole(checkpoints, "keep", 1, 20, 3, "checkpoints."),
        early_stop=early_stop,
        form=form,
        gguf=gguf,
        base=base,
        data=data,
        eval=evaluated,
        checkpoint=None if given.get("checkpoint") is None else path(given["checkpoint"], "checkpoint"),
        threads=whole(given, "threads", 1, 1_024, 1),
        digest=hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest(),
    )


def _parameters(given: dict, objective: str, method: str) -> Parameters:
    rate = 5e-6 if objective == "DPO" else 2e-5 if method == "Full" else 2e-4
    at = "parameters."
    if given.get("epochs") is not None and given.get("maxSteps") is not None:
        raise bad_field("parameters.maxSteps", "cannot be beside epochs")
    return Parameters(
        epochs=number(given, "epochs", 0.01, 1_000, _EPOCHS, at),
        max_steps=whole(given, "maxSteps", 1, 10_000_000, None, at),
        batch=whole(given, "batch", 1, 1_024, 8, at),
        accumulate=whole(given, "accumulate", 1, 1_024, 1, at),
        learning_rate=number(given, "learningRate", 1e-8, 1, rate, at),
        schedule=one_of(given, "schedule", tuple(SCHEDULES), "Cosine", f"{at}schedule"),
        warmup=number(given, "warmup", 0, 0.5, 0.03, at),
        rank=whole(given, "rank", 1, 512, 16, at),
        alpha=whole(given, "alpha", 1, 2_048, 32, at),
        dropout=number(given, "dropout", 0, 0.9, 0, at),
        max_length=whole(given, "maxLength", 16, 131_072, 2_048, at),
        beta=number(given, "beta", 1e-6, 100, 0.1, at),
        seed=whole(given, "seed", 0, 2**32 - 1, 0, at),
    )


def _columns(given: dict, objective: str) -> dict[str, str]:
    named = {name: value for name, value in given.items() if name in _COLUMNS and value is not None}
    for name, value in named.items():
        if not (isinstance(value, str) and 1 <= len(value) <= _COLUMN_CHARS):
            raise bad_field(f"columns.{name}", f"must be text of 1 to {_COLUMN_CHARS} characters")
    if objective == "DPO":
        named = named or {name: name for name in ("prompt", "chosen", "rejected")}
        return _exactly(named, ("prompt", "chosen", "rejected"), ("system",), objective)
    if "messages" in named:
        return _exactly(named, ("messages",), (), objective)
    return _exactly(named or {"prompt": "question", "answer": "answer"}, ("prompt", "answer"), ("system",), objective)


def _exactly(named: dict, needed: tuple, optional: tuple, objective: str) -> dict[str, str]:
    if not (set(needed) <= set(named) <= {*needed, *optional}):
        raise bad_field("columns", f"with {objective}, must name {', '.join(needed)}{''.join(f', perhaps {one}' for one in optional)}")
    return named


def _data(given: dict) -> list[Data]:
    told = given.get("data")
    if not (isinstance(told, list) and 1 <= len(told) <= _DATASETS and all(isinstance(one, dict) for one in told)):
        raise bad_field("data", f"must be a list of 1 to {_DATASETS} objects with parts")
    return [Data(paths(one.get("parts"), "data.parts", 1), number(one, "weight", 0.01, 100, 1, "data.")) for one in told]


def _early_stop(given: dict) -> EarlyStop | None:
    if given.get("earlyStop") is None:
        return None
    told = object_in(given, "earlyStop")
    at = "earlyStop."
    return EarlyStop(whole(told, "patience", 1, 1_000, 3, at), number(told, "minDelta", 0, 1e6, 0, at))
