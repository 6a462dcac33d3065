"""A base that takes seconds to train: `python3 -m tests.tiny FOLDER ROWS.jsonl…` makes a tokenizer and a random Llama of 115,000 parameters."""

import json
import sys

TEMPLATE = (
    "{{ bos_token }}{% for m in messages %}{% if m['role'] == 'assistant' %}<|assistant|>{{ m['content'] }}{{ eos_token }}"
    "{% else %}<|user|>{{ m['content'] }}{% endif %}{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
_SPECIAL = ["<s>", "</s>", "<pad>", "<unk>", "<|user|>", "<|assistant|>"]


def tokenizer_from(texts: list[str]):
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    bytes_of = pre_tokenizers.ByteLevel.alphabet()
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    pairs = trainers.BpeTrainer(vocab_size=512, special_tokens=_SPECIAL, initial_alphabet=bytes_of, show_progress=False)
    tokenizer.train_from_iterator(texts, pairs)
    told = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", pad_token="<pad>", unk_token="<unk>")
    told.chat_template = TEMPLATE
    return told


def make_base(folder: str, texts: list[str], **shape: int) -> int:
    """`shape` are fields of its config.json. Returns how many parameters it has."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    tokenizer = tokenizer_from(texts)
    usual = {
        "vocab_size": len(tokenizer),
        "hidden_size": 64,
        "intermediate_size": 128,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 512,
    }
    config = LlamaConfig(**{**usual, **shape}, bos_token_id=0, eos_token_id=1, pad_token_id=2, tie_word_embeddings=False)
    model = LlamaForCausalLM(config)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return sum(one.numel() for one in model.parameters())


if __name__ == "__main__":
    make_base(sys.argv[1], [text for file in sys.argv[2:] for line in open(file) for text in json.loads(line).values()])
