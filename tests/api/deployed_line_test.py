"""Plans and manifests on the command line: to the right offers and counts; what is not known or not read is listed, never dropped;
secrets are neither kept nor printed.

usage: deployed_line_test.py COSTCURVE ROOT
"""

import json
import os
import pathlib
import sys
import unittest

from command_line_case import CommandLineCase, offer_of

ROOT = pathlib.Path()
DAY = ["--today", "2026-11-29"]


def offer(sku, device, devices, region, price=10, provider="aws", purchase="on_demand", **more):
    return {"id": f"{provider}.{sku}.{region or 'all'}.{purchase}".lower().replace("_", "-"), "provider": provider, "sku": sku,
            "device": device, "devices": devices, "region": region, "purchase": purchase, "hourly_price": price, "currency": "USD",
            **more}


DEVICES = ["nvidia.h100-sxm5-80gb", "nvidia.l4", "nvidia.l40s", "nvidia.t4", "nvidia.h100-nvl-94gb",
           "google.tpu-v5e", "aws.trainium2"]
PRICES = {
    "devices": [{"id": name, "kind": "gpu", "tdp_w": 500} for name in DEVICES],
    "offers": [
        offer("p5.48xlarge", DEVICES[0], 8, "us-east-1", 55), offer("g6.48xlarge", DEVICES[1], 8, "us-east-1", 13),
        offer("g6e.12xlarge", DEVICES[2], 4, "us-east-1", 4, purchase="spot"),
        offer("trn2.48xlarge", DEVICES[6], 16, "us-west-2", 40),
        offer("a3-highgpu-8g", DEVICES[0], 8, "us-central1", 88, "gcp"),
        offer("g2-standard-24", DEVICES[1], 2, "us-central1", 2, "gcp"),
        offer("1x t4", DEVICES[3], 1, "us-central1", 0.6, "gcp"),
        offer("tpu-v5litepod-8", DEVICES[5], 8, "us-central1", 9.6, "gcp"),
        offer("Standard_NC40ads_H100_v5", DEVICES[4], 1, "eastus", 7, "azure"),
        offer("Standard_NC40ads_H100_v5", DEVICES[4], 1, "eastus", 3, "azure", "spot"),
    ],
}


def resource(kind, name="x", index=None, mode="managed", **values):
    address = f"{kind}.{name}" + ("" if index is None else f"[{json.dumps(index)}]")
    return {"address": address, "mode": mode, "type": kind, "name": name, "values": values}


def plan(*resources, modules=(), **more):
    root = {"resources": list(resources)}
    if modules:
        root["child_modules"] = list(modules)
    return {"format_version": "1.2", "terraform_version": "1.9.8", "planned_values": {"root_module": root}, **more}


AWS = {"configuration": {"provider_config": {"aws": {"name": "aws", "expressions": {"region": {"constant_value": "us-east-1"}}}}}}
TWO_REGIONS = {"provider_config": {name: {"name": "aws", "expressions": {"region": {"constant_value": region}}}
                                   for name, region in (("aws", "us-east-1"), ("aws.eu", "eu-west-1"))}}


def of_block(key, module=None):
    resources = {"resources": [{"address": "aws_instance.x", "provider_config_key": key}]}
    root = resources if module is None else {"module_calls": {module: {"module": resources}}}
    return {"configuration": {**TWO_REGIONS, "root_module": root}}


BY_VARIABLE = {"configuration": {"provider_config": {"aws": {"expressions": {"region": {"references": ["var.region"]}}}}},
               "variables": {"region": {"value": "us-east-1"}, "password": {"value": "hunter2"}}}


def node_pool(machine, **values):
    return resource("google_container_node_pool", node_config=[{"machine_type": machine}], **values)


