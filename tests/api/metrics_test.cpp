// What the daemon counts, as text for Prometheus: buckets count what is at most their bound, sums are seconds.
#include "server/api/metrics.hpp"

#include <string>

#include <gtest/gtest.h>

namespace costcurve::tests {
namespace {

using api::Histogram;
using api::Metrics;

bool has_line(const std::string& text, const std::string& line) {
    return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

TEST(MetricsText, HistogramCountsWhatIsAtMostEachBoundAndAddsUpSeconds) {
    Histogram histogram;
    for (const double seconds : {0.0002, 0.001, 0.002, 0.25, 0.75, 9.0}) {
        histogram.observe(seconds);
    }
    std::string text;
    histogram.write(text, "took_seconds", R"(route="GET /a")");
    const auto below = [&](const std::string& bound, int count) {
        return has_line(text, R"(took_seconds_bucket{route="GET /a",le=")" + bound + "\"} " + std::to_string(count));
    };
    EXPECT_TRUE(below("0.0005", 1)) << text;
    EXPECT_TRUE(below("0.001", 2)) << "a bound is in its own bucket: " << text;
    EXPECT_TRUE(below("0.0025", 3)) << text;
    EXPECT_TRUE(below("0.1", 3)) << text;
    EXPECT_TRUE(below("0.25", 4)) << text;
    EXPECT_TRUE(below("1", 5)) << text;
    EXPECT_TRUE(below("5", 5)) << text;
    EXPECT_TRUE(below("+Inf", 6)) << text;
    EXPECT_TRUE(has_line(text, R"(took_seconds_count{route="GET /a"} 6)")) << text;
    EXPECT_TRUE(has_line(text, R"(took_seconds_sum{route="GET /a"} 10.0032)")) << text;
    std::string plain;
    histogram.write(plain, "took_seconds", "");
    EXPECT_TRUE(has_line(plain, R"(took_seconds_bucket{le="+Inf"} 6)")) << plain;
    EXPECT_TRUE(has_line(plain, "took_seconds_count 6")) << plain;
}

TEST(MetricsText, RequestsAreCountedByRouteAndStatus) {
    Metrics metrics;
    metrics.observe_request("GET", "/healthz", 200, 0.25);
    metrics.observe_request("GET", "/healthz", 200, 0.5);
    metrics.observe_request("GET", "/healthz", 503, 0.25);
    metrics.observe_request("PUT", "/v1/offers/{id}", 412, 0.5);
    metrics.evaluations.observe(0.125);
    const std::string text = metrics.text();
    EXPECT_TRUE(has_line(text, R"(costcurve_requests_total{route="GET /healthz",status="200"} 2)")) << text;
    EXPECT_TRUE(has_line(text, R"(costcurve_requests_total{route="GET /healthz",status="503"} 1)")) << text;
    EXPECT_TRUE(has_line(text, R"(costcurve_requests_total{route="PUT /v1/offers/{id}",status="412"} 1)")) << text;
    EXPECT_TRUE(has_line(text, R"(costcurve_request_seconds_sum{route="GET /healthz"} 1)")) << text;
    EXPECT_TRUE(has_line(text, R"(costcurve_request_seconds_count{route="GET /healthz"} 3)")) << text;
    EXPECT_TRUE(has_line(text, "costcurve_evaluation_seconds_sum 0.125")) << text;
}

TEST(MetricsText, GaugesOfOneNameStandUnderOneHead) {
    std::string text;
    api::write_gauges(text, {{"a_bytes", "Size.", 2.5, false, api::label("of", R"(a "b\c)")},
                             {"a_bytes", "Size.", 3, false, api::label("of", "d")},
                             {"b_total", "Times.", 7, true}});
    EXPECT_EQ(text, "# HELP a_bytes Size.\n# TYPE a_bytes gauge\na_bytes{of=\"a \\\"b\\\\c\"} 2.5\na_bytes{of=\"d\"} 3\n"
                    "# HELP b_total Times.\n# TYPE b_total counter\nb_total 7\n");
}

} // namespace
} // namespace costcurve::tests
