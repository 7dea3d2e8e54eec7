"""Ten more published manifests and plans, chosen after the reader was written by somebody who did not write it. What each comes to
was written down from the source alone. Facts and shapes are the sources', the text is ours. No tests here."""

from published_deployments import P5, group, plan, pod, resource, service, thing


# Name, type, accelerator and their number, region: of machines that these sources are answered by.
LATER_OFFERS = [
    ("aws.g4dn.xlarge.us-west-2.on-demand", "g4dn.xlarge", "nvidia.t4", 1, "us-west-2"),
    ("aws.trn1.32xlarge.us-west-2.on-demand", "trn1.32xlarge", "aws.trainium1", 16, "us-west-2"),
    ("gcp.n1-standard-16-2x-t4.us-central1.on-demand", "n1-standard-16 with 2 t4", "nvidia.t4", 2, "us-central1"),
    ("gcp.tpu-v7-chip.us-central1.on-demand", "tpu-v7-chip", "google.tpu-v7", 1, "us-central1"),
    ("vultr.8x-mi355x.all.on-demand", "8x mi355x", "amd.mi355x", 8),
]
G4DN, TRN1, TWO_T4, V7, MI355X = (row[0] for row in LATER_OFFERS)
AZURE_T4 = "azure.standard-nc4as-t4-v3.eastus.on-demand"


def with_modules(whole, **modules):
    """A plan with resources of child modules, whose addresses are below the module's."""
    root = whole["planned_values"]["root_module"]
    root["child_modules"] = [{"address": f"module.{name}", "resources": [
        {**each, "address": f"module.{name}.{each['address']}"} for each in resources]} for name, resources in modules.items()]
    return whole


def region_by_a_local(whole, name):
    """A region that is no constant stands in a plan as what it refers to."""
    whole["configuration"]["provider_config"][name]["expressions"] = {"region": {"references": ["local.region"]}}
    return whole


def node_group(key, machine, nodes):
    own = resource("aws_eks_node_group", "this", 0, ami_type="AL2023_x86_64_NVIDIA", capacity_type="ON_DEMAND",
                   instance_types=[machine], scaling_config=[{"desired_size": nodes, "max_size": 2, "min_size": 1}])
    return {**own, "address": f"module.eks_managed_node_group[\"{key}\"].{own['address']}"}


def pool_of_two_zones(key, accelerators):
    own = resource("google_container_node_pool", "pools", location="us-central1", initial_node_count=1,
                   node_locations=["us-central1-b", "us-central1-c"],
                   autoscaling=[{"min_node_count": 1, "max_node_count": 3, "location_policy": "BALANCED"}],
                   node_config=[{"machine_type": "n1-standard-16", "spot": False, "preemptible": False,
                                 "guest_accelerator": accelerators}])
    return {**own, "address": f"{own['address']}[\"{key}\"]"}


ONE_ENGINE = ("python3 -m sglang.launch_server \\\n --model /llm-folder \\\n --dist-init-addr sglang-master-pod:5000 \\\n"
              " --tensor-parallel-size 16 \\\n --nnodes 2 \\\n --node-rank $POD_INDEX \\\n --expert-parallel-size 16\n")
WIDE_DECODE = ("# what an earlier crash left\nfind /dev/shm -type f -delete\n\n"
               "START_RANK=$(( ${LWS_WORKER_INDEX} * DP_SIZE_LOCAL ))\n"
               "exec vllm serve \\\n deepseek-ai/DeepSeek-V3 \\\n --port 8200 \\\n --enable-expert-parallel \\\n"
               " --tensor-parallel-size $TP_SIZE \\\n --data-parallel-size $((LWS_GROUP_SIZE * DP_SIZE_LOCAL)) \\\n"
               " --data-parallel-size-local $DP_SIZE_LOCAL \\\n --max-model-len 32768 \\\n"
               " --kv-transfer-config '{\"kv_connector\":\"MoRIIOConnector\",\n \"kv_role\":\"kv_consumer\"}'")
NEURON = [pod("16", "aws.amazon.com/neuron", command=["/usr/local/bin/run.sh"], selector={"instance-type": "trn1-32xl"})] * 2
TPU_64 = {"cloud.google.com/gke-tpu-accelerator": "tpu7x", "cloud.google.com/gke-tpu-topology": "4x4x4"}
OTHER_POOLS = {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
    {"matchExpressions": [{"key": "cloud.google.com/gke-nodepool", "operator": "NotIn", "values": ["default-pool"]}]}]}}}}
