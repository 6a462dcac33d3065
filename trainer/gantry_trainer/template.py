"""Conversations as token ids, by the chat template of the base. The same pieces that an engine has: what is asked, then what is answered."""

import os

from gantry_worker.problem import Problem

from .rows import Messages


def tokenizer_of(base: str):
    """Never runs code of the base's."""
    from transformers import AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(base, trust_remote_code=False, local_files_only=True)
    except Exception as error:
        raise Problem("BaseUnreadable", f"The base's tokenizer cannot be read: {_first_line(error)}") from error
    if not tokenizer.chat_template:
        raise Problem("TemplateMissing", "The base has no chat template, so nobody can say how a conversation is written for it.")
    return tokenizer


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300]


class Template:
    def __init__(self, tokenizer) -> None:
        self._tokenizer = tokenizer

    def text(self, messages: Messages, asks: bool = False) -> str:
        try:
            return self._tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=asks)
        except Exception as error:
            raise Problem("TemplateBroken", f"The base's chat template fails on a conversation: {_first_line(error)}") from error

    def ids(self, text: str) -> list[int]:
        """The template has written the special tokens."""
        return self._tokenizer(text, add_special_tokens=False)["input_ids"]

    def pieces(self, messages: Messages) -> list[tuple[str, bool]]:
        """Text, and whether it is trained on: what the assistant says, up to where its turn ends."""
        whole = self.text(messages)
        spans = [self._span(whole, messages, n) for n, one in enumerate(messages) if one["role"] == "assistant"]
        told, at = [], 0
        # A template may write earlier turns otherwise than the last: those are not trained on.
        for start, end in filter(None, spans):
            if start < at:
                continue
            told += [(whole[at:start], False), (whole[start:end], True)]
            at = end
        return [piece for piece in [*told, (whole[at:], False)] if piece[0]]

    def _span(self, whole: str, messages: Messages, n: int) -> tuple[int, int] | None:
        asked, answered = self.text(messages[:n], asks=True), self.text(messages[: n + 1])
        if not whole.startswith(answered):
            return None
        start = len(os.path.commonprefix([asked, answered]))
        return (start, len(answered)) if start < len(answered) else None

    def example(self, messages: Messages) -> tuple[list[int], list[int]]:
        """Ids, and a 1 for each that is trained on."""
        ids: list[int] = []
        trained: list[int] = []
        for text, is_trained in self.pieces(messages):
            piece = self.ids(text)
            ids += piece
            trained += [int(is_trained)] * len(piece)
        return ids, trained

    def pair(self, asked: Messages, chosen: str, rejected: str) -> tuple[list[int], list[int], list[int]]:
        """Ids of what is asked, and of both answers."""
        prompt = self.text(asked, asks=True)
        answers = []
        for answer in (chosen, rejected):
            whole = self.text([*asked, {"role": "assistant", "content": answer}])
            answers.append(whole[len(os.path.commonprefix([prompt, whole])) :])
        return self.ids(prompt), self.ids(answers[0]), self.ids(answers[1])
