"""Custom resources, groups of nodes, arguments of servers and resources of Terraform: each where it differs from the published ones
of deployed_published_test.py; and bad input by name.

usage: deployed_kinds_test.py COSTCURVE
"""

import json
import os
import sys
import unittest

from command_line_case import CommandLineCase, offer_of
from deployed_published_test import DAY, PRICES
from published_deployments import L4, P5, V5E, dynamo, group, plan, pod, resource, thing

ON_P5 = {"node.kubernetes.io/instance-type": "p5.48xlarge", "topology.kubernetes.io/region": "us-east-1"}
H200 = "coreweave.8x-h200.all.on-demand"
SECRET = "hunter2-hunter2"


def node_pool(limit=None, **labels):
    """Of Karpenter: each label's allowed values, by the words after the slash."""
    names = {"type": "node.kubernetes.io/instance-type", "capacity": "karpenter.sh/capacity-type",
             "region": "topology.kubernetes.io/region", "zone": "topology.kubernetes.io/zone",
             "family": "karpenter.k8s.aws/instance-family", "size": "karpenter.k8s.aws/instance-size",
             "category": "karpenter.k8s.aws/instance-category"}
    requirements = [{"key": names[name], "operator": "In", "values": values} for name, values in labels.items()]
    return thing("NodePool", "karpenter.sh/v1", "gpu", {"template": {"spec": {"requirements": requirements}},
                                                       **({"limits": {"nvidia.com/gpu": limit}} if limit else {})})


def coreweave(kind, nodes, **more):
    return thing("NodePool", "compute.coreweave.com/v1alpha1", "pool", {"instanceType": kind, "targetNodes": nodes, **more})


def deployment(gpus, replicas=1, name="x", **pods):
    return thing("Deployment", "apps/v1", name, {"replicas": replicas, "template": {"spec": pod(gpus, **pods)}})


def queue(*flavors, resource_name="nvidia.com/gpu"):
    return [thing("ClusterQueue", "kueue.x-k8s.io/v1beta1", "team", {"resourceGroups": [{"flavors": [
        {"name": name, "resources": [{"name": resource_name, "nominalQuota": quota}]} for name, quota, _ in flavors]}]}),
        thing("LocalQueue", "kueue.x-k8s.io/v1beta1", "jobs", {"clusterQueue": "team"}),
        *(thing("ResourceFlavor", "kueue.x-k8s.io/v1beta1", name, {"nodeLabels": labels}) for name, _, labels in flavors)]


def job(gpus, parallelism=1, queued="jobs", **pods):
    labels = {"labels": {"kueue.x-k8s.io/queue-name": queued}} if queued else {}
    return thing("Job", "batch/v1", "train", {"parallelism": parallelism, "template": {"spec": pod(gpus, **pods)}}, **labels)


def ray_service(config, **cluster):
    return thing("RayService", "ray.io/v1", "llm", {"serveConfigV2": config, "rayClusterConfig": {
        "headGroupSpec": {"template": {"spec": pod()}}, **cluster}})


RAY_LLM = """
applications:
- args:
    llm_configs:
    - model_loading_config: {model_id: llama, model_source: meta-llama/Llama-3.1-8B-Instruct}
      engine_kwargs: {tensor_parallel_size: 8}
  runtime_env: {env_vars: {HF_TOKEN: hunter2-hunter2}}
"""
ON_DEMAND = ["on-demand"]

NODES = ["--tp", "16", "--nnodes", "2", "--dist-init-addr", "x:5000"]


def scaler(kind="Deployment", min_replicas=None, max_replicas=4, **metadata):
    return thing("HorizontalPodAutoscaler", "autoscaling/v2", "h", {
        "scaleTargetRef": {"apiVersion": "apps/v1", "kind": kind, "name": "x"}, "maxReplicas": max_replicas,
        **({} if min_replicas is None else {"minReplicas": min_replicas})}, **metadata)


