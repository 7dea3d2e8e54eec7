// Numbers, moments and ids as published files spell them.
#include "server/import/text/numbers.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "server/import/identity/aliases.hpp"
#include "server/import/identity/model_name.hpp"

namespace costcurve::imports {
namespace {

TEST(Number, IsReadAsItIsSpelled) {
    struct Row {
        const char* text;
        double value;
        DecimalMark mark = DecimalMark::point;
    };
    const Row rows[] = {{"1", 1},
                        {"-3.5", -3.5},
                        {".0820", 0.082},
                        {"1.5e3", 1500},
                        {"$44489.88", 44489.88},
                        {"$44,489.88", 44489.88},
                        {"1,234,567", 1234567},
                        {"1,234", 1234},
                        {"1,234", 1.234, DecimalMark::comma},
                        {"305,6", 305.6},
                        {"0,590", 0.59}, // no thousands begin with a zero
                        {"1234,567", 1234.567},
                        {"1.234", 1.234, DecimalMark::unsaid},
                        {"1,23", 1.23, DecimalMark::unsaid},
                        {"1,234,567", 1234567, DecimalMark::unsaid},
                        {"1.234,56", 1234.56},
                        {"-$5", -5},
                        {"8.0", 8},
                        {"+2", 2},
                        {"1e-7", 1e-7}};
    for (const Row& row : rows) {
        const Number number = parse_number(row.text, row.mark);
        EXPECT_TRUE(number) << row.text;
        EXPECT_DOUBLE_EQ(number.value, row.value) << row.text;
    }
    for (const char* const blank : {"", "NULL", "N/A", "nan", "-", "None"}) {
        EXPECT_EQ(parse_number(blank).state, Number::State::blank) << blank;
    }
    for (const char* const bad :
         {"x", "1.2.3", "12 GB", "1,23,456", "inf", "0x10", "1e999", "--1", "1-2", "$", "0,590,123", "1234,567.8"}) {
        EXPECT_EQ(parse_number(bad).state, Number::State::bad) << bad;
    }
    for (const char* const unclear : {"1,234", "12,345", "$123,456", "-3,061"}) {
        EXPECT_EQ(parse_number(unclear, DecimalMark::unsaid).state, Number::State::bad) << unclear;
    }
}

TEST(Moment, IsReadAsItIsSpelled) {
    struct Row {
        const char* text;
        double seconds; // python3: datetime(...).timestamp() in UTC
        bool has_zone;
    };
    const Row rows[] = {
        {"2023-11-16 18:17:03.9799600", 1700158623.97996, false},
        {"2024-06-11", 1718064000, false},
        {"27mar2022 02:00:00", 1648346400, false},
        {"Feb 14, 2020", 1581638400, false},
        {"2019-04-17 23:34:22 UTC", 1555544062, true},
        {"2024-09-18T23:00:00Z", 1726700400, true},
        {"2024-09-18T23:00:00+02:00", 1726693200, true},
        {"2024-11-15 16:57:50", 1731689870, false},
        // A quarter past five on the ninth of March 2024, and its midnight, in every other spelling.
        {"2024-03-09 17:15:00+01:00", 1710000900, true},
        {"2024-03-09 17:15:00 +0100", 1710000900, true},
        {"2024-03-09T17:15+01:00", 1710000900, true},
        {"2024-03-09 16:15", 1710000900, false},
        {"2024-03-09T16:15", 1710000900, false},
        {"2024/03/09 16:15:00", 1710000900, false},
        {"2024/03/09 16:15", 1710000900, false},
        {"09.03.2024 16:15:00", 1710000900, false},
        {"09.03.2024 16:15", 1710000900, false},
        {"2024/03/09", 1709942400, false},
        {"09-Mar-2024", 1709942400, false},
        {"09.03.2024", 1709942400, false},
        {"Mar-2024", 1709251200, false}, // its first
        {"2024-03", 1709251200, false},
    };
    for (const Row& row : rows) {
        const auto moment = parse_moment(row.text);
        ASSERT_TRUE(moment) << row.text;
        EXPECT_NEAR(moment->seconds, row.seconds, 1e-6) << row.text;
        EXPECT_EQ(moment->has_zone, row.has_zone) << row.text;
    }
    for (const char* const bad : {"", "2023-02-30", "yesterday", "2023-13-01", "12:00"}) {
        EXPECT_FALSE(parse_moment(bad)) << bad;
    }
}

TEST(Id, IsMadeOfItsParts) {
    EXPECT_EQ(make_id({"gcp", "us-central1-a", "a3-highgpu-8g", "on_demand"}), "gcp.us-central1-a.a3-highgpu-8g.on_demand");
    EXPECT_EQ(make_id({"", "Llama 3.1 (70B)", "/x/"}), "llama-3.1-70b.x");
    EXPECT_EQ(make_id({"..."}), "");
    const std::string longest = make_id({std::string(200, 'a')});
    EXPECT_EQ(longest.size(), 128U);
    EXPECT_NE(longest, make_id({std::string(201, 'a')})) << "what was cut off still tells ids apart";
}

TEST(Model, IsKnownByItsSpellings) {
    for (const std::string name : {"meta-llama/Llama-3.1-405B-Instruct", "llama3.1-405b", "Llama 3.1 405B", "Llama3.1-405B-MaxText",
                                   "llama3-1-405b", "Llama-3.1-405B-Instruct-FP8"}) {
        EXPECT_EQ(model_id_of(name), "llama-3.1-405b") << name;
    }
    EXPECT_EQ(model_id_of("Mixtral 8X7B"), "mixtral-8x7b");
    EXPECT_EQ(model_id_of("DeepSeek3-671B-MaxText"), "deepseek-v3");
    EXPECT_EQ(model_id_of("Qwen/Qwen3.5-397B-A17B-FP8"), "qwen3.5-397b-a17b");
    EXPECT_EQ(model_id_of("Qwen3-32B"), "qwen3-32b");
    EXPECT_EQ(model_id_of("gpt-oss-120b"), "gpt-oss-120b");
    EXPECT_EQ(model_id_of("GPT3-175B-MaxText"), "gpt-3-175b");
    EXPECT_EQ(model_id_of("-fp8"), model_id_of("fp8")); // nothing but an end
    EXPECT_TRUE(names_size("Qwen3-Coder-480B-A35B"));
    EXPECT_TRUE(names_size("Mixtral-8x7B"));
    EXPECT_TRUE(names_size("DeepSeek3-671B-MaxText"));
    EXPECT_FALSE(names_size("Llama3.x"));
    EXPECT_FALSE(names_size("b"));
}

TEST(Device, IsKnownByItsSpellings) {
    struct Row {
        const char* spelling;
        const char* device;
    };
    const Row rows[] = {{"H100", "nvidia.h100-sxm5-80gb"},
                        {"H100-SXM", "nvidia.h100-sxm5-80gb"},
                        {"NVIDIA H100 80GB HBM3", "nvidia.h100-sxm5-80gb"},
                        {"H100-80GB-HBM3", "nvidia.h100-sxm5-80gb"},
                        {"NVIDIA-A100-SXM4-80GB", "nvidia.a100-sxm4-80gb"},
                        {"AMD Instinct MI300X 192GB HBM3", "amd.mi300x"},
                        {"MI300X", "amd.mi300x"},
                        {"TPU v5e", "google.tpu-v5e"},
                        {"NVIDIA Tesla V100 SXM2 32 GB", "nvidia.v100-sxm2-32gb"},
                        {"NVIDIA RTX 4000 Ada Generation", "nvidia.rtx-4000-ada"},
                        {"nvidia.h100-nvl-94gb", "nvidia.h100-nvl-94gb"}};
    for (const Row& row : rows) {
        EXPECT_EQ(device_of(row.spelling), std::string(row.device)) << row.spelling;
    }
    for (const char* const unknown : {"", "H", "H1000", "GPU-series-1", "H100 or A100", "MISC"}) {
        EXPECT_FALSE(device_of(unknown)) << unknown;
    }
}

// Found by fuzzing: nanoseconds of such years overflowed.
TEST(Moment, OfAYearBeyondCalendarsIsNone) {
    for (const char* const text : {"24-11-20 23:58:18", "0024-11-20 23:58:18", "292278-01-01", "9223372036854775807-01-01",
                                   "-9999-01-01", "14-Feb-99999", "1.12.123456789"}) {
        EXPECT_FALSE(parse_moment(text)) << text;
    }
    EXPECT_TRUE(parse_moment("1903-11-20 23:58:18"));
    EXPECT_TRUE(parse_moment("9999-12-31"));
}

TEST(Moment, InIsoSpellingIsThatOfTheCalendarLibrary) {
    const auto seconds = [](const char* text) { return parse_moment(text).value_or(Moment{-1.0, false}).seconds; };
    EXPECT_DOUBLE_EQ(seconds("2023-11-16 18:17:03.9799600"), 1700158623.97996); // date -ud 2023-11-16T18:17:03 +%s
    EXPECT_DOUBLE_EQ(seconds("2023-11-16T18:17:03Z"), 1700158623.0);
    EXPECT_DOUBLE_EQ(seconds("2023-11-16T18:17:03+05:30"), 1700158623.0 - 19800.0);
    EXPECT_DOUBLE_EQ(seconds("2023-11-16 18:17:03-01:00"), 1700158623.0 + 3600.0);
    EXPECT_DOUBLE_EQ(seconds("2023-11-16 18:17:03 UTC"), 1700158623.0);
    for (const char* const text : {"2023-02-29 00:00:00", "2023-11-16 24:17:03", "2023-11-16 18:17:03.",
                                   "2023-11-16 18:17:03+25:00", "2023-11-16 18:17:03 CET", "2023-11-16 18:7:03x"}) {
        EXPECT_FALSE(parse_moment(text)) << text;
    }
}

// Found by fuzzing: the cut fell on a hyphen, and two in a row are one.
TEST(Id, ThatIsCutStaysTheSameWhenItIsMadeAgain) {
    for (std::size_t size = 105; size < 115; ++size) {
        const std::string id = make_id({std::string(size, 'a') + "-" + std::string(100, 'b')});
        EXPECT_EQ(make_id({id}), id);
        EXPECT_LE(id.size(), 128U);
    }
}

TEST(Device, IsCountedInSlicesAndInstances) {
    const auto text = [](const std::optional<Machine>& machine) {
        return machine ? machine->device + " x" + std::to_string(machine->devices) : std::string("none");
    };
    EXPECT_EQ(text(tpu_slice_of("tpu-v5p-8")), "google.tpu-v5p x4");
    EXPECT_EQ(text(tpu_slice_of("tpu-v2-8")), "google.tpu-v2 x4");
    EXPECT_EQ(text(tpu_slice_of("tpu-v5litepod-8")), "google.tpu-v5e x8");
    EXPECT_EQ(text(tpu_slice_of("tpu-v6e-256")), "google.tpu-v6e x256");
    EXPECT_EQ(text(tpu_slice_of("tpu-v4-7")), "none");
    EXPECT_EQ(text(tpu_slice_of("tpu-v9-8")), "none");
    EXPECT_EQ(text(instance_of("a3-highgpu-8g")), "nvidia.h100-sxm5-80gb x8");
    EXPECT_EQ(text(instance_of("Standard_ND96isr_H100_v5")), "nvidia.h100-sxm5-80gb x8");
    EXPECT_EQ(text(instance_of("m5.large")), "none");
}

TEST(Device, TableHasEachSpellingOnceAndFolded) {
    std::string last;
    std::vector<std::string> spellings;
    for (const AliasRow& row : device_aliases()) {
        spellings.emplace_back(row.spelling);
        EXPECT_TRUE(std::all_of(row.spelling.begin(), row.spelling.end(), [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        })) << row.spelling;
        EXPECT_EQ(device_of(row.spelling), std::string(row.device)) << row.spelling;
    }
    std::sort(spellings.begin(), spellings.end());
    EXPECT_EQ(std::adjacent_find(spellings.begin(), spellings.end()), spellings.end());
}

} // namespace
} // namespace costcurve::imports
