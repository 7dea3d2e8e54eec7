"""Clients that do not keep to the rules: hostile heads, and answers that nobody takes. Each is answered with an error or closed,
and the others go on meanwhile."""

import random
import socket

import corpus
from clients import Client, offer, scenario
from world import Gone


class Hostile(Client):
    """Heads that nobody should send: each is answered with an error or closed, and soon."""

    pause_s = 0.2

    def step(self):
        text = bytearray(self.chance.choice(corpus.HEADS))
        for _ in range(self.chance.choice((0, 0, 1, 3))):
            text[self.chance.randrange(len(text))] = self.chance.randrange(256)
        try:
            with socket.create_connection(("127.0.0.1", self.world.port), timeout=15) as connection:
                connection.sendall(bytes(text) + (b"" if self.chance.random() < 0.8 else b"x" * 20000))
                connection.shutdown(socket.SHUT_WR)
                answer = connection.recv(65536)
        except TimeoutError:
            self.stats.fail("hangs", f"no answer and no close within 15 s of {bytes(text)[:200]!r}")
            return
        except OSError as error:
            raise Gone(str(error)) from error
        self.stats.count("hostile heads")
        if answer and not answer.startswith(b"HTTP/1.1 "):
            self.stats.fail("wrong answers", f"{bytes(text)[:200]!r} gets {answer[:100]!r}")
        if answer.startswith(b"HTTP/1.1 500"):
            self.stats.fail("answers of 500", f"{bytes(text)[:200]!r}")


class Slow(Client):
    """Reads a large answer a little at a time, or never; or sends a body that never ends."""

    pause_s = 0.5

    def step(self):
        kind = self.chance.choice(("reads slowly", "never reads", "never ends its body", "never ends its head"))
        sets = [{"/pools/0/offer/hourly_price": 1 + i} for i in range(300)]
        body = corpus.encoded({"scenario": scenario(offer(1)), "sets": sets, "ledger": True})
        head = ("POST /v1/evaluate/batch HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                f"Content-Length: {len(body)}\r\n\r\n")
        try:
            with socket.create_connection(("127.0.0.1", self.world.port), timeout=5) as connection:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                connection.sendall({"never ends its head": head.encode()[:-4],
                                    "never ends its body": head.encode() + body[:-1]}.get(kind, head.encode() + body))
                for _ in range(self.chance.randint(5, 40)):
                    if kind == "reads slowly":
                        connection.recv(256)
                    if self.world.stopping.wait(0.1):
                        break
        except OSError as error:
            raise Gone(str(error)) from error
        self.stats.count("slow clients")


def all_of(world, seed):
    numbers = random.Random(seed)
    return [kind(world, numbers.getrandbits(32)) for kind in (Hostile, Slow, Slow)]