WAITS_AND_PROXY = [{"name": "wait", "image": "i", "command": ["/bin/bash", "-c", "getent hosts peer"], "resources": {}},
                   {"name": "proxy", "image": "i", "restartPolicy": "Always", "args": ["--port=8000"], "resources": {}}]

# Each as in published_deployments.py.
LATER_MANIFESTS = [
    (("sgl-project/sglang", "docker/k8s-sglang-distributed-sts.yaml", "622284e36e92c9b331ed8945e2e78cda6539e5fd"),
     [thing("StatefulSet", "apps/v1", "distributed-sglang", {"replicas": 2, "serviceName": "", "template": {
         "spec": pod("8", command=["/bin/bash", "-c"], args=[ONE_ENGINE], hostNetwork=True)}}),
      service("sglang-master-pod"), service("sglang-serving-on-master")],
     {"StatefulSet/distributed-sglang": P5}, {P5: (2, 2)}, ["/llm-folder"], [("Service", 1)]),
    (("awslabs/data-on-eks", "gen-ai/inference/vllm-llama3.1-405b-trn1/llama3-405b-vllm-lws-deployment.yaml",
      "454ad12002a073935cb2ca149e7fc50040e8c7e7"),
     [service("vllm-leader"), group("llama3-405b-lws", 1, 4, *NEURON)],
     {"LeaderWorkerSet/llama3-405b-lws": TRN1}, {TRN1: (4, 4)}, [], [("Service", 1)]),
    (("aws-samples/karpenter-blueprints", "blueprints/nvidia-gpu-workload/gpu-nodepool.yaml, gpu-nodeclass.yaml and workload.yaml",
      "ecd0fab46ed8993ddde46d6979c81f12773d7a63"),
     [thing("EC2NodeClass", "karpenter.k8s.aws/v1", "gpu", {"role": "<<KARPENTER_NODE_IAM_ROLE_NAME>>"}),
      thing("NodePool", "karpenter.sh/v1", "gpu", {
          "limits": {"cpu": 100, "memory": "100Gi", "nvidia.com/gpu": 5},
          "template": {"metadata": {"labels": {"intent": "gpu"}}, "spec": {
              "nodeClassRef": {"group": "karpenter.k8s.aws", "name": "gpu", "kind": "EC2NodeClass"},
              "requirements": [{"key": key, "operator": "In", "values": [value]} for key, value in (
                  ("karpenter.sh/capacity-type", "on-demand"), ("karpenter.k8s.aws/instance-category", "g"),
                  ("karpenter.k8s.aws/instance-gpu-manufacturer", "nvidia"))],
              "taints": [{"key": "nvidia.com/gpu", "effect": "NoSchedule"}]}}}),
      thing("Pod", "v1", "nvidia-smi", pod(1, args=["nvidia-smi"], restartPolicy="OnFailure", selector={
          "intent": "gpu", "karpenter.k8s.aws/instance-gpu-name": "t4"}))],
     {"nvidia.t4": G4DN}, {G4DN: (1, 1)}, [], [("EC2NodeClass", 1)]),
    (("llm-d/llm-d", "guides/wide-ep-lws/modelserver/amd/vllm-deepseek-v3/base/decode.yaml",
      "368f5b0ad778b97eb61984ca60f9fe99b158fadd"),
     [group("amd-decode", 1, 2, pod("8", "amd.com/gpu", command=["/bin/bash", "-c"], args=[WIDE_DECODE],
                                    initContainers=WAITS_AND_PROXY))],
     {"LeaderWorkerSet/amd-decode": MI355X}, {MI355X: (2, 2)}, ["the model deepseek-ai/DeepSeek-V3 is not among"], []),
    (("AI-Hypercomputer/tpu-recipes", "training/ironwood/llama3.1-70b/8k-bf16-tpu7x-4x4x4/k8s/k8s_manifest.yaml",
      "2785f4ba486f67ff453ebab6473a49fcbf48cf4d"),
     [thing("JobSet", "jobset.x-k8s.io/v1alpha2", "${WORKLOAD_NAME}", {"replicatedJobs": [
         {"name": "slice-job", "replicas": 1, "template": {"spec": {"parallelism": 16, "completions": 16, "template": {
             "spec": pod("4", "google.com/tpu", selector=TPU_64, command=["/bin/bash", "-c", (
                 "set -e && python3 -m maxtext.trainers.pre_train.train maxtext/configs/base.yml model_name=llama3.1-70b "
                 "max_target_length=8192 run_name=${WORKLOAD_NAME}")], **OTHER_POOLS)}}}}]})],
     {"google.tpu-v7": V7}, {V7: (64, 64)}, [], []),
    (("NVIDIA/nim-deploy", "cloud-service-providers/aws/eks/storage/nim-operator-nim-service.yaml",
      "d3b8874f56251a8d60823967b4c1450e05d170e2"),
     [thing("NIMService", "apps.nvidia.com/v1alpha1", "meta-llama3-8b-instruct", {
         "image": {"repository": "nvcr.io/nim/meta/llama3-8b-instruct", "tag": "1.0.3"}, "replicas": 1,
         "resources": {"limits": {"nvidia.com/gpu": 1}}, "expose": {"service": {"type": "ClusterIP", "port": 8000}}})],
     {}, {}, ["NIMService/meta-llama3-8b-instruct"], [("NIMService", 1)]),
]

