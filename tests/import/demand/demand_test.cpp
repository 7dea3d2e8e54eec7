// Demand and utilization: request traces, request rates, GPU duty cycles.
#include <cmath>
#include <numeric>

#include "server/import/demand/week_hours.hpp"
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

std::string reason_of(const Reading& reading, std::size_t index = 0) {
    return reading.report.rejected.first.size() > index ? reading.report.rejected.first[index].reason : "";
}
const model::Curve& curve_of(const Reading& reading, std::string_view id) {
    static const model::Curve none;
    const auto* const found = reading.find<model::Curve>(id);
    EXPECT_NE(found, nullptr) << id;
    return found == nullptr ? none : *found;
}
double mean_of(const model::Curve& curve) {
    return std::accumulate(curve.y.begin(), curve.y.end(), 0.0) / static_cast<double>(curve.y.size());
}

// `days` days from Monday 2024-01-01 on: in each hour, requests at its first and last second and between them, `count(day, hour)`
// in all.
template <class Count> std::string trace_of(int days, const Count& count) {
    std::string text = "TIMESTAMP,ContextTokens,GeneratedTokens\r\n";
    for (int day = 0; day < days; ++day) {
        for (int hour = 0; hour < 24; ++hour) {
            const int requests = count(day, hour);
            for (int i = 0; i < requests; ++i) {
                char line[80];
                std::snprintf(line, sizeof line, "2024-01-%02d %02d:%02d:%02d.5000000,%d,%d\r\n", day + 1, hour,
                              i * 59 / (requests - 1), i * 59 / (requests - 1), 100 * (hour + 1), 10);
                text += line;
            }
        }
    }
    return text;
}

