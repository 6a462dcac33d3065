"""The files of the model that a run made: an adapter, or the whole model; with its tokenizer and chat template."""

import json
from pathlib import Path

from gantry_worker.places import Places
from gantry_worker.task.journal import Journal

from .gguf import convert
from .recipe import Recipe

# Of libraries, about themselves.
_NOT_MADE = ("README.md", "training_args.bin")


def export(recipe: Recipe, places: Places, journal: Journal, model, tokenizer) -> None:
    folder = places.root / "out" / "model"
    folder.mkdir(parents=True)
    base = places.root / recipe.base
    if recipe.form == "Adapter":
        model.save_pretrained(str(folder), safe_serialization=True)
        _forget_base(folder / "adapter_config.json")
    else:
        whole = model.merge_and_unload() if recipe.is_lora else model
        whole = whole.to(_dtype(base))
        whole.config.use_cache = True
        whole.save_pretrained(str(folder), safe_serialization=True)
    tokenizer.save_pretrained(str(folder))
    if recipe.gguf:
        convert(folder, folder / "model.gguf")
    for name in _NOT_MADE:
        (folder / name).unlink(missing_ok=True)
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        journal.file("output", path, name=path.name)


def _dtype(base: Path):
    """The base's own: a version of it is no larger than it is."""
    import torch

    config = json.loads((base / "config.json").read_bytes())
    name = str(config.get("dtype") or config.get("torch_dtype") or "float32").removeprefix("torch.")
    return {"bfloat16": torch.bfloat16, "float16": torch.float16}.get(name, torch.float32)


def _forget_base(config: Path) -> None:
    """Its path is of this Pod alone."""
    told = json.loads(config.read_bytes())
    told["base_model_name_or_path"] = ""
    config.write_text(json.dumps(told, indent=2, sort_keys=True) + "\n")