def keda(**spec):
    return thing("ScaledObject", "keda.sh/v1alpha1", "k", {"scaleTargetRef": {"name": "x"}, **spec})


# documents; pools by offer; questions
ROWS = {
    "one template for leader and workers": ([group("a", 3, 4, pod(2, selector=ON_P5))], {P5: (3, 3)}, []),
    "a leader without accelerators": ([group("a", 2, 3, pod(8, selector=ON_P5), pod())], {P5: (4, 4)}, []),
    "a group of one": ([group("a", 1, 1, pod(8, selector=ON_P5), pod(8, selector=ON_P5))], {P5: (1, 1)}, []),
    "a server that takes more than its pods have": (
        [group("a", 1, 2, pod(8, selector=ON_P5), pod(8, selector=ON_P5, args=["--tp", "8", "--pp", "4"]))], {P5: (2, 2)},
        ["its server takes 32 accelerators by its arguments, its pods have 16"]),
    "ranks that are within the others": (
        [deployment(8, selector=ON_P5, args=["--tp", "8", "--dp", "8", "--enable-dp-attention"])], {P5: (1, 1)}, []),
    "a number that is a variable": ([deployment(8, selector=ON_P5, args=["--tp", "$TP", "--dp", "2"])], {P5: (1, 1)}, []),
    "one engine on two pods": (
        [thing("StatefulSet", "apps/v1", "x", {"replicas": 2, "template": {"spec": pod(8, selector=ON_P5, args=NODES)}})],
        {P5: (2, 2)}, []),
    "two engines on four pods": ([deployment(8, 4, selector=ON_P5, args=NODES)], {P5: (4, 4)}, []),
    "an engine that lacks a pod": ([deployment(8, 3, selector=ON_P5, args=NODES)], {P5: (3, 3)},
                                   ["its server takes 2 pods by its arguments, 3 are given"]),
    "an engine whose pods are objects of their own": (
        [deployment(8, 1, f"rank-{rank}", selector=ON_P5, args=[*NODES, "--node-rank", rank]) for rank in "01"], {P5: (2, 2)}, []),
    "an engine whose pods are too small": ([deployment(4, 2, selector=ON_P5, args=NODES)], {P5: (1, 1)},
                                           ["its server takes 16 accelerators by its arguments, its pods have 8"]),
    "an engine on other nodes than its group": (
        [group("a", 1, 4, pod(4, selector=ON_P5, args=NODES))], {P5: (2, 2)},
        ["its server takes 2 pods by its arguments, 4 are given"]),
    "data parallel ranks by node": (
        [deployment(8, 2, selector=ON_P5, args=["--data-parallel-size=16", "--data-parallel-size-local=8"])], {P5: (2, 2)}, []),
    "ranks of prompts": ([deployment(8, selector=ON_P5, args=["-tp", "4", "-pcp", "2"])], {P5: (1, 1)}, []),
    "processes of mpirun": ([deployment(8, selector=ON_P5, args=["mpirun -n 4 tritonserver --grpc-port 1"])], {P5: (1, 1)},
                            ["its server takes 4 accelerators by its arguments, its pods have 8"]),
    "a server beside another container": (
        [deployment(0, selector=ON_P5, containers=[*pod(8, args=["--model", "/m", "--tp", "4"])["containers"],
                                                   *pod(args=["--port", "80"])["containers"]])], {P5: (1, 1)},
        ["its model is /m, a path: what it serves is not known",
         "its server takes 4 accelerators by its arguments, its pods have 8"]),
    "a deployment that an autoscaler keeps": (
        [deployment(8, 5, selector=ON_P5), scaler(min_replicas=2, max_replicas=6)], {P5: (2, 2)},
        ["it may grow from 2 to 6 pods by its HorizontalPodAutoscaler: 2 are priced"]),
    "an autoscaler before its deployment": (
        [scaler(max_replicas=6), deployment(8, 5, selector=ON_P5)], {P5: (1, 1)}, ["it may grow from 1 to 6 pods"]),
    "an autoscaler of one number": ([deployment(8, 5, selector=ON_P5), scaler(min_replicas=3, max_replicas=3)], {P5: (3, 3)}, []),
    "an autoscaler from none": (
        [deployment(8, 5, selector=ON_P5), keda(minReplicaCount=0, maxReplicaCount=6)], {P5: (0, 0)},
        ["it may grow from 0 to 6 pods by its ScaledObject: 0 are priced (48 accelerators)"]),
    "a range that KEDA has by itself": (
        [deployment(8, 5, selector=ON_P5), keda()], {P5: (0, 0)}, ["it may grow from 0 to 100 pods by its ScaledObject"]),
    "an autoscaler of groups": (
        [group("x", 1, 2, pod(8, selector=ON_P5), pod(8, selector=ON_P5)), scaler("LeaderWorkerSet", 2, 3)], {P5: (4, 4)},
        ["LeaderWorkerSet/x/leader: it may grow from 2 to 3 pods", "LeaderWorkerSet/x/worker: it may grow from 2 to 3 pods"]),
    "an autoscaler of groups of one template": (
        [group("x", 1, 4, pod(8, selector=ON_P5)), scaler("LeaderWorkerSet", 2, 3)], {P5: (8, 8)},
        ["it may grow from 8 to 12 pods"]),
    "two autoscalers of a deployment": (
        [deployment(8, 5, selector=ON_P5), scaler(), keda()], {P5: (5, 5)},
        ["2 autoscalers scale it: how many pods run? (40 accelerators)"]),
    "an autoscaler of another namespace": (
        [deployment(8, 5, selector=ON_P5) | {"metadata": {"name": "x", "namespace": "a"}}, scaler(namespace="b")],
        {P5: (5, 5)}, []),
    "nodes of a replica": (
        [dynamo("d", services={"w": {"replicas": 2, "multinode": {"nodeCount": 3}, "resources": {"requests": {"gpu": 8}},
                                     "extraPodSpec": {"nodeSelector": ON_P5, "mainContainer": {"args": []}}}})],
        {P5: (6, 6)}, []),
    "a component that grows": (
        [dynamo("d", services={"w": {"resources": {"limits": {"gpu": 8}}, "extraPodSpec": {"nodeSelector": ON_P5},
                                     "autoscaling": {"enabled": True, "maxReplicas": 4}}})],
        {P5: (1, 1)}, ["it may grow from 1 to 4 pods: 1 are priced"]),
    "a group of Ray that grows from none": (
        [ray_service(RAY_LLM, enableInTreeAutoscaling=True, workerGroupSpecs=[
            {"groupName": "w", "minReplicas": 0, "maxReplicas": 2, "template": {"spec": pod(8, selector=ON_P5)}}])],
        {P5: (0, 0)}, ["it may grow from 0 to 2 pods: 0 are priced (16 accelerators)",
                       "the model meta-llama/Llama-3.1-8B-Instruct is not among"]),
    "the least of a group of Ray": (
        [ray_service(RAY_LLM, workerGroupSpecs=[{"groupName": "w", "minReplicas": 2, "maxReplicas": 9,
                                                 "template": {"spec": pod(8, selector=ON_P5)}}])],
        {P5: (2, 2)}, ["the model meta-llama/Llama-3.1-8B-Instruct is not among"]),
    "a cluster that is elsewhere": ([thing("RayJob", "ray.io/v1", "j", {"clusterSelector": {"a": "b"}})], {}, []),
    "a head and workers of one predictor": (
        [thing("InferenceService", "serving.kserve.io/v1beta1", "i", {"predictor": {
            "nodeSelector": ON_P5, "model": {"args": ["--model_id=Qwen/Qwen3-32B"], "modelFormat": {"name": "huggingface"}},
            "workerSpec": {"pipelineParallelSize": 2, "tensorParallelSize": 8, "nodeSelector": ON_P5, "containers": []}}})],
        {P5: (2, 2)}, ["the model Qwen/Qwen3-32B is not among"]),
    "stages of a service": (
        [thing("LLMInferenceService", "serving.kserve.io/v1alpha1", "s", {
            "model": {"uri": "hf://Qwen/Qwen3-32B"}, "replicas": 2, "parallelism": {"pipeline": 2, "tensor": 8},
            "template": pod(8, selector=ON_P5), "worker": pod(8, selector=ON_P5)})],
        {P5: (4, 4)}, ["the model Qwen/Qwen3-32B is not among"]),
    "another group's kind of the same name": (
        [thing("InferenceService", "example.com/v1", "s", {"predictor": {"model": pod(8)["containers"][0]}})], {},
        ["the kind InferenceService is not read, and asks for accelerators (8 accelerators)"]),
    "a node pool of one type": (
        [node_pool(type=["p5.48xlarge"], capacity=ON_DEMAND, zone=["us-east-1a", "us-east-1b"]), deployment(4, 3)],
        {P5: (2, 2)}, []),
    "a node pool of a family and a size": (
        [node_pool(family=["p5"], size=["48xlarge"], capacity=ON_DEMAND, region=["us-east-1"]), deployment(8)], {P5: (1, 1)}, []),
    "a node pool of spot and on demand": (
        [node_pool(type=["p5.48xlarge"], region=["us-east-1"]), deployment(8)], {},
        ["karpenter.sh/capacity-type may be spot, on-demand; state --offer Deployment/x=ID (8 accelerators)"]),
    "a node pool of several types": (
        [node_pool(type=["p5.48xlarge", "p4d.24xlarge"], capacity=ON_DEMAND), deployment(8)], {},
        ["node.kubernetes.io/instance-type may be p5.48xlarge, p4d.24xlarge"]),
    "zones of several regions": (
        [node_pool(type=["p5.48xlarge"], capacity=ON_DEMAND, zone=["us-east-1a", "us-west-2b"]), deployment(8)], {},
        ["topology.kubernetes.io/zone may be us-east-1a, us-west-2b"]),
    "a node pool that pods don't fit": (
        [node_pool(16, category=["p"], capacity=ON_DEMAND), deployment(8, selector={"team": "other"})], {},
        ["no selector names its accelerator", "none of these is given: how many run? (16 accelerators)"]),
    "a node pool without accelerators": (
        [node_pool(category=["c", "m"]), deployment(8, selector=ON_P5)], {P5: (1, 1)}, []),
    "nodes of CoreWeave": ([coreweave("gd-8xh200ib-i128", 3), deployment(8, 3)], {H200: (3, 3)}, []),
    "nodes of CoreWeave that are too few": (
        [coreweave("gd-8xh200ib-i128", 1), deployment(8, 3)], {H200: (1, 1)},
        ["pods ask for 24 accelerators, the plan's machines have 8"]),
    "nodes of CoreWeave that grow": (
        [coreweave("gd-8xh200ib-i128", 2, autoscaling=True, minNodes=1, maxNodes=5)], {H200: (2, 5)},
        ["it may grow from 2 to 5 machines: 2 are priced"]),
    "nodes of CoreWeave from none": (
        [coreweave("gd-8xh200ib-i128", 0, autoscaling=True, maxNodes=5)], {H200: (0, 5)},
        ["it may grow from 0 to 5 machines: 0 are priced (40 accelerators)"]),
    "nodes of CoreWeave of a new type": ([coreweave("gd-8xr100", 2)], {}, []),
    "a job's node by its queue": ([*queue(("p5", 16, ON_P5)), job(8, 2)], {P5: (2, 2)}, []),
    "a quota above its jobs": ([*queue(("p5", 32, ON_P5)), job(8, 2)], {P5: (2, 2)},
                               ["its quota admits 32 nvidia.com/gpu of flavor p5, its jobs ask for 16, which are priced"]),
    "a quota without jobs": ([*queue(("p5", 32, ON_P5))], {},
                             ["no job of it is given: how many run? (32 accelerators)"]),
    "a quota without jobs on machines that are paid for": (
        [*queue(("h200", 16, {})), coreweave("gd-8xh200ib-i128", 2)], {H200: (2, 2)}, ["no job of it is given: how many run?"]),
    "a queue of several flavors": (
        [*queue(("p5", 16, ON_P5), ("l4", 8, {"cloud.google.com/gke-accelerator": "nvidia-l4"})), job(8, 2)], {},
        ["its queue team has 2 flavors of nvidia.com/gpu; state --offer Job/train=ID (16 accelerators)",
         "flavor l4, its jobs ask for 16"]),
    "a node that a job names itself": ([*queue(("p5", 8, {})), job(8, 1, selector=ON_P5)], {P5: (1, 1)}, []),
    "a queue that is not given": ([job(8, 1, "elsewhere", selector=ON_P5)], {P5: (1, 1)}, []),
    "a quota of processors": ([*queue(("cpu", 8, {}), resource_name="cpu"), job(8, selector=ON_P5)], {P5: (1, 1)}, []),
    "an initial container that takes more": (
        [deployment(2, selector=ON_P5, initContainers=pod(8)["containers"])], {P5: (1, 1)}, []),
    "claims of devices": ([deployment(0, 3, resourceClaims=[{"name": "gpu", "resourceClaimTemplateName": "one"}])], {},
                          ["its resourceClaims may be accelerators, which are not read (3 accelerators)"]),
    "an accelerator of a maker without prices": (
        [deployment(8, resource="huawei.com/Ascend910")], {}, ["huawei.com/Ascend910 is an accelerator that is not priced"]),
    "accelerators of a kind that is not read": (
        [thing("DynamoComponentDeployment", "nvidia.com/v1alpha1", "w", {"resources": {"limits": {"gpu": "4"}}})], {},
        ["the kind DynamoComponentDeployment is not read, and asks for accelerators (4 accelerators)"]),
    "chips of a slice": (
        [deployment(4, 4, resource="google.com/tpu", selector={
            "cloud.google.com/gke-tpu-accelerator": "tpu-v5-lite-podslice", "topology.kubernetes.io/region": "us-central1"})],
        {V5E: (16, 16)}, []),
    "nodes of TPUs": (
        [plan(resource("google_container_node_pool", node_count=4, location="us-central1-a",
                       node_config=[{"machine_type": "ct5lp-hightpu-4t"}]))], {V5E: (16, 16)}, []),
    "node pools within a cluster": (
        [plan(resource("google_container_cluster", location="us-central1-a", node_pool=[
            {"node_count": 2, "node_config": [{"machine_type": "g2-standard-4"}]},
            {"initial_node_count": 3, "node_config": [{"machine_type": "e2-standard-4"}]}]))], {L4: (2, 2)}, []),
    "a node group from none": (
        [plan(resource("aws_eks_node_group", instance_types=["p5.48xlarge"],
                       scaling_config=[{"desired_size": 0, "max_size": 2}]), region="us-east-1")],
        {P5: (0, 2)}, ["it may grow from 0 to 2 machines: 0 are priced (16 accelerators)"]),
    "a queued slice": (
        [plan(resource("google_tpu_v2_queued_resource", zone="us-central1-a", tpu=[{"node_spec": [
            {"node": [{"accelerator_type": "v2-8", "scheduling_config": [{"spot": True}]}]}]}]))],
        {"gcp.tpu-v2-8.us-central1.spot": (1, 1)}, []),
    "variants of an endpoint": (
        [plan(resource("aws_sagemaker_endpoint_configuration", production_variants=[
            {"instance_type": "ml.p5.48xlarge", "initial_instance_count": 2}, {"serverless_config": [{"max_concurrency": 5}]}],
            shadow_production_variants=[{"instance_type": "ml.p5.48xlarge", "initial_instance_count": 1}]), region="us-east-1")],
        {}, ["no price of ml.p5.48xlarge in us-east-1; import one, or state --offer ml.p5.48xlarge=ID (24 accelerators)"]),
    "a manifest of a plan": (
        [plan(resource("kubernetes_manifest", manifest=deployment(8, 2, selector=ON_P5)))], {P5: (2, 2)}, []),
    "a text of manifests of a plan": (
        [plan(resource("kubectl_manifest", yaml_body="apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n"
                       "  - resources: {limits: {nvidia.com/gpu: 8}}\n  nodeSelector: " + json.dumps(ON_P5) + "\n"))],
        {P5: (1, 1)}, []),
    "processors that grow from none": (
        [plan(resource("aws_eks_node_group", instance_types=["m5.large"], scaling_config=[{"desired_size": 0, "max_size": 2}]),
              resource("google_container_node_pool", location="us-central1", node_count=1,
                       node_config=[{"machine_type": "e2-standard-4"}]))], {}, []),
    "accelerators of a template": (
        [plan(resource("google_compute_instance_template", machine_type="n1-standard-8",
                       guest_accelerator=[{"type": "nvidia-tesla-t4", "count": 2}]))],
        {}, ["google_compute_instance_template is not read, and names nvidia-tesla-t4: how many run?"]),
    "no accelerators of a template": (
        [plan(resource("google_compute_instance_template", machine_type="n1-standard-8",
                       guest_accelerator=[{"type": "nvidia-tesla-t4", "count": 0}]))], {}, []),
}