LATER_PLANS = [
    (("aws-ia/terraform-aws-eks-blueprints", "patterns/nvidia-gpu-efa/eks.tf", "0426f2b931b66214634386896cb170d0bf68cdb9"),
     [region_by_a_local(with_modules(plan(), eks=[
         resource("aws_eks_cluster", "this", 0, version="1.32"),
         resource("aws_launch_template", "this", 0, name_prefix="nvidia-efa-"),
         node_group("nvidia-efa", "p5.48xlarge", 2), node_group("default", "m5.large", 2)]), "aws")],
     {"p5.48xlarge": P5}, {P5: (2, 2)}, [], [("aws_launch_template", 1), ("m5.large", 2)]),
    (("GoogleCloudPlatform/ai-on-gke", "infrastructure/tfvars_examples/standard-gke-with-new-network.platform.tfvars",
      "c871c70a142a971a460e912b7ecf971bb90ef86f"),
     [with_modules(plan(), gke=[
         resource("google_container_cluster", "primary", location="us-central1", initial_node_count=0,
                  remove_default_node_pool=True, node_locations=["us-central1-a", "us-central1-b", "us-central1-f"], node_pool=[
                      {"name": "default-pool", "initial_node_count": 0, "node_config": [{"machine_type": "n1-standard-16"}]}]),
         pool_of_two_zones("gpu-pool", [{"type": "nvidia-tesla-t4", "count": 2, "gpu_partition_size": ""}]),
         pool_of_two_zones("cpu-pool", [])])],
     {"nvidia.t4": TWO_T4}, {TWO_T4: (2, 6)}, ["it may grow from 2 to 6 machines: 2 are priced"], [("n1-standard-16", 2)]),
    (("microsoft/nxs", "terraform/envs/nxs/main.tf", "252d67374736a8e76c8f1856d16090706adc017e"),
     [with_modules(plan(), nxs=[
         resource("azurerm_kubernetes_cluster", "nxs_aks", location="westus2", default_node_pool=[
             {"name": "cpupool1", "enable_auto_scaling": True, "vm_size": "standard_d2s_v3", "min_count": 3, "max_count": 6}]),
         resource("azurerm_kubernetes_cluster_node_pool", "gpu", enable_auto_scaling=True,
                  vm_size="Standard_NC4as_T4_v3", min_count=0, max_count=2, priority="Regular")])],
     {"Standard_NC4as_T4_v3": AZURE_T4}, {AZURE_T4: (0, 2)}, ["it may grow from 0 to 2 machines: 0 are priced"],
     [("standard_d2s_v3", 3)]),
    (("aws-samples/awsome-distributed-training",
      "1.architectures/7.sagemaker-hyperpod-eks/slinky-slurm/p5/p5-custom.tfvars", "bb79309ea20829589a8dc09ed3fdf997b9918f48"),
     [with_modules(plan(region="us-west-2"), hyperpod=[
         resource("awscc_sagemaker_cluster", "hyperpod", node_recovery="Automatic", instance_groups=[
             {"instance_group_name": name, "instance_type": machine, "instance_count": 2, "threads_per_core": threads}
             for name, machine, threads in (("accelerated", "ml.p5.48xlarge", 2), ("general", "ml.m5.2xlarge", 1))])])],
     {}, {}, ["ml.p5.48xlarge"], [("awscc_sagemaker_cluster", 1)]),
]

# What the reader gives wrong, by repository, with the reason; the test passes these rows over until it is right.
KNOWN_WRONG = {}
