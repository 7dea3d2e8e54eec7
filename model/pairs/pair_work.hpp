// Workloads whose prompts are read on one pool and whose answers are written on another: the work of each entry, and what is
// sent between them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/documents/documents.hpp"
#include "model/rules.hpp"

namespace costcurve::model {

/// Whether the first of two entries reads the prompts and the second writes the answers.
[[nodiscard]] bool is_pair(const Workload& workload);

/// Bytes of the cache of the mean request's prompt by its tokens, of the model's layers: at `precision`, else the workload's, else
/// the one that the model was published in (16-bit values beside 16-bit weights, else 8-bit). The request has a prompt.
[[nodiscard]] double cache_bytes_per_token(const Model& model, const Workload& workload, std::string precision);

/// The cache of a prompt on its way from one pool to the other.
struct CacheTransfer {
    double gb_per_request = 0.0; ///< of the mean request, cached tokens included
    double gb_per_s = 0.0;       ///< send rate of a replica
    bool is_assumed = false;     ///< gb_per_s is an assumption, for pools in one place
    bool is_egress = false;      ///< the pools stand in different places: the seller of the first charges egress
    [[nodiscard]] double seconds() const { return gb_per_request / gb_per_s; }
};

/// GB/s that a replica is taken to send at within one place, where its devices state no link: 100 Gbit/s.
inline constexpr double kAssumedLinkGb = 12.5;

/// The cache transfer of a pair. Nothing where cache_bytes_per_token is not stated, or where no link is and the pools are not
/// known to be in one place: a site, or a seller's region. In one place the link is the smaller inter_gb_per_s x devices of the
/// two replicas, else kAssumedLinkGb.
[[nodiscard]] std::optional<CacheTransfer> cache_transfer(const Workload& workload, const std::vector<Pool>& pools);

/// The work of an entry: of a pair's first prompts with a first token each, within ttft_s less what the
/// transfer takes; of its second answers to prompts that are cached, within itl_s, and e2e_s less ttft_s; else all of it.
[[nodiscard]] Workload work_of_entry(const Workload& workload, std::size_t entry, const std::vector<Pool>& pools);

/// Units of the workload for one unit of its entry's work.
[[nodiscard]] double units_per_entry_unit(const Workload& workload, const Workload& of_entry);

/// Units/s of the workload whose caches a replica of a pair's first entry sends; infinite of all other entries.
[[nodiscard]] double sent_units_per_s(const Workload& workload, std::size_t entry, const std::vector<Pool>& pools);

/// GB that a unit of the workload takes out of its entry's pool, at the seller's price: answers, or caches that leave the place.
[[nodiscard]] double egress_gb_per_unit(const Workload& workload, std::size_t entry, const std::vector<Pool>& pools);

/// Checks entries with a phase. Returns false if errors prevent checks of their performance.
[[nodiscard]] bool check_pair(const Workload& workload, const ScenarioDocument& scenario, const std::string& pointer, Rules& rules);

} // namespace costcurve::model
