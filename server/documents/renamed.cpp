// Table of renamed ids, sorted by old id. Rows are never removed: requests and stored bodies go on using old ids.
#include "server/documents/renamed.hpp"

#include <algorithm>
#include <array>

namespace costcurve::documents {

namespace {

using storage::Kind;

constexpr auto kRenamed = std::to_array<RenamedRow>({
    {Kind::offer, "alibaba.ecs-gn5i-c8g1-2xlarge.dawnbench-2018", "alibaba.ecs.gn5i-c8g1.2xlarge.on-demand"},
    {Kind::offer, "alibaba.ecs-gn6e-c12g1-24xlarge.on-demand", "alibaba.ecs.gn6e-c12g1.24xlarge.on-demand"},
    {Kind::offer, "aws.p2.8xlarge.us-east-1.dawnbench-2017", "aws.p2.8xlarge.us-east-1.spot"},
    {Kind::offer, "azure.nd96asr-a100-v4-8x-a100-sxm4-40gb.eastus.committed-12", "azure.standard_nd96asr_v4.eastus.committed-12"},
    {Kind::offer, "azure.nd96asr-a100-v4-8x-a100-sxm4-40gb.eastus.committed-36", "azure.standard_nd96asr_v4.eastus.committed-36"},
    {Kind::offer, "azure.nd96asr-a100-v4-8x-a100-sxm4-40gb.eastus.on-demand", "azure.standard_nd96asr_v4.eastus.on-demand"},
    {Kind::offer, "gcp.cloud-tpu-v2-8.us-central1.dawnbench-2018-09", "gcp.n1-standard-2-tpu-v2-8.us-central1.on-demand"},
    {Kind::offer, "gcp.n1-standard-16.us-central1.dawnbench-2017", "gcp.n1-standard-16.us-central1.on-demand"},
    {Kind::offer, "gcp.n1-standard-8-p100.us-central1.dawnbench-2017", "gcp.n1-standard-8-p100.us-central1.on-demand"},
    {Kind::offer, "lambda.4x-gtx-1080-ti.dawnbench-2019", "lambda.4x-gtx-1080-ti.on-demand"},
    {Kind::offer, "market.8x-b200.reserved-36", "market.8x-b200.reserved-36-upfront"},
    {Kind::offer, "market.8x-h100.reserved-36", "market.8x-h100.reserved-36-upfront"},
    {Kind::offer, "market.8x-h200.reserved-36", "market.8x-h200.reserved-36-upfront"},
    {Kind::offer, "market.8x-mi300x.reserved-36", "market.8x-mi300x.reserved-36-upfront"},
    {Kind::offer, "market.8x-mi325x.reserved-36", "market.8x-mi325x.reserved-36-upfront"},
    {Kind::offer, "market.8x-mi355x.reserved-36", "market.8x-mi355x.reserved-36-upfront"},
});

} // namespace

std::span<const RenamedRow> renamed_rows() { return kRenamed; }

std::optional<storage::DocumentKey> new_key(const storage::DocumentKey& key) {
    const auto* const found = std::find_if(kRenamed.begin(), kRenamed.end(),
                                           [&](const RenamedRow& row) { return row.kind == key.kind && row.old_id == key.id; });
    return found == kRenamed.end() ? std::nullopt : std::optional(storage::DocumentKey{found->kind, std::string(found->id)});
}

std::optional<storage::Revision>
load_by_any_id(const std::function<std::optional<storage::Revision>(const storage::DocumentKey& key)>& load,
               const storage::DocumentKey& key) {
    std::optional<storage::Revision> revision = load(key);
    if (!revision) {
        if (const std::optional<storage::DocumentKey> renamed = new_key(key)) {
            revision = load(*renamed);
        }
    }
    return revision;
}

void rename_references(std::vector<storage::DocumentKey>& references,
                       const std::function<bool(const storage::DocumentKey& key)>& is_there) {
    bool any = false;
    for (storage::DocumentKey& key : references) {
        const std::optional<storage::DocumentKey> renamed = new_key(key);
        if (renamed && !is_there(key) && is_there(*renamed)) {
            key = *renamed;
            any = true;
        }
    }
    if (any) {
        std::sort(references.begin(), references.end());
        references.erase(std::unique(references.begin(), references.end()), references.end());
    }
}

void rename_references(std::vector<storage::DocumentKey>& references, const storage::DocumentStore& store) {
    std::unique_ptr<storage::Snapshot> snapshot;
    rename_references(references, [&](const storage::DocumentKey& key) {
        snapshot = snapshot ? std::move(snapshot) : store.snapshot();
        return snapshot->load(key).has_value();
    });
}

} // namespace costcurve::documents
