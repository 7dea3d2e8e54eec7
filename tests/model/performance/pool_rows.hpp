// Rows of changes to a scenario of one pool and one entry, and the issues that each is to have.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/scenarios.hpp"

namespace costcurve::tests {

/// "code pointer" of an issue in the first entry.
inline std::string at_entry(const std::string& code, const std::string& field) { return code + " /workloads/0/runs_on/0" + field; }

struct PoolRow {
    const char* what;
    std::function<void(model::ScenarioDocument&)> change;
    std::vector<std::string> expected;
};
inline void expect_pool_issues(const std::vector<PoolRow>& rows, const model::ScenarioDocument& from = cloud_scenario()) {
    for (const PoolRow& row : rows) {
        model::ScenarioDocument document = from;
        row.change(document);
        EXPECT_EQ(issues_of(document), row.expected) << row.what;
    }
}

inline model::Device& device(model::ScenarioDocument& document) { return document.pools[0].offer->device; }
inline model::Performance& performance(model::ScenarioDocument& document) { return *document.workloads[0].runs_on[0].performance; }

/// A pool whose rate is an estimate of decoding, of a device that states what the estimate needs.
inline model::ScenarioDocument decode_scenario() {
    model::ScenarioDocument document = cloud_scenario();
    device(document).peak_flops = {{"bf16", 1e15}};
    device(document).memory_bandwidth_gb_per_s = 3000;
    performance(document).units_per_s.reset();
    performance(document).precision = "bf16";
    performance(document).batch = 8;
    performance(document).estimate = decode_roofline(0.5, 0.6, 7e9, 1.4e10, 1e6);
    return document;
}

} // namespace costcurve::tests
