"""A small OpenAI-compatible server of known times and watts, and a clock that it shares with its client."""
import argparse
import asyncio
import json
import selectors
import socket
import ssl


class ScriptedSelector(selectors.DefaultSelector):
    """Where nothing is ready, its clock goes on to the next timer at once."""

    def __init__(self):
        super().__init__()
        self.time = 1000.0

    def select(self, timeout=None):
        ready = super().select(0)
        if not ready and timeout is None:
            raise AssertionError("nothing is ready, and no timer runs: client and server wait for each other")
        if not ready and timeout > 0:
            self.time += timeout
        return ready


class ScriptedLoop(asyncio.SelectorEventLoop):
    def __init__(self):
        self.clock = ScriptedSelector()
        super().__init__(self.clock)

    def time(self):
        return self.clock.time


class Server:
    """`rates`: ttft_s + ttft_per_token_s x tokens in to the first token; itl_s + itl_per_request_s x requests held between tokens;
    idle_w + watts_per_request x held^power. `fault` is what it does wrong."""

    def __init__(self, rates, fault=""):
        self.rates, self.fault = rates, fault
        self.held, self.requests, self.tokens, self.spans = 0, [], [], []
        self.last, self.joules, self.count = None, 0.0, 0

    def now(self):
        return asyncio.get_running_loop().time()

    def watts(self):
        return self.rates["idle_w"] + self.rates["watts_per_request"] * self.held ** self.rates["power"]

    def settle(self, change=0):
        if self.last is not None:
            self.joules += (self.now() - self.last) * self.watts()
            self.spans.append((self.last, self.now(), self.watts()))
        self.last = self.now()
        self.held += change

    async def connect(self, host, port, **_):
        here, there = socket.socketpair()
        reader, writer = await asyncio.open_connection(sock=there)
        self.task = asyncio.ensure_future(self.serve(reader, writer))
        return await asyncio.open_connection(sock=here, limit=1 << 20)

    async def serve(self, reader, writer):
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            length = [int(line.split(":")[1]) for line in head.split("\r\n") if line.lower().startswith("content-length")]
            body = await reader.readexactly(length[0]) if length else b""
            await self.answer(head.split()[1], body, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def answer(self, path, body, writer):
        if path == "/metrics":
            self.settle()
            labels = 'gpu="0",modelName="NVIDIA H100 80GB HBM3",DCGM_FI_DRIVER_VERSION="580.1"'
            page = f"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{{{labels}}} {1000 * self.joules!r}\n"
            return self.page(writer, page + ("# " + "x" * (50 << 20) if self.fault == "page" else ""))
        if path == "/v1/models":
            return self.page(writer, json.dumps({"data": [{"id": "m/llama-3.1-8b"}]}))
        if path == "/version":
            return self.page(writer, json.dumps({"version": "0.11.0"}))
        if self.fault == "silent":
            await asyncio.sleep(1e6)
        if path != "/v1/chat/completions":
            return self.page(writer, "{}", 404)
        self.count += 1
        if self.fault == "busy" and self.held > 1:
            return self.page(writer, '{"error": "too many at a time"}', 429)
        refused = self.fault in ("429", "500") and self.count > 6
        return self.page(writer, '{"error": "later"}', int(self.fault)) if refused else await self.stream(json.loads(body), writer)

    @staticmethod
    def page(writer, text, status=200):
        writer.write(f"HTTP/1.1 {status} OK\r\nContent-Length: {len(text)}\r\n\r\n{text}".encode())

    async def stream(self, request, writer):
        tokens_in, tokens_out = 7 + round(1.25 * len(request["messages"][0]["content"].split())), request["max_tokens"]
        writer.write(b"HTTP/1.1 200 OK\r\nX-RateLimit-Limit-Tokens: 150000\r\nTransfer-Encoding: chunked\r\n\r\n")
        begin, times = self.now(), []
        self.settle(1)
        try:
            if self.fault == "stalls" and self.count > 6:
                await asyncio.sleep(1e6)
            await asyncio.sleep(self.rates["ttft_s"] + self.rates["ttft_per_token_s"] * tokens_in)
            for token in range(tokens_out):
                if token:
                    await asyncio.sleep(self.rates["itl_s"] + self.rates["itl_per_request_s"] * self.held)
                if self.fault == "closes" and self.count > 6 and token == tokens_out // 2:
                    return
                times.append(self.now())
                if self.fault != "whole":
                    self.event(writer, {"choices": [{"delta": {"content": " one"}}]})
            if self.fault == "whole":
                self.event(writer, {"choices": [{"delta": {"content": " one" * tokens_out}}]})
            counts = {"more": 2 * tokens_out, "fewer": tokens_out // 2}.get(self.fault, tokens_out)
            usage = {"prompt_tokens": 10 ** 6 if self.fault == "prompt" else tokens_in, "completion_tokens": counts}
            self.event(writer, {"choices": [], "usage": None if self.fault == "uncounted" else usage})
            self.chunk(writer, b"data: [DONE]\n\n")
            writer.write(b"0\r\n\r\n")
        finally:
            self.settle(-1)
        self.tokens += times
        self.requests.append((begin, times[0], self.now(), (times[-1] - times[0]) / (tokens_out - 1)))

    def event(self, writer, event):
        self.chunk(writer, b"data: " + json.dumps(event).encode() + b"\n\n")

    @staticmethod
    def chunk(writer, text):
        writer.write(f"{len(text):x}\r\n".encode() + text + b"\r\n")


RATES = {"ttft_s": 0.2, "ttft_per_token_s": 0.0002, "itl_s": 0.02, "itl_per_request_s": 0.001, "idle_w": 120.0,
         "watts_per_request": 90.0, "power": 0.5}
QUICK = {**RATES, "ttft_s": 0.03, "ttft_per_token_s": 0.00002, "itl_s": 0.004, "itl_per_request_s": 0.0004}


async def listen(options):
    """Serves against the real clock, and prints the port: 0 takes a free one."""
    server = Server(QUICK if options.quick else RATES, options.fault)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER) if options.certificate else None
    if tls:
        tls.load_cert_chain(options.certificate)
    listening = await asyncio.start_server(server.serve, "127.0.0.1", options.port, ssl=tls)
    print(listening.sockets[0].getsockname()[1], flush=True)
    await listening.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", type=int, nargs="?", default=0)
    parser.add_argument("--fault", default="", help="what it does wrong")
    parser.add_argument("--quick", action="store_true", help="answers of milliseconds")
    parser.add_argument("--certificate", help="a file of key and certificate: it serves over TLS")
    asyncio.run(listen(parser.parse_args()))
