// Prompts on one pool and answers on another: rates, what is sent between, objectives, outages and rules (model.md, "Pairs").
#include "model/pairs/pair_work.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/dispatch/dispatch.hpp"
#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::Answer;
using tests::cloud_scenario;
using tests::evaluate_document;
using tests::flat;
using tests::is_close;

constexpr double kPairHours = 744;
constexpr double kPairSeconds = kPairHours * 3600;

// Requests of 90 tokens in and 10 out. A replica of pool a reads 910 tokens/s: 10 prompts with a first token each; one of pool b
// writes 20 tokens/s: 2 answers. A prompt's cache is 0.09 GB, sent at 9 GB/s.
ScenarioDocument pair_of_pools(double requests_per_s) {
    ScenarioDocument document = cloud_scenario();
    Workload& work = document.workloads[0];
    work.units_per_request = {};
    work.units_per_request.split = true;
    work.units_per_request.input = 90;
    work.units_per_request.output = 10;
    work.demand.mean_per_s = requests_per_s;
    document.pools.push_back(document.pools[0]);
    work.runs_on.push_back(work.runs_on[0]);
    for (std::size_t e = 0; e < 2; ++e) {
        document.pools[e].id = e == 0 ? "a" : "b";
        document.pools[e].max_instances = 10;
        work.runs_on[e].pool = document.pools[e].id;
        work.runs_on[e].performance->units_per_s = flat(e == 0 ? 910 : 20);
        work.runs_on[e].phase = e == 0 ? Phase::prefill : Phase::decode;
    }
    work.runs_on[0].cache_bytes_per_token = 1e6;
    work.runs_on[0].link_gb_per_s = 9;
    return document;
}

TEST(Pairs, HoldReplicasOfEachByItsOwnRate) {
    const Answer answer = evaluate_document(pair_of_pools(4));
    EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 0, 0), kPairHours));     // of 10 prompts/s
    EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 1, 0), 2 * kPairHours)); // of 2 answers/s each
    EXPECT_TRUE(is_close(answer.ledger.used_hours(0, 0, 0), 0.4 * kPairHours));
    EXPECT_TRUE(is_close(answer.summary.workloads[0].units_served, 400 * kPairSeconds)); // once, not by each pool
    EXPECT_TRUE(is_close(answer.summary.workloads[0].units_unserved, 0));
}

TEST(Pairs, WriteNoAnswerToAPromptThatIsNotRead) {
    ScenarioDocument document = pair_of_pools(16);
    document.pools[0].max_instances = 1; // 10 of 16 are read, by five replicas of answers written
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.summary.workloads[0].units_served, 1000 * kPairSeconds));
    EXPECT_TRUE(is_close(answer.summary.workloads[0].units_unserved, 600 * kPairSeconds));
    EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 1, 0), 5 * kPairHours));
}

TEST(Pairs, ReadNoMoreThanTheLinkSends) {
    ScenarioDocument document = pair_of_pools(4);
    document.workloads[0].runs_on[0].link_gb_per_s = 0.18; // two caches a second and replica
    EXPECT_TRUE(is_close(evaluate_document(document).ledger.reserved_hours(0, 0, 0), 2 * kPairHours));
}

TEST(Pairs, PayEgressForCachesThatLeaveTheirPlace) {
    ScenarioDocument document = pair_of_pools(4);
    document.pools[0].offer->egress_per_gb = 0.5;
    document.pools[0].offer->provider = document.pools[1].offer->provider = "seller";
    document.pools[0].offer->region = document.pools[1].offer->region = "here";
    constexpr auto kEgress = static_cast<std::size_t>(Category::egress);
    EXPECT_EQ(evaluate_document(document).ledger.cost(0, 0, kEgress), 0.0);
    document.pools[1].offer->region = "there";
    EXPECT_TRUE(is_close(evaluate_document(document).ledger.cost(0, 0, kEgress), 4 * 0.09 * 0.5 * kPairSeconds));
}

TEST(Pairs, LoseToOutagesWhatEitherPoolLoses) {
    ScenarioDocument document = pair_of_pools(4);
    for (Pool& pool : document.pools) {
        pool.offer->purchase = Purchase::spot;
        pool.offer->interruptions_per_hour = 0.0;
    }
    document.pools[0].offer->availability_fraction = 0.5;
    document.pools[1].offer->availability_fraction = 0.8;
    const Answer answer = evaluate_document(document);
    const WorkloadSummary& work = answer.summary.workloads[0];
    EXPECT_TRUE(is_close(work.units_served, 0.4 * 400 * kPairSeconds)); // each is all there or not at all, independently
    EXPECT_TRUE(is_close(work.units_lost_to_outages, 0.6 * 400 * kPairSeconds));
    EXPECT_TRUE(is_close(answer.ledger.used_hours(0, 1, 0), 0.4 * 2 * kPairHours)); // of answers that are written
    EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 1, 0), 0.8 * 2 * kPairHours));
}

