// Answers of Prometheus as lines of exporters.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "server/import/telemetry/query_answer.hpp"

namespace costcurve::imports {
namespace {

TEST(QueryAnswers, BecomeLinesOfExporters) {
    const auto lines = exporter_lines(R"({"status":"success","data":{"resultType":"matrix","result":[
        {"metric":{"__name__":"DCGM_FI_DEV_POWER_USAGE","gpu":"0","pod":"a\"b\\c"},
         "values":[[1700000000.5,"412.5"],[1700000060,"NaN"],[1700000120,"1e2"]]},
        {"metric":{"__name__":"up"},"values":[]}]}})");
    ASSERT_TRUE(lines) << lines.error();
    EXPECT_EQ(*lines, "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",pod=\"a\\\"b\\\\c\"} 412.5 1700000000500\n"
                      "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",pod=\"a\\\"b\\\\c\"} 1e2 1700000120000\n");
    EXPECT_EQ(exporter_lines(R"({"status":"success","data":{"resultType":"vector","result":[
        {"metric":{"__name__":"up"},"value":[1,"1"]}]}})")
                  .value(),
              "up 1 1000\n");
}

// A name that ended its line made samples of series that no server had.
TEST(QueryAnswers, NamesThatAreNoneOfTheFormatAreEscaped) {
    const auto lines_of = [](const std::string& metric) {
        return exporter_lines(R"({"status":"success","data":{"resultType":"vector","result":[{"metric":)" + metric +
                              R"(,"value":[1,"5"]}]}})")
            .value();
    };
    const std::string hostile = lines_of(R"({"__name__":"up","a=\"x\"} 1\nDCGM_FI_DEV_POWER_USAGE{gpu=\"9\",b":"c"})");
    EXPECT_EQ(std::count(hostile.begin(), hostile.end(), '\n'), 1) << hostile;
    EXPECT_TRUE(hostile.starts_with("up{U__a_3d__22_x_22__7d__20_1_a_DCGM__FI__DEV__POWER__USAGE_7b_gpu")) << hostile;
    const std::string metric = lines_of(R"({"__name__":"up 1\nDCGM_FI_DEV_POWER_USAGE","gpu":"0"})");
    EXPECT_EQ(std::count(metric.begin(), metric.end(), '\n'), 1) << metric;
    EXPECT_TRUE(metric.starts_with("U__up_20_1_a_DCGM")) << metric;
    EXPECT_EQ(lines_of(R"({"__name__":"up","k8s.pod":"p","k8s_pod":"q","9":"r","":"s"})"),
              "up{U__k8s_2e_pod=\"p\",k8s_pod=\"q\",U__9=\"r\",U__=\"s\"} 5 1000\n");
    EXPECT_EQ(lines_of(R"({"__name__":"job:power_w:sum","_a9":"b"})"), "job:power_w:sum{_a9=\"b\"} 5 1000\n");
}

TEST(QueryAnswers, AreRefusedWithTheReason) {
    const auto wrong = [](const char* answer) { return exporter_lines(answer).error(); };
    EXPECT_NE(wrong("<html>").find("no JSON"), std::string::npos);
    EXPECT_NE(wrong(R"({"status":"error","error":"parse error at char 3"})").find("parse error at char 3"), std::string::npos);
    EXPECT_NE(wrong(R"({"status":"success","data":{"resultType":"scalar","result":[1,"1"]}})").find("scalar"), std::string::npos);
    EXPECT_NE(wrong(R"({"status":"success"})").find("without data"), std::string::npos);
    EXPECT_NE(wrong(R"({"status":"success","data":{"resultType":"matrix","result":[{"metric":{"a":"b"},"values":[]}]}})")
                  .find("no metric's name"),
              std::string::npos);
    EXPECT_NE(wrong(R"({"status":"success","data":{"resultType":"vector","result":[{"metric":{"__name__":"up"},"value":[1]}]}})")
                  .find("no pair"),
              std::string::npos);
}

} // namespace
} // namespace costcurve::imports