class KindsCase(CommandLineCase):
    def read(self, documents, options=()):
        prices = self.write("prices.json", PRICES)
        files = [self.write(f"{i}.json", document) for i, document in enumerate(documents)]
        status, out, said = self.run_costcurve("read", *files, *DAY, "--prices", prices, *options)
        self.assertNotIn(SECRET, out + said)
        return status, json.loads(out) if out else {"pools": []}, said


class KindsTest(KindsCase):
    def test_each_comes_to_offers_and_counts(self):
        for name, (documents, pools, asked) in ROWS.items():
            with self.subTest(name):
                status, scenario, said = self.read(documents)
                self.assertEqual({offer_of(pool): (pool["min_instances"], pool["max_instances"]) for pool in scenario["pools"]},
                                 pools, said)
                self.assertEqual(status, 0 if pools else 2)
                self.assertEqual(said.partition("not read\n")[0].count("    "), len(asked), said)
                for text in asked:
                    self.assertIn(text, said)
                self.assertTrue(pools or asked or "not read\n" in said, "nothing is dropped")

    def test_an_offer_is_stated_by_template_object_type_or_device(self):
        two = group("a", 1, 2, pod(8), pod(8))
        for names in (["LeaderWorkerSet/a"], ["LeaderWorkerSet/a/leader", "LeaderWorkerSet/a/worker"]):
            options = [word for name in names for word in ("--offer", f"{name}={P5}")]
            _, scenario, _ = self.read([two], options)
            self.assertEqual([(pool["offer"], pool["min_instances"]) for pool in scenario["pools"]], [(P5, 2)])
        status, scenario, said = self.read([two], ["--offer", f"LeaderWorkerSet/a/leader={P5}"])
        self.assertEqual([(pool["offer"], pool["min_instances"]) for pool in scenario["pools"]], [(P5, 1)])
        self.assertIn("LeaderWorkerSet/a/worker: no selector names its accelerator or machine", said)