TEST(Pairs, DivideTheObjectives) {
    Workload work = pair_of_pools(4).workloads[0];
    work.slo.ttft_s = 2.0;
    work.slo.itl_s = 0.05;
    work.slo.e2e_s = 8.0;
    const std::vector<Pool> pools = pair_of_pools(4).pools;
    const Workload prompts = work_of_entry(work, 0, pools);
    EXPECT_NEAR(*prompts.slo.ttft_s, 2.0 - 0.01, 1e-12); // 0.09 GB at 9 GB/s
    EXPECT_FALSE(prompts.slo.itl_s || prompts.slo.e2e_s);
    EXPECT_EQ(prompts.units_per_request.output, 1.0);
    const Workload answers = work_of_entry(work, 1, pools);
    EXPECT_EQ(answers.slo.e2e_s, 6.0);
    EXPECT_EQ(answers.slo.itl_s, 0.05);
    EXPECT_FALSE(answers.slo.ttft_s);
    EXPECT_EQ(answers.units_per_request.cached_input, 90.0);
    EXPECT_EQ(answers.units_per_request.input, 0.0);
}

TEST(Pairs, AssumeALinkWithinOnePlaceAlone) {
    ScenarioDocument document = pair_of_pools(4);
    document.workloads[0].runs_on[0].link_gb_per_s.reset();
    EXPECT_FALSE(cache_transfer(document.workloads[0], document.pools)); // the offers state no region
    for (Pool& pool : document.pools) {
        pool.offer->provider = "seller";
        pool.offer->region = "here";
    }
    const auto assumed = cache_transfer(document.workloads[0], document.pools);
    ASSERT_TRUE(assumed);
    EXPECT_TRUE(assumed->is_assumed);
    EXPECT_EQ(assumed->gb_per_s, kAssumedLinkGb);
    const auto made = make_scenario(document);
    ASSERT_TRUE(made);
    EXPECT_TRUE(std::ranges::count(made->warnings(), Code::link_assumed, &Issue::code) == 1);
    document.pools[0].offer->device.links = Interconnect{450.0, 50.0, LinkKind::nvlink};
    document.pools[1].offer->device.links = Interconnect{{}, 25.0, {}};
    EXPECT_EQ(cache_transfer(document.workloads[0], document.pools)->gb_per_s, 25.0);
}

TEST(Pairs, SayWhatTheyLack) {
    struct Row {
        void (*change)(ScenarioDocument&);
        std::string_view pointer;
        Code code;
    };
    const Row rows[] = {
        {[](ScenarioDocument& d) { d.workloads[0].runs_on[1].phase.reset(); }, "/workloads/0/runs_on/1/phase", Code::inconsistent},
        {[](ScenarioDocument& d) { d.workloads[0].runs_on.pop_back(); }, "/workloads/0/runs_on", Code::inconsistent},
        {[](ScenarioDocument& d) { d.workloads[0].runs_on[0].cache_bytes_per_token.reset(); },
         "/workloads/0/runs_on/0/cache_bytes_per_token", Code::missing},
        {[](ScenarioDocument& d) { d.workloads[0].runs_on[0].link_gb_per_s.reset(); }, "/workloads/0/runs_on/0/link_gb_per_s",
         Code::missing},
        {[](ScenarioDocument& d) { d.workloads[0].runs_on[1].link_gb_per_s = 1.0; }, "/workloads/0/runs_on/1/link_gb_per_s",
         Code::not_allowed},
        {[](ScenarioDocument& d) { d.workloads[0].slo.ttft_s = 0.01; }, "/workloads/0/runs_on/0/link_gb_per_s",
         Code::ineligible_latency},
        {[](ScenarioDocument& d) { d.workloads[0].slo.e2e_s = 9.0; }, "/workloads/0/slo/ttft_s", Code::missing},
        {[](ScenarioDocument& d) { d.workloads[0].routing = Routing::cheapest; }, "/workloads/0/runs_on/0/phase",
         Code::not_allowed},
        {[](ScenarioDocument& d) { d.workloads[0].units_per_request = {}; }, "/workloads/0/units_per_request", Code::missing},
        {[](ScenarioDocument& d) { d.workloads[0].units_per_request.output = 1; }, "/workloads/0/units_per_request", Code::missing},
    };
    for (const Row& row : rows) {
        ScenarioDocument document = pair_of_pools(4);
        row.change(document);
        const auto made = make_scenario(document);
        ASSERT_FALSE(made) << row.pointer;
        const auto found = std::ranges::find(made.error(), row.pointer, &Issue::pointer);
        ASSERT_NE(found, made.error().end()) << row.pointer;
        EXPECT_EQ(found->code, row.code) << row.pointer;
    }
}

} // namespace
} // namespace costcurve::model
