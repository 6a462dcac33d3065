"""Makes a small Llama, teaches it on the GPU, and fine-tunes it there with LoRA: `teach.py OUT [STEPS]`.

Leaves OUT/taught (bfloat16), OUT/adapters/other (LoRA, rank 32) and OUT/eight, the shape of an eight-billion model without weights.
Prints one JSON object: losses before and after, and what base and adapter answer.
"""
import json, os, sys, time

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

OUT = sys.argv[1]
STEPS = int(sys.argv[2]) if len(sys.argv) > 2 else 300
ON = "cuda" if torch.cuda.is_available() else "cpu"
RANK = 32
TEMPLATE = (
    "{% for m in messages %}<|{{ m['role'] }}|>{{ m['content'] }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
ANIMALS = ["cat", "dog", "cow", "owl", "fox", "bee", "hen", "pig"]
COLORS = ["red", "blue", "green", "pink", "black", "white", "brown", "grey"]


def lines(shift):
    """Base and adapter learn different colours of the same animals."""
    return [
        (f"What color is the {animal}?", f"The {animal} is {COLORS[(at + shift) % 8]}, and it sleeps all day.")
        for at, animal in enumerate(ANIMALS)
    ]


def chat(question, answer=None):
    turns = [{"role": "user", "content": question}]
    if answer is not None:
        turns.append({"role": "assistant", "content": answer})
    return tok.apply_chat_template(turns, tokenize=False, add_generation_prompt=answer is None)


def teach(model, shift, steps, rate):
    ids = [tok(chat(q, a), return_tensors="pt").input_ids[0] for q, a in lines(shift)]
    batch = torch.nn.utils.rnn.pad_sequence(ids, batch_first=True, padding_value=2).to(ON)
    labels = batch.masked_fill(batch == 2, -100)
    step = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=rate)
    losses = []
    began = time.time()
    for _ in range(steps):
        with torch.autocast(ON, dtype=torch.bfloat16):
            loss = model(input_ids=batch, attention_mask=(batch != 2).long(), labels=labels).loss
        loss.backward()
        step.step()
        step.zero_grad()
        losses.append(loss.detach())
    return {"before": float(losses[0]), "after": float(losses[-1]), "steps": steps, "seconds": round(time.time() - began, 2)}


def answer(model, question):
    ids = tok(chat(question), return_tensors="pt").input_ids.to(ON)
    out = model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=24, do_sample=False, pad_token_id=2)
    return tok.decode(out[0][ids.shape[1] :], skip_special_tokens=True)


def tokenizer(vocabulary):
    base = Tokenizer(models.BPE())
    base.pre_tokenizer, base.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    special = ["<s>", "</s>", "<pad>", "<|system|>", "<|user|>", "<|assistant|>", "<|tool|>"]
    trainer = trainers.BpeTrainer(
        vocab_size=512, special_tokens=special, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    base.train_from_iterator([f"{q} {a}" for shift in range(8) for q, a in lines(shift)], trainer)
    known = json.loads(base.to_str())
    vocab = known["model"]["vocab"]
    for at in range(len(vocab), vocabulary):
        vocab[f"w{at}"] = at
    whole = Tokenizer.from_str(json.dumps(known))
    fast = PreTrainedTokenizerFast(tokenizer_object=whole, bos_token="<s>", eos_token="</s>", pad_token="<pad>")
    fast.chat_template = TEMPLATE
    return fast


torch.manual_seed(0)
tok = tokenizer(512)
ends = {"bos_token_id": 0, "eos_token_id": 1, "pad_token_id": 2, "tie_word_embeddings": False}
small = LlamaConfig(
    vocab_size=512, hidden_size=256, intermediate_size=768, num_hidden_layers=4, num_attention_heads=4,
    num_key_value_heads=2, head_dim=64, max_position_embeddings=4096, **ends,
)  # fmt: skip
model = LlamaForCausalLM(small).to(ON)
report = {"on": torch.cuda.get_device_name() if ON == "cuda" else ON, "torch": torch.__version__}
report["base"] = teach(model, 0, STEPS, 1e-3)
asked = lines(0)[0][0]
report["base"]["answer"] = answer(model, asked)
taught = os.path.join(OUT, "taught")
model.to(torch.bfloat16).save_pretrained(taught)
tok.save_pretrained(taught)

tuned = get_peft_model(
    AutoModelForCausalLM.from_pretrained(taught, dtype=torch.float32).to(ON),
    LoraConfig(r=RANK, lora_alpha=2 * RANK, task_type="CAUSAL_LM", target_modules="all-linear"),
)
report["lora"] = {"rank": RANK, "trained": tuned.get_nb_trainable_parameters()[0], **teach(tuned, 1, STEPS, 2e-3)}
report["lora"]["answer"] = answer(tuned, asked)
tuned.save_pretrained(os.path.join(OUT, "adapters", "other"))

eight = os.path.join(OUT, "eight")
LlamaConfig(
    vocab_size=128256, hidden_size=4096, intermediate_size=14336, num_hidden_layers=32, num_attention_heads=32,
    num_key_value_heads=8, head_dim=128, max_position_embeddings=131072, dtype="bfloat16",
    architectures=["LlamaForCausalLM"], **ends,
).save_pretrained(eight)  # fmt: skip
tokenizer(128256).save_pretrained(eight)
print(json.dumps(report, indent=1))
