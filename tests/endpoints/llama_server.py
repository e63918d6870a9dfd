"""Serves llama.cpp with a tiny model of random weights; runs in an environment of its own.

    python llama_server.py MODEL PORT KEY

MODEL is written first: the same bytes every time, some 470 kB, with a token for every byte.
"""

import sys
import threading

import gguf
import numpy as np
import xllamacpp

WIDTH, BLOCKS, HEADS, INNER = 64, 2, 4, 128
CONTEXT, SLOTS = 32768, 4
TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def byte_tokens() -> list[str]:
    """Returns the printable sign of each byte, as the vocabulary of GPT-2 has it."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = (chr(256 + number) for number in range(256))
    return [chr(byte) if byte in plain else next(others) for byte in range(256)]


def write_model(path: str) -> None:
    """Writes the model."""
    tokens = [*byte_tokens(), "<|endoftext|>", "<|im_start|>", "<|im_end|>", "th"]
    kinds = [gguf.TokenType.NORMAL] * 256 + [gguf.TokenType.CONTROL] * 3 + [gguf.TokenType.NORMAL]
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("arena-tiny-random")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(BLOCKS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_rope_freq_base(10000.0)
    writer.add_vocab_size(len(tokens))
    writer.add_file_type(0)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types(kinds)
    writer.add_token_merges(["t h"])  # the loader wants one at least
    writer.add_bos_token_id(256)
    writer.add_eos_token_id(258)
    writer.add_pad_token_id(256)
    writer.add_add_bos_token(False)
    writer.add_chat_template(TEMPLATE)
    add_weights(writer, len(tokens))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def add_weights(writer: gguf.GGUFWriter, tokens: int) -> None:
    """Adds the weights, which are random by a fixed seed."""
    chance = np.random.default_rng(1)
    shapes = {"token_embd": (tokens, WIDTH), "output": (tokens, WIDTH)}
    for block in range(BLOCKS):
        shapes |= {
            f"blk.{block}.{name}": (WIDTH, WIDTH)
            for name in ("attn_q", "attn_k", "attn_v", "attn_output")
        }
        shapes |= {f"blk.{block}.{name}": (INNER, WIDTH) for name in ("ffn_gate", "ffn_up")}
        shapes[f"blk.{block}.ffn_down"] = (WIDTH, INNER)
    for name, shape in shapes.items():
        values = chance.standard_normal(shape) * 0.05
        writer.add_tensor(f"{name}.weight", values.astype(np.float32))
    norms = [f"blk.{block}.{name}_norm" for block in range(BLOCKS) for name in ("attn", "ffn")]
    for name in ("output_norm", *norms):
        writer.add_tensor(f"{name}.weight", np.ones(WIDTH, np.float32))


def main(path: str, port: int, key: str) -> None:
    """Serves until the process is ended."""
    write_model(path)
    parameters = xllamacpp.CommonParams()
    parameters.model.path = path
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = port
    parameters.n_ctx, parameters.n_parallel = CONTEXT, SLOTS
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    parameters.api_keys = [key]
    parameters.fit_params = False
    server = xllamacpp.Server(parameters)
    print(f"{server.listening_address}/v1/chat/completions", flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
