"""The base model as it is trained. Only safetensors are read: a pickle would run what its maker wants."""

import importlib.util
import json
from pathlib import Path

from gantry_worker.problem import Problem, bad_field

from .recipe import Recipe

_TARGETS = "all-linear"


def check_base(folder: Path) -> None:
    """Before anything is loaded."""
    if not (folder / "config.json").is_file():
        raise Problem("BaseUnreadable", "The base has no config.json.")
    if (folder / "adapter_config.json").exists():
        raise Problem("BaseUnreadable", "The base is an adapter: train on its own base, or on a merged version.")
    if not any(folder.glob("*.safetensors")):
        raise Problem("BaseUnreadable", "The base has no safetensors: weights in other files can hold programs, and are not opened.")
    try:
        config = json.loads((folder / "config.json").read_bytes())
    except (ValueError, RecursionError) as error:
        raise Problem("BaseUnreadable", "The base's config.json is not JSON.") from error
    if not isinstance(config, dict):
        raise Problem("BaseUnreadable", "The base's config.json is no object.")
    if "quantization_config" in config:
        raise Problem("BaseUnreadable", "The base is quantized: train on the version that it was made of.")


def refuse_qlora() -> None:
    """Where it cannot be."""
    is_there = importlib.util.find_spec("bitsandbytes") is not None
    if is_there:
        import torch

        is_there = torch.cuda.is_available()
    if not is_there:
        raise bad_field("method", "cannot be QLoRA here, which needs a GPU and a trainer image with bitsandbytes: choose LoRA")


def load_base(recipe: Recipe, folder: Path, highest: int):
    """The model, ready for its optimizer. `highest` is the highest token id in the data."""
    import torch
    from transformers import AutoModelForCausalLM

    check_base(folder)
    on_gpu = torch.cuda.is_available()
    more = {"quantization_config": _four_bits()} if recipe.method == "QLoRA" else {}
    # Full training keeps the weights in 32 bits: steps of its size vanish in 16.
    dtype = torch.bfloat16 if on_gpu and recipe.is_lora else torch.float32
    if not on_gpu:
        _repeat_grouped_keys()
    try:
        model = AutoModelForCausalLM.from_pretrained(
            str(folder), use_safetensors=True, trust_remote_code=False, local_files_only=True, dtype=dtype, **more
        )
    except (torch.cuda.OutOfMemoryError, MemoryError):
        raise
    except Exception as error:
        told = (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
        raise Problem("BaseUnreadable", f"The base cannot be read: {told}") from error
    if highest >= model.get_input_embeddings().weight.shape[0]:
        raise Problem("BaseUnreadable", f"The base's tokenizer has id {highest}, which its weights do not have.")
    return model


def _repeat_grouped_keys() -> None:
    """Keys that heads share make torch keep a matrix of all tokens for each head on a CPU; one copy for each head makes it keep none."""
    from transformers.integrations import sdpa_attention

    sdpa_attention.use_gqa_in_sdpa = lambda *_: False


def with_adapter(recipe: Recipe, model):
    from peft import LoraConfig, get_peft_model

    told = recipe.parameters
    lora = LoraConfig(r=told.rank, lora_alpha=told.alpha, lora_dropout=told.dropout, target_modules=_TARGETS, task_type="CAUSAL_LM")
    if recipe.method == "QLoRA":
        from peft import prepare_model_for_kbit_training

        model = prepare_model_for_kbit_training(model, use_gradient_checkpointing=True)
    return get_peft_model(model, lora)


def _four_bits():
    import torch
    from transformers import BitsAndBytesConfig

    return BitsAndBytesConfig(
        load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_use_double_quant=True, bnb_4bit_compute_dtype=torch.bfloat16
    )
