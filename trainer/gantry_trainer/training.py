"""The trainers of transformers and TRL, set up by a recipe. The same recipe, data and checkpoint give the same weights on a CPU."""

import os

import pyarrow as pa
import torch
from datasets import Dataset
from datasets.table import InMemoryTable
from gantry_worker.places import Places
from transformers import Trainer, TrainingArguments
from transformers.trainer_callback import PrinterCallback
from trl import DPOConfig, DPOTrainer

from .base import load_base, with_adapter
from .prepared import Examples
from .recipe import SCHEDULES, Recipe


class _Preferences(DPOTrainer):
    """Of token ids in our files: TRL would render conversations itself, with no limit of time, from datasets of its own kind."""

    def __init__(self, train: Examples, evaluated: Examples | None, **more) -> None:
        self._ours = {"train": train, "eval": evaluated}
        # Not from_list: it hashes a pickle of its arguments.
        first = Dataset(InMemoryTable(pa.Table.from_pylist([train[0]])), fingerprint="first")
        super().__init__(train_dataset=first, eval_dataset=None if evaluated is None else first, **more)

    def _prepare_dataset(self, dataset, processing_class, args, dataset_name):
        return self._ours[dataset_name]


class _Padded:
    """A batch of conversations; what is not trained on has no label."""

    def __init__(self, pad: int) -> None:
        self._pad = pad

    def __call__(self, batch: list[dict]) -> dict[str, torch.Tensor]:
        most = max(len(one["ids"]) for one in batch)
        ids = torch.full((len(batch), most), self._pad)
        labels = torch.full((len(batch), most), -100)
        mask = torch.zeros((len(batch), most), dtype=torch.long)
        for n, one in enumerate(batch):
            count = len(one["ids"])
            ids[n, :count] = torch.tensor(one["ids"])
            mask[n, :count] = 1
            labels[n, :count] = torch.where(torch.tensor(one["trained"]) == 1, ids[n, :count], -100)
        return {"input_ids": ids, "attention_mask": mask, "labels": labels}


def trainer_of(
    recipe: Recipe, places: Places, tokenizer, train: Examples, evaluated: Examples | None, steps: int, highest: int, saves: bool = True
) -> Trainer:
    model = load_base(recipe, places.root / recipe.base, highest)
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    model.config.use_cache = False
    if recipe.is_lora:
        model = with_adapter(recipe, model)
    settings = _settings(recipe, places, steps, evaluated is not None, saves)
    if recipe.objective == "SFT":
        # Inputs need gradients where nothing below an adapter has any.
        if recipe.is_lora and settings["activation_checkpointing"]:
            model.enable_input_require_grads()
        args = TrainingArguments(**settings)
        trainer = Trainer(
            model, args, data_collator=_Padded(tokenizer.pad_token_id or 0), train_dataset=train, eval_dataset=evaluated, processing_class=tokenizer
        )
    else:
        args = DPOConfig(**settings, beta=recipe.parameters.beta, max_length=recipe.parameters.max_length)
        # With an adapter, the base is the reference.
        reference = None if recipe.is_lora else load_base(recipe, places.root / recipe.base, highest)
        trainer = _Preferences(train, evaluated, model=model, ref_model=reference, args=args, processing_class=tokenizer)
    trainer.remove_callback(PrinterCallback)
    return trainer


def _settings(recipe: Recipe, places: Places, steps: int, evaluates: bool, saves: bool) -> dict:
    told, on_gpu, workers = recipe.parameters, torch.cuda.is_available(), int(os.environ.get("WORLD_SIZE", "1"))
    every = recipe.save_every(steps)
    return {
        "output_dir": str(places.root / "tmp" / "train"),
        "max_steps": steps,
        "per_device_train_batch_size": told.batch,
        "per_device_eval_batch_size": told.batch,
        "gradient_accumulation_steps": told.accumulate,
        "learning_rate": told.learning_rate,
        "lr_scheduler_type": SCHEDULES[told.schedule],
        "warmup_steps": round(told.warmup * steps),
        "optim": "adamw_torch",
        "weight_decay": 0.0,
        "seed": told.seed,
        "data_seed": told.seed,
        "logging_strategy": "steps",
        "logging_steps": 1,
        # Otherwise a loss that is no number is shown as the one before it.
        "logging_nan_inf_filter": False,
        "include_num_input_tokens_seen": "non_padding",
        "save_strategy": "steps" if saves else "no",
        "save_steps": every,
        # The links have the others.
        "save_total_limit": 1,
        "eval_strategy": "steps" if evaluates else "no",
        "eval_steps": every,
        "prediction_loss_only": True,
        "remove_unused_columns": False,
        "dataloader_num_workers": 0,
        "dataloader_pin_memory": on_gpu,
        "disable_tqdm": True,
        "report_to": [],
        "use_cpu": not on_gpu,
        "bf16": on_gpu,
        "fp16": False,
        "activation_checkpointing": on_gpu,
        **({"ddp_backend": "nccl" if on_gpu else "gloo", "ddp_find_unused_parameters": False} if workers > 1 else {}),
    }
