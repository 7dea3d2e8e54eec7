"""Logs of trainers: steps at a known pace, in the lines that each prints, and logs that are no measurement.

usage: python3 tests/measure/training_log_test.py REPOSITORY [unittest options]
"""
import contextlib
import datetime
import importlib.util
import io
import json
import pathlib
import random
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv[1])
SEED = random.SystemRandom().randrange(10 ** 6)


def load():
    spec = importlib.util.spec_from_file_location("measure", ROOT / "deploy/measure/measure.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


measure = load()


def torchtitan(pace, last=200, tps=1.0, every=10):
    """Its own rate is of a device; 8 of them, a step of 8 samples of 8,192 tokens takes `pace` seconds; the first are slow."""
    at = datetime.datetime(2026, 11, 20, 10)
    prefix = "[rank0]:[titan] {} - root - INFO - "
    lines = [prefix.format("2026-11-20 09:59:00,100") + "CUDA capacity: NVIDIA H100 80GB HBM3 with 79.10GiB memory",
             prefix.format("2026-11-20 09:59:01,100") + "Trainer is initialized with local batch size 1, global batch size 8, "
             "gradient accumulation steps 1, sequence length 8192, total steps 1000 (warmup 200)"]
    for step in [1, *range(every, last + 1, every)]:
        seconds = 5 * pace if step == 1 else pace
        at += datetime.timedelta(seconds=seconds * (1 if step == 1 else every - (step == every)))
        stamp = f"{at:%Y-%m-%d %H:%M:%S},{at.microsecond // 1000:03d}"
        lines.append(prefix.format(stamp) + f"\x1b[31mstep: {step:2}  \x1b[32mloss:  7.7499  \x1b[38;2;180;60;0mgrad_norm:  "
                     f"1.2642  \x1b[36mmemory: 52.53GiB(66.33%)  \x1b[34mtps: {round(tps * 8192 / seconds):,}  \x1b[36mtflops: "
                     "208.71  \x1b[35mmfu: 21.10%\x1b[39m")
    return lines


def megatron(pace, batch=lambda step: 64):
    lines = ["  global_batch_size ............................... 64"] * (batch(0) == 64)
    lines += ["  seq_length ...................................... 4096", "  world_size ...................................... 8"]
    for step in range(10, 201, 10):
        milliseconds = 1000 * pace * (3 if step == 10 else 1)
        lines.append(f" [2026-11-20 23:41:12] iteration {step:8d}/    1000 | consumed samples: {64 * step:12d} | elapsed time "
                     f"per iteration (ms): {milliseconds:.1f} | throughput per GPU (TFLOP/s/GPU): 400.1 | learning rate: 1.0E-05 | "
                     f"global batch size: {batch(step):5d} | lm loss: 7.399415E+00 | loss scale: 1.0 | grad norm: 2.918 | "
                     "number of skipped iterations:   0 | number of nan iterations:   0 |")
    return lines


def nemo(pace):
    return [f"retraining/0 Training epoch 0, iteration {step}/99 | lr: 1.469e-05 | global_batch_size: 128 | global_step: {step} | "
            f"reduced_train_loss: 6.265 | train_step_timing in s: {pace * (5 if step == 0 else 1):.4g} | consumed_samples: "
            f"{128 * step + 128}" for step in range(60)]


def nemo_bar(pace):
    return ["Epoch 0: :  10%|█  | " + f"{step}/100 [{step // 60:02d}:{step % 60:02d}<07:13, reduced_train_loss=11.50, "
            f"global_step={step:.3f}, consumed_samples={128.0 * step:.1f}, train_step_timing in s={pace:.4g}]"
            for step in range(1, 60)]


def nanogpt(pace):
    lines = ["tokens per iteration will be: 491,520"]
    return lines + [f"iter {step}: loss 10.9812, time {1000 * pace * (20 if step == 0 else 1):.2f}ms, mfu 48.10%"
                    for step in range(0, 201, 10)]


def bar_of(step, count, seconds):
    clock = f"{int(seconds) // 60:02d}:{int(seconds) % 60:02d}"
    return f" {100 * step // count:3d}%|███   | {step}/{count} [{clock}<05:51,  1.17s/it]"


def transformers(pace):
    """A bar of the data's preparation that runs longer, the trainer's, and its losses as Python prints them."""
    lines, seconds = [bar_of(step, 5000, step / 5) for step in range(0, 5001, 50)], 0.0
    for step in range(1, 401):
        seconds += 7 * pace if step == 1 else pace
        lines.append(bar_of(step, 400, seconds))
        if step % 50 == 0:
            lines.append(f"{{'loss': 1.2345, 'grad_norm': 0.53, 'learning_rate': 1e-05, 'epoch': 0.1}}{bar_of(step, 400, seconds)}")
    return lines + ["{'train_runtime': 357.8, 'train_samples_per_second': 6.8, 'train_steps_per_second': 0.84, 'epoch': 1.0}"]


def json_lines(pace):
    return [json.dumps({"current_steps": step, "total_steps": 800, "loss": 1.1, "total_tokens": 16384 * step,
                        "elapsed_time": str(datetime.timedelta(seconds=int(4 + pace * step)))}) for step in range(5, 801, 5)]


class LogCase(unittest.TestCase):
    def run_log(self, lines, *options, model="llama-3.1-8b", ending="\n", written=True):
        """Status, what was said, and the file's facts; None where there is none."""
        with tempfile.TemporaryDirectory() as folder:
            log, out, said = pathlib.Path(folder) / "log", pathlib.Path(folder) / "out.json", io.StringIO()
            if written:
                log.write_text("\n".join(lines) + ending, encoding="utf-8")
            with contextlib.redirect_stderr(said):
                status = measure.main(["--log", str(log), "--precision", "bf16", "--model", model, "--out", str(out), *options])
            return status, said.getvalue(), json.loads(out.read_text()) if out.exists() else None

    def refused(self, sentence, lines, *options, **more):
        status, said, facts = self.run_log(lines, *options, **more)
        self.assertIn(sentence, said)
        self.assertRegex(said.splitlines()[-1], "^no measurement: ")
        self.assertEqual((2, None), (status, facts))


class Paces(LogCase):
    def test_each_trainers_lines_give_its_pace(self):
        draw = random.Random(SEED)
        trainers = (
            (torchtitan, ["--devices", "8"], 65536, "torchtitan"),
            (megatron, ["--device", "H100"], 64 * 4096, "megatron-lm"),
            (nemo, ["--device", "H100", "--devices", "16", "--sequence", "8192"], 128 * 8192, "nemo"),
            (nemo_bar, ["--device", "H100", "--devices", "16", "--sequence", "8192", "--tokens-per-step", "1048576"], 1 << 20,
             "nemo"),
            (nanogpt, ["--device", "A100", "--devices", "8", "--sequence", "1024"], 491520, "nanogpt"),
            (transformers, ["--device", "H100", "--devices", "2", "--sequence", "2048", "--tokens-per-step", "16384"], 16384,
             "transformers"),
            (json_lines, ["--device", "H100", "--devices", "2", "--sequence", "2048"], 16384, ""),
        )
        for trainer, options, tokens, framework in trainers:
            pace = draw.uniform(0.8, 2.0)
            with self.subTest(trainer=trainer.__name__, seed=SEED):
                status, said, facts = self.run_log(trainer(pace), *options)
                self.assertEqual(0, status, said)
                row, = facts["phases"]
                self.assertLess(abs(row["tokens_per_s"] * pace / tokens - 1), 0.005)
                self.assertEqual(tokens, row["tokens_per_step"])
                self.assertEqual((framework, []), (facts["framework"], facts["notes"]))

    def test_what_the_log_states_needs_no_option(self):
        _, _, facts = self.run_log(torchtitan(1.1), "--devices", "8")
        self.assertEqual(("NVIDIA H100 80GB HBM3", 8, "2026-11-20", 8192),
                         (facts["device"], facts["devices"], facts["date"], facts["phases"][0]["sequence"]))
        self.assertEqual(190, facts["phases"][0]["steps"])  # of 200

    def test_pauses_are_left_out_and_named(self):
        lines = torchtitan(1.1)
        lines[12] = torchtitan(6.0)[12]
        _, said, facts = self.run_log(lines, "--devices", "8", "--tokens-per-step", "65536")
        self.assertLess(abs(facts["phases"][0]["tokens_per_s"] * 1.1 / 65536 - 1), 0.005)
        self.assertIn("1 of 19 lines are left out as pauses", said)

    def test_a_line_that_is_cut_off_is_left_out(self):
        lines = megatron(4.4)
        cut = lines[-1][:lines[-1].index("elapsed") + len("elapsed time per iteration (ms): 4")]
        for ending in ("", "\n"):
            _, _, facts = self.run_log([*lines[:-1], cut], "--device", "H100", ending=ending)
            self.assertEqual(180, facts["phases"][0]["steps"])
        _, _, facts = self.run_log([*nanogpt(1.0), "iter 210: loss 10.9812, time 1000.00ms, mfu 48."], "--device", "H100",
                                   "--devices", "1", "--sequence", "1024", ending="")
        self.assertEqual(200, facts["phases"][0]["steps"])

    def test_a_restart_begins_anew(self):
        _, _, facts = self.run_log([*nemo(9.0), *nemo(2.0)], "--device", "H100", "--devices", "8", "--sequence", "4096")
        self.assertEqual(128 * 4096 / 2, facts["phases"][0]["tokens_per_s"])

    def test_a_command_is_run_and_read(self):
        program = "print('tokens per iteration will be: 491,520')\n" \
                  "for i in range(0, 101, 10): print(f'iter {i}: loss 3.0, time 500.00ms, mfu 40.00%')"
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()) as said:
            out = pathlib.Path(folder) / "out.json"
            words = ["--log", "--precision", "bf16", "--model", "gpt2", "--device", "H100", "--devices", "1", "--sequence", "1024",
                     "--out", str(out), "--", sys.executable, "-c"]
            self.assertEqual(0, measure.main([*words, program]), said.getvalue())
            self.assertEqual(983040, json.loads(out.read_text())["phases"][0]["tokens_per_s"])
            out.unlink()
            self.assertEqual(2, measure.main([*words, program + "\nraise SystemExit(3)"]))
            self.assertIn("ended with status 3", said.getvalue())
            self.assertEqual(2, measure.main([*words[:-2], "/no/such/trainer"]))
            self.assertIn("can't be run", said.getvalue())
            self.assertFalse(out.exists())


