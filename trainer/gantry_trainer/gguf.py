"""llama.cpp's converter, as a program of its own: `python3 -m gantry_trainer.gguf MODEL FILE [--vocab-only]`. It runs no code of a model's."""

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

from gantry_worker.problem import bad_field

# Where the image has it (`hack/images/trainer.ts`).
_FOLDER = Path("/usr/share/llama.cpp")


def convert(model: Path, file: Path) -> None:
    _run(model, file, [])


def check_convertible(base: Path, scratch: Path) -> None:
    """Before training: whether the converter knows the base's architecture and tokenizer, and the engine can load that."""
    if _lacks_merges(base / "tokenizer.json"):
        raise bad_field("output.gguf", "is not possible with this base: its tokenizer merges nothing, which llama.cpp does not load")
    file = scratch / "vocabulary.gguf"
    _run(base, file, ["--vocab-only"])
    file.unlink(missing_ok=True)


def _lacks_merges(tokenizer: Path) -> bool:
    try:
        model = json.loads(tokenizer.read_bytes())["model"]
        return model["type"] == "BPE" and not model.get("merges")
    # The converter says what is wrong with it.
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return False


def _run(model: Path, file: Path, more: list[str]) -> None:
    program = [sys.executable, "-m", "gantry_trainer.gguf", str(model), str(file), *more]
    ended = subprocess.run(program, capture_output=True, text=True, errors="replace")
    if ended.returncode != 0:
        said = (ended.stderr.strip().splitlines() or ["it said nothing"])[-1][:300]
        raise bad_field("output.gguf", f"is not possible with this base: llama.cpp's converter ended with: {said}")


def _main(model: str, file: str, *more: str) -> None:
    os.environ["NO_LOCAL_GGUF"] = "1"
    sys.path.insert(0, str(_FOLDER))
    import conversion.base
    from transformers import AutoTokenizer

    load = AutoTokenizer.from_pretrained

    def without_code(*args, **kwargs):
        return load(*args, **{**kwargs, "trust_remote_code": False, "local_files_only": True})

    AutoTokenizer.from_pretrained = without_code
    known = conversion.base.TextModel.get_vocab_base_pre

    def pre_tokenizer(self, tokenizer) -> str:
        try:
            return known(self, tokenizer)
        except NotImplementedError:
            # The converter knows tokenizers one by one; this one cuts text by GPT-2's rule, whatever its vocabulary.
            if _is_of_gpt2(self.dir_model):
                return "gpt-2"
            raise

    conversion.base.TextModel.get_vocab_base_pre = pre_tokenizer
    sys.argv = ["convert_hf_to_gguf.py", model, "--outfile", file, "--outtype", "auto", *more]
    runpy.run_path(str(_FOLDER / "convert_hf_to_gguf.py"), run_name="__main__")


def _is_of_gpt2(folder: Path) -> bool:
    told = json.loads((folder / "tokenizer.json").read_bytes())
    cut = told.get("pre_tokenizer") or {}
    return cut.get("type") == "ByteLevel" and cut.get("use_regex", True) and not cut.get("add_prefix_space") and not told.get("normalizer")


if __name__ == "__main__":
    _main(*sys.argv[1:])