# resources that are not read, and what in them names accelerators
NAMED = {
    "scaleway_instance_server": {"type": "H100-2-80G"}, "crusoe_compute_instance": {"type": "h100-80gb-sxm-ib.8x"},
    "yandex_compute_instance": {"platform_id": "standard-v3", "resources": [{"gpus": 8}]},
    "google_workbench_instance": {"gce_setup": [{"accelerator_configs": [{"type": "NVIDIA_TESLA_T4", "core_count": 1}]}]},
    "google_cloud_run_v2_service": {"template": [{"node_selector": [{"accelerator": "nvidia-l4"}]}]},
    "aws_batch_compute_environment": {"compute_resources": [{"instance_type": ["g4dn", "p3"]}]},
    "aws_autoscaling_group": {"mixed": [{"instance_requirements": [{"accelerator_count": [{"min": 8}]}]}]},
    "aws_cloudformation_stack": {"template_body": '{"InstanceType": "p5.48xlarge"}'},
    "azapi_resource": {"body": '{"vmSize": "Standard_ND96isr_H100_v5"}'},
    "aws_ecs_task_definition": {"container_definitions": '[{"resourceRequirements": [{"type": "GPU", "value": "8"}]}]'},
    "azurerm_container_group": {"container": [{"gpu": [{"count": 4, "sku": "V100"}]}]},
    "ibm_is_instance": {"profile": "gx3d-160x1792x8h100"}, "alicloud_instance": {"instance_type": "ecs.gn7i-c32g1.32xlarge"},
    "anyscale_compute": {"instance_type": "8xH100"}, "together_endpoint": {"hardware": "8x_nvidia_h100_80gb_sxm"},
    "helm_release": {"set": [{"name": "resources.limits.nvidia\\.com/gpu", "value": "8"}]},
}

