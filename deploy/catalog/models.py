"""Makes sources/ours/models.json of sources/model_configs.csv: what a model's configuration says, and what follows from it.

usage: models.py [--check]    (--check only says whether the file is what the table makes)

Bytes of key-value cache a token, at 16 bit (Shazeer 2019, arXiv:1911.02150; latent attention: DeepSeek-V2, arXiv:2405.04434, section 2.1):
  grouped or multi-head attention   attention_layers x 2 x kv_heads x head_dim x 2 B
  latent attention                  attention_layers x (kv_lora_rank + qk_rope_head_dim) x 2 B
attention_layers are those whose cache grows with the request: not linear attention or Mamba layers, and not layers with a window below
4096 tokens. The state of the others is bounded and left out; their notes say how large the windows' is.

Bytes of weights by precision: bf16 is 2 B a parameter, of every model. The others stand where such a checkpoint is published (column
`published`): (parameters - wide) x bytes + wide x 2 B, where wide are the embedding and the output head (vocabulary x hidden, once if
tied), which such checkpoints keep at 16 bit. Bytes a parameter: fp8 1; int4 0.515625 (a 16-bit scale for 128); fp4 0.5625 (NVFP4: an
8-bit scale for 16). `precision=bytes` in the column is the checkpoint's own size, explained in the note. Layers that a checkpoint
keeps at 16 bit besides these are not known here: expect such files to be up to a tenth larger. Standard library only.
"""
import csv
import json
import pathlib
import sys

BYTES_A_PARAMETER = {"fp8": 1.0, "int4": 0.5 + 2 / 128, "fp4": 0.5 + 1 / 16}
SOURCES = pathlib.Path(__file__).resolve().parent / "sources"


def kv_bytes_per_token(row):
    if row["kv_lora_rank"]:
        return int(row["attention_layers"]) * (int(row["kv_lora_rank"]) + int(row["qk_rope_head_dim"])) * 2
    return int(row["attention_layers"]) * 2 * int(row["kv_heads"]) * int(row["head_dim"]) * 2


def weight_bytes(row):
    parameters = int(row["parameters"])
    wide = int(row["vocabulary"]) * int(row["hidden"]) * (1 if row["tied_embedding"] == "yes" else 2)
    sizes = {"bf16": 2 * parameters}
    for published in row["published"].split():
        precision, _, size = published.partition("=")
        sizes[precision] = int(size) if size else round((parameters - wide) * BYTES_A_PARAMETER[precision] + wide * 2)
    return sizes


def document(row):
    model = {
        "id": row["id"],
        "name": row["name"],
        "parameters": int(row["parameters"]),
        "active_parameters": int(row["active_parameters"]),
        "weight_bytes": weight_bytes(row),
        "kv_bytes_per_token": kv_bytes_per_token(row),
        "layers": int(row["layers"]),
        "context_tokens": int(row["context_tokens"]),
        "released": row["released"],
        "licence": row["licence"],
        "source": f"config.json of {row['repository']}; {row['checked']}",
    }
    if row["note"]:
        model["note"] = row["note"]
    return model


def text(models):
    """As assemble.py writes a catalogue file: a field a line."""
    entries = []
    for model in models:
        fields = ",\n".join(f"    {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in model.items())
        entries.append("  {\n" + fields + "\n  }")
    return "[\n" + ",\n".join(entries) + "\n]\n"


def main():
    with open(SOURCES / "model_configs.csv", encoding="utf-8", newline="") as file:
        made = text(sorted((document(row) for row in csv.DictReader(file)), key=lambda model: model["id"]))
    path = SOURCES / "ours" / "models.json"
    if "--check" in sys.argv[1:]:
        if not path.exists() or path.read_text(encoding="utf-8") != made:
            sys.exit("models.py: sources/ours/models.json is not what sources/model_configs.csv makes; run deploy/catalog/models.py")
        return
    path.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
