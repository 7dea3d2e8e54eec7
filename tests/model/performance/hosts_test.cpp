// Where the devices of a replica are, and what they must have (model.md, sections 4 and 6).
#include "tests/model/performance/pool_rows.hpp"

namespace costcurve::model {
namespace {

using tests::at_entry;
using tests::device;
using tests::expect_pool_issues;
using tests::performance;

TEST(Hosts, ReplicasFitIntoTheirHosts) {
    expect_pool_issues({
        {"two devices on one",
         [](auto& d) { performance(d).devices = 2; },
         {at_entry("replica_spans_hosts", "/performance/devices")}},
        {"measured so",
         [](auto& d) {
             performance(d).devices = 2;
             performance(d).spans_hosts = true;
         },
         {}},
        {"a fraction", [](auto& d) { performance(d).devices = 0.3; }, {}},
        {"one and a half",
         [](auto& d) {
             performance(d).devices = 1.5;
             performance(d).spans_hosts = true;
         },
         {at_entry("out_of_range", "/performance/devices")}},
        {"a slice that it lacks",
         [](auto& d) { performance(d).slice = "1g.10gb"; },
         {at_entry("unknown_value", "/performance/slice")}},
        {"one that it has",
         [](auto& d) {
             device(d).slices = {{"1g.10gb", {1.0 / 7, 10}}};
             performance(d).slice = "1g.10gb";
         },
         {}},
        {"and devices",
         [](auto& d) {
             device(d).slices = {{"1g.10gb", {1.0 / 7, 10}}};
             performance(d).slice = "1g.10gb";
             performance(d).devices = 0.5;
         },
         {at_entry("not_allowed", "/performance/devices")}},
        {"more memory than a slice has",
         [](auto& d) {
             device(d).slices = {{"1g.10gb", {1.0 / 7, 10}}};
             performance(d).slice = "1g.10gb";
             d.workloads[0].memory_gib = 11;
         },
         {at_entry("ineligible_memory", "/performance/slice")}},
    });
}

TEST(Hosts, WhatAWorkloadRequiresTheDeviceHas) {
    expect_pool_issues({
        {"has it",
         [](auto& d) {
             device(d).capabilities = {"fp64", "sparsity"};
             d.workloads[0].required_capabilities = {"fp64"};
         },
         {}},
        {"has it not",
         [](auto& d) {
             device(d).capabilities = {"sparsity"};
             d.workloads[0].required_capabilities = {"fp64", "sparsity"};
         },
         {at_entry("ineligible_capability", "/pool")}},
    });
}

TEST(Hosts, ARequestTakesSomethingOfTheDevice) {
    expect_pool_issues({{"only what the cache has",
                         [](auto& d) { d.workloads[0].units_per_request = tests::units(0, 100, 0); },
                         {at_entry("out_of_range", "/performance/class_weights")}}});
}

TEST(Hosts, MessagesNameTheFiguresThatDecide) {
    ScenarioDocument document = tests::cloud_scenario();
    performance(document).devices = 2;
    const Result<Scenario> spanning = make_scenario(document);
    ASSERT_FALSE(spanning);
    EXPECT_NE(spanning.error().front().message.find("takes 2 devices, an instance of pool pool has 1"), std::string::npos)
        << spanning.error().front().message;
    performance(document).devices = 1;
    device(document).slices = {{"1g.10gb", {1.0 / 7, 10}}};
    performance(document).slice = "2g.20gb";
    const Result<Scenario> unknown = make_scenario(document);
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().front().message.find("it has 1g.10gb"), std::string::npos) << unknown.error().front().message;
}

} // namespace
} // namespace costcurve::model