TEST(LlmTrace, OfWholeWeeksGivesTheHoursOfTheWeek) {
    // Weekends have half of it: (5 × 4 + 2 × 2) / 7 = 24/7 an hour, so a weekday hour is 4 / (24/7) = 7/6, a weekend one 7/12.
    const Reading reading =
        read_text("llm_trace", trace_of(21, [](int day, int) { return day % 7 < 5 ? 4 : 2; }), {.id = "demand.x"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    ASSERT_EQ(reading.documents.size(), 2U);
    const model::Curve& curve = curve_of(reading, "demand.x.requests");
    EXPECT_EQ(curve.axis, model::Axis::hour_of_week);
    ASSERT_EQ(curve.y.size(), 168U);
    EXPECT_NEAR(curve.y[10], 7.0 / 6.0, 1e-3);
    EXPECT_NEAR(curve.y[130], 7.0 / 12.0, 1e-3);
    EXPECT_NEAR(mean_of(curve), 1.0, 1e-12);
    EXPECT_NE(curve.note.find("1728 requests from 2024-01-01 00:00:00 to 2024-01-21 23:59:59"), std::string::npos) << curve.note;
    EXPECT_EQ(reading.report.warnings.count, 0U);
}

TEST(LlmTrace, OfAFewDaysGivesTheHoursOfTheDayAndTokens) {
    const Reading reading =
        read_text("llm_trace", trace_of(2, [](int, int hour) { return hour == 12 ? 25 : 2; }), {.id = "demand.x"});
    ASSERT_FALSE(reading.error);
    const model::Curve& requests = curve_of(reading, "demand.x.requests");
    EXPECT_EQ(requests.axis, model::Axis::hour_of_day);
    ASSERT_EQ(requests.y.size(), 24U);
    EXPECT_NEAR(requests.y[12], 25.0 / ((23 * 2 + 25) / 24.0), 2e-3);
    // A request of hour h has 100 (h + 1) + 10 tokens.
    const model::Curve& tokens = curve_of(reading, "demand.x.tokens");
    EXPECT_NEAR(tokens.y[3] / tokens.y[0], 410.0 / 110.0, 5e-3);
}

TEST(LlmTrace, OfLessThanADayIsFlatAndSaysItsMeans) {
    const Reading reading = read_text("llm_trace",
                                      "TIMESTAMP,ContextTokens,GeneratedTokens\r\n2023-11-16 18:17:03.9799600,4808,10\r\n"
                                      "2023-11-16 18:17:05.9799600,3180,8\r\n2023-11-16 18:17:07.9799600,112,0",
                                      {.name = "t.csv", .source = "a study", .id = "demand.x"});
    ASSERT_FALSE(reading.error);
    ASSERT_EQ(reading.documents.size(), 1U);
    const model::Curve& curve = curve_of(reading, "demand.x.requests");
    EXPECT_EQ(curve.y, std::vector<double>{1.0});
    EXPECT_EQ(curve.source, "a study t.csv");
    // 3 requests in 4 s; (4808 + 3180 + 112) / 3 and (10 + 8 + 0) / 3 tokens.
    EXPECT_EQ(curve.note,
              "3 requests from 2023-11-16 18:17:03 to 2023-11-16 18:17:07 (0.00 h, the file's own clock, whose zone it does not "
              "say): mean_per_s 0.75 requests, units_per_request {input 2700, output 6} tokens. Fewer than 20 hours of the day "
              "are in it: it says nothing of a shape, so the curve is flat.");
    ASSERT_EQ(reading.report.warnings.count, 1U);
}

TEST(LlmTrace, RejectsRowsThatCanNotBeUsedAndGoesOn) {
    const Reading reading = read_text("llm_trace",
                                      "TIMESTAMP,ContextTokens,GeneratedTokens,Model\n2023-11-16 18:00:00,10,1,a\n"
                                      "2023-11-16 18:00:01,-10,1,a\n2023-11-16 18:00:02,,1,a\nyesterday,10,1,a\n,10,1,a\n"
                                      "2023-11-16 18:00:03Z,10,1,a\n2023-11-16 18:00:04,1.5,1,a\n1903-11-16 18:00:04,1,1,a\n"
                                      "2039-11-16 18:00:04,1,1,a\n2023-11-16 17:59:50,10,1,a\n2023-11-16 18:00:10,10,1\n",
                                      {.id = "demand.x"});
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.report.rows, 11U);
    ASSERT_EQ(reading.report.rejected.count, 8U);
    EXPECT_EQ(reason_of(reading, 0), "input tokens are no whole number from 0 to 1e9");
    EXPECT_EQ(reason_of(reading, 1), "input tokens are blank");
    EXPECT_EQ(reason_of(reading, 2), "its time is yesterday; a date and time are needed");
    EXPECT_EQ(reason_of(reading, 3), "its time is blank");
    EXPECT_EQ(reason_of(reading, 4), "its time is of another form than the first row's: all are local, all with a zone or Unix, or "
                                     "all since the beginning");
    EXPECT_EQ(reason_of(reading, 6), "its time is not between 1970 and 2200");
    EXPECT_EQ(reason_of(reading, 7), "its time is more than ten years from the first row's");
    // Out of order, but counted: 3 requests in 20 s.
    EXPECT_EQ(reading.report.warnings.first[0].row, 11U);
    EXPECT_NE(curve_of(reading, "demand.x.requests").note.find("mean_per_s 0.15 requests"), std::string::npos);
}

TEST(LlmTrace, ReadsJsonLinesInMilliseconds) {
    const Reading reading = read_text("llm_trace",
                                      "\n{\"timestamp\": 0, \"input_length\": 6758, \"output_length\": 500, \"hash_ids\": [0, 1]}\n"
                                      "{\"timestamp\": 2000, \"input_length\": 242, \"output_length\": 0}\n"
                                      "{\"timestamp\": 3000, \"output_length\": 0}\n[1]\n{\"timestamp\": 4000, \"input_leng",
                                      {.id = "demand.x"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rejected.count, 3U);
    EXPECT_EQ(reason_of(reading, 0), "input tokens are blank");
    EXPECT_EQ(reason_of(reading, 1), "it is no JSON object");
    EXPECT_NE(
        curve_of(reading, "demand.x.requests")
            .note.find("2 requests from 0 s to 2 s (0.00 h, since the file's beginning): mean_per_s 1 requests, units_per_request "
                       "{input 3500, output 250} tokens"),
        std::string::npos);
}

TEST(LlmTrace, CountsRelativeTimesFromADate) {
    std::string text = "timestamp,Request tokens,Response tokens\n"; // seconds, two days, from a Wednesday on
    for (int i = 0; i <= 2 * 24 * 6; ++i) {
        text += std::to_string(i * 600) + "," + (i / 6 % 24 == 5 ? "20" : "10") + ",0\n";
    }
    const Reading without = read_text("llm_trace", text, {.id = "demand.x"});
    EXPECT_EQ(curve_of(without, "demand.x.requests").y.size(), 1U); // hour 0 of the file may be any hour
    const Reading with = read_text("llm_trace", text, {.date = "2024-05-01", .id = "demand.x"});
    EXPECT_EQ(curve_of(with, "demand.x.tokens").y.size(), 24U);
    EXPECT_NEAR(curve_of(with, "demand.x.tokens").y[5] / curve_of(with, "demand.x.tokens").y[6], 2.0, 1e-9);
}

TEST(LlmTrace, PutsUnixTimesIntoTheZoneThatIsGiven) {
    // One hour at 23:00 UTC has five times the others, over two days: 08:00 the next day in Tokyo, 04:30 in Kolkata.
    std::string text = "timestamp,input_tokens,output_tokens\n";
    for (int minute = 0; minute < 2 * 24 * 60; minute += 10) {
        for (int i = 0; i < (minute / 60 % 24 == 23 ? 5 : 1); ++i) {
            text += std::to_string(1704067200 + minute * 60) + ",1,1\n"; // 2024-01-01T00:00Z
        }
    }
    const auto peak = [&](const std::string& zone) {
        const Reading reading = read_text("llm_trace", text, {.time_zone = zone, .id = "demand.x"});
        const std::vector<double>& y = curve_of(reading, "demand.x.requests").y;
        return std::max_element(y.begin(), y.end()) - y.begin();
    };
    EXPECT_EQ(peak(""), 23);
    EXPECT_EQ(peak("Asia/Tokyo"), 8);
    EXPECT_EQ(peak("America/New_York"), 18);
}

TEST(LlmTrace, OfAnotherFormatIsRefused) {
    EXPECT_EQ(read_text("llm_trace", "a,b\n1,2\n", {.id = "x"}).error.value().message,
              "row 1: the header has no column named timestamp");
    EXPECT_EQ(read_text("llm_trace", "TIMESTAMP,ContextTokens\n1,2\n", {.id = "x"}).error.value().message,
              "row 1: the header has no column named GeneratedTokens");
    EXPECT_TRUE(read_text("llm_trace", "", {.id = "x"}).error);
    EXPECT_EQ(read_text("llm_trace", "{}\n", {.id = "x"}).error.value().message,
              "no request of its 1 rows can be used; row 1: its time is missing: timestamp is needed");
    EXPECT_EQ(read_text("llm_trace", "{\"timestamp\": 5, \"input_length\": 1, \"output_length\": 1}\n", {.id = "x"})
                  .error.value()
                  .message,
              "all requests are of one moment: a rate needs a window");
    EXPECT_TRUE(read_text("llm_trace", std::string_view("{\0}", 3), {.id = "x"}).error);
}

TEST(LlmTrace, OfTheRealAzureFileHasItsPublishedSums) {
    SKIP_WITHOUT_SHARED();
    const Reading reading =
        read_shared("llm_trace", {"azure-llm-trace/AzureLLMInferenceTrace_code.csv"}, {.id = "demand.azure-code"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rows, 8819U);
    EXPECT_EQ(reading.report.rejected.count, 0U);
    // 18,059,974 and 245,896 tokens (SOURCES.md) over 8819; 8819 over 19:14:19.928 − 18:17:03.97996 = 3435.948 s.
    EXPECT_NE(curve_of(reading, "demand.azure-code.requests")
                  .note.find("mean_per_s 2.56669 requests, units_per_request {input 2047.85, output 27.8825} tokens"),
              std::string::npos)
        << curve_of(reading, "demand.azure-code.requests").note;
}

TEST(LlmTrace, OfTheRealMooncakeFileIsRead) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared("llm_trace", {"mooncake/conversation_trace.jsonl"}, {.id = "demand.mooncake"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rows, 1500U);
    EXPECT_EQ(reading.report.rejected.count, 0U);
    // 1500 / 509.999 s.
    EXPECT_NE(curve_of(reading, "demand.mooncake.requests").note.find("mean_per_s 2.94118 requests"), std::string::npos);
}

TEST(RequestLog, SkipsRequestsThatFailed) {
    const Reading reading =
        read_text("request_log",
                  "gmt_create,predict_status,exec_time_seconds\n2024-11-15 16:57:50,SUCCEED,32.0\n"
                  "2024-11-15 16:57:52,FAILED,39.0\n2024-11-15 16:57:54,SUCCEED,\n2024-11-15 16:57:55,PENDING,1\n"
                  "2024-11-15 16:57:56,SUCCEED,-1\n",
                  {.id = "demand.x"});
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.report.skipped, 1U);
    EXPECT_EQ(reading.report.rejected.count, 2U);
    EXPECT_EQ(reason_of(reading), "status is PENDING; it neither succeeded nor failed by any word that is known");
    // Two requests in 4 s; the blank execution time counts for nothing.
    EXPECT_NE(curve_of(reading, "demand.x.requests").note.find("mean_per_s 0.5 requests, 32 s of execution a request"),
              std::string::npos);
}

TEST(RequestLog, OfTheRealFileGivesTheHoursOfTheDay) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared("request_log", {"alibaba-genai-v2026/lora_request_trace.csv"}, {.id = "demand.lora"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rows, 2000U);
    EXPECT_EQ(reading.report.skipped, 28U);                                              // FAILED
    EXPECT_EQ(curve_of(reading, "demand.lora.requests").axis, model::Axis::hour_of_day); // 5.3 days
    EXPECT_EQ(curve_of(reading, "demand.lora.requests").y.size(), 24U);
}

TEST(RequestRate, AddsUpTheContainersOfAMoment) {
    std::string text = "timestamp,value,container_ip,request_type\n";
    for (int i = 0; i < 24 * 60; i += 5) { // two containers of 1 each; in hour 6 of 3 each; a type without containers beside them
        const std::string time = std::to_string(1704067200 + i * 60);
        const std::string value = i / 60 == 6 ? "3" : "1";
        text += time + "," + value + ",a,Chat\n" + time + "," + value + ",b,Chat\n" + time + ",7,,API Requests\n";
    }
    text += "1704067200,9,a,Chat\n1704200000,,a,Chat\n1704200000,-1,a,Chat\n";
    const Reading reading = read_text("request_rate", text, {.id = "demand.x"});
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.report.rejected.count, 3U);
    EXPECT_EQ(reason_of(reading, 0), "its time is before the row's above; sort the file by time");
    EXPECT_EQ(reason_of(reading, 1), "value is blank: it is unknown, not 0");
    const model::Curve& chat = curve_of(reading, "demand.x.chat");
    EXPECT_NEAR(chat.y[6] / chat.y[5], 3.0, 1e-12);
    EXPECT_NE(chat.note.find("mean_per_s 2.16667 requests"), std::string::npos) << chat.note; // (23 × 2 + 6) / 24
    EXPECT_DOUBLE_EQ(curve_of(reading, "demand.x.api-requests").y[0], 1.0);
}

TEST(RequestRate, OfTheRealFileInterpolatesTheHourThatIsNotInIt) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared("request_rate", {"alibaba-genai-v2026/qps.csv"}, {.id = "demand.genai"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rows, 1114U);
    const model::Curve& curve = curve_of(reading, "demand.genai.api-requests");
    ASSERT_EQ(curve.y.size(), 24U);
    EXPECT_NEAR(curve.y[0], (curve.y[23] + curve.y[1]) / 2.0, 1e-12);
    EXPECT_NE(curve.note.find("Hours that are not in it are interpolated: 0."), std::string::npos) << curve.note;
    // (23:38:09 − 01:19:36) / 57 s + 1 = 1410.
    EXPECT_EQ(reading.report.warnings.first[1].reason,
              "it has 1114 moments of 1410, one every 57 s: what is missing is taken as unknown; "
              "if it means no requests, quiet hours come out too busy");
    // The catalogue's curve of the same file, worked out by an independent script: hour 8 over hour 20 is 2.3664 / 0.2330.
    EXPECT_NEAR(curve.y[8] / curve.y[20], 2.3664 / 0.2330, 5e-3);
    EXPECT_EQ(reading.report.warnings.first[0].reason,
              "its times are anonymised: the hours of the day may be shifted from those it happened in");
}

TEST(GpuDutyCycle, IsAFractionWithItsSpread) {
    std::string text = "value,timestamp,container_ip\n"; // a is busy 80 %, b 40 %, in hour 3 both 100 %
    for (int i = 0; i < 24 * 60; i += 10) {
        for (const char* const source : {"a", "b"}) {
            const std::string value = i / 60 == 3 ? "100" : (*source == 'a' ? "80.0" : "40.0");
            text += value + "," + std::to_string(1704067200 + i * 60) + "," + source + "\n";
        }
    }
    const Reading reading = read_text("gpu_duty_cycle", text, {.id = "utilization.x"});
    ASSERT_FALSE(reading.error);
    const model::Curve& curve = curve_of(reading, "utilization.x");
    EXPECT_EQ(curve.kind, model::CurveKind::utilization);
    EXPECT_DOUBLE_EQ(curve.y[3], 1.0);
    EXPECT_DOUBLE_EQ(curve.y[4], 0.6);
    // Inside of 23 hours 2 × 0.2² = 0.08, in one 0; 24 degrees of freedom: √(23 × 0.08 / 24) = 0.2769.
    EXPECT_NE(
        curve.note.find("288 samples of 2 sources from 2024-01-01 00:00:00 to 2024-01-01 23:50:00 (23.83 h, UTC): mean 0.6167, "
                        "of the hours 0.6167, standard deviation 0.2769 between the sources and days of an hour"),
        std::string::npos)
        << curve.note;
}

TEST(GpuDutyCycle, SaysTheMeanOfItsSamplesBesideThatOfTheHours) {
    std::string text = "value,timestamp,container_ip\n"; // a sample an hour at 10 %, and nine more of hour 3 at 90 %
    for (int i = 0; i < 24; ++i) {
        text += "10," + std::to_string(1704067200 + i * 3600) + ",a\n";
        for (int more = 1; i == 3 && more < 10; ++more) {
            text += "90," + std::to_string(1704067200 + i * 3600 + more * 60) + ",a\n";
        }
    }
    const Reading reading = read_text("gpu_duty_cycle", text, {.id = "utilization.x"});
    ASSERT_FALSE(reading.error);
    // (24 x 10 + 9 x 90) / 33 = 31.82 %; hour 3 has 82 %, so the hours (23 x 10 + 82) / 24 = 13 %
    EXPECT_NE(curve_of(reading, "utilization.x").note.find("mean 0.3182, of the hours 0.13,"), std::string::npos)
        << curve_of(reading, "utilization.x").note;
}

TEST(GpuDutyCycle, RejectsWhatIsNoPercentage) {
    const Reading reading =
        read_text("gpu_duty_cycle",
                  "value,timestamp,container_ip\n50,1704067200,a\n50,1704067200,a\n51,1704067200,a\n101,1704067260,a\n"
                  "-1,1704067260,a\n,1704067260,a\n5,1704067260,\n5,1704067100,a\n5,x,a\n60,1704067260,a\n",
                  {.id = "utilization.x"});
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.report.skipped, 1U); // the exact duplicate
    ASSERT_EQ(reading.report.rejected.count, 7U);
    EXPECT_EQ(reason_of(reading, 0), "there is another value of the same moment and source above");
    EXPECT_EQ(reason_of(reading, 1), "value is no number from 0 to 100 percent");
    EXPECT_EQ(reason_of(reading, 3), "value is blank: it is unknown, not 0");
    EXPECT_EQ(reason_of(reading, 4), "it has no container: whose value is it?");
    EXPECT_EQ(reason_of(reading, 5), "its time is before that of a row above; sort the file by time");
    EXPECT_EQ(curve_of(reading, "utilization.x").y.size(), 1U);
    EXPECT_DOUBLE_EQ(curve_of(reading, "utilization.x").y[0], 0.55);
    EXPECT_TRUE(read_text("gpu_duty_cycle", "value,timestamp\n1,2\n", {.id = "x"}).error);
}

