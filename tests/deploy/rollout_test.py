"""The manifests at work, without a cluster: each pod is a process with the command, arguments and variables of its manifest, on a
PostgreSQL with the roles of docs/scaling.md. Probes, preStop and the grace period are carried out as Kubernetes would, in shorter
times. A rollout and a drained node fail no request.

usage: rollout_test.py COSTCURVE REPOSITORY [unittest options]
"""

import contextlib
import http.client
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "support"))

# pylint: disable=wrong-import-position
import containerfile  # noqa: E402
import postgres  # noqa: E402
import skips  # noqa: E402
from load import ALWAYS, Asker, Poster, Putter, Reader  # noqa: E402
from proxy import free_ports  # noqa: E402

try:
    import yaml
except ImportError:
    skips.end(skips.why("python3-yaml"))

ROOT = TESTS.parent
BINARY = ""
PATIENCE_S = 60
FASTER = 4  # than the periods of probes and pauses of the manifests
HOST = "costs.example"  # what an Ingress passes on


def manifest(name):
    (document,) = yaml.safe_load_all((ROOT / "deploy/kubernetes" / name).read_text(encoding="utf-8"))
    return document


def container_of(name):
    (container,) = manifest(name)["spec"]["template"]["spec"]["containers"]
    return container


class Pod:
    """A container of a manifest as a process; of a daemon `port` takes the place of its port, as all have one address here."""

    def __init__(self, name, image, secret, port=None):
        self.container, self.port = container_of(name), port
        variables = {variable["name"]: secret[variable["valueFrom"]["secretKeyRef"]["key"]] for variable in self.container["env"]}
        self.variables = {"PATH": f"{image['bin']}:/usr/bin:/bin", **dict(row.split("=", 1) for row in image["Env"]), **variables}
        words = [*self.container.get("command", image["Entrypoint"]), *self.container.get("args", [])]
        if port:
            words[words.index("--port") + 1] = str(port)
        self.process = subprocess.Popen(words, env=self.variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def execute(self, *words):
        """As `kubectl exec`: what it prints."""
        done = subprocess.run(words, env=self.variables, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        if done.returncode != 0:
            raise AssertionError(f"{words}: {done.stderr}")
        return done.stdout.strip()

    def answers(self, probe):
        """Whether a probe of its container succeeds now."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        try:
            connection.request("GET", self.container[probe]["httpGet"]["path"])
            return 200 <= connection.getresponse().status < 400
        except OSError:
            return False
        finally:
            connection.close()

    def wait_until(self, probe):
        """As often as the manifest allows."""
        settings = self.container[probe]
        for _ in range(settings["failureThreshold"] * FASTER):
            if self.process.poll() is not None:
                raise AssertionError(f"the daemon ended with {self.process.returncode}")
            if self.answers(probe):
                return
            time.sleep(settings["periodSeconds"] / FASTER)
        raise AssertionError(f"{probe} fails")

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


class Service:
    """Connections to the daemons that are ready, each to any of them, with a key."""

    def __init__(self, key):
        self.key, self.ports, self.chance = key, [], random.Random(1)

    def connect(self):
        service = self

        class WithKey(http.client.HTTPConnection):
            def request(self, method, url, body=None, headers=None, **rest):
                named = {"Host": HOST, "Authorization": f"Bearer {service.key}", **(headers or {})}
                super().request(method, url, body, named, **rest)
        return WithKey("127.0.0.1", self.chance.choice(self.ports), timeout=PATIENCE_S)


class Rollout(unittest.TestCase):
    def setUp(self):
        self.stack = contextlib.ExitStack()
        self.addCleanup(self.stack.close)
        self.cluster = self.stack.enter_context(postgres.Cluster())
        folder = pathlib.Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "costcurve").symlink_to(BINARY)
        stage = containerfile.stages((ROOT / "deploy/Containerfile").read_text(encoding="utf-8"))[-1]
        self.image = {**containerfile.settings(stage), "bin": folder}
        self.make_roles()
        self.secret = {"url": self.cluster.url("service", "service"), "owner_url": self.cluster.url("service", "service_owner")}

    def make_roles(self):
        """By the statements of docs/scaling.md, for a database `service`, as the server's first role is named costcurve."""
        page = (ROOT / "docs/scaling.md").read_text(encoding="utf-8")
        block = re.search(r"Make the database and its roles:\n\n((?: {7}.*\n)+)", page)[1]
        statements = re.sub(r"\bcostcurve(_owner)?\b", r"service\1", block.replace("'…'", "'secret'"))
        done = self.cluster.run("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", self.cluster.url("postgres"), input=statements)
        self.assertEqual(done.returncode, 0, done.stderr)

    def pod(self, name, port=None):
        pod = Pod(name, self.image, self.secret, port)
        self.stack.callback(pod.end)
        return pod

    def daemon(self):
        """Started, and ready."""
        (port,) = free_ports(1)
        pod = self.pod("deployment.yaml", port)
        pod.wait_until("startupProbe")
        pod.wait_until("readinessProbe")
        self.assertTrue(pod.answers("livenessProbe"))
        return pod

    def take_away(self, pod):
        """As Kubernetes ends a pod: it stays an address of the Service for most of preStop's time; then SIGTERM."""
        sleep, seconds = pod.container["lifecycle"]["preStop"]["exec"]["command"]
        self.assertEqual(sleep, "sleep")
        time.sleep(0.8 * float(seconds) / FASTER)
        self.service.ports.remove(pod.port)
        time.sleep(0.2 * float(seconds) / FASTER)
        pod.process.send_signal(signal.SIGTERM)
        grace_s = manifest("deployment.yaml")["spec"]["template"]["spec"]["terminationGracePeriodSeconds"] - float(seconds)
        self.assertEqual(pod.process.wait(grace_s), 0, "it is done before it would be killed")

    def make_key(self):
        """In the pod of keys.yaml, by the command that its comment has."""
        text = (ROOT / "deploy/kubernetes/keys.yaml").read_text(encoding="utf-8")
        command = re.search(r"kubectl exec -n costcurve job/costcurve-keys -- (.*)", text)[1]
        pod = self.pod("keys.yaml")
        self.assertIsNone(pod.process.poll())
        key = pod.execute(*command.replace("NAME", "operator").split())
        pod.end()
        return key

    def migrate(self, count=1):
        pods = [self.pod("migrate.yaml") for _ in range(count)]
        self.assertEqual([pod.process.wait(PATIENCE_S) for pod in pods], [0] * count)

    def begin_load(self):
        self.clients = [kind(self.service, f"{kind.__name__.lower()}{i}")
                        for kind in (Reader, Putter, Poster, Asker) for i in (1, 2)]
        self.stack.callback(self.stop_clients)
        for client in self.clients:
            client.start()

    def stop_clients(self):
        for client in self.clients:
            client.stopping.set()
        for client in self.clients:
            client.join(PATIENCE_S)

    def go_on(self, count=5):
        """Until each client has had so many answers more."""
        end = time.monotonic() + PATIENCE_S
        wanted = {client: len(client.done) + count for client in self.clients}
        while any(len(client.done) < number for client, number in wanted.items()):
            self.assertEqual([client.error for client in self.clients if client.error], [])
            self.assertLess(time.monotonic(), end, "answers fail to come")
            time.sleep(0.02)

    def test_a_rollout_and_a_drained_node_fail_no_request(self):
        self.migrate(2)  # two at once do it once
        keyless = self.pod("deployment.yaml", *free_ports(1))
        self.assertEqual(keyless.process.wait(PATIENCE_S), 2, "it serves others, and wants a key")
        self.service = Service(self.make_key())
        replicas = manifest("deployment.yaml")["spec"]["replicas"]
        daemons = [self.daemon() for _ in range(replicas)]
        self.service.ports = [pod.port for pod in daemons]
        status, _ = Putter(self.service, "first").send("PUT", f"/v1/devices/{ALWAYS}", {"kind": "gpu", "tdp_w": 1})
        self.assertEqual(status, 201)
        self.begin_load()
        self.go_on()
        self.migrate()  # of the new version, beside daemons of the old one
        for _ in range(replicas):  # maxSurge 1, maxUnavailable 0
            new = self.daemon()
            self.service.ports.append(new.port)
            self.take_away(daemons.pop(0))
            daemons.append(new)
            self.go_on()
        self.take_away(daemons.pop(0))  # a drained node: the disruption budget allows one, and its successor comes later
        self.go_on()
        daemons.append(self.daemon())
        self.service.ports.append(daemons[-1].port)
        self.go_on()
        self.stop_clients()
        self.assertEqual([failure for client in self.clients for failure in client.failures], [])
        put = {name for client in self.clients if isinstance(client, Putter) for name in client.done}
        rows = self.cluster.sql("SELECT id, count(*) FROM revision WHERE kind = 'device' GROUP BY id", "service")
        self.assertEqual(dict(row.split("|") for row in rows.splitlines()), dict.fromkeys([ALWAYS, *put], "1"))
        print(f"{sum(len(client.done) for client in self.clients)} requests, {replicas + 1} daemons replaced, none failed")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    postgres.needed()
    BINARY = os.path.abspath(sys.argv.pop(1))
    ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    skips.main()
