// Files of costcurve measure --hosted as latencies of an endpoint.
#include <fmt/format.h>

#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

std::string hosted_file(std::string_view row, std::string_view endpoint = "acme.llama-3.1-8b", std::string_view limit = "2500") {
    return fmt::format(R"({{"format":"costcurve measured","format_version":1,"kind":"hosted","date":"2026-11-29","endpoint":"{}",
                            "model":"m","address":"https://api.example:443","seed":1,"latency_percentile":95,"max_units_per_s":{},
                            "requests":85,"failed":0,"notes":[],"phases":[{}],"complete":true}})",
                       endpoint, limit, row);
}

const std::string kHostedRow = R"({"load":4,"requests":43,"failed":0,"ttft_s":0.245,"itl_s":0.0285,"input":65,"output":16})";

// Without prices it is no endpoint yet: they are those of the stored one.
Reading read_hosted(const std::string& text) {
    Reading reading;
    reading.report.on_document = [&](Document&& document) { reading.documents.push_back(std::move(document)); };
    Bytes bytes{std::string_view(text)};
    reading.error = read_file(*find_format("measured"), bytes, {}, reading.report);
    return reading;
}

TEST(MeasuredHosted, GivesAnEndpointsLatencies) {
    const Reading reading = read_hosted(hosted_file(kHostedRow));
    ASSERT_FALSE(reading.error) << reading.error->message;
    ASSERT_EQ(reading.documents.size(), 1U);
    const auto& endpoint = std::get<model::Endpoint>(reading.documents.front());
    EXPECT_EQ(endpoint.id, "acme.llama-3.1-8b");
    EXPECT_EQ(endpoint.ttft_s, 0.245);
    EXPECT_EQ(endpoint.itl_s, 0.0285);
    EXPECT_EQ(endpoint.latency_percentile, 95.0);
    EXPECT_EQ(endpoint.max_units_per_s, 2500.0);
    EXPECT_FALSE(endpoint.price_per_million_units);
    EXPECT_FALSE(std::get<model::Endpoint>(read_hosted(hosted_file(kHostedRow, "a.b", "null")).documents.front()).max_units_per_s);
}

TEST(MeasuredHosted, WhatIsNoMeasurementGivesNothing) {
    for (const std::string& text : {hosted_file(kHostedRow, "Not An Id"), hosted_file(kHostedRow, ""), hosted_file(""),
                                    hosted_file(R"({"load":4,"requests":19,"failed":0,"ttft_s":0.245,"itl_s":0.0285})"),
                                    hosted_file(R"({"load":4,"requests":43,"failed":1,"ttft_s":0.245,"itl_s":0.0285})"),
                                    hosted_file(R"({"load":4,"requests":43,"failed":0,"ttft_s":0.245})")}) {
        const Reading reading = read_hosted(text);
        EXPECT_TRUE(reading.error) << text;
        EXPECT_TRUE(reading.documents.empty());
    }
}

} // namespace
} // namespace costcurve::imports