TEST(GpuDutyCycle, OfTheRealFileIsRead) {
    SKIP_WITHOUT_SHARED();
    const Reading reading =
        read_shared("gpu_duty_cycle", {"alibaba-genai-v2026/pod_gpu_duty_cycle_anon.csv"}, {.id = "utilization.genai"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rows, 4323U);
    EXPECT_EQ(reading.report.rejected.count, 0U);
    EXPECT_NE(curve_of(reading, "utilization.genai").note.find("4323 samples of 3 sources from 2022-09-11 01:12:00"),
              std::string::npos);
}

TEST(WeekHours, BeginOnMonday) {
    EXPECT_EQ(week_hour(0.0), 3 * 24);                           // 1970-01-01 was a Thursday
    EXPECT_EQ(week_hour(1704067200.0), 0);                       // 2024-01-01, a Monday
    EXPECT_EQ(week_hour(1704067200.0 - 1.0), kHoursPerWeek - 1); // the second before it
}

TEST(WeekHours, CoverTheHourThatComesTwiceTwice) {
    FileClock clock({.time_zone = "Europe/Brussels"}, 1.0);
    std::string problem;
    const double begin = clock.read("2024-10-27T00:00:00Z", problem).value(); // 02:00 local, and again at 01:00 UTC
    Window window;
    window.add(begin, 1);
    window.add(begin + 2 * kSecondsPerHour, 2);
    const WeekHours covered = covered_seconds(window, clock);
    EXPECT_DOUBLE_EQ(covered[6 * 24 + 2], 7200.0);
}

} // namespace
} // namespace costcurve::imports
