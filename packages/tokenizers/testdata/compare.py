"""Compares golden.json with Hugging Face's Python package tokenizers: pip install tokenizers; python compare.py

The names of tokens are not compared: for an unknown token the Python package gives the text instead.
"""

import json
import pathlib
import sys

from tokenizers import Tokenizer

folder = pathlib.Path(__file__).parent
tokenizers = {}
compared = differences = 0
for case in json.loads((folder / "golden.json").read_text()):
    name, kind, texts = case["file"], case["kind"], case["texts"]
    if kind not in ("text", "plain", "pair"):
        continue
    if name not in tokenizers:
        tokenizers[name] = Tokenizer.from_file(str(folder / (name + ".json")))
    tokenizer = tokenizers[name]
    tokenizer.encode_special_tokens = kind == "plain"
    got = tokenizer.encode(*texts, add_special_tokens=kind != "plain")
    want = case["encodings"][0]
    text = tokenizer.decode(got.ids, skip_special_tokens=False)
    clean = tokenizer.decode(got.ids, skip_special_tokens=True)
    compared += 1
    if (got.ids, got.type_ids, text, clean) != (want["ids"], want["types"], want["text"], want["clean"]):
        differences += 1
        print(name, kind, texts, got.ids, want["ids"])
print(compared, "encodings compared,", differences, "differ")
sys.exit(differences != 0 or compared == 0)
