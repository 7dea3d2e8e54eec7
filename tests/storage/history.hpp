// A store with all that its chain of changes covers, and what a check says of it: for tests that damage it underneath.
#pragma once

#include "tests/storage/sample_store.hpp"

namespace costcurve::storage::test {

/// Documents with points that came and went, a deletion, a key, a run with a result: 47 revisions, 11 changes.
inline void fill_history(SampleStore& sample) {
    Store& store = sample.store;
    saved(store, device("d", "a device of some kind"));
    std::vector<Record> offers;
    for (int i = 0; i < 40; ++i) {
        offers.push_back(offer("o" + std::to_string(i), "d", {"/hourly_price", {0, 10, 20}, {2.5, 2.0, 1.0 + i}}));
    }
    ASSERT_EQ(store.save_all(kAlice, offers).index(), 0U);
    sample.time += kHour;
    saved(store, offer("o1", "d", {"/hourly_price", {0, 20}, {2.5, 3.0}}));
    saved(store, curve("c", {1, 2, 3}, {0.0, -0.0, 1e300}));
    saved(store, curve("c", {1, 3}, {10, 30}));
    ASSERT_EQ(store.remove(kAlice, {Kind::curve, "c"}).index(), 0U);
    saved(store, curve("c", {5}, {50}));
    sample.time -= 3 * kHour;
    ASSERT_TRUE(store.add_key(kAlice, {"ci", Role::editor, "", ""}, std::string(64, 'a'), 30));
    ASSERT_TRUE(store.rotate_key(kAlice, "ci", std::string(64, 'b'), {}));
    const Record scenario{{Kind::scenario, "s"}, "Scenario", "{}", {}, {{Kind::offer, "o1"}}, std::nullopt};
    saved(store, scenario);
    const auto run = std::get<std::int64_t>(store.begin_run(kAlice, {Scope::all, {}, "", "1"}));
    const auto share = store.take_items(run, "1", 1);
    const RunOutcome outcome{share->items().front().document,
                             NewResult{"hash", "1", {"USD", 1, 2, 3, 4, 5, std::nullopt, false, "cost"}, pack("a result")}, ""};
    ASSERT_TRUE(share->finish({&outcome, 1}));
    ASSERT_TRUE(store.set_run_state(run, RunState::done, "1"));
}

inline CheckReport check_of(const std::string& path) {
    CheckOptions options;
    options.read = [](const Revision& revision) { return revision.record.body.empty() ? "empty" : ""; };
    return check_store(path, options);
}

inline std::string problems_of(const CheckReport& report) {
    std::string all;
    for (const std::string& problem : report.problems) {
        all += problem + "\n";
    }
    return all;
}

} // namespace costcurve::storage::test
