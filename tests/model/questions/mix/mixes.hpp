// Requests by size and devices that suit some of them: catalogues and questions of tests of mixes.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "model/questions/rank/rank.hpp"
#include "tests/model/questions/rank/catalogs.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::tests {

using namespace model;

inline TokenBucket bucket(double input, double output, double share) {
    TokenBucket of;
    of.input = input;
    of.output = output;
    of.share = share;
    return of;
}

inline void add_device(Catalog& catalog, const std::string& id, double price, double gb_per_s, double flops, double gib) {
    Offer offer = one_device().offers.front();
    offer.id = offer.sku = id;
    offer.provider = "provider-" + id;
    offer.device.id = id;
    offer.device.memory_gib = gib;
    offer.device.memory_bandwidth_gb_per_s = gb_per_s;
    offer.device.peak_flops = {{"bf16", flops}};
    offer.hourly_price = flat(price);
    catalog.offers.push_back(std::move(offer));
}

inline RankQuestion sized_question(double requests_per_s, std::vector<TokenBucket> buckets) {
    RankQuestion question = tiny_question(requests_per_s);
    question.work.months = 1;
    Workload& workload = question.work.workloads.front();
    workload.units_per_request = {};
    workload.token_mix = std::move(buckets);
    return question;
}

inline const ScenarioPlan* mix_in(const Ranking& ranking) {
    const auto found = std::ranges::find_if(ranking.plans, &ScenarioPlan::is_by_size);
    return found == ranking.plans.end() ? nullptr : &*found;
}

inline Catalog two_devices() {
    Catalog catalog = one_device();
    catalog.offers.clear();
    add_device(catalog, "reads", 1.0, 300, 8e14, 40);
    add_device(catalog, "writes", 1.0, 3000, 1e14, 60);
    return catalog;
}
inline RankQuestion two_sizes(double requests_per_s = 60) {
    return sized_question(requests_per_s, {bucket(6000, 10, 0.5), bucket(50, 800, 0.5)});
}

} // namespace costcurve::tests
