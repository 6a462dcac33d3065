"""What training makes of prompts, for a comparison with an engine: `python3 -m tests.same_tokens FOLDER` reads FOLDER/prompts.json, and leaves
there a base, the same as base.gguf, and ids.json with the ids of each prompt as they are before what the assistant says."""

import json
import sys
from pathlib import Path

from gantry_trainer import gguf
from gantry_trainer.template import Template, tokenizer_of

from .tiny import make_base


def main(folder: Path) -> None:
    prompts = json.loads((folder / "prompts.json").read_text())
    base = folder / "base"
    make_base(str(base), prompts)
    gguf.convert(base, folder / "base.gguf")
    template = Template(tokenizer_of(str(base)))
    asked = [template.ids(template.text([{"role": "user", "content": prompt}], asks=True)) for prompt in prompts]
    (folder / "ids.json").write_text(json.dumps(asked))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