class Wrong(LogCase):
    def test_each_ends_with_a_sentence_and_no_file(self):
        card = ["--device", "H100", "--devices", "8"]
        sized = [*card, "--sequence", "4096"]
        self.refused("can't be read", [], *sized, written=False)
        self.refused("fewer than 6 lines of steps", ["hello"] * 100, *sized)
        self.refused("behind the first 10 steps", nemo(2.0)[:12], *sized)
        self.refused("the time of the whole run alone", ["{'loss': 1.2}", transformers(1.0)[-1]], *sized)
        self.refused("doesn't state the card", megatron(4.0))
        self.refused("doesn't state how many devices train", nemo(2.0), "--device", "H100", "--sequence", "4096")
        self.refused("doesn't state the tokens of a sample", nemo(2.0), *card)
        self.refused("doesn't state the tokens of a step", nemo_bar(2.0), *sized)
        self.refused("the log states 8: which run", megatron(4.0), "--device", "H100", "--devices", "16")
        self.refused("the log states 4096: which run", megatron(4.0), *card, "--sequence", "8192")
        self.refused("--tokens-per-step is 1000,", megatron(4.0), *card, "--tokens-per-step", "1000")
        self.refused("change from 64 to 128", megatron(4.0, lambda step: 64 if step < 100 else 128), *card)
        self.refused("its steps and times come to", torchtitan(1.1), "--devices", "16")
        self.refused("its steps and times come to", torchtitan(1.1, tps=3.0), "--devices", "8")
        self.refused("fewer than 6 lines of steps", torchtitan(1.1, tps=0.0), "--devices", "8")
        self.refused("no steady rate", [line for pair in zip(nemo(2.0)[::2], nemo(5.0)[1::2]) for line in pair], *sized)
        self.refused("runs backwards", [json.dumps({"step": step, "elapsed_time": 5000.5 - 20 * step}) for step in range(60)],
                     *sized, "--tokens-per-step", "4096")
        self.refused("100 are needed", [bar_of(step, 60, step) for step in range(61)], *sized, "--tokens-per-step", "4096")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
