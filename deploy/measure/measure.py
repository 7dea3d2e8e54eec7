"""Measures what a served language model does on this host's cards, or a training run, and writes the facts into one file.

usage: python3 measure.py --endpoint http://host:8000/v1 --precision bf16 [options]
       python3 measure.py --log [FILE] --precision bf16 --model llama-3.1-8b [options] [-- COMMAND ...]

Against any OpenAI-compatible server, with the standard library alone (Python 3.8 or later). It changes no setting, sends requests
for as long as --budget says, and ends with a file that `costcurve import measured FILE` stores, or with a sentence and no file.
With --log it reads what a trainer printed, or runs it and reads what it prints.
"""
import argparse
import array
import ast
import asyncio
import bisect
import datetime
import json
import math
import os
import random
import re
import shutil
import ssl
import statistics
import sys
import time
import urllib.parse

SHARES = (0.05, 0.10, 0.20, 0.35, 0.50, 0.70, 0.90)  # of the highest rate, in the open loop
RISES = 1.05  # a doubled load that gives less than this times the rate ends the closed loop
MAX_FAILED = 0.01  # a share of the requests
MAX_PAGE = 8 << 20  # bytes of a page that isn't a stream
POLL_S = 0.5  # between readings of a metrics page
IDLE_S = 10.0  # before the first request
PHASES = 23.0  # that the budget is divided by: closed loop, open loop, second mix
MIN_ENDED = 5  # requests that a figure is made of
WORDS = "time water stone light river house green north music paper field cloud horse glass bread table".split()

wall_clock = time.time  # tests put their own in these places
open_connection = asyncio.open_connection


class NoMeasurement(Exception):
    """Why nothing is measured: a sentence with what to do."""


class Failed(Exception):
    """Why a request is no answer."""


def say(text):
    print(text, file=sys.stderr, flush=True)


def now():
    return asyncio.get_running_loop().time()


# ---- HTTP: a connection a request, answers read as they come

class Address:
    def __init__(self, url, ca_file=None):
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise NoMeasurement(f"{url} is no address; give one such as http://127.0.0.1:8000/v1")
        self.host, self.port, self.path = parts.hostname, parts.port or (443 if parts.scheme == "https" else 80), parts.path.rstrip("/")
        self.shown = f"{parts.scheme}://{self.host}:{self.port}"
        try:
            self.tls = ssl.create_default_context(cafile=ca_file) if parts.scheme == "https" else None
        except OSError as error:  # of ssl too
            raise NoMeasurement(f"no certificates can be read in {ca_file}: {error.strerror or error}") from None


async def pieces_of(reader, headers):
    """The body, as it comes. Raises where it ends early."""
    if "chunked" in headers.get("transfer-encoding", "").lower():
        while size := int((await reader.readline()).split(b";")[0], 16):
            yield (await reader.readexactly(size + 2))[:-2]
    elif "content-length" in headers:
        left = int(headers["content-length"])
        while left > 0:
            piece = await reader.readexactly(min(left, 65536))
            left -= len(piece)
            yield piece
    else:
        while piece := await reader.read(65536):
            yield piece


async def send(address, method, path, body, key, on_open, on_piece, headers):
    """Sends a request; `on_piece` gets its answer in pieces, `headers` takes its fields. The status, and the body's beginning where
    that is no success."""
    reader, writer = await open_connection(address.host, address.port, ssl=address.tls, limit=1 << 20)
    try:
        lines = [f"{method} {path} HTTP/1.1", f"Host: {address.host}:{address.port}", "Connection: close", "Accept: */*"]
        lines += [f"Authorization: Bearer {key}"] * bool(key)
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"] * bool(body)
        on_open()
        writer.write("\r\n".join(lines + ["", ""]).encode() + body)
        await writer.drain()
        words = (await reader.readline()).split()
        if len(words) < 2 or not words[0].startswith(b"HTTP/1."):
            raise Failed("the connection ended without an answer")
        while (line := (await reader.readline()).decode("latin-1").strip()):
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        status, refusal = int(words[1]), b""
        async for piece in pieces_of(reader, headers):
            if status == 200:
                on_piece(piece)
            elif len(refusal) < 300:
                refusal += piece
        return status, refusal.decode("utf-8", "replace")[:300]
    finally:
        writer.close()


async def exchange(address, method, path, body=b"", key="", timeout_s=20.0, on_open=lambda: None, on_piece=lambda piece: None,
                   headers=None):
    """The same with every fault as Failed."""
    headers = {} if headers is None else headers
    try:
        return await asyncio.wait_for(send(address, method, path, body, key, on_open, on_piece, headers), timeout_s)
    except asyncio.TimeoutError:
        raise Failed(f"no whole answer within {timeout_s:g} s: the server stalls (--timeout)") from None
    except ssl.SSLCertVerificationError as error:
        raise NoMeasurement(f"the certificate of {address.shown} is refused: {error.verify_message} (--ca-file)") from None
    except (asyncio.IncompleteReadError, ValueError, EOFError):
        raise Failed("the answer ends early, or is no HTTP") from None
    except OSError as error:
        raise Failed(f"no connection to {address.shown}: {error.strerror or error}") from None


async def page_of(address, path, key="", what="page"):
    """The text of a page; None where there is none."""
    parts, size = [], 0

    def keep(piece):
        nonlocal size
        size += len(piece)
        if size > MAX_PAGE:
            raise NoMeasurement(f"the {what} of {address.shown} is larger than {MAX_PAGE >> 20} MB; is the address right?")
        parts.append(piece)

    status, _ = await exchange(address, "GET", path, key=key, on_piece=keep)
    return b"".join(parts).decode("utf-8", "replace") if status == 200 else None


async def json_of(address, path, key=""):
    try:
        answer = json.loads(await page_of(address, path, key) or "{}")
        return answer if isinstance(answer, dict) else {}
    except (Failed, ValueError):
        return {}


# ---- A request and its stream

class Reply:
    def __init__(self):
        self.begin = self.end = 0.0
        self.times = array.array("d")  # of pieces with text
        self.bytes = self.input = self.cached = self.output = 0
        self.error = ""

    def e2e(self):
        return self.end - self.begin

    def ttft(self):
        return self.times[0] - self.begin

    def itl(self):
        return (self.times[-1] - self.times[0]) / (self.output - 1) if self.output > 1 else None


