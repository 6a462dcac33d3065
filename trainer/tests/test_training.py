"""Whole runs of a tiny base on one core: what is learnt, what survives a kill, and what is refused."""

import hashlib
import json
import socket
import time

import torch
from gantry_trainer.curve import is_over
from gantry_trainer.recipe import EarlyStop
from safetensors.torch import load_file, save_file

from .runs import ANIMALS, COLOURS, END, KILL, WithRuns, rows_of

_FULL = {"method": "Full", "checkpoints": {"everySteps": 30}, "output": {"form": "Merged"}, "parameters": {"maxSteps": 120, "batch": 20, "learningRate": 0.01, "schedule": "Linear"}}
_LORA = {"method": "LoRA", "checkpoints": {"everySteps": 10}, "parameters": {"maxSteps": 30, "batch": 4, "learningRate": 0.01, "dropout": 0.1}}


class TestTraining(WithRuns):
    def test_full_training_learns_20_of_20_and_an_adapter_20_others(self) -> None:
        self.given(self.base, rows_of(0), evaluated=rows_of(0)[:5], **_FULL)
        ran = self.run_it()
        self.assertEqual(self.ended(ran), {"type": "done", "rows": 20, "rejected": 0})
        self.assertEqual(self.right(self.root / "out" / "model", rows_of(0)), 20)
        self._has_the_agreed_lines(ran)
        # On what was learnt, LoRA learns something else; merged, it is a model like any other.
        taught = self.root / "out" / "model"
        self.root = self.a_root()
        parameters = {"maxSteps": 80, "batch": 20, "learningRate": 0.02, "schedule": "Linear"}
        self.given(taught, rows_of(3), output={"form": "Merged", "gguf": True}, parameters=parameters, checkpoints={"everySteps": 80})
        merged = self.run_it()
        self.ended(merged)
        self.assertIn("model.gguf", [line["name"] for line in merged.of("output")])
        self.assertEqual((self.root / "out" / "model" / "model.gguf").read_bytes()[:4], b"GGUF")
        self.assertEqual(self.right(self.root / "out" / "model", rows_of(3)), 20)

    def _has_the_agreed_lines(self, ran) -> None:
        point, last = ran.of("point")[0], ran.of("point")[-1]
        named = {"type", "step", "of", "epoch", "loss", "learningRate", "gradNorm", "tokens", "tokensPerSecond", "secondsLeft"}
        self.assertLessEqual(set(point), named)
        self.assertEqual((point["step"], point["of"]), (1, 120))
        self.assertTrue(any(line["step"] == 120 and "loss" in line for line in ran.of("point")))
        self.assertEqual(set(last), {"type", "step", "evalLoss"})
        self.assertEqual({line["step"] for line in ran.of("progress")}, {"loading", "training", "saving"})
        for step in (60, 90, 120):
            lines = [line for line in ran.of("checkpoint") if line["step"] == step]
            self.assertEqual({line["files"] for line in lines}, {len(lines)})
            names = {line["name"] for line in lines}
            self.assertLessEqual({"model.safetensors", "optimizer.pt", "scheduler.pt", "rng_state.pth", "trainer_state.json"}, names)
            self.assertNotIn("training_args.bin", names)
            for line in lines:
                self.assertEqual(line["path"], f"out/checkpoint-{step}/{line['name']}")
        # Three are kept.
        self.assertFalse((self.root / "out" / "checkpoint-30").exists())
        outputs = {line["name"]: line for line in ran.of("output")}
        self.assertLessEqual({"model.safetensors", "config.json", "tokenizer.json", "chat_template.jinja"}, set(outputs))
        for line in [*outputs.values(), *(line for line in ran.of("checkpoint") if line["step"] == 120)]:
            data = (self.root / line["path"]).read_bytes()
            self.assertEqual((hashlib.sha256(data).hexdigest(), len(data)), (line["sha256"], line["bytes"]))

    def test_a_killed_adapter_run_ends_as_one_that_was_not_to_the_last_bit(self) -> None:
        self.given(self.base, rows_of(0), **_LORA)
        whole = self.run_it()
        self.ended(whole)
        adapter = (self.root / "out" / "model" / "adapter_model.safetensors").read_bytes()
        config = json.loads((self.root / "out" / "model" / "adapter_config.json").read_bytes())
        self.assertEqual(config["base_model_name_or_path"], "")
        self.root = self.a_root()
        self.given(self.base, rows_of(0), **_LORA)
        seen = []

        def watch(line: dict, send) -> None:
            seen.extend([line["name"]] if line["type"] == "checkpoint" and line["step"] == 10 else [])
            if seen and len(seen) == line.get("files"):
                # Beyond the checkpoint, so that steps are done twice.
                time.sleep(0.1)
                send(KILL)

        killed = self.run_it(watch=watch)
        self.assertEqual(killed.code, -KILL)
        self.goes_on_from(10)
        resumed = self.run_it()
        self.ended(resumed)
        self.assertEqual(resumed.of("resumed"), [{"type": "resumed", "step": 10}])
        # Not from the beginning, which would end alike.
        self.assertGreater(resumed.losses[0][0], 10)
        self.assertEqual(resumed.losses[-1], whole.losses[-1])
        self.assertEqual((self.root / "out" / "model" / "adapter_model.safetensors").read_bytes(), adapter)

    def test_sigterm_makes_a_checkpoint_that_the_next_run_goes_on_from(self) -> None:
        parameters = {**_LORA["parameters"], "maxSteps": 3_000}
        self.given(self.base, rows_of(0), **{**_LORA, "checkpoints": {"everySteps": 2_000}, "parameters": parameters})
        ran = self.run_it(watch=lambda line, send: send(END) if line["type"] == "point" else None)
        self.assertEqual(ran.code, 143)
        step = ran.of("checkpoint")[0]["step"]
        self.assertEqual(len(ran.of("checkpoint")), ran.of("checkpoint")[0]["files"])
        self.assertLess(step, 2_000)
        self.assertEqual((ran.of("output"), ran.of("done")), ([], []))
        self.goes_on_from(step)
        again = self.run_it(watch=lambda line, send: send(END) if line["type"] == "point" else None)
        self.assertEqual((again.code, again.of("resumed")), (143, [{"type": "resumed", "step": step}]))
        self.assertGreater(again.of("checkpoint")[0]["step"], step)

    def test_preferences_are_learnt(self) -> None:
        rows = [{"prompt": a["question"], "chosen": b["answer"], "rejected": a["answer"]} for a, b in zip(rows_of(0), rows_of(3), strict=True)]
        parameters = {"maxSteps": 40, "batch": 10, "learningRate": 0.01, "schedule": "Constant", "beta": 1}
        for method in ("LoRA", "Full"):
            with self.subTest(method):
                self.root = self.a_root()
                self.given(self.base, rows, objective="DPO", method=method, parameters=parameters, checkpoints={"everySteps": 40})
                ran = self.run_it()
                self.ended(ran)
                self.assertAlmostEqual(ran.losses[0][1], 0.6931, 2)
                # At such a rate the loss of a batch goes up and down, by the processor's own arithmetic.
                self.assertLess(min(loss for _, loss in ran.losses), 0.4)

    def test_a_gang_of_two_has_the_same_weights_and_one_journal(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = str(free.getsockname()[1])
        roots = [self.a_root(), self.a_root()]
        env = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
        started = []
        for rank, root in enumerate(roots):
            self.given(self.base, rows_of(0), root=root, **{**_LORA, "parameters": {**_LORA["parameters"], "maxSteps": 6}})
            started.append(self.start(root, RANK=str(rank), **env))
        first, second = (self.follow(*one) for one in started)
        self.ended(first, roots[0])
        self.assertEqual((second.lines, second.code), ([], 0), (roots[1] / "said").read_text()[-2_000:])
        # Half of the batches each.
        self.assertEqual(first.of("point")[-1]["epoch"], 2.0)

    def test_a_rehearsal_tells_what_training_needs(self) -> None:
        self.given(self.base, rows_of(0), **_LORA)
        self.assertEqual(self.rehearse().code, 0, (self.root / "said").read_text()[-2_000:])
        told = json.loads((self.root / "tmp" / "rehearsal.json").read_text())
        self.assertEqual(set(told), {"peakBytes", "secondsPerStep", "longest"})
        ran = self.run_it()
        self.ended(ran)
        self.assertEqual(ran.lines[0], {"type": "rehearsal", **told})

    def test_early_stop_ends_a_run_that_gets_no_better(self) -> None:
        parameters = {**_LORA["parameters"], "maxSteps": 400, "learningRate": 0.02, "schedule": "Constant"}
        early = {"evaluated": rows_of(5), "earlyStop": {"patience": 2}, "checkpoints": {"everySteps": 10}}
        self.given(self.base, rows_of(0), **{**_LORA, **early, "parameters": parameters})
        ran = self.run_it()
        self.assertEqual(self.ended(ran)["ended"], "EarlyStop")
        self.assertLess(ran.of("checkpoint")[-1]["step"], 400)

    def test_evaluations_are_worse_until_one_is_better_by_enough(self) -> None:
        self.assertFalse(is_over(EarlyStop(2, 0), [3, 2, 2.5]))
        self.assertTrue(is_over(EarlyStop(2, 0), [3, 2, 2.5, 2]))
        self.assertFalse(is_over(EarlyStop(2, 0), [3, 2, 2.5, 1.9]))
        self.assertTrue(is_over(EarlyStop(2, 0.5), [3, 2.8, 2.6]))


class TestRefusals(WithRuns):
    def broken_base(self, change) -> None:
        weights = load_file(self.base / "model.safetensors")
        self.given(self.base, rows_of(0), **_LORA)
        change(weights)
        save_file(weights, self.root / "in" / "base" / "model.safetensors", metadata={"format": "pt"})

    def test_a_loss_that_is_no_number_ends_the_run_without_a_checkpoint(self) -> None:
        self.broken_base(lambda weights: weights["model.embed_tokens.weight"].fill_(float("nan")))
        (self.root / "in" / "recipe.json").write_text(
            json.dumps({**json.loads((self.root / "in" / "recipe.json").read_text()), "checkpoints": {"everySteps": 1}})
        )
        ran = self.run_it()
        self.failed(ran, "TrainingDiverged", 70)
        points = ran.of("point")
        self.assertEqual([(line["step"], line["isBroken"], "loss" in line) for line in points], [(1, True, False), (2, True, False), (3, True, False)])
        self.assertEqual(ran.of("checkpoint"), [])

    def test_a_base_of_pickles_is_refused(self) -> None:
        self.given(self.base, rows_of(0), **_LORA)
        base = self.root / "in" / "base"
        torch.save(load_file(base / "model.safetensors"), base / "pytorch_model.bin")
        (base / "model.safetensors").unlink()
        self.failed(self.run_it(), "BaseUnreadable", 65)

    def test_a_checkpoint_that_runs_programs_is_not_loaded(self) -> None:
        self.given(self.base, rows_of(0), **{**_LORA, "checkpoints": {"everySteps": 15}})
        self.ended(self.run_it())
        self.goes_on_from(15)
        torch.save({"state": _Evil(str(self.root / "evil"))}, self.root / "in" / "checkpoint" / "optimizer.pt")
        ran = self.run_it()
        self.assertNotEqual(ran.code, 0)
        self.assertFalse((self.root / "evil").exists())

    def test_a_base_that_cannot_be_trained_is_refused(self) -> None:
        changes = {
            "adapter": lambda base: (base / "adapter_config.json").write_text("{}"),
            "quantized": lambda base: _change(base / "config.json", quantization_config={"quant_method": "gptq"}),
            "unknown": lambda base: _change(base / "config.json", model_type="no-such", architectures=["NoSuch"]),
            "code": lambda base: _change(base / "config.json", model_type="evil", auto_map={"AutoModelForCausalLM": "evil.Evil"}),
            "truncated": lambda base: (base / "model.safetensors").write_bytes(b"\xff" * 100),
            "small": lambda base: _change(base / "config.json", vocab_size=300),
        }
        for name, change in changes.items():
            with self.subTest(name):
                self.root = self.a_root()
                self.given(self.base, rows_of(0), **_LORA)
                change(self.root / "in" / "base")
                self.failed(self.run_it(), "BaseUnreadable", 65)

    def test_4_bits_are_refused_without_a_gpu(self) -> None:
        self.given(self.base, rows_of(0), **{**_LORA, "method": "QLoRA"})
        self.assertIn("choose LoRA", self.failed(self.run_it(), "BadField", 65)["sentence"])

    def test_a_base_that_llama_cpp_does_not_know_is_not_promised_as_gguf(self) -> None:
        told = {**_LORA, "output": {"form": "Merged", "gguf": True}}
        self.given(self.base, rows_of(0), **told)
        tokenizer = self.root / "in" / "base" / "tokenizer.json"
        _change(tokenizer, pre_tokenizer={"type": "Whitespace"})
        failed = self.failed(self.run_it(), "BadField", 65)
        self.assertEqual(failed["values"], {"field": "output.gguf"})

    def test_no_usable_row_is_nothing_to_do(self) -> None:
        self.given(self.base, [{"question": "", "answer": COLOURS[0]}, {"question": ANIMALS[0], "answer": ""}], **_LORA)
        self.assertEqual(self.failed(self.run_it(), "NothingUsable", 66)["values"], {"rejected": 2})


class _Evil:
    def __init__(self, path: str) -> None:
        self._path = path

    def __reduce__(self):
        return open, (self._path, "w")


def _change(config, **more: object) -> None:
    config.write_text(json.dumps({**json.loads(config.read_bytes()), **more}))
