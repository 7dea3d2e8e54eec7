"""What clients send and how they read it: hostile heads, which are the fuzz target's seeds, and JSON. No threads here."""

import datetime
import json
import pathlib


def read_heads():
    path = pathlib.Path(__file__).resolve().parents[1] / "fuzz/corpus/head.txt"
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line]
    return [line.encode("ascii", "backslashreplace").decode("unicode_escape").encode("latin-1") for line in lines]


HEADS = read_heads()


def encoded(value):
    return json.dumps(value).encode()


def decoded(text):
    return json.loads(text)


def last_price(price):
    """Of an offer: a number, or the last point of a curve."""
    return price["points"][-1][1] if isinstance(price, dict) else price


def unix_seconds(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()
