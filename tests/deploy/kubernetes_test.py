"""The manifests have the form of their kinds, and fit one another, the image and the program. Without a cluster and a network.

usage: kubernetes_test.py REPOSITORY [unittest options]
"""

import ipaddress
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

import skips  # noqa: E402 pylint: disable=wrong-import-position

try:
    import yaml
except ImportError:
    skips.end(skips.why("python3-yaml"))

ROOT = pathlib.Path()

# What the kinds' fields are (Kubernetes 1.25 and later), as far as ours use them: a type, a list of one form, or the form of a
# mapping, whose fields with * must be there. A field that isn't here is misspelt, or new: then look it up and add it.
LABELS = {"": str}
METADATA = {"*name": str, "namespace": str, "labels": LABELS}
SELECTOR = {"*matchLabels": LABELS}
PROBE = {"*httpGet": {"*path": str, "*port": (str, int)}, "periodSeconds": int, "timeoutSeconds": int, "failureThreshold": int}
ENVIRONMENT = [{"*name": str, "*valueFrom": {"*secretKeyRef": {"*name": str, "*key": str}}}]
CONTAINER = {"*name": str, "*image": str, "command": [str], "args": [str], "env": ENVIRONMENT,
             "ports": [{"*name": str, "*containerPort": int}],
             "livenessProbe": PROBE, "readinessProbe": PROBE, "startupProbe": PROBE,
             "lifecycle": {"preStop": {"exec": {"*command": [str]}}},
             "volumeMounts": [{"*name": str, "*mountPath": str, "*readOnly": bool}],
             "*resources": {"*requests": {"cpu": str, "memory": str}, "*limits": {"cpu": str, "memory": str}},
             "*securityContext": {"*allowPrivilegeEscalation": bool, "*readOnlyRootFilesystem": bool,
                                  "*capabilities": {"*drop": [str]}}}
POD = {"restartPolicy": str, "*automountServiceAccountToken": bool, "terminationGracePeriodSeconds": int,
       "topologySpreadConstraints": [{"*maxSkew": int, "*topologyKey": str, "*whenUnsatisfiable": str, "*labelSelector": SELECTOR}],
       "*securityContext": {"*runAsNonRoot": bool, "*runAsUser": int, "*runAsGroup": int, "*seccompProfile": {"*type": str}},
       "*containers": [CONTAINER], "volumes": [{"*name": str, "*configMap": {"*name": str}}]}
TEMPLATE = {"*metadata": {"*labels": LABELS}, "*spec": POD}
PORTS = [{"*protocol": str, "*port": int}]
PEER = {"namespaceSelector": SELECTOR, "podSelector": SELECTOR, "ipBlock": {"*cidr": str, "except": [str]}}
KINDS = {
    "Namespace": ("v1", {}),
    "ConfigMap": ("v1", {"*data": LABELS}),
    "Secret": ("v1", {"*type": str, "*stringData": LABELS}),
    "Job": ("batch/v1", {"*spec": {"backoffLimit": int, "activeDeadlineSeconds": int, "ttlSecondsAfterFinished": int,
                                   "*template": TEMPLATE}}),
    "Deployment": ("apps/v1", {"*spec": {"*replicas": int, "*selector": SELECTOR, "*strategy": {
        "*type": str, "rollingUpdate": {"maxUnavailable": (int, str), "maxSurge": (int, str)}}, "*template": TEMPLATE}}),
    "Service": ("v1", {"*spec": {"*selector": LABELS, "*ports": [{"*name": str, "*port": int, "*targetPort": (int, str)}]}}),
    "PodDisruptionBudget": ("policy/v1", {"*spec": {"*maxUnavailable": (int, str), "*selector": SELECTOR}}),
    "NetworkPolicy": ("networking.k8s.io/v1", {"*spec": {
        "*podSelector": SELECTOR, "*policyTypes": [str], "ingress": [{"*from": [PEER], "*ports": PORTS}],
        "egress": [{"*to": [PEER], "*ports": PORTS}]}}),
}


def misfits(value, form, where):
    """What of a value is not of a form, a sentence each."""
    if isinstance(form, list):
        if not isinstance(value, list) or not value:
            return [f"{where} is no list"]
        return [problem for i, item in enumerate(value) for problem in misfits(item, form[0], f"{where}[{i}]")]
    if isinstance(form, dict):
        if not isinstance(value, dict):
            return [f"{where} is no mapping"]
        if "" in form:
            return [problem for name, item in value.items() for problem in misfits(item, form[""], f"{where}.{name}")]
        fields = {name.lstrip("*"): inner for name, inner in form.items()}
        problems = [f"{where} lacks {name[1:]}" for name in form if name.startswith("*") and name[1:] not in value]
        problems += [f"{where} has the unknown field {name}" for name in value if name not in fields]
        return problems + [problem for name, item in value.items() if name in fields
                           for problem in misfits(item, fields[name], f"{where}.{name}")]
    kinds = form if isinstance(form, tuple) else (form,)
    return [] if type(value) in kinds else [f"{where} is {value!r}"]


