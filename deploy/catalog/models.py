"""Makes sources/ours/models.json of sources/model_configs.csv and architectures.csv: what a model's configuration says, and what
follows from it.

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
keeps at 16 bit besides these are not known here: expect such files to be up to a tenth larger.

What the step model reads besides (width, heads, embedding, attention, experts) stands in the row of architectures.csv that `architecture`
names. Without one it follows from `heads`, of a dense model of which all layers attend to the whole request: attention takes
4 x layers x heads x head_dim FLOP a token and token before it (products of queries with keys, and of weights with values, 2 FLOP each).
A model that has neither is of unknown shape. One without a `repository` has no published checkpoint: `checked` is its source. Standard library only.
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


def architecture(row, shapes):
    """The fields that shape_of() of model/performance/stated_shape.hpp reads, as far as they are known."""
    latent = bool(row["kv_lora_rank"])
    fields = {"hidden": int(row["hidden"]), "vocabulary": int(row["vocabulary"]),
              "embedding_parameters": 0 if row["tied_embedding"] == "yes" else int(row["vocabulary"]) * int(row["hidden"]),
              "kv_heads": 1 if latent else int(row["kv_heads"])}
    if row["heads"]:
        fields["heads"] = int(row["heads"])
    shape = {name: int(value) for name, value in shapes[row["architecture"]].items()} if row["architecture"] else None
    if shape:
        stated = {name: shape[name] for name in ("hidden", "kv_heads", "embedding_parameters", "layers")}
        if stated != {name: fields.get(name, int(row["layers"])) for name in stated}:
            sys.exit(f"models.py: {row['id']}: architectures.csv and model_configs.csv differ: {stated} and {fields}")
        if shape["experts"]:
            fields["experts"] = {"count": shape["experts"], "active": shape["experts_per_token"]}
            if shape["shared_experts"]:
                fields["experts"]["shared"] = shape["shared_experts"]
            fields["expert_parameters"] = shape["expert_parameters"]
        fields["attention"] = attention = {"decode_flop": shape["attention_flop_decode"], "prompt_flop": shape["attention_flop_prompt"]}
        if shape["latent_or_linear_attention"]:
            fields["attention"] = attention = {"kind": "latent" if latent else "linear", **attention}
        if shape["window_tokens"]:
            attention |= {"window_tokens": shape["window_tokens"], "window_bytes_per_token": 2 * shape["kv_values_in_window"]}
        if shape["state_values"]:
            attention["state_bytes"] = 2 * shape["state_values"]
    elif row["heads"]:
        if row["parameters"] != row["active_parameters"] or row["layers"] != row["attention_layers"] or latent:
            sys.exit(f"models.py: {row['id']}: only a dense model of full attention has a shape without a row of architectures.csv")
        flop = 4 * int(row["layers"]) * int(row["heads"]) * int(row["head_dim"])
        fields["attention"] = {"decode_flop": flop, "prompt_flop": flop}
    return fields


def document(row, shapes):
    model = {
        "id": row["id"],
        "name": row["name"],
        "parameters": int(row["parameters"]),
        "active_parameters": int(row["active_parameters"]),
        "weight_bytes": weight_bytes(row),
        "kv_bytes_per_token": kv_bytes_per_token(row),
        "layers": int(row["layers"]),
        "context_tokens": int(row["context_tokens"]),
        **architecture(row, shapes),
        **({"published_precision": row["maker_precision"]} if row["maker_precision"] else {}),
        "aliases": [row["repository"]] if row["repository"] else [],
        "released": row["released"],
        "licence": row["licence"],
        "source": f"config.json of {row['repository']}; {row['checked']}" if row["repository"] else row["checked"],
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
    with open(SOURCES / "architectures.csv", encoding="utf-8", newline="") as file:
        shapes = {row.pop("model"): row for row in csv.DictReader(file)}
    with open(SOURCES / "model_configs.csv", encoding="utf-8", newline="") as file:
        made = text(sorted((document(row, shapes) for row in csv.DictReader(file)), key=lambda model: model["id"]))
    path = SOURCES / "ours" / "models.json"
    if "--check" in sys.argv[1:]:
        if not path.exists() or path.read_text(encoding="utf-8") != made:
            sys.exit("models.py: sources/ours/models.json is not what sources/model_configs.csv makes; run deploy/catalog/models.py")
        return
    path.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
