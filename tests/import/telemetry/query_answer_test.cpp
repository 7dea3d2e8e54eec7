// Answers of Prometheus as lines of exporters.
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