class Stream:
    """Server-sent events of a completion, or of a chat's."""

    def __init__(self, reply):
        self.reply, self.rest, self.is_done = reply, b"", False

    def read(self, piece):
        lines = (self.rest + piece).split(b"\n")
        self.rest = lines.pop()
        for line in lines:
            if line.startswith(b"data:"):
                self.event(line[5:].strip())

    def event(self, data):
        if data == b"[DONE]":
            self.is_done = True
            return
        event = json.loads(data)
        if event.get("error"):
            raise Failed(f"the stream says {str(event['error'])[:200]}")
        for choice in event.get("choices") or []:
            delta = choice.get("delta") or {}
            text = choice.get("text") or delta.get("content") or delta.get("reasoning_content") or delta.get("reasoning") or ""
            if text:
                self.reply.times.append(now())
                self.reply.bytes += len(text.encode("utf-8", "replace"))
            self.is_done = self.is_done or bool(choice.get("finish_reason"))
        if usage := event.get("usage"):
            self.reply.input = int(usage.get("prompt_tokens") or 0)
            self.reply.output = int(usage.get("completion_tokens") or 0)
            self.reply.cached = int((usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0)


class Client:
    """Sends requests of a number of tokens, and holds the counts of the answers against what came."""

    def __init__(self, options):
        self.options, self.draw = options, random.Random(options.seed)
        self.address, self.key = Address(options.endpoint, options.ca_file), os.environ.get(options.api_key_env, "")
        self.words_per_token, self.template = 1.0, 0.0  # tokens = words / words_per_token + template
        self.extra = {"ignore_eos": True}  # of vLLM, SGLang, TensorRT-LLM, llama.cpp: answers have the length that was requested
        self.sent = self.failed = 0
        self.headers = {}  # of the last answer

    async def request(self, words, output):
        prompt = " ".join(self.draw.choice(WORDS) for _ in range(max(1, words)))  # none is in a cache of prompts
        body = {"model": self.options.model, "messages": [{"role": "user", "content": prompt}], "max_tokens": output, "stream": True,
                "stream_options": {"include_usage": True}, **self.extra}
        reply = Reply()
        stream, headers = Stream(reply), {}
        reply.begin = now()

        def on_open():
            reply.begin = now()

        self.sent += 1
        try:
            status, refusal = await exchange(self.address, "POST", self.address.path + "/chat/completions", json.dumps(body).encode(),
                                             self.key, self.options.timeout, on_open, stream.read, headers)
            self.headers = headers
            if status != 200:
                raise Failed(f"the server answers {status}: {refusal}")
            if not stream.is_done or not reply.times:
                raise Failed("the stream ends early" if reply.times else "the answer is no stream of text")
        except Failed as error:
            reply.error, self.failed = str(error), self.failed + 1
        reply.end = now()
        if not reply.error:
            self.check(reply, len(prompt), words, output)
        return reply

    def check(self, reply, characters, words, output):
        pieces = len(reply.times)
        lie = ""
        if not reply.output or not reply.input:
            raise NoMeasurement("the server doesn't state its token counts (usage, stream_options.include_usage): rates would be guesses")
        if reply.output > output:
            lie = f"{reply.output} tokens out where at most {output} were requested"
        elif reply.output < pieces - 1:
            lie = f"{reply.output} tokens out where {pieces} pieces of text came"
        elif reply.output > reply.bytes + 16:
            lie = f"{reply.output} tokens out for {reply.bytes} bytes of text (--keep-eos where a model has nothing more to say)"
        elif reply.input > characters + 1024 or reply.input < words / 4 or reply.cached > reply.input:
            lie = f"{reply.input} tokens in, {reply.cached} of them cached, for {words} words"
        if lie:
            raise NoMeasurement(f"the server's own counts can't be right: {lie}; nothing is measured by them")

    async def of(self, mix):
        tokens_in, tokens_out = self.draw.choice(mix)
        return await self.request(round((tokens_in - self.template) * self.words_per_token), tokens_out)

    async def learn(self):
        """Words a token, by two requests; what the server refuses of the extras is left out."""
        first = await self.request(64, 16)
        if first.error and self.extra and "answers 4" in first.error:
            self.extra = {}
            first = await self.request(64, 16)
        if first.error:
            raise NoMeasurement(f"the first request failed: {first.error}")
        second = await self.request(576, 64)
        if second.error:
            raise NoMeasurement(f"the second request failed: {second.error}")
        if second.input <= first.input:
            raise NoMeasurement(f"the server's own counts can't be right: {first.input} tokens in of 64 words, {second.input} of 576")
        self.words_per_token = 512 / (second.input - first.input)
        self.template = first.input - 64 / self.words_per_token
        if second.output < 8 or second.times[-1] - second.times[0] < 0.01 * second.e2e():
            raise NoMeasurement(f"the server streams nothing: {second.output} tokens come at once; does a proxy hold them back?")
        return second


# ---- Watts

class Meter:
    """Energy counters and power of the cards: a page of DCGM's exporter, or nvidia-smi of this host."""

    def __init__(self, options):
        self.gpus = set(options.gpus.split(",")) if options.gpus else None
        self.energy, self.power = {}, {}  # by card: [(time, J)] where the counter moved, [(time, W)]
        self.card, self.tasks, self.process = {}, [], None
        self.page = Address(options.metrics) if options.metrics else None
        self.path = urllib.parse.urlsplit(options.metrics).path or "/metrics" if options.metrics else ""
        self.error = None

    def add(self, series, gpu, value):
        if self.gpus is None or gpu in self.gpus:
            points = series.setdefault(gpu, [])
            if series is self.power or not points or value > points[-1][1]:
                points.append((now(), value))
            elif value < points[-1][1]:
                raise NoMeasurement("the energy counter of a card ran backwards: was its driver loaded again?")

    async def read_page(self):
        text = await page_of(self.page, self.path, what="metrics page")
        if text is None:
            raise Failed(f"{self.page.shown}{self.path} has no metrics page")
        for name, labels, value in re.findall(r"^DCGM_FI_DEV_(TOTAL_ENERGY_CONSUMPTION|POWER_USAGE)\{([^}\n]*)\} (\S+)", text, re.M):
            label = dict(re.findall(r'(\w+)="([^"]*)"', labels))
            is_energy = name.startswith("TOTAL")
            self.add(self.energy if is_energy else self.power, label.get("gpu", ""), float(value) / (1000.0 if is_energy else 1.0))
            self.card.update({"name": label.get("modelName", ""), "driver": label.get("DCGM_FI_DRIVER_VERSION", "")})
        if not self.energy and not self.power:
            raise Failed(f"{self.page.shown}{self.path} has none of DCGM's energy or power (DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION)")

    async def poll(self):
        try:
            while True:
                await asyncio.sleep(POLL_S)
                try:
                    await self.read_page()
                except Failed:
                    pass  # a reading less
        except NoMeasurement as error:
            self.error = error

    async def follow(self, process):
        while line := await process.stdout.readline():
            cells = [cell.strip() for cell in line.decode("utf-8", "replace").split(",")]
            try:
                self.add(self.power, cells[0], float(cells[1]))
            except (ValueError, IndexError):
                pass  # [N/A]

    async def start(self, is_here):
        if self.page:
            await self.read_page()
            self.tasks.append(asyncio.ensure_future(self.poll()))
        elif is_here and shutil.which("nvidia-smi"):
            smi = ("nvidia-smi", *(["-i", ",".join(sorted(self.gpus))] if self.gpus else []), "--format=csv,noheader,nounits")
            ask = await asyncio.create_subprocess_exec(*smi, "--query-gpu=name,driver_version,power.limit", stdout=-1, stderr=-3)
            rows = (await ask.communicate())[0].decode("utf-8", "replace").splitlines()
            if rows and rows[0].count(",") == 2:
                self.card = dict(zip(("name", "driver", "power_limit_w"), (cell.strip() for cell in rows[0].split(","))))
            self.process = await asyncio.create_subprocess_exec(*smi, "--query-gpu=index,power.draw", "-lms", "100", stdout=-1, stderr=-3)
            self.tasks.append(asyncio.ensure_future(self.follow(self.process)))
            await asyncio.sleep(1.0)

    def stop(self):
        for task in self.tasks:
            task.cancel()
        if self.process and self.process.returncode is None:
            self.process.terminate()

    def count(self):
        return len(self.energy or self.power)

    def watts(self, begin, end):
        """The mean of the cards together; None where the readings don't cover half of the time."""
        if self.error:
            raise self.error
        for series, is_counter in ((self.energy, True), (self.power, False)):
            means = [mean_of(points, begin, end, is_counter) for points in series.values()]
            if means and None not in means:
                return sum(means)
        return None


def value_at(points, moment):
    """On the line between the readings around it; None before the first and behind the last."""
    place = bisect.bisect(points, (moment, math.inf))
    if place in (0, len(points)):
        return None
    (before, low), (after, high) = points[place - 1], points[place]
    return low + (high - low) * (moment - before) / (after - before)


def mean_of(points, begin, end, is_counter):
    inside = [point for point in points if begin <= point[0] <= end]
    if len(inside) < 3 or inside[-1][0] - inside[0][0] < 0.5 * (end - begin):
        return None
    seconds = inside[-1][0] - inside[0][0]
    if is_counter:
        first, last = value_at(points, begin), value_at(points, end)
        return (inside[-1][1] - inside[0][1]) / seconds if None in (first, last) else (last - first) / (end - begin)
    return sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in zip(inside, inside[1:])) / seconds


