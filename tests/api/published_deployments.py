"""Published manifests and plans: what each deploys, written down from the source that its row names. Facts and shapes are the
sources', the text is ours; environments and probes, which are never read, are left out. No tests here."""


def pod(gpus=0, resource="nvidia.com/gpu", args=(), command=(), selector=None, **more):
    container = {"name": "main", "image": "i"}
    if gpus:
        container["resources"] = {"limits": {resource: gpus}}
    if args:
        container["args"] = list(args)
    if command:
        container["command"] = list(command)
    return {"containers": [container], **({"nodeSelector": selector} if selector else {}), **more}


def thing(kind, version, name, spec, **metadata):
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, **metadata}, "spec": spec}


def group(name, replicas, size, worker, leader=None):
    template = {"size": size, "workerTemplate": {"spec": worker}}
    if leader:
        template["leaderTemplate"] = {"spec": leader}
    return thing("LeaderWorkerSet", "leaderworkerset.x-k8s.io/v1", name, {"replicas": replicas, "leaderWorkerTemplate": template})


def service(name):
    return thing("Service", "v1", name, {"ports": [{"port": 80}]})


def resource(kind, name="x", index=None, **values):
    address = f"{kind}.{name}" + ("" if index is None else f"[{index}]")
    return {"address": address, "mode": "managed", "type": kind, "name": name, "values": values}


def plan(*resources, region=None):
    expressions = {"region": {"constant_value": region}} if region else {}
    providers = {name: {"name": name, "expressions": expressions} for name in ("aws", "google")}
    return {"format_version": "1.2", "terraform_version": "1.9.8",
            "planned_values": {"root_module": {"resources": list(resources)}}, "configuration": {"provider_config": providers}}


def dynamo(name, version="v1alpha1", **spec):
    return thing("DynamoGraphDeployment", f"nvidia.com/{version}", name, spec)


def dynamo_service(gpus, nodes, words, command=()):
    return {"componentType": "worker", "replicas": 1, "resources": {"limits": {"gpu": gpus}},
            **({"multinode": {"nodeCount": nodes}} if nodes > 1 else {}),
            "extraPodSpec": {"mainContainer": {"image": "i", "command": list(command), "args": words}}}


FRONTEND = {"componentType": "frontend", "replicas": 1, "extraPodSpec": {"mainContainer": {"image": "i"}}}
DISAGGREGATED = ["exec python3 -m dynamo.vllm \\\n --model /model-cache/deepseek-r1 \\\n"
                 " --served-model-name deepseek-ai/DeepSeek-R1 \\\n --tensor-parallel-size 1 \\\n"
                 " --data-parallel-size 16 \\\n --max-model-len 16384"]
SGLANG = ["--model-path", "deepseek-ai/DeepSeek-R1", "--served-model-name", "deepseek-ai/DeepSeek-R1", "--tp", "8"]
WIDE = {"parallelism": {"data": 16, "dataLocal": 8, "expert": True, "tensor": 1}, "replicas": 1, "template": pod("8"),
        "worker": pod("8")}
TPU_16 = {"cloud.google.com/gke-tpu-accelerator": "tpu-v6e-slice", "cloud.google.com/gke-tpu-topology": "4x4"}
H200 = {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
    {"matchExpressions": [{"key": "gpu.nvidia.com/model", "operator": "In", "values": ["H200"]}]}]}}}}
QWEN = ["exec /app/venv/bin/vllm serve \\\n Qwen/Qwen3-30B-A3B-FP8 \\\n --tensor-parallel-size $TP_SIZE \\\n"
        " --data-parallel-size $DP_SIZE"]

# Each: where it is published; its documents; --offer; the pools it comes to with these (offer: instances, the most); questions;
# what is not read. P5 is p5.48xlarge of eight H100 and so on: the offers of deployed_line_test.py.
P5 = "aws.p5.48xlarge.us-east-1.on-demand"
L4 = "gcp.g2-standard-4.us-central1.on-demand"
V5E = "gcp.tpu-v5e-chip.us-central1.on-demand"
V6E = "gcp.tpu-v6e-8.us-central1.on-demand"