# a plan, the pools it comes to (offer: instances, most instances), questions, what is not read
PLANS = {
    "counts are resolved": (
        plan(*(resource("aws_instance", "gpu", i, instance_type="p5.48xlarge", availability_zone="us-east-1b") for i in range(3))),
        {"aws.p5.48xlarge.us-east-1.on-demand": (3, 3)}, [], []),
    "for_each in a module": (
        plan(modules=[{"address": "module.a", "resources": [resource("aws_instance", "gpu", key, instance_type="p5.48xlarge")
                                                            for key in ("a", "b]")]}], **AWS),
        {"aws.p5.48xlarge.us-east-1.on-demand": (2, 2)}, [], []),
    "region of a variable": (plan(resource("aws_instance", instance_type="p5.48xlarge"), **BY_VARIABLE),
                             {"aws.p5.48xlarge.us-east-1.on-demand": (1, 1)}, [], []),
    "region of nowhere": (plan(resource("aws_instance", instance_type="p5.48xlarge")), {},
                          ["its region is not stated; prices of p5.48xlarge are of us-east-1"], []),
    "region of the provider that the resource names": (
        plan(resource("aws_instance", instance_type="p5.48xlarge"), **of_block("aws.eu")), {},
        ["no price of p5.48xlarge in eu-west-1, only of us-east-1"], []),
    "region of the provider that a module is given": (
        plan(modules=[{"resources": [{**resource("aws_instance", instance_type="p5.48xlarge"),
                                      "address": "module.a.aws_instance.x"}]}], **of_block("aws.eu", "a")), {},
        ["no price of p5.48xlarge in eu-west-1, only of us-east-1"], []),
    "the first of two providers": (plan(resource("aws_instance", instance_type="p5.48xlarge"), **of_block("aws")),
                                   {"aws.p5.48xlarge.us-east-1.on-demand": (1, 1)}, [], []),
    "two providers, and none named": (plan(resource("aws_instance", instance_type="p5.48xlarge"), configuration=TWO_REGIONS), {},
                                      ["its region is not stated"], []),
    "region of the resource": (plan(resource("aws_instance", instance_type="p5.48xlarge", region="eu-west-1"), **AWS), {},
                               ["no price of p5.48xlarge in eu-west-1, only of us-east-1"], []),
    "a plan that is not complete": (plan(resource("aws_instance", instance_type="p5.48xlarge"), complete=False, **AWS),
                                    {"aws.p5.48xlarge.us-east-1.on-demand": (1, 1)}, ["plan: it is not complete"], []),
    "a plan that ended with an error": (plan(errored=True), {}, ["plan: it ended with an error"], []),
    "deferred": (plan(deferred_changes=[{"reason": "unknown", "resource_change": {
        "address": "aws_instance.y[*]", "change": {"after": {"instance_type": "p5.48xlarge"}}}}]), {},
        ["aws_instance.y: it is deferred: how many run is known only after this plan is applied (8 accelerators)"], []),
    "several types": (plan(resource("aws_eks_node_group", instance_types=["g6.48xlarge", "p5.48xlarge"],
                                    scaling_config=[{"desired_size": 2}]), **AWS), {}, ["instance_types has several types"], []),
    "makers whose machines are not read": (
        plan(resource("oci_core_instance", shape="BM.GPU.H100.8"), resource("runpod_pod", gpu_type_id="NVIDIA H100", gpu_count=8),
             resource("nebius_compute_instance", resources={"platform": "gpu-h100-sxm", "preset": "8gpu"}),
             resource("kubernetes_deployment", spec=[{"template": [{"limits": {"nvidia.com/gpu": "8"}}]}]),
             resource("helm_release", values=["resources: {limits: {nvidia.com/gpu: 8}}"]), resource("aws_vpc")), {},
        ["oci_core_instance is not read, and names BM.GPU.H100.8", "runpod_pod is not read",
         "nebius_compute_instance is not read", "kubernetes_deployment is not read, and names nvidia.com accelerators",
         "helm_release is not read, and names nvidia.com accelerators"], [("aws_vpc", 1)]),
    "words of texts and members that no reader knows": (
        plan(*(resource(kind, **values) for kind, values in NAMED.items())), {},
        [f"{kind} is not read, and names" for kind in NAMED],
        [(kind, 1) for kind in NAMED]),
    "names that people choose say nothing": (
        plan(resource("aws_security_group", name="gpu-nodes", tags={"pool": "h100"}, description="for the A100s"),
             resource("helm_release", chart="gpu-operator", name="gpu-operator")), {}, [],
        [("aws_security_group", 1), ("helm_release", 1)]),
    "the pool that a cluster of GKE begins with": (
        plan(resource("google_container_cluster", location="us-central1-a", initial_node_count=3,
                      node_config=[{"machine_type": "a3-highgpu-8g"}])),
        {"gcp.a3-highgpu-8g.us-central1.on-demand": (3, 3)}, [], []),
    "bought throughput": (
        plan(resource("aws_bedrock_provisioned_model_throughput", model_units=10),
             resource("azurerm_cognitive_deployment", "a", sku=[{"name": "GlobalProvisionedManaged", "capacity": 300}]),
             resource("azurerm_cognitive_deployment", "b", sku=[{"name": "Standard"}])), {},
        ["aws_bedrock_provisioned_model_throughput buys throughput", "azurerm_cognitive_deployment buys throughput"],
        [("azurerm_cognitive_deployment", 1)]),
    "types that no table has and that are named for accelerators": (
        plan(resource("google_compute_instance", machine_type="a5-highgpu-8g", zone="us-central1-a")), {},
        ["no price of a5-highgpu-8g"], []),
    "another region": (plan(resource("aws_instance", instance_type="p5.48xlarge", availability_zone="eu-west-3a")), {},
                       ["no price of p5.48xlarge in eu-west-3, only of us-east-1"], []),
    "another purchase": (plan(resource("aws_spot_instance_request", instance_type="p5.48xlarge"), **AWS), {},
                         ["no price of p5.48xlarge, spot in us-east-1"], []),
    "other terms": (
        plan(resource("aws_instance", "a", instance_type="p5.48xlarge", tenancy="dedicated"),
             resource("aws_instance", "b", instance_type="p5.48xlarge",
                      instance_market_options=[{"market_type": "capacity-block"}]),
             resource("aws_instance", "c", instance_type="p5.48xlarge", tenancy="default"), **AWS),
        {"aws.p5.48xlarge.us-east-1.on-demand": (1, 1)}, ["p5.48xlarge, dedicated", "p5.48xlarge, capacity-block"], []),
    "node group": (
        plan(resource("aws_eks_node_group", instance_types=["g6e.12xlarge"], capacity_type="SPOT",
                      scaling_config=[{"desired_size": 2, "min_size": 0, "max_size": 5}]), **AWS),
        {"aws.g6e.12xlarge.us-east-1.spot": (2, 5)}, ["it may grow from 2 to 5 machines"], []),
    "a type without a price that has accelerators": (
        plan(resource("aws_instance", instance_type="trn1.32xlarge", availability_zone="us-west-2a")), {},
        ["no price of trn1.32xlarge in us-west-2"], []),
    "a type of the price file alone": (
        plan(resource("aws_instance", instance_type="trn2.48xlarge", availability_zone="us-west-2a")),
        {"aws.trn2.48xlarge.us-west-2.on-demand": (1, 1)}, [], []),
    "machines without accelerators": (
        plan(*(resource("aws_instance", "web", i, instance_type="m5.large") for i in range(4)), **AWS), {}, [], [("m5.large", 4)]),
    "resources that are none of ours": (
        plan(resource("aws_vpc"), resource("aws_subnet", "a"), resource("aws_subnet", "b"), resource("aws_ami", mode="data"),
             resource("aws_instance", instance_type="p5.48xlarge"), **AWS),
        {"aws.p5.48xlarge.us-east-1.on-demand": (1, 1)}, [], [("aws_vpc", 1), ("aws_subnet", 2), ("data aws_ami", 1)]),
    "machines of a template": (
        plan(resource("aws_launch_template", instance_type="p4d.24xlarge"),
             resource("aws_autoscaling_group", desired_capacity=4), **AWS),
        {}, ["aws_launch_template is not read, and names p4d.24xlarge: how many run? (8 accelerators)"],
        [("aws_launch_template", 1), ("aws_autoscaling_group", 1)]),
    "known after apply": (plan(resource("aws_instance"), **AWS), {}, ["instance_type is known only after apply"], []),
    "google": (plan(resource("google_compute_instance", machine_type="a3-highgpu-8g", zone="us-central1-a")),
               {"gcp.a3-highgpu-8g.us-central1.on-demand": (1, 1)}, [], []),
    "google, an accelerator attached": (
        plan(resource("google_compute_instance", machine_type="n1-standard-8", zone="us-central1-b",
                      guest_accelerator=[{"type": "nvidia-tesla-t4", "count": 1}])),
        {"gcp.1x t4.us-central1.on-demand": (1, 1)}, [], []),
    "google, spot without a price": (
        plan(resource("google_compute_instance", machine_type="a3-highgpu-8g", zone="us-central1-a",
                      scheduling=[{"preemptible": True, "provisioning_model": "SPOT"}])),
        {}, ["no price of a3-highgpu-8g, spot"], []),
    "node pool of zones": (
        plan(node_pool("g2-standard-24", location="us-central1", node_count=2, node_locations=["us-central1-a", "us-central1-c"])),
        {"gcp.g2-standard-24.us-central1.on-demand": (4, 4)}, [], []),
    "node pool of a region": (
        plan(node_pool("g2-standard-24", location="us-central1", autoscaling=[{"min_node_count": 1, "max_node_count": 3}])),
        {"gcp.g2-standard-24.us-central1.on-demand": (1, 3)}, ["its zones are not stated", "it may grow"], []),
    "tpu": (plan(resource("google_tpu_v2_vm", accelerator_type="v5litepod-8", zone="us-central1-a")),
            {"gcp.tpu-v5litepod-8.us-central1.on-demand": (1, 1)}, [], []),
    "azure": (plan(resource("azurerm_linux_virtual_machine", size="Standard_NC40ads_H100_v5", location="East US", priority="Spot"),
                   resource("azurerm_linux_virtual_machine_scale_set", sku="Standard_NC40ads_H100_v5", location="eastus",
                            instances=3)),
              {"azure.standard-nc40ads-h100-v5.eastus.spot": (1, 1), "azure.standard-nc40ads-h100-v5.eastus.on-demand": (3, 3)},
              [], []),
}
for row in PRICES["offers"]:
    row["id"] = row["id"].replace(" ", "-")


