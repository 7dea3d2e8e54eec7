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

} // namespace costcurve::tests