LWS, DYNAMO, KSERVE = "kubernetes-sigs/lws", "ai-dynamo/dynamo", "kserve/kserve"
MANIFESTS = [
    ((LWS, "docs/examples/vllm/GPU/lws.yaml", "0e2e095a2ff54715b95b8c78c0afe3a0d2f94380"),
     [group("vllm", 2, 2, pod("8", command=["sh", "-c", "bash multi-node-serving.sh worker --ray_address=$(LWS_LEADER_ADDRESS)"]),
            pod("8", command=["sh", "-c", "bash multi-node-serving.sh leader --ray_cluster_size=$(LWS_GROUP_SIZE); python3 -m "
                              "vllm.entrypoints.openai.api_server --port 8080 --model meta-llama/Llama-3.1-405B-Instruct "
                              "--tensor-parallel-size 8 --pipeline_parallel_size 2"]))],
     {"LeaderWorkerSet/vllm": P5}, {P5: (4, 4)}, ["the model meta-llama/Llama-3.1-405B-Instruct is not among"], []),
    ((LWS, "docs/examples/sglang/lws.yaml", "0377103b1aee88acf3f731392c4d2e139b790109"),
     [group("sglang", 2, 2, *[pod("1", command=["python3", "-m", "sglang.launch_server", "--tp", "2", "--model-path",
                                                "meta-llama/Meta-Llama-3.1-8B-Instruct"])] * 2), service("sglang-leader")],
     {"LeaderWorkerSet/sglang": L4}, {L4: (4, 4)}, ["meta-llama/Meta-Llama-3.1-8B-Instruct is not among"], [("Service", 1)]),
    ((LWS, "docs/examples/vllm/TPU/lws.yaml", "0377103b1aee88acf3f731392c4d2e139b790109"),
     [group("vllm", 2, 4, *[pod("4", "google.com/tpu", selector={"cloud.google.com/gke-tpu-accelerator": "tpu-v5-lite-podslice",
                                                                "cloud.google.com/gke-tpu-topology": "4x4"},
                                command=["sh", "-c", words]) for words in (
         "bash multi-node-serving.sh worker", "python3 -m vllm.entrypoints.openai.api_server --model "
         "meta-llama/Llama-3.3-70B-Instruct --tensor-parallel-size=16")]), service("vllm-leader")],
     {"google.tpu-v5e": V5E}, {V5E: (32, 32)}, ["meta-llama/Llama-3.3-70B-Instruct is not among"], [("Service", 1)]),
    ((LWS, "docs/examples/tensorrt-llm/lws.yaml", "0e2e095a2ff54715b95b8c78c0afe3a0d2f94380"),
     [group("tensorrt", 1, 2, pod("8", command=["sh", "-c", "./install_model.sh; python3 ./server.py worker"]),
            pod("8", command=["sh", "-c", "python3 ./server.py leader --pp=8 --tp=2 --gpu_per_node=8"]))],
     {"LeaderWorkerSet/tensorrt": P5}, {P5: (2, 2)}, [], []),
    ((DYNAMO, "recipes/deepseek-r1/vllm/disagg/deploy_hopper_16gpu.yaml", "0044eb903566e0632bdf7bb7388c967d946643af"),
     [dynamo("vllm-dsr1", services={"Frontend": FRONTEND, **{name: dynamo_service("8", 2, DISAGGREGATED, ["/bin/bash", "-c"])
                                                               for name in ("decode", "prefill")}})],
     {"DynamoGraphDeployment/vllm-dsr1": P5}, {P5: (4, 4)}, ["the model deepseek-ai/DeepSeek-R1 is not among"], []),
    ((DYNAMO, "recipes/deepseek-r1/sglang/disagg-8gpu/deploy.yaml", "0044eb903566e0632bdf7bb7388c967d946643af"),
     [dynamo("sgl-dsr1-8gpu", services={
         "Frontend": FRONTEND, "decode": dynamo_service("8", 1, [*SGLANG, "--dp", "8", "--enable-dp-attention", "--ep-size", "8"]),
         "prefill": dynamo_service("8", 1, [*SGLANG, "--ep-size", "8"])})],
     {"DynamoGraphDeployment/sgl-dsr1-8gpu": P5}, {P5: (2, 2)}, ["the model deepseek-ai/DeepSeek-R1 is not among"], []),
    ((DYNAMO, "recipes/deepseek-v4.1-flash/vllm/agg-gb200/kustomize/base/deploy.yaml", "a28690c680efd7a04f61ef4b067cadc93fd0d0a9"),
     [dynamo("dsv41", "v1beta1", components=[
         {"name": "Frontend", "type": "frontend", "replicas": 1, "podTemplate": {"spec": pod()}},
         {"name": "Worker", "type": "worker", "replicas": 2, "podTemplate": {"spec": pod("4", selector={
             "nvidia.com/gpu.product": "NVIDIA-GB200"}, args=["--model", "deepseek-ai/DeepSeek-V4.1-Flash",
                                                            "--tensor-parallel-size", "4"])}}])],
     {}, {"coreweave.4x-gb200.all.on-demand": (2, 2)}, ["deepseek-ai/DeepSeek-V4.1-Flash is not among"], []),
    ((KSERVE, "docs/samples/llmisvc/dp-ep/deepseek-r1-gpu-rdma-roce/"
      "llm-inference-service-dp-ep-deepseek-r1-pd-gpu-p-deepep-ht-d-pplx.yaml", "0f33e13f5fbdc654c3382a708fbabedbda7d8265"),
     [thing("LLMInferenceService", "serving.kserve.io/v1alpha1", "deepseek", {
         "model": {"uri": "pvc://llm-test-pvc-deepseek", "name": "deepseek-ai/DeepSeek-R1-0528"}, **WIDE, "prefill": WIDE,
         "router": {"scheduler": {"template": pod(args=["--pool-name", "{{ ChildName .ObjectMeta.Name `-inference-pool` }}"])}}})],
     {"LLMInferenceService/deepseek": P5}, {P5: (4, 4)}, ["the model deepseek-ai/DeepSeek-R1-0528 is not among"], []),
    ((KSERVE, "docs/samples/llmisvc/e2e-gpt-oss/inference_pd_disaggregation.yaml", "38c99cd36d3362db003d96308ebe53ddc5708839"),
     [thing("LLMInferenceService", "serving.kserve.io/v1alpha2", "gpt-oss-20b", {
         "model": {"uri": "pvc://gpt-oss-20b-pvc", "name": "RedHatAI/gpt-oss-20b"}, "replicas": 1, "template": pod("1"),
         "router": {"route": {}, "gateway": {}, "scheduler": {}}, "prefill": {"replicas": 2, "template": pod("1")}})],
     {"LLMInferenceService/gpt-oss-20b": L4}, {L4: (3, 3)}, ["the model RedHatAI/gpt-oss-20b is not among"], []),
    ((KSERVE, "docs/samples/llm-sglang-example.yaml", "63bf24f6aa7efcd29fb8bbcd84c3508c7c4bd7e6"),
     [thing("LLMInferenceService", "serving.kserve.io/v1alpha2", f"llama-{name}", {
         "runtime": name, "model": {"uri": "hf://meta-llama/Llama-2-7b-hf", "name": "llama2"}, "replicas": 1,
         "baseRefs": [{"name": f"kserve-config-llm-{name}-template"}]}) for name in ("sglang", "vllm")],
     {}, {}, [f"LLMInferenceService/llama-{name}: it states no accelerators: those of its base are not read (1 accelerators)"
              for name in ("sglang", "vllm")], []),
    ((KSERVE, "docs/samples/fluid/fluid-isvc.yaml", "94adc24f1e19a6bdc44120971d419f16134cd39b"),
     [thing("InferenceService", "serving.kserve.io/v1beta1", "llama-31-8b-instruct", {"predictor": {
         "minReplicas": 0, "nodeSelector": {"node.kubernetes.io/instance-type": "g5.8xlarge"},
         "model": {"runtime": "custom-kserve-huggingfaceserver", "modelFormat": {"name": "huggingface"},
                   "storageUri": "pvc://s3-data/llama-31-8b-instruct", "args": ["--max-model-len=1024", "--tensor-parallel-size=1"],
                   "resources": {"limits": {"nvidia.com/gpu": "1"}}}}})],
     {}, {}, ["it may grow from 0 to 1 pods: 0 are priced (1 accelerators)", "no price of g5.8xlarge"], []),
    ((KSERVE, "docs/samples/kernelcache/isvc.yaml", "694e3037f986e784498fbf5bfa080b515cbc0614"),
     [thing("InferenceService", "serving.kserve.io/v1beta1", "opt-125m", {"predictor": {"model": {
         "modelFormat": {"name": "vLLM"}, "runtime": "kserve-vllmserver", "storageUri": "hf://facebook/opt-125m",
         "resources": {"limits": {"cpu": "2", "nvidia.com/gpu": "1"}}}}}),
      thing("ServingRuntime", "serving.kserve.io/v1alpha1", "kserve-vllmserver", pod(args=["--model=/mnt/models"]))],
     {"InferenceService/opt-125m": L4}, {L4: (1, 1)}, ["the model facebook/opt-125m is not among"], [("ServingRuntime", 1)]),
    (("ray-project/kuberay", "ray-operator/config/samples/ray-cluster.tpu-v6e-16-multihost.yaml",
      "0f7a488753ac2afa09f2b7f3093b6d81f8a3b480"),
     [thing("RayCluster", "ray.io/v1", "tpu", {"headGroupSpec": {"template": {"spec": pod()}}, "workerGroupSpecs": [
         {"groupName": "tpu-group", "replicas": 1, "minReplicas": 0, "maxReplicas": 1, "numOfHosts": 4,
          "template": {"spec": pod("4", "google.com/tpu", selector=TPU_16)}}]})],
     {"google.tpu-v6e": V6E}, {V6E: (2, 2)}, [], []),
    (("ray-project/kuberay", "ray-operator/config/samples/vllm/ray-service.vllm.yaml", "09a89552e7f00ebf116366eaf0298f1dab3b8de1"),
     [thing("RayService", "ray.io/v1", "llama-3-8b", {
         "serveConfigV2": "applications:\n- name: llm\n  deployments:\n  - {name: VLLMDeployment, num_replicas: 1}\n",
         "rayClusterConfig": {"headGroupSpec": {"template": {"spec": pod()}}, "workerGroupSpecs": [
             {"groupName": "gpu-group", "replicas": 1, "minReplicas": 0, "maxReplicas": 4, "template": {"spec": pod("2")}}]}})],
     {"RayService/llama-3-8b/gpu-group": P5}, {P5: (1, 1)}, ["its serveConfigV2 names no model_loading_config"], []),
    (("kubernetes-sigs/jobset", "site/static/examples/tpu-multislice/v6e-jax-workload.yaml and kueue-config.yaml",
      "87b41d9fedd42b9152b97c13bd6305f08f817b73"),
     [thing("JobSet", "jobset.x-k8s.io/v1alpha2", "v6e-multislice", {"replicatedJobs": [
         {"name": "slice", "replicas": 2, "template": {"spec": {"parallelism": 4, "completions": 4, "template": {
             "spec": pod(4, "google.com/tpu", selector=TPU_16)}}}}]}, labels={"kueue.x-k8s.io/queue-name": "multislice-queue"}),
      thing("ResourceFlavor", "kueue.x-k8s.io/v1beta2", "v6e-4x4", {"nodeLabels": TPU_16}),
      thing("ClusterQueue", "kueue.x-k8s.io/v1beta2", "multislice-cluster-queue", {"resourceGroups": [
          {"coveredResources": ["google.com/tpu"], "flavors": [
              {"name": "v6e-4x4", "resources": [{"name": "google.com/tpu", "nominalQuota": "32"}]}]}]}),
      thing("LocalQueue", "kueue.x-k8s.io/v1beta2", "multislice-queue", {"clusterQueue": "multislice-cluster-queue"})],
     {"google.tpu-v6e": V6E}, {V6E: (4, 4)}, [], []),
    (("kubernetes-sigs/jobset", "site/static/examples/pytorch/gpu-training/gpu-training.yaml",
      "6668491d82c3b08af0b71c982ce24dc1aa580d57"),
     [thing("JobSet", "jobset.x-k8s.io/v1alpha2", "pytorch-gpu", {"replicatedJobs": [
         {"name": "workers", "template": {"spec": {"parallelism": 2, "completions": 2, "template": {"spec": pod("2")}}}}]})],
     {"JobSet/pytorch-gpu": P5}, {P5: (1, 1)}, [], []),
    (("llm-d-incubation/llm-d-modelservice", "examples/output-pd.yaml", "024c0f2d02373736f1f3a6940a4f5a264455cfd1"),
     [thing("ServiceAccount", "v1", "pd", {}),
      *(thing("Deployment", "apps/v1", f"pd-{role}", {"replicas": 1, "template": {"spec": pod(
          "1", command=["vllm", "serve"], args=["facebook/opt-125m", "--port", "8200"])}}) for role in ("decode", "prefill"))],
     {"Deployment/pd-decode": L4, "Deployment/pd-prefill": L4}, {L4: (2, 2)},
     [f"Deployment/pd-{role}: the model facebook/opt-125m is not among" for role in ("decode", "prefill")],
     [("ServiceAccount", 1)]),
    (("llm-d-incubation/llm-d-modelservice", "examples/output-qwen-lws.yaml", "1a5eb7354708322f69c2f46aa8aa8e66d12f0765"),
     [thing("Role", "rbac.authorization.k8s.io/v1", "epp", {}), service("epp"),
      thing("Deployment", "apps/v1", "epp", {"replicas": 1, "template": {"spec": pod(args=["-v", "5"])}}),
      thing("HTTPRoute", "gateway.networking.k8s.io/v1", "qwen", {}),
      thing("InferencePool", "inference.networking.x-k8s.io/v1alpha2", "qwen", {}),
      group("qwen-decode", 1, 4, *[pod(1, command=["/bin/sh", "-c"], args=QWEN, **H200)] * 2),
      group("qwen-prefill", 1, 4, pod(1, command=["/bin/sh", "-c"], args=QWEN, **H200))],
     {"nvidia.h200-sxm-141gb": "coreweave.8x-h200.all.on-demand"}, {"coreweave.8x-h200.all.on-demand": (1, 1)},
     [f"LeaderWorkerSet/qwen-{role}: the model Qwen/Qwen3-30B-A3B-FP8 is not among" for role in ("decode", "prefill")],
     [("Role", 1), ("Service", 1), ("Deployment", 1), ("HTTPRoute", 1), ("InferencePool", 1)]),
    (("GoogleCloudPlatform/kubernetes-engine-samples", "ai-ml/llm-serving-gemma/vllm/vllm-2-2b-it.yaml",
      "f14ccd34763272d8106183260d888ca829631d84"),
     [thing("Deployment", "apps/v1", "vllm-gemma", {"replicas": 1, "template": {"spec": pod(
         "1", command=["python3", "-m", "vllm.entrypoints.openai.api_server"], args=["--model=$(MODEL_ID)",
                                                                                   "--tensor-parallel-size=1"],
         selector={"cloud.google.com/gke-accelerator": "nvidia-l4", "cloud.google.com/gke-gpu-driver-version": "latest"})}}),
      service("llm-service")],
     {"nvidia.l4": L4}, {L4: (1, 1)}, ["its model is a reference to a variable"], [("Service", 1)]),
    (("walidshaari/sample-aws-eks-auto-mode", "nodepool-templates/gpu-nodepool.yaml.tpl",
      "0caef5cb55671b2bd99071993e0463b84d0c7f88"),
     [thing("NodeClass", "eks.amazonaws.com/v1", "gpu-nodeclass", {"role": "${node_iam_role_name}"}),
      thing("NodePool", "karpenter.sh/v1", "gpu-nodepool", {"limits": {"cpu": 1000}, "template": {"spec": {"requirements": [
          {"key": "eks.amazonaws.com/instance-family", "operator": "In", "values": ["g4", "g5", "g6"]},
          {"key": "eks.amazonaws.com/instance-size", "operator": "In", "values": ["2xlarge", "48xlarge"]},
          {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot", "on-demand"]}]}}})],
     {}, {}, ["NodePool/gpu-nodepool: it has as many nodes as pods need, and none of these is given; "
              "eks.amazonaws.com/instance-family may be g4, g5, g6: how many run? (1 accelerators)"], [("NodeClass", 1)]),
]

TPU_POOL = {"node_count": 64, "location": "us-east5-b",
            "node_config": [{"machine_type": "ct5lp-hightpu-4t"}], "placement_policy": [{"tpu_topology": "16x16"}]}
PLANS = [
    (("tensorflow/tpu", "tools/kubernetes/terraform/examples/v5e/terraform.tfvars", "06b6b3b98439082beae0c3c25d69c5e8572c54d8"),
     [plan(*(resource("google_container_node_pool", "tpu", i, **TPU_POOL) for i in range(16)))],
     {"ct5lp-hightpu-4t": V5E}, {V5E: (4096, 4096)}, [], []),
    (("maartengryp-liantis/azure-reference-architecture", "resources/terraform/aks-new/aks-gpu.tf",
      "e50db89e1b8454f31c4dbccab0ba24540221b953"),
     [plan(resource("azurerm_kubernetes_cluster_node_pool", "gpu", 0, vm_size="Standard_NC4as_T4_v3", node_count=1))],
     {}, {}, ["its region is not stated; prices of Standard_NC4as_T4_v3 are of eastus"], []),
    (("tim-millar/palimpsest-rag-infra", "main.tf", "59d39febb7c532e3e6104f14abb2eb5b41341f96"),
     [plan(resource("lambdalabs_ssh_key"), resource("lambdalabs_instance", "poc_gpu", region_name="us-west-1",
                                                    instance_type_name="gpu_1x_a10"))],
     {}, {"lambda.gpu-1x-a10.all.on-demand": (1, 1)}, [], [("lambdalabs_ssh_key", 1)]),
    (("GoogleCloudPlatform/magic-modules", "mmv1/templates/terraform/examples/tpu_v2_vm_full.tf.tmpl",
      "3758f77559db853b4318e0bfa05c4fbda748b013"),
     [plan(resource("google_tpu_v2_vm", "tpu", zone="us-central1-a", accelerator_config=[{"type": "V2", "topology": "2x2"}],
                    scheduling_config=[{"preemptible": True, "spot": True}]),
           resource("google_compute_subnetwork"), resource("google_compute_network"), resource("google_service_account"),
           resource("google_compute_disk"), resource("time_sleep"))],
     {}, {"gcp.tpu-v2-8.us-central1.spot": (1, 1)}, [], [("google_compute_disk", 1), ("time_sleep", 1)]),
    (("philschmid/terraform-aws-sagemaker-huggingface", "examples/deploy_from_hub/main.tf",
      "03856e0886265dca6cead9bb290d46642268ff18"),
     [plan(resource("aws_sagemaker_model", primary_container=[{"environment": {"HF_API_TOKEN": "hf_not_a_real_token"}}]),
           resource("aws_sagemaker_endpoint_configuration", "huggingface", 0, production_variants=[
               {"variant_name": "AllTraffic", "initial_instance_count": 1, "instance_type": "ml.g4dn.xlarge"}]),
           resource("aws_sagemaker_endpoint"), resource("random_string"), region="us-east-1")],
     {}, {}, ["no price of ml.g4dn.xlarge in us-east-1"], [("aws_sagemaker_model", 1), ("aws_sagemaker_endpoint", 1)]),
]