class Phase:
    def __init__(self, loop, load, mix_name):
        self.loop, self.load, self.mix_name = loop, load, mix_name
        self.begin, self.busy, self.wall, self.replies = now(), time.process_time(), wall_clock(), []

    def name(self):
        return f"{self.load} at a time" if self.loop == "closed" else f"{self.load:.0%} of it"

    def is_lost(self):
        return sum(bool(reply.error) for reply in self.replies[-5:]) > 2

    def check(self):
        """A phase whose requests failed, or whose clock jumped, is no measurement."""
        seconds, failed = now() - self.begin, [reply for reply in self.replies if reply.error]
        jump = wall_clock() - self.wall - seconds
        if abs(jump) > 1.0 + 0.01 * seconds:
            raise NoMeasurement(f"the clock jumped by {jump:+.1f} s at {self.name()}: measure again when it is steady")
        if time.process_time() - self.busy > 0.95 * max(seconds, 1.0):
            raise NoMeasurement(f"at {self.name()} this program was busy all the time: the rate is its own, not the server's")
        if len(failed) > MAX_FAILED * len(self.replies):
            raise NoMeasurement(f"at {self.name()} {len(failed)} of {len(self.replies)} requests failed, more than 1 %: no measurement "
                                f"(--max-concurrency stays below a limit of the server); the first: {failed[0].error}")

    def figures(self, begin, end, meter):
        """What was served from `begin` to `end`: tokens when they came, latencies of the requests that began and ended then."""
        done = [reply for reply in self.replies if not reply.error]
        whole = [reply for reply in done if reply.begin >= begin and reply.end <= end]
        if len(whole) < MIN_ENDED or end <= begin:
            return None
        seconds = end - begin
        tokens = sum(r.output * sum(begin < t <= end for t in r.times) / len(r.times) for r in done if r.begin < end and r.end > begin)
        held = sum(max(0.0, min(r.end, end) - max(r.begin, begin)) for r in done)
        mean = statistics.fmean
        itl, ttft = [r.itl() for r in whole if r.output > 1], sorted(r.ttft() for r in whole)
        watts = meter.watts(begin, end)
        row = {"loop": self.loop, "load": self.load, "mix": self.mix_name, "seconds": seconds, "requests": len(self.replies),
               "failed": len(self.replies) - len(done), "concurrency": held / seconds, "output_per_s": tokens / seconds,
               "input": mean(r.input for r in whole), "cached_input": mean(r.cached for r in whole),
               "output": mean(r.output for r in whole), "ttft_s": mean(ttft), "ttft_p95_s": percentile(ttft, 0.95),
               "e2e_s": mean(r.e2e() for r in whole)}
        if itl:
            row.update(itl_s=mean(itl), itl_p95_s=percentile(sorted(itl), 0.95))
        if watts is not None:
            row.update(watts=watts, joules=watts * seconds)
        return row


def percentile(ascending, share):
    return ascending[min(len(ascending) - 1, math.ceil(share * len(ascending)) - 1)]