def manifests():
    return {path.name: document for path in sorted((ROOT / "deploy/kubernetes").glob("*.yaml"))
            for document in yaml.safe_load_all(path.read_text(encoding="utf-8"))}


def of_kind(kind):
    return next(document for document in manifests().values() if document["kind"] == kind)


def pod_of(kind):
    return of_kind(kind)["spec"]["template"]


def pods():
    """Of the Deployment and of each Job, by file."""
    return {name: document["spec"]["template"] for name, document in manifests().items()
            if document["kind"] in ("Deployment", "Job")}


class Manifests(unittest.TestCase):
    def test_there_is_one_of_each_kind(self):
        self.assertEqual(sorted(document["kind"] for name, document in manifests().items() if name != "keys.yaml"), sorted(KINDS))
        self.assertEqual(sorted(pods()), ["deployment.yaml", "keys.yaml", "migrate.yaml"])

    def test_have_the_form_of_their_kind(self):
        for name, document in manifests().items():
            with self.subTest(name):
                version, form = KINDS[document["kind"]]
                self.assertEqual(document["apiVersion"], version)
                whole = {"*apiVersion": str, "*kind": str, "*metadata": METADATA, **form}
                self.assertEqual(misfits(document, whole, document["kind"]), [])

    def test_a_misspelt_a_missing_and_a_wrong_field_are_found(self):
        form = {"*name": str, "replicas": int}
        self.assertEqual(misfits({"nam": "a", "replicas": "3"}, form, "it"),
                         ["it lacks name", "it has the unknown field nam", "it.replicas is '3'"])

    def test_are_in_one_namespace(self):
        name = of_kind("Namespace")["metadata"]["name"]
        for document in manifests().values():
            if document["kind"] != "Namespace":
                self.assertEqual(document["metadata"]["namespace"], name, document["kind"])

    def test_selectors_find_the_daemons_alone(self):
        daemons = pod_of("Deployment")["metadata"]["labels"]
        jobs = [pods()[name]["metadata"]["labels"] for name in ("keys.yaml", "migrate.yaml")]
        for selector in (of_kind("Deployment")["spec"]["selector"]["matchLabels"], of_kind("Service")["spec"]["selector"],
                         of_kind("PodDisruptionBudget")["spec"]["selector"]["matchLabels"]):
            self.assertLessEqual(selector.items(), daemons.items())
            for job in jobs:
                self.assertFalse(selector.items() <= job.items(), "a Job is no daemon")
        policy = of_kind("NetworkPolicy")["spec"]["podSelector"]["matchLabels"]
        self.assertLessEqual(policy.items(), daemons.items())
        for job in jobs:
            self.assertLessEqual(policy.items(), job.items())

    def test_ports_are_those_that_the_daemon_listens_on(self):
        container = pod_of("Deployment")["spec"]["containers"][0]
        (port,) = container["ports"]
        arguments = container["args"]
        self.assertEqual(arguments[arguments.index("--port") + 1], str(port["containerPort"]))
        self.assertEqual(of_kind("Service")["spec"]["ports"][0]["targetPort"], port["name"])
        self.assertIn(port["containerPort"], [one["port"] for rule in of_kind("NetworkPolicy")["spec"]["ingress"]
                                              for one in rule["ports"]])
        for probe in ("livenessProbe", "readinessProbe", "startupProbe"):
            self.assertEqual(container[probe]["httpGet"]["port"], port["name"])

    def test_liveness_never_asks_the_database(self):
        container = pod_of("Deployment")["spec"]["containers"][0]
        self.assertEqual([container[probe]["httpGet"]["path"] for probe in ("livenessProbe", "startupProbe", "readinessProbe")],
                         ["/healthz", "/healthz", "/readyz"])

    def test_secrets_and_settings_exist(self):
        known = set(re.findall(r'"(COSTCURVE_[A-Z_]+|--[a-z-]+)"', "".join(
            path.read_text(encoding="utf-8") for path in (ROOT / "server/commands").glob("*option*"))))
        secret = of_kind("Secret")
        for pod in pods().values():
            for variable in pod["spec"]["containers"][0]["env"]:
                self.assertIn(variable["name"], known)
                self.assertEqual(variable["valueFrom"]["secretKeyRef"]["name"], secret["metadata"]["name"])
                self.assertIn(variable["valueFrom"]["secretKeyRef"]["key"], secret["stringData"])
        for option in pod_of("Deployment")["spec"]["containers"][0]["args"]:
            if option.startswith("--"):
                self.assertIn(option, known)

    def test_addresses_say_how_they_are_verified_and_which_host_takes_writes(self):
        for url in of_kind("Secret")["stringData"].values():
            self.assertRegex(url, r"^postgres://\w+:REPLACE-ME@")
            self.assertIn("sslmode=verify-full", url)
            self.assertIn("target_session_attrs=read-write", url)

    def test_the_certificate_that_addresses_name_is_where_each_pod_has_it(self):
        ca = of_kind("ConfigMap")
        for url in of_kind("Secret")["stringData"].values():
            path = pathlib.PurePosixPath(re.search(r"[?&]sslrootcert=([^&]+)", url)[1])
            for name, pod in pods().items():
                with self.subTest(name):
                    (volume,) = pod["spec"]["volumes"]
                    (mount,) = pod["spec"]["containers"][0]["volumeMounts"]
                    self.assertEqual(volume["configMap"]["name"], ca["metadata"]["name"])
                    self.assertEqual(mount["name"], volume["name"])
                    self.assertEqual(str(path.parent), mount["mountPath"])
                    self.assertIs(mount["readOnly"], True)
                    self.assertIn(path.name, ca["data"])

    def test_the_first_key_is_made_before_a_daemon_runs_and_is_in_no_log(self):
        text = (ROOT / "deploy/kubernetes/keys.yaml").read_text(encoding="utf-8")
        (pod,) = [pod["spec"] for name, pod in pods().items() if name == "keys.yaml"]
        container = pod["containers"][0]
        self.assertEqual(container["command"][0], "sleep")
        self.assertEqual(container["env"], pod_of("Deployment")["spec"]["containers"][0]["env"], "the daemons' role makes keys")
        job = manifests()["keys.yaml"]["metadata"]["name"]
        self.assertIn(f"kubectl exec -n costcurve job/{job} -- costcurve keys add NAME --role admin", text)
        self.assertIn("keys.yaml", (ROOT / "deploy/kubernetes/deployment.yaml").read_text(encoding="utf-8"))

    def test_no_metadata_service_is_a_public_address(self):
        *_, public = of_kind("NetworkPolicy")["spec"]["egress"]
        for address in ("169.254.169.254", "168.63.129.16", "192.0.0.192", "100.100.100.200", "10.0.0.1"):
            self.assertTrue(any(ipaddress.ip_address(address) in ipaddress.ip_network(block)
                                for block in public["to"][0]["ipBlock"]["except"]), address)

    def test_pods_may_do_next_to_nothing(self):
        image = re.search(r"^USER (\d+):(\d+)$", (ROOT / "deploy/Containerfile").read_text(encoding="utf-8"), re.MULTILINE)
        for pod in (each["spec"] for each in pods().values()):
            container = pod["containers"][0]
            self.assertIs(pod["automountServiceAccountToken"], False)
            self.assertEqual(pod["securityContext"], {"runAsNonRoot": True, "runAsUser": int(image[1]), "runAsGroup": int(image[2]),
                                                      "seccompProfile": {"type": "RuntimeDefault"}})
            self.assertEqual(container["securityContext"], {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True,
                                                            "capabilities": {"drop": ["ALL"]}})

    def test_an_update_takes_no_daemon_away_before_its_successor_is_ready(self):
        deployment = of_kind("Deployment")["spec"]
        self.assertGreaterEqual(deployment["replicas"], 2)
        self.assertEqual(deployment["strategy"]["rollingUpdate"]["maxUnavailable"], 0)
        settings = (ROOT / "server/http/server.hpp").read_text(encoding="utf-8")
        drain_s = int(re.search(r"seconds drain_deadline\{(\d+)\}", settings)[1])
        pause_s = int(pod_of("Deployment")["spec"]["containers"][0]["lifecycle"]["preStop"]["exec"]["command"][1])
        self.assertGreater(pod_of("Deployment")["spec"]["terminationGracePeriodSeconds"], drain_s + pause_s)
        self.assertGreater(deployment["strategy"]["rollingUpdate"]["maxSurge"], 0, "else nothing could be replaced")

    def test_a_drained_node_leaves_a_daemon_that_serves(self):
        self.assertLess(of_kind("PodDisruptionBudget")["spec"]["maxUnavailable"], of_kind("Deployment")["spec"]["replicas"])

    def test_a_daemon_that_starts_or_is_busy_is_not_killed_by_its_probes(self):
        container = pod_of("Deployment")["spec"]["containers"][0]
        span_s = {name: container[name]["periodSeconds"] * container[name]["failureThreshold"] for name in
                  ("startupProbe", "livenessProbe", "readinessProbe")}
        self.assertGreaterEqual(span_s["startupProbe"], 30)
        self.assertGreater(span_s["livenessProbe"], span_s["readinessProbe"], "out of the Service before it is killed")

    def test_each_pod_has_the_image_of_this_version(self):
        version = re.search(r"^## (\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)[1]
        self.assertEqual({container["image"] for pod in pods().values() for container in pod["spec"]["containers"]},
                         {f"costcurve:{version}"})

    def test_memory_holds_the_budget_of_requests_and_as_much_again(self):
        budget = re.search(r"(\d+) MiB at most|one budget of (\d+) MiB",
                           (ROOT / "docs/operations.md").read_text(encoding="utf-8"), re.IGNORECASE)
        limit = pod_of("Deployment")["spec"]["containers"][0]["resources"]["limits"]["memory"]
        self.assertGreaterEqual(int(limit.removesuffix("Gi")) * 1024, 2 * int(budget[1] or budget[2]))

    def test_the_network_policy_lets_the_database_and_names_through(self):
        egress = of_kind("NetworkPolicy")["spec"]["egress"]
        open_ports = {(port["protocol"], port["port"]) for rule in egress for port in rule["ports"]}
        self.assertLessEqual({("UDP", 53), ("TCP", 53)}, open_ports)
        for url in of_kind("Secret")["stringData"].values():
            hosts = urllib.parse.urlsplit(url).netloc.split("@")[1].split(",")
            self.assertTrue(hosts)
            for host in hosts:
                self.assertIn(("TCP", int(host.split(":")[1])), open_ports, host)
        (database,) = [rule for rule in egress if ("TCP", 5432) in {(port["protocol"], port["port"]) for port in rule["ports"]}]
        self.assertTrue(all(ipaddress.ip_network(peer["ipBlock"]["cidr"]).is_private for peer in database["to"]),
                        "the database is not open to the world")

    def test_the_docs_name_each_file(self):
        page = (ROOT / "docs/scaling.md").read_text(encoding="utf-8")
        for name in manifests():
            self.assertIn(f"`{name}`", page)


def missing_from(wanted, found, where=""):
    """The fields of a document that another lacks or has otherwise."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        return [problem for name, value in wanted.items()
                for problem in ([f"{where}.{name}"] if name not in found else missing_from(value, found[name], f"{where}.{name}"))]
    if isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        return [problem for i, (value, other) in enumerate(zip(wanted, found))
                for problem in missing_from(value, other, f"{where}[{i}]")]
    return [] if wanted == found else [where]


@skips.without("kubectl")
class Kubectl(unittest.TestCase):
    """kubectl reads a manifest into the types of Kubernetes' own, without a cluster: what they have no field for is gone from what
    it prints, and a value of another type is refused."""

    @staticmethod
    def as_kubernetes_reads_it(path):
        """The document, or kubectl's words where it takes none."""
        for change in (("image", "*=costcurve:read"), ("selector", "read=here")):
            done = subprocess.run(["kubectl", "set", change[0], "--local", "-o", "json", "-f", path, change[1]],
                                  capture_output=True, text=True, timeout=60, check=False)
            if done.returncode == 0:
                return json.loads(done.stdout)
        return done.stderr

    def test_each_manifest_has_the_fields_and_types_of_kubernetes(self):
        whole = 0
        for name, document in manifests().items():
            with self.subTest(name):
                found = self.as_kubernetes_reads_it(ROOT / "deploy/kubernetes" / name)
                if isinstance(found, str):
                    self.assertNotRegex(found, "unable to decode|cannot unmarshal|unable to recognize|no match")
                    continue
                whole += 1
                lacking = missing_from(document, found)
                self.assertEqual([field for field in lacking if not re.search(r"\.image$|^\.spec\.selector", field)], [])
        self.assertEqual(whole, len(pods()) + 1, "pods and the Service are read as a whole")

    def test_a_misspelt_field_and_one_of_another_type_are_found(self):
        text = (ROOT / "deploy/kubernetes/deployment.yaml").read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "deployment.yaml")
            path.write_text(text.replace("failureThreshold", "failuresThreshold"), encoding="utf-8")
            lacking = missing_from(yaml.safe_load(path.read_text(encoding="utf-8")), self.as_kubernetes_reads_it(path))
            self.assertIn(".spec.template.spec.containers[0].livenessProbe.failuresThreshold", lacking)
            path.write_text(text.replace("replicas: 3", "replicas: three"), encoding="utf-8")
            self.assertIn("cannot unmarshal", self.as_kubernetes_reads_it(path))


if __name__ == "__main__":
    ROOT = pathlib.Path(sys.argv.pop(1))
    skips.main()