class BadInputTest(KindsCase):
    def refused(self, said, *documents):
        status, scenario, err = self.read(documents)
        self.assertEqual((status, scenario["pools"]), (2, []), err)
        self.assertIn(said, err)

    def test_half_rendered_templates_are_refused_by_name(self):
        label = "node.kubernetes.io/instance-type"
        rest = "render it first (helm template CHART > FILE)"
        for value in ("{{ .Values.type }}", "${TYPE}", "<no value>", "p5.{{ .Values.size }}"):
            with self.subTest(value=value):
                self.refused(f"Deployment/x  bad_format: its {label} is a template that was not rendered: {rest}",
                             deployment(8, selector={label: value}))
                self.refused(f"Deployment/x  bad_format: its list of resources is a template that was not rendered: {rest}",
                             deployment(8, selector=ON_P5, resource=value))
                for resources in (value, {"limits": value}, {"requests": value}):
                    for place in ("containers", "initContainers"):
                        self.refused("its list of resources is a template", deployment(8, selector=ON_P5, **{
                            place: [{"name": "m", "image": "i", "resources": resources}]}))
                self.refused("NodePool/gpu  bad_format: node.kubernetes.io/instance-type is a template", node_pool(type=[value]))
                self.refused("NodePool/pool  bad_format: its instanceType or nodes is a template", coreweave(value, 1))
                self.refused("ResourceFlavor/f  bad_format: node.kubernetes.io/instance-type is a template",
                             *queue(("f", 1, {label: value})))
                self.refused("ClusterQueue/team  bad_format: its quota of nvidia.com/gpu is no number", *queue(("f", value, {})))
                self.refused("LeaderWorkerSet/a/leader  bad_format: its replicas or accelerators are no number",
                             group("a", value, 2, pod(8), pod(8)))
                self.refused("LeaderWorkerSet/a  bad_format: its replicas or accelerators are no number",
                             group("a", 2, value, pod(8)))
                self.refused("NodePool/pool  bad_format", coreweave("gd-8xh200ib-i128", value))
                self.refused("HorizontalPodAutoscaler/h  bad_format: its least or most replicas are no number",
                             deployment(8), scaler(max_replicas=value))

    def test_ranges_of_autoscalers_are_checked(self):
        self.refused("its replicas are from 3 to 2; allowed 0 to 100000, the least first", deployment(8),
                     scaler("Deployment", 3, 2))
        self.refused("its replicas are from -1 to 2", deployment(8), scaler("Deployment", -1, 2))
        self.refused("its replicas are from 1 to 1e+06", deployment(8), scaler(max_replicas=10**6))

    def test_files_of_others_are_refused_by_name(self):
        rows = [({"version": 4, "terraform_version": "1.9.8", "serial": 1, "resources": []}, "it is a state of Terraform"),
                ({"AWSTemplateFormatVersion": "2010-09-09", "Resources": {}}, "it is a template of CloudFormation"),
                ({"config": {}, "steps": [], "changeSummary": {}}, "it is a preview of Pulumi"),
                ({"apiVersion": "v2", "name": "llm", "version": "1.0.0"}, "it is a chart of Helm that was not rendered"),
                ('{"@level":"info","type":"version"}\n{"@level":"info"}\n', "it is a log of terraform plan -json"),
                ("PK\x03\x04binary", "it is a plan that is not printed"),
                ({**plan(), "format_version": "2.0"}, 'format_version is "2.0"; versions 0 and 1 are read')]
        for document, said in rows:
            with self.subTest(said):
                self.refused(said, document)

    def test_texts_within_manifests_may_not_grow(self):
        bomb = "a: &a [x, x]\n" + "".join(f"{b}: &{b} [*{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi"))
        for text in (bomb, bomb + "# " + "x" * 10_000_000, "[" * 200):
            status, _, said = self.read([ray_service(text, workerGroupSpecs=[
                {"groupName": "w", "replicas": 1, "template": {"spec": pod(8, selector=ON_P5)}}])])
            self.assertEqual(status, 0)
            self.assertIn("its serveConfigV2 names no model_loading_config", said)


if __name__ == "__main__":
    CommandLineCase.costcurve = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