class Run:
    def __init__(self, options):
        self.options, self.client, self.meter = options, Client(options), Meter(options)
        self.main = read_mix(options)
        self.second = [(2 * tokens_in, max(2, tokens_out // 2)) for tokens_in, tokens_out in self.main]
        self.rows, self.notes, self.begin = [], [], now()
        self.phase_s = self.e2e_s = 0.0

    def left(self):
        return self.options.budget - (now() - self.begin)

    async def closed(self, load, mix_name="main"):
        """`load` requests at a time for the phase's seconds: each begins when one ends."""
        mix, phase = (self.main if mix_name == "main" else self.second), Phase("closed", load, mix_name)
        seconds = max(self.phase_s, (6.0 + 2.0 / load) * self.e2e_s)  # MIN_ENDED requests behind the first, also one at a time
        if seconds > self.left():
            raise NoMeasurement(f"requests take {self.e2e_s:.1f} s: {self.options.budget:g} s are too few; give a longer --budget, a "
                                "lower --max-concurrency or a shorter --output")
        deadline = phase.begin + seconds

        async def work(number):
            await asyncio.sleep(self.e2e_s * number / load)  # not all in step
            while now() < deadline and not phase.is_lost():
                phase.replies.append(await self.client.of(mix))
                if phase.replies[-1].error:
                    await asyncio.sleep(0.5)  # no flood where every request is refused

        await all_of([work(number) for number in range(load)])
        phase.check()
        ends = sorted(reply.end for reply in phase.replies if reply.end <= deadline)
        begin = ends[min(load, len(ends) // 3)] if ends else deadline
        return self.keep(phase, phase.figures(begin, ends[-1] if ends else deadline, self.meter), mix_name == "main")

    async def open(self, share, requests_per_s):
        """Requests at random times (Poisson), whatever is held."""
        phase = Phase("open", share, "main")
        settle_s = 1.5 * self.e2e_of(share)
        settled, pending = phase.begin + settle_s, []
        deadline = settled + min(self.left() - settle_s,
                                 max(self.phase_s, min(3 * self.phase_s, 4 * MIN_ENDED / requests_per_s, self.left() / 2)))

        async def one():
            phase.replies.append(await self.client.of(self.main))

        while (begin := now() + self.client.draw.expovariate(requests_per_s)) < deadline:
            await asyncio.sleep(begin - now())
            pending.append(asyncio.ensure_future(one()))
            failed = next((task.exception() for task in pending if task.done() and task.exception()), None)
            if failed:
                raise failed
        await asyncio.sleep(max(0.0, deadline - now()))
        await all_of(pending)
        phase.check()
        self.keep(phase, phase.figures(settled, deadline, self.meter), True)

    def keep(self, phase, row, is_main):
        if row is None:
            self.notes.append(f"{phase.name()} ({phase.mix_name}): fewer than {MIN_ENDED} requests began and ended in it; it is left out")
            say(f"  {self.notes[-1]}")
            return None
        self.rows.append(row)
        self.e2e_s = max(row["e2e_s"], self.e2e_s) if is_main and phase.loop == "closed" else self.e2e_s
        watts = f"{row['watts']:6.0f} W" if "watts" in row else "  no W"
        between = f"{1000 * row['itl_s']:7.2f} ms" if "itl_s" in row else "      —"
        say(f"  {phase.name():>15} {row['output_per_s']:10.1f} tokens/s   first token {1000 * row['ttft_s']:8.1f} ms   between tokens "
            f"{between} {watts}   {now() - self.begin:5.0f} of {self.options.budget:g} s")
        return row

    def e2e_of(self, share):
        """Seconds of a request at a share of the highest rate, or more."""
        rows = sorted((row["output_per_s"], row["e2e_s"]) for row in self.rows if (row["loop"], row["mix"]) == ("closed", "main"))
        return next(e2e for rate, e2e in rows if rate >= share * rows[-1][0])

    def holds(self, row):
        objectives = ((self.options.ttft_s, row["ttft_p95_s"]), (self.options.itl_s, row.get("itl_p95_s", 0.0)))
        return all(not limit or value <= limit for limit, value in objectives)

    async def all_closed(self):
        """Twice the load until the rate rises no more, or an objective breaks. The best that holds."""
        best, load = None, 1
        while load <= self.options.max_concurrency:
            row = await self.closed(load)
            if row and not self.holds(row):
                self.notes.append(f"{load} at a time breaks an objective")
                break
            if row and best and row["output_per_s"] < RISES * best["output_per_s"]:
                best = max(best, row, key=lambda known: known["output_per_s"])
                break
            best, load = row or best, 2 * load
        if best is None:
            raise NoMeasurement("no load gave a rate: give a longer --budget, a shorter --output, or objectives that one request keeps")
        return best

    async def measure(self):
        say(f"{self.options.model} at {self.client.address.shown}: requests of {describe(self.main)}, then of {describe(self.second)}, up "
            f"to {self.options.max_concurrency} at a time, for at most {self.options.budget:g} s; no setting is changed")
        idle_begin = now()
        await asyncio.sleep(min(IDLE_S, 0.1 * self.options.budget))
        idle_w = self.meter.watts(idle_begin, now())
        warm = await self.client.learn()
        self.phase_s = (self.left() - 2.0) / PHASES
        tokens_in, tokens_out = (max(pair[i] for pair in self.main) for i in (0, 1))
        self.e2e_s = warm.ttft() * max(1.0, tokens_in / warm.input) + warm.itl() * tokens_out
        best = await self.all_closed()
        open_s = sum(1.5 * self.e2e_of(share) + self.phase_s for share in SHARES)
        for load in sorted({1, max(1, best["load"] // 2), best["load"]}):
            self.e2e_s = next((row["e2e_s"] for row in self.rows if row["load"] == load), best["e2e_s"])
            if self.left() < open_s + max(self.phase_s, (6.0 + 2.0 / load) * self.e2e_s):
                self.notes.append(f"the budget leaves no time for the second mix at {load} at a time")
                say(f"  {self.notes[-1]}")
                break
            await self.closed(load, "second")
        for share in SHARES:
            if self.left() < self.phase_s + 1.5 * self.e2e_of(share):
                self.notes.append(f"the budget ended before {share:.0%} of the highest rate")
                break
            await self.open(share, share * best["output_per_s"] / best["output"])
        return best, idle_w


async def all_of(coroutines):
    """Waits for all; the first fault ends the others."""
    tasks = [asyncio.ensure_future(each) for each in coroutines]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def describe(mix):
    return f"{statistics.fmean(pair[0] for pair in mix):.0f} tokens in, {statistics.fmean(pair[1] for pair in mix):.0f} out"


def read_mix(options):
    """Pairs of tokens in and out: of --mix a line each, as likely as they are frequent."""
    if not options.mix:
        return [(options.input, options.output)]
    try:
        with open(options.mix, encoding="utf-8") as lines:
            pairs = [tuple(int(word) for word in line.replace(",", " ").split()) for line in lines if line.strip()]
    except (OSError, ValueError) as error:
        raise NoMeasurement(f"{options.mix} is no list of tokens in and out, a pair a line: {error}") from None
    if not pairs or any(len(pair) != 2 or pair[0] < 1 or pair[1] < 2 for pair in pairs):
        raise NoMeasurement(f"{options.mix} needs two whole numbers a line: tokens in, 1 or more, and out, 2 or more")
    return pairs


async def identify(run):
    """The model's name and the server's version, as far as the server states them."""
    client, options = run.client, run.options
    models = (await json_of(client.address, client.address.path + "/models", client.key)).get("data") or []
    known = [str(model.get("id")) for model in models if isinstance(model, dict)]
    if not options.model and not known:
        raise NoMeasurement(f"{options.endpoint} names no model: is the server running there? say which with --model")
    if not options.model and len(known) != 1:
        raise NoMeasurement(f"the server names {len(known)} models ({', '.join(known[:5])}); say which with --model")
    options.model = options.model or known[0]
    if known and options.model not in known:
        raise NoMeasurement(f"the server has no model {options.model}; it has {', '.join(known[:5])}")
    server = {"framework": options.framework, "version": options.framework_version}
    for path, framework in (("/version", "vllm"), ("/get_server_info", "sglang"), ("/info", "tgi")):
        version = (await json_of(client.address, path, client.key)).get("version") if not server["version"] else None
        if version:
            server = {"framework": options.framework or framework, "version": str(version)}
    return server


# ---- A hosted model: latencies of few requests

HOSTED_REQUESTS = 40  # at each load; the 95th percentile of fewer is the slowest of them
HOSTED_LOADS = (1, 4)
LIMIT_FIELD = "x-ratelimit-limit-tokens"  # tokens a minute, of OpenAI's API and those that follow it


async def measure_hosted(options):
    """Time to the first token and between tokens of a hosted model, at a load that it doesn't refuse."""
    run = Run(options)
    client, limit, best = run.client, None, None
    await identify(run)
    run.client.extra = {} if options.keep_eos else run.client.extra
    tokens = len(HOSTED_LOADS) * HOSTED_REQUESTS * statistics.fmean(sum(pair) for pair in run.main)
    say(f"{options.model} at {client.address.shown}: {HOSTED_REQUESTS * len(HOSTED_LOADS)} requests of {describe(run.main)}, about "
        f"{tokens:.0f} tokens, which its host bills")
    await client.learn()
    for load in HOSTED_LOADS:
        phase = Phase("closed", load, "main")

        async def work(phase=phase, load=load):
            while len(phase.replies) < HOSTED_REQUESTS and not phase.is_lost() and run.left() > 0:
                phase.replies.append(await client.of(run.main))

        await all_of([work() for _ in range(load)])
        refused = [reply for reply in phase.replies if "answers 429" in reply.error]
        if refused and best:
            run.notes.append(f"{load} at a time are refused (429): {refused[0].error}")
            break
        phase.check()
        done = [reply for reply in phase.replies if not reply.error]
        if len(done) < HOSTED_REQUESTS / 2:
            raise NoMeasurement(f"{len(done)} requests in {options.budget:g} s; {HOSTED_REQUESTS // 2} are needed: give a longer --budget")
        between = sorted(reply.itl() for reply in done if reply.output > 1)
        best = {"load": load, "requests": len(phase.replies), "failed": len(phase.replies) - len(done),
                "ttft_s": percentile(sorted(reply.ttft() for reply in done), 0.95), "itl_s": percentile(between, 0.95),
                "input": statistics.fmean(reply.input for reply in done), "output": statistics.fmean(reply.output for reply in done)}
        say(f"  {phase.name():>15}   first token {1000 * best['ttft_s']:8.1f} ms   between tokens {1000 * best['itl_s']:7.2f} ms   95 %")
    if re.fullmatch(r"\d+", client.headers.get(LIMIT_FIELD, "")):
        limit = int(client.headers[LIMIT_FIELD]) / 60.0
    return {"format": "costcurve measured", "format_version": 1, "kind": "hosted", "date": datetime.date.today().isoformat(),
            "endpoint": options.hosted, "model": options.model, "address": client.address.shown, "seed": options.seed,
            "latency_percentile": 95, "max_units_per_s": limit, "requests": client.sent, "failed": client.failed, "notes": run.notes,
            "phases": [best], "complete": True}


# ---- Training: what a trainer prints of its steps

MAX_SLOW = 0.2  # a share of the steps that may be pauses: checkpoints, evaluations
SLOW = 2.0  # times the first quartile of a step's seconds, from which it is a pause
MIN_CLOCK_S = 100.0  # that clocks of whole seconds are read over: 1 %
AGREES = 1.2  # times, that two ways to the same rate may differ
ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
# Framework, and the line that it prints of a step, or of some: `rate` is tokens/s of a device, `ms` and `s` are of one step.
STEP_LINES = (
    ("torchtitan", re.compile(r"\bstep:\s*(?P<step>\d+)\s.*\btps:\s*(?P<rate>[1-9][\d,]*)\b")),
    ("megatron-lm", re.compile(r"\biteration\s+(?P<step>\d+)/\s*\w+ \|.*\belapsed time per iteration \(ms\): (?P<ms>[\d.]+) \|"
                               r"(?:.*\bglobal batch size:\s*(?P<samples>\d+) \|)?")),
    ("nemo", re.compile(r"(?:\bglobal_batch_size: (?P<samples>\d+) .*)?\bglobal_step[=:] ?(?P<step>[\d.e+]+)\b.*"
                        r"\btrain_step_timing in s[=:] ?(?P<s>[\d.]+)")),
    ("nanogpt", re.compile(r"\biter (?P<step>\d+): loss [^,]+, time (?P<ms>[\d.]+)ms, mfu ")),
    ("transformers", re.compile(r"\s(?P<step>\d+)/(?P<all>\d+) \[(?P<clock>(?:\d+:)?\d+:\d\d)<")),
)
# What they print once.
HEADERS = (
    ("tokens_per_step", re.compile(r"\btokens per iteration will be: ([\d,]+)")),
    ("samples", re.compile(r"^\s*(?:\[?\w+\]?: ?)?global_batch_size \.+ (\d+)|\bglobal batch size (\d+), gradient accumulation")),
    ("sequence", re.compile(r"^\s*(?:\[?\w+\]?: ?)?seq_length \.+ (\d+)|\bgradient accumulation steps \d+, sequence length (\d+)")),
    ("devices", re.compile(r"^\s*(?:\[?\w+\]?: ?)?world_size \.+ (\d+)")),
    ("card", re.compile(r"\bCUDA capacity: (.+) with [\d.]+GiB memory")),
)
CLOCK_KEYS = ("elapsed_time", "_runtime", "elapsed")  # of lines that are a dictionary
STEP_KEYS = ("step", "current_steps", "global_step", "_step")
TOKEN_KEYS = ("total_tokens", "num_input_tokens_seen", "num_tokens")


class Step:
    """A line of a trainer about a step, or about the steps since the line before."""

    def __init__(self, number, at):
        self.number, self.at, self.steps = number, at, 1  # the steps that it is of
        self.seconds = self.rate = self.clock = self.tokens = self.samples = self.tokens_per_step = None
        self.wall = None  # of a line that begins with its time


def seconds_of_clock(value):
    """Of 1:02:03, 02:03 or a number of seconds; None of anything else."""
    if isinstance(value, str) and (parts := re.fullmatch(r"(?:(?:(\d+) days?, )?(\d+):)?(\d+):(\d\d)", value)):
        days, hours, minutes, seconds = (int(part or 0) for part in parts.groups())
        return 86400.0 * days + 3600.0 * hours + 60.0 * minutes + seconds
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def dictionary_of(line):
    """Of a line that is one in JSON or as Python prints it."""
    begin, end = line.find("{"), line.rfind("}")
    if begin < 0 or end < begin or len(line) > 100000:
        return {}
    for read in (json.loads, ast.literal_eval):
        try:
            found = read(line[begin:end + 1])
            return found if isinstance(found, dict) else {}
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            pass
    return {}


def first_of(known, keys):
    return next((known[key] for key in keys if isinstance(known.get(key), (int, float, str))), None)


class Log:
    """The lines of a trainer: steps by the framework that prints such lines, and what it says of itself."""

    def __init__(self):
        self.steps, self.said, self.whole_run = {}, {}, False
        self.bar = self.trainer = None  # the last bar of progress, and the one that losses are printed beside

    def read(self, line, at):
        line = ANSI.sub("", line)
        for name, pattern in HEADERS:
            if name not in self.said and (found := pattern.search(line)):
                self.said[name] = next(group for group in found.groups() if group).replace(",", "").strip()
        for framework, pattern in STEP_LINES:
            if found := pattern.search(line):
                groups = found.groupdict()
                self.bar = (framework, groups["all"]) if "all" in groups else self.bar
                self.add(self.bar if "all" in groups else framework, self.step_of(groups, line, at))
                break
        known = dictionary_of(line) if "{" in line else {}
        self.whole_run = self.whole_run or "train_runtime" in known
        self.trainer = self.bar if "loss" in known else self.trainer
        number, clock = first_of(known, STEP_KEYS), seconds_of_clock(first_of(known, CLOCK_KEYS))
        if isinstance(number, int) and clock is not None:
            step = Step(number, at)
            tokens = first_of(known, TOKEN_KEYS)
            step.clock, step.tokens = clock, tokens if isinstance(tokens, (int, float)) else None
            self.add("json", step)

    @staticmethod
    def step_of(groups, line, at):
        step = Step(round(float(groups["step"])), at)
        step.rate = float(groups["rate"].replace(",", "")) if groups.get("rate") else None
        step.seconds = float(groups["s"]) if groups.get("s") else float(groups["ms"]) / 1000 if groups.get("ms") else None
        step.samples = int(groups["samples"]) if groups.get("samples") else None
        step.clock = (at or seconds_of_clock(groups["clock"])) if groups.get("clock") else None
        if found := re.search(r"\b(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:[,.](\d{3}))?", line):
            moment = datetime.datetime.fromisoformat(f"{found[1]} {found[2]}")
            step.wall = (moment - datetime.datetime(1970, 1, 1)).total_seconds() + int(found[3] or 0) / 1000
        return step

    def add(self, kind, step):
        """Of lines of one step, as each rank prints one, the last; of clocks the first. A step that goes back begins anew."""
        rows = self.steps.setdefault(kind, [])
        if rows and step.number < rows[-1].number:
            rows.clear()
        if not rows or step.number > rows[-1].number:
            rows.append(step)
        elif step.clock is None:
            rows[-1] = step

    def found(self):
        """The framework of the most exact lines, and its steps."""
        bars = {kind: rows for kind, rows in self.steps.items() if isinstance(kind, tuple)}
        if self.trainer is None and bars:
            self.trainer = max(bars, key=lambda kind: bars[kind][-1].clock - bars[kind][0].clock)
        for kind in (*[name for name, _ in STEP_LINES[:-1]], "json", self.trainer):
            if len(self.steps.get(kind, [])) > MIN_ENDED:
                return kind[0] if isinstance(kind, tuple) else kind, thinned(self.steps[kind])
        if self.whole_run:
            raise NoMeasurement("the log states the time of the whole run alone (train_runtime), warm-up and evaluations in it: keep its "
                                "bar of progress too (2>&1), or run it by --log -- COMMAND")
        raise NoMeasurement(f"fewer than {MIN_ENDED + 1} lines of steps are in it; those of torchtitan, Megatron-LM, NeMo, nanoGPT, the "
                            "bar of progress of Transformers' Trainer, and JSON lines with step and elapsed_time are read")


def is_whole(rows):
    return all(row.clock is not None and row.clock == int(row.clock) for row in rows)


def thinned(rows):
    """Of rows with a clock those that are so far apart that it tells their paces; the others as they are."""
    if rows[0].clock is None:
        return rows
    apart, kept = (10.0 if is_whole(rows) else 1.0), rows[:1]
    for row in rows[1:]:
        if row.clock >= kept[-1].clock + apart or row.clock < kept[-1].clock:
            kept.append(row)
    return kept


class Training:
    """The figures of a run: steps behind the warm-up, without its pauses."""

    def __init__(self, log, options):
        self.options, self.notes, self.log = options, [], log
        self.framework, rows = log.found()
        for before, row in zip(rows, rows[1:]):
            row.steps = row.number - before.number
            if row.clock is not None:
                row.seconds = (row.clock - before.clock) / row.steps
            if row.tokens is not None and before.tokens is not None:
                row.tokens_per_step = (row.tokens - before.tokens) / row.steps
        begin = rows[0].number - rows[1].steps if len(rows) > 1 else 0
        self.rows = [row for row in rows[1:] if row.number - row.steps >= begin + options.warm_up_steps]
        if len(self.rows) < MIN_ENDED:
            raise NoMeasurement(f"{len(rows)} lines of steps, and {len(self.rows)} behind the first {options.warm_up_steps} steps; "
                                f"{MIN_ENDED} are needed: let it run longer, or log more often (--warm-up-steps)")

    def stated(self, name, option, text):
        """What the option or the log says; a contradiction is no measurement."""
        said = int(self.log.said[name]) if name in self.log.said else None
        if option and said and option != said:
            raise NoMeasurement(f"{text} is {option}, and the log states {said}: which run is it?")
        return option or said

    def tokens_per_step(self, sequence):
        samples = {row.samples for row in self.rows if row.samples}
        if len(samples) > 1:
            raise NoMeasurement(f"the samples of a step change from {min(samples)} to {max(samples)} in it: measure where they don't")
        batch = samples.pop() if samples else self.stated("samples", None, "")
        counted = [row.tokens_per_step for row in self.rows if row.tokens_per_step]
        said = (batch * sequence if batch else None) or self.stated("tokens_per_step", None, "") or (
            statistics.fmean(counted) if counted else None)
        option = self.options.tokens_per_step
        if option and said and abs(option / said - 1) > 0.02:
            raise NoMeasurement(f"--tokens-per-step is {option}, and the log's are {said:.0f}: which run is it?")
        return option or said

    def without_pauses(self):
        def pace(row):
            return row.seconds if row.rate is None else 1.0 / row.rate

        if any(pace(row) is None or pace(row) < 0 for row in self.rows):
            raise NoMeasurement("its clock runs backwards: measure again when it is steady")
        usual = statistics.quantiles((pace(row) for row in self.rows), n=4)[0]
        steady = [row for row in self.rows if pace(row) <= SLOW * usual]
        if usual <= 0 or len(self.rows) - len(steady) > MAX_SLOW * len(self.rows):
            raise NoMeasurement(f"{len(self.rows) - len(steady)} of {len(self.rows)} lines are of steps that take over {SLOW:g} times as "
                                "long as the quick ones: the run has no steady rate")
        if len(steady) < len(self.rows):
            self.notes.append(f"{len(self.rows) - len(steady)} of {len(self.rows)} lines are left out as pauses (checkpoints, evaluations)")
        return steady

    def facts(self, meter, seen):
        options, said = self.options, self.log.said
        sequence = self.stated("sequence", options.sequence, "--sequence")
        devices = self.stated("devices", options.devices, "--devices") or (meter.count() if meter else None)
        device = options.device or said.get("card", "") or (meter.card.get("name", "") if meter else "")
        for value, option, what in ((device, "--device", "the card"), (devices, "--devices", "how many devices train"),
                                    (sequence, "--sequence", "the tokens of a sample")):
            if not value:
                raise NoMeasurement(f"the log doesn't state {what}; give {option}")
        rows, tokens = self.without_pauses(), self.tokens_per_step(sequence)
        steps = sum(row.steps for row in rows)
        if rows[0].rate is not None:  # each line is of as many tokens as it has steps
            tokens_per_s = devices * steps / sum(row.steps / row.rate for row in rows)
            seconds = steps * tokens / tokens_per_s if tokens else None
            self.compare(tokens_per_s, tokens)
        else:
            seconds = sum(row.seconds * row.steps for row in rows)
            if not tokens:
                raise NoMeasurement("the log doesn't state the tokens of a step; give --tokens-per-step, sequence times global batch")
            if is_whole(rows) and seconds < MIN_CLOCK_S:
                raise NoMeasurement(f"its clock of whole seconds runs {seconds:.0f} s behind the warm-up; {MIN_CLOCK_S:.0f} are needed")
            tokens_per_s = tokens * steps / seconds
        row = {"sequence": sequence, "tokens_per_s": tokens_per_s, "steps": steps, "lines": len(rows)}
        row.update({name: value for name, value in (("tokens_per_step", tokens), ("seconds", seconds)) if value})
        watts = meter.watts(rows[0].at, rows[-1].at) if meter else None
        if watts is not None and meter.count() == devices:
            row.update(watts=watts)
        elif watts is not None:
            self.notes.append(f"watts are of {meter.count()} cards and {devices} train: they are left out")
        return {"format": "costcurve measured", "format_version": 1, "kind": "training", "date": options.date or seen,
                "model": options.model, "framework": options.framework or {"json": ""}.get(self.framework, self.framework),
                "version": options.framework_version, "precision": options.precision, "device": device, "devices": devices,
                "method": options.method, "card": meter.card if meter else {}, "warm_up_steps": options.warm_up_steps,
                "notes": self.notes, "phases": [row], "complete": True}

    def compare(self, tokens_per_s, tokens):
        """Rates that a log states against its steps and the times of its lines."""
        rows = [row for row in self.rows if row.wall is not None]
        if not tokens or len(rows) < MIN_ENDED or rows[-1].wall - rows[0].wall < 10.0:
            return
        paces = sorted((b.wall - a.wall) / b.steps for a, b in zip(rows, rows[1:]))
        by_times = tokens / paces[len(paces) // 2]
        if not 1 / AGREES < by_times / tokens_per_s < AGREES:
            raise NoMeasurement(f"the log states {tokens_per_s:.0f} tokens/s of all devices, and its steps and times come "
                                f"to {by_times:.0f}: are --devices, --sequence and --tokens-per-step right?")


def pieces_of_lines(read):
    """Lines, and those of bars of progress (CR); what has no end is cut off, and left out."""
    rest = b""
    while piece := read(1 << 16):
        parts = re.split(rb"[\r\n]", rest + piece)
        rest = parts.pop()[-(1 << 20):]
        for part in parts:
            yield part.decode("utf-8", "replace")


def read_log(options):
    log = Log()
    try:
        with open(options.log, "rb") as file:
            for line in pieces_of_lines(file.read):
                log.read(line, 0.0)
        seen = datetime.date.fromtimestamp(os.path.getmtime(options.log)).isoformat()
    except OSError as error:
        raise NoMeasurement(f"{options.log} can't be read: {error.strerror}") from None
    training = Training(log, options)
    last = training.rows[-1].wall
    return training.facts(None, datetime.date.fromordinal(719163 + int(last // 86400)).isoformat() if last else seen)


async def run_trainer(options, command):
    """Runs the command, shows what it prints, and reads it."""
    log, meter, rest = Log(), Meter(options), b""
    begin, wall = now(), wall_clock()
    try:
        try:
            await meter.start(True)
            trainer = await asyncio.create_subprocess_exec(*command, stdout=-1, stderr=-2)
        except (Failed, OSError) as error:
            raise NoMeasurement(f"{command[0]} can't be run: {error}") from None
        while piece := await trainer.stdout.read(1 << 16):
            sys.stderr.write(piece.decode("utf-8", "replace"))
            parts = re.split(rb"[\r\n]", rest + piece)
            rest = parts.pop()[-(1 << 20):]
            for part in parts:
                log.read(part.decode("utf-8", "replace"), now())
        if status := await trainer.wait():
            raise NoMeasurement(f"{command[0]} ended with status {status}")
        if abs(wall_clock() - wall - (now() - begin)) > 1.0 + 0.01 * (now() - begin):
            raise NoMeasurement("the clock jumped while it ran: measure again when it is steady")
        return Training(log, options).facts(meter if meter.count() else None, datetime.date.today().isoformat())
    finally:
        meter.stop()


def parse(words):
    parser = argparse.ArgumentParser(prog="measure.py", description="Measures a served language model; writes the facts into one file.")
    add = parser.add_argument
    add("--endpoint", help="of the server, such as http://127.0.0.1:8000/v1")
    add("--log", nargs="?", const="", help="what a trainer printed, in place of an endpoint; without a file, what the command behind -- prints")
    add("--model", default="", help="the name that the server knows it by; its only one where absent")
    add("--hosted", help="the id of a stored endpoint, in place of a card: its latencies are measured, by few requests that are billed")
    add("--precision", choices=("bf16", "fp16", "fp8", "int8", "fp4", "int4"), help="of the weights; needed but for --hosted")
    add("--input", type=whole, default=1000, help="tokens in of a request [1000]")
    add("--output", type=whole, default=300, help="tokens out of a request [300]")
    add("--mix", help="a file of requests in their place: tokens in and out, a pair a line")
    add("--metrics", help="the page of DCGM's exporter, such as http://127.0.0.1:9400/metrics; nvidia-smi of this host where absent")
    add("--gpus", help="the cards that serve, by their numbers, such as 0,1; all where absent")
    add("--device", default="", help="the card's name, where it can't be read, such as H100")
    add("--devices", type=whole, help="how many cards serve; those that can be read where absent")
    add("--framework", default="", help="of the server, where it doesn't state it: vllm, sglang, tgi, llama.cpp")
    add("--framework-version", default="", help="of the framework")
    add("--budget", type=seconds_of, default=600.0, help="time in all, such as 90s, 10m or 1h [10m]")
    add("--timeout", type=float, default=120.0, help="seconds of a request, after which it has failed [120]")
    add("--max-concurrency", type=whole, default=1024, help="requests at a time, at most [1024]")
    add("--ttft-s", type=float, help="objective: the 95th percentile of the time to the first token, at most")
    add("--itl-s", type=float, help="objective: the 95th percentile of the time between tokens, at most")
    add("--api-key-env", "--key-env", default="OPENAI_API_KEY", help="the environment variable with the server's key [OPENAI_API_KEY]")
    add("--ca-file", help="certificates that the server's is checked by")
    add("--keep-eos", action="store_true", help="let answers end where the model ends them")
    add("--seed", type=int, default=1, help="of the prompts and of the times between requests [1]")
    add("--out", default="measured.json", help="the file to write [measured.json]")
    add("--sequence", type=whole, help="of training: tokens of a sample, where the log doesn't state them")
    add("--tokens-per-step", type=whole, help="of training: tokens of a step of all devices, where the log doesn't state them")
    add("--method", choices=("full", "lora"), default="full", help="of training: all parameters, or low-rank adapters [full]")
    add("--warm-up-steps", type=whole_or_none, default=10, help="of training: steps that are left out at its beginning [10]")
    add("--date", type=day_of, help="of training: of the run; the log's last change where absent")
    ends = words.index("--") if "--" in words else len(words)
    options, options.command = parser.parse_args(words[:ends]), words[ends + 1:]
    if (options.endpoint is None) == (options.log is None):
        parser.error("give --endpoint, or --log of a training run")
    if (options.precision is None) == (options.hosted is None) or (options.hosted and not options.endpoint):
        parser.error("give --precision, or --endpoint and --hosted of a hosted model")
    if options.log is not None and (not options.model or bool(options.log) == bool(options.command)):
        parser.error("with --log give --model, and a file or, behind --, a command")
    if options.command and options.log is None:
        parser.error("a command is run with --log")
    return options


def whole(text, least=1):
    if not re.fullmatch(r"\d{1,15}", text) or int(text) < least:
        raise argparse.ArgumentTypeError(f"give a whole number from {least}")
    return int(text)


def whole_or_none(text):
    return whole(text, 0)


def day_of(text):
    try:
        return datetime.date.fromisoformat(text).isoformat()
    except ValueError:
        raise argparse.ArgumentTypeError("give a day that exists, as YYYY-MM-DD") from None


def seconds_of(text):
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text)
    seconds = float(found[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[found[2]] if found else 0.0
    if not 5.0 <= seconds <= 86400.0:
        raise argparse.ArgumentTypeError("give 5s to 24h, such as 10m")
    return seconds


async def measure(options):
    """The facts of a whole run."""
    run = Run(options)
    server = await identify(run)
    run.client.extra = {} if options.keep_eos else run.client.extra
    try:
        try:
            await run.meter.start(run.client.address.host in ("127.0.0.1", "localhost", "::1"))
        except Failed as error:
            raise NoMeasurement(str(error)) from None
        card, count = run.meter.card, run.meter.count()
        device, devices = options.device or card.get("name", ""), options.devices or count or 1
        if not device:
            raise NoMeasurement("no card can be read here; name it, such as --device H100, and with --devices how many serve; of a hosted "
                                "API, --hosted with the id of its endpoint")
        best, idle_w = await run.measure()
    finally:
        run.meter.stop()
    watts_fit = count in (0, devices)
    if not watts_fit:
        run.notes.append(f"watts are of {count} cards and {devices} serve: they are left out; name those that serve with --gpus")
        for row in run.rows:
            row.pop("watts", None)
            row.pop("joules", None)
    return {"format": "costcurve measured", "format_version": 1, "date": datetime.date.today().isoformat(), "model": options.model, **server,
            "precision": options.precision, "device": device, "devices": devices, "card": card, "seed": options.seed,
            "loaded_idle_w": idle_w if watts_fit else None, "highest_output_per_s": best["output_per_s"],
            "requests": run.client.sent, "failed": run.client.failed, "notes": run.notes, "phases": run.rows, "complete": True}


def main(words):
    options = parse(words)
    try:
        facts = read_log(options) if options.log else asyncio.run(
            run_trainer(options, options.command) if options.command else
            measure_hosted(options) if options.hosted else measure(options))
        with open(options.out + ".part", "w", encoding="utf-8") as file:
            json.dump(facts, file, indent=1)
            file.write("\n")
        os.replace(options.out + ".part", options.out)
    except NoMeasurement as error:
        say(f"no measurement: {error}")
        return 2
    except (Failed, OSError) as error:
        say(f"no measurement: {error}")
        return 1
    except KeyboardInterrupt:
        say("no measurement: it was interrupted")
        return 1
    row = facts["phases"][0]
    what = (f"{len(facts['phases'])} phases, {facts['requests']} requests, {facts['failed']} failed" if options.log is None else
            "; ".join([f"{row['tokens_per_s']:.1f} tokens/s of {facts['devices']} devices over {row['steps']} steps", *facts["notes"]]))
    say(f"{options.out}: {what}; costcurve import measured {options.out} stores it")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
