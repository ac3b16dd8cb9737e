"""Write a Qwen2 GGUF file as a Hugging Face model folder, weights dequantised to bfloat16.

gguf_to_hf.py IN.gguf OUT
"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gguf import GGUFReader
from gguf.quants import dequantize
from safetensors.torch import save_file
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

LAYER = {
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
TOP = {"token_embd.weight": "model.embed_tokens.weight", "output_norm.weight": "model.norm.weight"}
TOP["output.weight"] = "lm_head.weight"
WORDS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
NORMAL, CONTROL, USER_DEFINED = 1, 3, 4


def hf_name(name: str) -> str:
    """The Hugging Face name of a tensor."""
    if name in TOP:
        return TOP[name]
    _, layer, part, kind = name.split(".")
    return f"model.layers.{layer}.{LAYER[part]}.{kind}"


def strings(reader: Any, key: str) -> list[str]:
    """A field that holds an array of strings."""
    field = reader.fields[key]
    return [bytes(field.parts[i]).decode() for i in field.data]


def number(reader: Any, key: str) -> Any:
    """A field that holds one number."""
    field = reader.fields[key]
    value = field.parts[field.data[0]][0]
    # by its shortest decimal form: 1e-06 is stored in single precision, and widened it becomes 9.99999997e-07
    return float(str(value)) if isinstance(value, np.floating) else value.item()


def write_weights(reader: Any, out: Path) -> dict[str, Any]:
    """Write model.safetensors; returns the tensors by name."""
    tensors = {}
    for tensor in reader.tensors:
        weights = np.array(dequantize(tensor.data, tensor.tensor_type))
        tensors[hf_name(tensor.name)] = torch.from_numpy(weights).to(torch.bfloat16)
    save_file(tensors, out / "model.safetensors", metadata={"format": "pt"})
    return tensors


def write_config(reader: Any, tensors: dict[str, Any], out: Path) -> None:
    """Write config.json and generation_config.json."""
    base = number(reader, "qwen2.rope.freq_base")
    config = {
        "architectures": ["Qwen2ForCausalLM"],
        "model_type": "qwen2",
        "hidden_size": number(reader, "qwen2.embedding_length"),
        "intermediate_size": number(reader, "qwen2.feed_forward_length"),
        "num_hidden_layers": number(reader, "qwen2.block_count"),
        "num_attention_heads": number(reader, "qwen2.attention.head_count"),
        "num_key_value_heads": number(reader, "qwen2.attention.head_count_kv"),
        "max_position_embeddings": number(reader, "qwen2.context_length"),
        "rms_norm_eps": number(reader, "qwen2.attention.layer_norm_rms_epsilon"),
        "rope_theta": base,
        "rope_parameters": {"rope_type": "default", "rope_theta": base},
        "vocab_size": tensors["model.embed_tokens.weight"].shape[0],
        "hidden_act": "silu",
        "tie_word_embeddings": "lm_head.weight" not in tensors,
        "bos_token_id": 151643,
        "eos_token_id": 151645,
        "torch_dtype": "bfloat16",
        "dtype": "bfloat16",
        "use_sliding_window": False,
        "attention_dropout": 0.0,
    }
    (out / "config.json").write_text(json.dumps(config))
    ends = {"bos_token_id": 151643, "eos_token_id": [151645, 151643], "pad_token_id": 151643}
    (out / "generation_config.json").write_text(json.dumps(ends))


def write_tokenizer(reader: Any, out: Path) -> None:
    """Write tokenizer.json and tokenizer_config.json, with the chat template of the file."""
    tokens, merges = strings(reader, "tokenizer.ggml.tokens"), strings(reader, "tokenizer.ggml.merges")
    field = reader.fields["tokenizer.ggml.token_type"]
    kinds = [int(field.parts[i][0]) for i in field.data]
    vocabulary = {token: i for i, token in enumerate(tokens) if kinds[i] == NORMAL}
    pairs = [(a, b) for a, b in (merge.split(" ") for merge in merges)]
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=pairs))
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(WORDS), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    added = [(i, token) for i, token in enumerate(tokens) if kinds[i] in (CONTROL, USER_DEFINED)]
    for i, token in added:  # one by one, so that ids stay in order
        special = kinds[i] == CONTROL
        add = tokenizer.add_special_tokens if special else tokenizer.add_tokens
        add([AddedToken(token, special=special, normalized=False)])
        if tokenizer.token_to_id(token) != i:
            raise SystemExit(f"token {token!r} has id {tokenizer.token_to_id(token)} instead of {i}")
    tokenizer.save(str(out / "tokenizer.json"))
    decoder = {
        str(i): {
            "content": token,
            "special": kinds[i] == CONTROL,
            "normalized": False,
            "lstrip": False,
            "rstrip": False,
            "single_word": False,
        }
        for i, token in added
    }
    config = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "eos_token": "<|im_end|>",
        "pad_token": "<|endoftext|>",
        "model_max_length": 32768,
        "clean_up_tokenization_spaces": False,
        "chat_template": strings(reader, "tokenizer.chat_template")[0],
        "added_tokens_decoder": decoder,
    }
    (out / "tokenizer_config.json").write_text(json.dumps(config, ensure_ascii=False))


def main() -> None:
    """Convert the file named on the command line."""
    if len(sys.argv) != 3:
        raise SystemExit("usage: gguf_to_hf.py IN.gguf OUT")
    reader, out = GGUFReader(sys.argv[1]), Path(sys.argv[2])
    architecture = strings(reader, "general.architecture")[0]
    if architecture != "qwen2":
        raise SystemExit(f"{sys.argv[1]} holds a {architecture} model; only qwen2 can be converted")
    out.mkdir(parents=True, exist_ok=True)
    write_config(reader, write_weights(reader, out), out)
    write_tokenizer(reader, out)


if __name__ == "__main__":
    main()