def pods(kind="Deployment", gpus=1, replicas=None, selector=None, resource_name="nvidia.com/gpu", **container):
    pod = {"containers": [{"name": "c", "image": "i", "resources": {"limits": {resource_name: gpus}} if gpus else {}, **container}]}
    if selector:
        pod["nodeSelector"] = selector
    spec = pod if kind == "Pod" else {"template": {"spec": pod}}
    if replicas is not None:
        spec["parallelism" if kind == "Job" else "replicas"] = replicas
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": "x"}, "spec": spec}


P5 = {"node.kubernetes.io/instance-type": "p5.48xlarge", "topology.kubernetes.io/region": "us-east-1"}
ON_P5 = "aws.p5.48xlarge.us-east-1.on-demand"
MANIFESTS = {
    "replicas are packed": ([pods(gpus=4, replicas=3, selector=P5)], {ON_P5: (2, 2)}, [], []),
    "a text is a number": ([pods(gpus="8", replicas=2, selector=P5)], {ON_P5: (2, 2)}, [], []),
    "objects share machines": ([pods(gpus=6, selector=P5), pods("StatefulSet", 2, selector=P5), pods("Pod", 1, selector=P5)],
                               {ON_P5: (2, 2)}, [], []),
    "a list": ([{"apiVersion": "v1", "kind": "List", "items": [pods("Job", 8, 5, P5)]}], {ON_P5: (5, 5)}, [], []),
    "no replicas": ([pods(gpus=8, replicas=0, selector=P5)], {ON_P5: (0, 0)}, [], []),
    "no selector": ([pods(gpus=2, replicas=3)], {}, ["no selector names its accelerator or machine"], []),
    "a device alone": ([pods(gpus=2, selector={"nvidia.com/gpu.product": "NVIDIA-L4"})], {},
                       ["its region is not stated", "2 accelerators"], []),
    "too many for a machine": ([pods(gpus=16, selector=P5)], {}, ["a pod asks for 16 accelerators"], []),
    "a slice": ([pods(gpus=1, resource_name="nvidia.com/mig-1g.10gb", selector=P5)], {},
                ["is a part of an accelerator"], [("Deployment", 1)]),
    "a daemon set": ([pods("DaemonSet", 1, selector=P5)], {ON_P5: (1, 1)}, ["once on each node"], []),
    "kinds that are not read": (
        [pods(gpus=8, selector=P5), {"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Service"}] * 2},
         {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "n"},
          "spec": {"values": ["m5.large", "p4d.24xlarge"]}},
         {"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "metadata": {"name": "t"},
          "spec": {"pytorchReplicaSpecs": {"Worker": {
             "template": {"spec": {"containers": [{"resources": {"limits": {"nvidia.com/gpu": 8}}}]}}}}}}],
        {ON_P5: (1, 1)}, ["the kind PyTorchJob is not read, and asks for accelerators (8 accelerators)",
                          "the kind NodePool is not read, and names p4d.24xlarge (8"],
        [("Service", 2), ("PyTorchJob", 1), ("NodePool", 1)]),
    "a zone": ([pods(gpus=2, selector={"cloud.google.com/gke-accelerator": "nvidia-l4",
                                    "topology.kubernetes.io/zone": "us-central1-a"})],
               {"gcp.g2-standard-24.us-central1.on-demand": (1, 1)}, [], []),
    "a tpu slice": ([pods(gpus=8, resource_name="google.com/tpu", selector={
        "cloud.google.com/gke-tpu-accelerator": "tpu-v5-lite-podslice", "cloud.google.com/gke-tpu-topology": "2x4",
        "topology.kubernetes.io/region": "us-central1"})], {"gcp.tpu-v5litepod-8.us-central1.on-demand": (1, 1)}, [], []),
    "no accelerator": ([pods(gpus=0)], {}, [], [("Deployment", 1)]),
}


class DeployedCase(CommandLineCase):
    def setUp(self):
        super().setUp()
        self.prices = ["--prices", self.write("prices.json", PRICES)]

    def read(self, *documents, options=()):
        """The status, the scenario, the questions and what is not read."""
        files = [self.write(f"{i}.json", document) for i, document in enumerate(documents)]
        status, out, err = self.run_costcurve("read", *files, *DAY, *options, *self.prices)
        return status, json.loads(out) if out else None, err

    def gate(self, rules, *documents, options=()):
        files = [self.write(f"{i}.json", document) for i, document in enumerate(documents)]
        path = self.write("rules.json", {"rules": rules})
        status, out, err = self.run_costcurve("gate", *files, "--rules", path, "--format", "json", *DAY, *options, *self.prices)
        return status, json.loads(out) if out else None, err


def pools_of(scenario):
    return {offer_of(pool): (pool["min_instances"], pool["max_instances"]) for pool in scenario["pools"]} if scenario else {}


class ReadingTest(DeployedCase):
    def holds(self, rows, to_documents):
        for name, (given, pools, asked, not_read) in rows.items():
            with self.subTest(name):
                status, scenario, said = self.read(*to_documents(given))
                self.assertEqual(pools_of(scenario), {offer.replace(" ", "-"): count for offer, count in pools.items()})
                self.assertEqual(status, 0 if pools else 2)
                for text in asked:
                    self.assertIn(text, said)
                self.assertEqual("not known" in said, bool(asked), said)
                for what, count in not_read:
                    self.assertIn(f"{count} × {what}: ", said)
                self.assertEqual("not read\n" in said, bool(not_read), said)
                status, report, _ = self.gate([{"figure": "read_whole"}], *to_documents(given))
                self.assertEqual(status, 2 if any(row["devices"] > 0 for row in report["questions"]) else 0)

    def test_plans_come_to_offers_and_counts(self):
        self.holds(PLANS, lambda given: [given])

    def test_manifests_come_to_offers_and_counts(self):
        self.holds(MANIFESTS, lambda given: given)

    def test_an_offer_that_is_stated_answers_a_question(self):
        one = plan(resource("aws_instance", instance_type="p5.48xlarge", availability_zone="eu-west-3a"))
        for name in ("aws_instance.x", "p5.48xlarge"):
            _, scenario, _ = self.read(one, options=["--offer", f"{name}={ON_P5}"])
            self.assertEqual(pools_of(scenario), {ON_P5: (1, 1)})
        _, scenario, _ = self.read(pods(gpus=2, replicas=5, selector={"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}),
                                   options=["--offer", f"nvidia.h100-sxm5-80gb={ON_P5}"])
        self.assertEqual(pools_of(scenario), {ON_P5: (2, 2)})
        status, _, err = self.read(one, options=["--offer", "p5"])
        self.assertEqual(status, 2)
        self.assertIn("give NAME=ID", err)

    def test_what_is_stated_as_none_is_asked_no_more(self):
        one = plan(resource("runpod_pod", gpu_count=8), resource("aws_instance", instance_type="p5.48xlarge"), **AWS)
        status, report, _ = self.gate([{"figure": "read_whole"}], one)
        self.assertEqual((status, len(report["questions"])), (2, 1))
        status, report, _ = self.gate([{"figure": "read_whole"}], one, options=["--offer", "runpod_pod.x=none"])
        self.assertEqual((status, len(report["questions"])), (0, 0))

    def test_questions_stand_in_the_order_of_the_accelerators_they_are_about(self):
        _, report, _ = self.gate([{"figure": "does_its_work"}],
                                 plan(resource("aws_instance", "small", instance_type="g5.xlarge"),
                                      *(resource("aws_instance", "large", i, instance_type="p4d.24xlarge") for i in range(2)),
                                      resource("aws_instance", "right", instance_type="p5.48xlarge"), **AWS))
        self.assertEqual([(row["subject"], row["devices"]) for row in report["questions"]],
                         [("aws_instance.large", 16), ("aws_instance.small", 1)])

    def test_pods_run_on_the_plans_machines(self):
        machines = plan(resource("aws_instance", instance_type="p5.48xlarge"), **AWS)
        status, report, _ = self.gate([{"figure": "read_whole"}], machines, pods(gpus=4, replicas=2, selector=P5))
        self.assertEqual((status, len(report["questions"])), (0, 0))
        status, report, _ = self.gate([{"figure": "read_whole"}], machines, pods(gpus=4, replicas=3, selector=P5))
        self.assertEqual((status, report["questions"][0]["devices"]), (2, 4))


class MoneyTest(DeployedCase):
    def test_a_spot_machine_is_paid_for_all_the_time(self):
        status, report, _ = self.gate([{"figure": "cost_per_month", "max": 2000, "unit": "USD/month"}],
                                      plan(resource("azurerm_linux_virtual_machine", size="Standard_NC40ads_H100_v5",
                                                    location="eastus", priority="Spot")))
        self.assertEqual(status, 1)
        self.assertAlmostEqual(report["changes"][0]["cost_per_month"], 3 * 730)

    def test_an_offer_of_other_accelerators_answers_nothing(self):
        one = plan(resource("aws_instance", instance_type="p5.48xlarge", availability_zone="eu-west-3a"))
        status, scenario, said = self.read(one, options=["--offer", "p5.48xlarge=azure.standard-nc40ads-h100-v5.eastus.on-demand"])
        self.assertEqual((status, scenario), (2, None))
        self.assertIn("it has 8 accelerators, the offer azure.standard-nc40ads-h100-v5.eastus.on-demand has 1", said)

    def test_cost_is_machines_times_hours_times_price(self):
        hours = 365 * 24
        status, report, _ = self.gate([{"figure": "cost_per_month", "max": 2 * 55 * hours / 12 + 1, "unit": "USD/month"}],
                                      plan(*(resource("aws_instance", "gpu", i, instance_type="p5.48xlarge") for i in range(2)),
                                           **AWS))
        self.assertEqual(status, 0)
        self.assertAlmostEqual(report["changes"][0]["cost_per_month"], 2 * 55 * hours / 12, places=6)

    def test_a_part_that_has_no_price_keeps_no_budget_and_may_break_one(self):
        both = plan(resource("aws_instance", "a", instance_type="p5.48xlarge"),
                    resource("aws_instance", "b", instance_type="p4d.24xlarge"), **AWS)
        rule = {"figure": "cost_per_month", "unit": "USD/month"}
        for limit, status, verdict in ((1e9, 2, "unknown"), (1, 1, "broken")):
            got, report, _ = self.gate([{**rule, "max": limit}], both)
            finding = report["findings"][-1]
            self.assertEqual((got, finding["verdict"], finding["is_at_least"]), (status, verdict, True))

    def test_plans_are_compared(self):
        def of(count):
            return plan(*(resource("aws_instance", "gpu", i, instance_type="p5.48xlarge") for i in range(count)), **AWS)
        base = self.write("base.json", of(2))
        status, report, _ = self.gate([{"figure": "cost_increase_fraction", "max": 0.4}], of(3), options=["--against", base])
        self.assertEqual(status, 1)
        self.assertAlmostEqual(report["changes"][0]["change_fraction"], 0.5)
        partial = self.write("partial.json", plan(*of(2)["planned_values"]["root_module"]["resources"],
                                                  resource("aws_instance", "b", instance_type="p4d.24xlarge"), **AWS))
        status, report, _ = self.gate([{"figure": "cost_increase_fraction", "max": 0.4}], of(2), options=["--against", partial])
        self.assertEqual(status, 2)
        self.assertIn("the base is not known as a whole", report["findings"][-1]["why"])


class ModelsTest(DeployedCase):
    """vLLM's arguments, by the rates of the shipped catalogue."""

    ROWS = [
        (["--model", "meta-llama/Llama-3.1-70B-Instruct", "--dtype", "bfloat16"], "llama-3.1-70b", "bf16"),
        (["--model=meta-llama/Llama-3.1-8B", "--quantization=fp8"], "llama-3.1-8b", "fp8"),
        (["vllm serve Qwen/Qwen3-32B --tensor-parallel-size 4 \\\n --max-model-len 8192"], "qwen3-32b", None),
        (["serve", "openai/gpt-oss-120b", "-tp", "8"], "gpt-oss-120b", None),
        (["--model", "nvidia/Llama-3.1-8B-Instruct-FP8", "--dtype", "bfloat16"], "llama-3.1-8b", "fp8"),
        (["--model", "meta-llama/Llama-3.1-8B", "--quantization", "w8a8_fp8", "--dtype", "auto"], "llama-3.1-8b", "fp8"),
        (["--dtype=half", "--model", "mistralai/Mistral-7B-v0.3"], "mistral-7b-v0.3", "bf16"),
    ]

    def setUp(self):
        super().setUp()
        self.prices = ["--prices", *sorted(str(path) for path in (ROOT / "deploy/catalog").glob("*.json"))]

    def test_a_served_model_is_a_workload_of_no_demand(self):
        for words, model, precision in self.ROWS:
            with self.subTest(words=words):
                status, scenario, said = self.read(pods(gpus=8, selector=P5, args=words))
                workload, = scenario["workloads"]
                self.assertEqual((status, workload["model"], workload.get("precision"), workload["demand"]),
                                 (0, model, precision, {"mean_per_s": 0}))
                self.assertIn("requests/s of", said)
                status, report, err = self.gate([{"figure": "cost_per_million_units", "max": 1e9, "unit": "USD/million units"}],
                                                pods(gpus=8, selector=P5, args=words))
                self.assertEqual((status, report["findings"][-1]["why"]), (2, "nothing is served"), err)

    def test_a_model_that_has_no_rate_where_it_runs_is_asked_for_and_the_rest_is_priced(self):
        large, small = (pods(gpus=8, selector=P5, args=["--model", name]) for name in (
            "meta-llama/Llama-3.1-405B-Instruct", "meta-llama/Llama-3.1-8B-Instruct"))
        small["metadata"]["name"] = "small"
        status, scenario, said = self.read(large, small)
        self.assertEqual((status, [row["model"] for row in scenario["workloads"]]), (0, ["llama-3.1-8b"]))
        self.assertIn("no rate of meta-llama/Llama-3.1-405B-Instruct: llama-3.1-405b on nvidia.h100-sxm5-80gb takes more memory",
                      said)
        status, report, err = self.gate([{"figure": "cost_per_month", "max": 1e9, "unit": "USD/month"}], large, small)
        self.assertEqual((status, report["outcome"]), (0, "pass"), err)

    def test_a_model_that_is_not_known_is_asked_for(self):
        for words, asked in ((["--model", "acme/secret-13B"], "acme/secret-13B is not among"),
                             (["--model", "/models/x"], "/models/x, a path"),
                             (["--model", "$(MODEL)"], "a reference to a variable")):
            status, scenario, said = self.read(pods(gpus=8, selector=P5, args=words))
            self.assertEqual((status, scenario["workloads"][0]["id"]), (0, "not-stated"))
            self.assertIn(asked, said)


class BadInputTest(DeployedCase):
    def refused(self, said, document):
        for verb in ("read", "gate"):
            status, out, err = getattr(self, verb)(*([[{"figure": "read_whole"}]] if verb == "gate" else []), document)
            self.assertEqual((status, out), (2, None), err)
            self.assertIn(said, err)

    def test_what_is_no_plan_of_ours_is_refused_by_name(self):
        self.refused('format_version is "2.0"', {**plan(), "format_version": "2.0"})
        self.refused("it has no planned values", {"format_version": "1.2", "terraform_version": "1.9.8"})
        self.refused("it has no planned values", {"format_version": "1.0", "resource_changes": []})

    def test_templates_that_are_not_rendered_are_refused(self):
        self.refused("render the template first", "apiVersion: v1\nkind: Deployment\nspec:\n  replicas: {{ .Values.replicas }}\n")
        self.refused("render the template first", "{{- if .Values.enabled }}\napiVersion: v1\nkind: Pod\n{{- end }}\n")
        self.refused("render the template first", pods(gpus="{{ .Values.gpus }}"))
        self.refused("replicas or accelerators are no number", pods(gpus=1, replicas="three"))
        self.refused("it has 1e+06 replicas; allowed 0 to 100000", pods(gpus=1, replicas=10**6))
        self.refused("it has -1 replicas", pods(gpus=1, replicas=-1))

    def test_yaml_that_grows_is_refused(self):
        self.refused("anchor", "apiVersion: v1\nkind: Pod\na: &a [x]\nb: [*a, *a]\n")
        self.refused("allowed up to 4194304", "apiVersion: v1\nkind: Pod\n#" + "x" * 10_000_000)

    def test_chat_templates_are_no_templates_of_charts(self):
        manifest = pods(gpus=8, selector=P5, args=["--chat-template", "{{ messages }}"])
        self.assertEqual(self.read(manifest)[0], 0)

    def test_no_secret_is_kept_or_printed(self):
        secret = "hunter2-hunter2"
        documents = [
            pods(gpus=8, selector=P5, env=[{"name": "HF_TOKEN", "value": secret}], args=["--api-key", secret]),
            {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "stringData": {"token": secret},
             "data": {"token": secret}},
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"token": secret}},
            plan(resource("aws_instance", instance_type="p5.48xlarge", user_data=secret),
                 resource("aws_db_instance", password=secret),
                 variables={"password": {"value": secret}}, **AWS)]
        files = [self.write(f"{i}.json", document) for i, document in enumerate(documents)]
        rules = self.write("rules.json", {"rules": [{"figure": "cost_per_month", "max": 1, "unit": "USD/month"}]})
        for name in ("text", "markdown", "sarif", "junit", "json"):
            _, out, err = self.run_costcurve("gate", *files, "--rules", rules, "--format", name, *DAY, *self.prices)
            self.assertNotIn(secret, out + err)
        _, out, err = self.run_costcurve("read", *files, *DAY, *self.prices)
        self.assertNotIn(secret, out + err)
        self.assertIn("1 × Secret", err)


if __name__ == "__main__":
    CommandLineCase.costcurve = os.path.abspath(sys.argv.pop(1))
    ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main(verbosity=2)
