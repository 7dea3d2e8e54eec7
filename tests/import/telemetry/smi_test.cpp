// What nvidia-smi prints: rows of --query-gpu with and without units, dmon, hours that the clock repeats, and a real card's files.
#include <filesystem>
#include <fstream>
#include <numeric>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "server/import/telemetry/smi.hpp"
#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"
#include "tests/support/source_folder.hpp"

namespace costcurve::imports {
namespace {

Reading read(std::string_view text, const SmiOptions& options = {"UTC", "", ""}) {
    Reading reading;
    reading.report.on_sample = [&](const Sample& sample) { reading.samples.push_back(sample); };
    Bytes bytes(text);
    reading.error = read_smi(bytes, options, reading.report);
    return reading;
}

TEST(Smi, ReadsRowsOfQueryGpuWithAndWithoutUnits) {
    for (const std::string_view text :
         {"timestamp, name, uuid, power.draw [W], utilization.gpu [%], temperature.gpu, memory.used [MiB]\n"
          "2026/11/26 11:05:34.768, NVIDIA H100 80GB HBM3, GPU-1, 72.28 W, 41 %, 32, 512 MiB\r\n"
          "2026/11/26 11:05:34.768, NVIDIA H100 80GB HBM3, GPU-2, [N/A], 0 %, [Not Supported], 0 MiB\n",
          "timestamp, name, uuid, power.draw [W], utilization.gpu [%], temperature.gpu, memory.used [MiB]\n"
          "2026/11/26 11:05:34.768, NVIDIA H100 80GB HBM3, GPU-1, 72.28, 41, 32, 512\n"
          "2026/11/26 11:05:34.768, NVIDIA H100 80GB HBM3, GPU-2, [N/A], 0, [Not Supported], 0\n"}) {
        const Reading reading = read(text, {"Europe/Berlin", "box", ""});
        ASSERT_FALSE(reading.error) << reading.error->message;
        ASSERT_EQ(reading.samples.size(), 6U);
        EXPECT_EQ(reading.samples[0].source, "box/GPU-1");
        EXPECT_EQ(reading.samples[0].device, "nvidia.h100-sxm5-80gb");
        EXPECT_EQ(reading.samples[0].metric, "power_w");
        EXPECT_EQ(reading.samples[0].value, 72.28);
        EXPECT_EQ(reading.samples[0].time_ms, 1795687534768) << "10:05:34.768 UTC";
        EXPECT_EQ(reading.samples[1].metric, "utilization");
        EXPECT_DOUBLE_EQ(reading.samples[1].value, 0.41);
        EXPECT_EQ(reading.samples[3].value, 0.5) << "GiB";
        EXPECT_EQ(reading.samples[4].source, "box/GPU-2");
        EXPECT_EQ(reading.report.rejected.count, 0U);
    }
}

TEST(Smi, ReadsDmonWhoseHeaderComesAgain) {
    const Reading reading = read("#Date        Time         gpu    pwr  gtemp  mtemp     sm    mem     fb\n"
                                 "#YYYYMMDD    HH:MM:SS     Idx      W      C      C      %      %     MB\n"
                                 " 20261126    11:05:34       0     72     32     35      7      0   1024\n"
                                 " 20261126    11:05:34       1      -     32      -      -      0      0\n"
                                 "#Date        Time         gpu    pwr  gtemp  mtemp     sm    mem     fb\n"
                                 "#YYYYMMDD    HH:MM:SS     Idx      W      C      C      %      %     MB\n"
                                 " 20261126    11:05:35       0     73     32     35      8      0   1024\n",
                                 {"UTC", "", "H100"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    ASSERT_EQ(reading.samples.size(), 10U);
    EXPECT_EQ(reading.samples[0].source, "nvidia-smi/0");
    EXPECT_EQ(reading.samples[0].device, "nvidia.h100-sxm5-80gb");
    EXPECT_EQ(reading.samples[0].time_ms, 1795691134000);
    EXPECT_DOUBLE_EQ(reading.samples[1].value, 0.07);
    EXPECT_EQ(reading.samples[3].value, 1.0);
}

TEST(Smi, AnHourThatTheClockRepeatsIsTheFirstTillTheTimeGoesBack) {
    const Reading reading = read("timestamp, power.draw [W]\n2026/10/25 02:10:00.000, 1 W\n2026/10/25 02:50:00.000, 2 W\n"
                                 "2026/10/25 02:20:00.000, 3 W\n2026/10/25 02:50:00.000, 4 W\n2026/10/25 03:00:00.000, 5 W\n"
                                 "2026/03/29 02:30:00.000, 6 W\n",
                                 {"Europe/Berlin", "", ""});
    ASSERT_EQ(reading.samples.size(), 5U);
    const std::int64_t first = reading.samples[0].time_ms;
    const std::vector<std::int64_t> minutes = {0, 40, 70, 100, 110};
    for (std::size_t i = 0; i < minutes.size(); ++i) {
        EXPECT_EQ(reading.samples[i].time_ms - first, minutes[i] * 60'000) << i;
    }
    EXPECT_EQ(reading.report.rejected.count, 1U) << "an hour that the clock leaps over";
}

TEST(Smi, SaysWhatIsMissingAndWhichRowIsWrong) {
    struct Row {
        std::string_view text, zone, error;
    };
    for (const Row& row :
         {Row{"timestamp, power.draw [W]\n", "", "give the zone"},
          Row{"timestamp, power.draw [W]\n", "Mars/Olympus", "no time zone"}, Row{"", "UTC", "empty"},
          Row{"power.draw [W]\n1 W\n", "UTC", "timestamp"}, Row{"2026/11/26 11:05:34.768, 72.28 W\n", "UTC", "noheader"},
          Row{"timestamp, clocks.sm [MHz]\n", "UTC", "power.draw"}, Row{"timestamp, power.draw [mW]\n", "UTC", "is in mW"},
          Row{"# gpu pwr sm\n# Idx W %\n 0 72 3\n", "UTC", "dmon -o DT"}, Row{"timestamp, power.draw [W]\n", "UTC", "no rows"},
          Row{"timestamp, power.draw [W]\r2026/11/26 11:05:34, 72 W\r", "UTC", "LF"}}) {
        const Reading reading = read(row.text, {std::string(row.zone), "", ""});
        ASSERT_TRUE(reading.error) << row.text;
        EXPECT_NE(reading.error->message.find(row.error), std::string::npos) << reading.error->message;
    }
    const Reading reading = read("timestamp, power.draw [W]\n2026/11/26 11:05:34, 1 kW\n2026/11/26 11:05:35, 25000 W\n"
                                 "yesterday, 3 W\n2026/11/26 11:05:36, 4 W\n2026/11/26 11:05:36, 5 W\n2026/11/26 11:05\n");
    EXPECT_EQ(reading.samples.size(), 1U);
    ASSERT_EQ(reading.report.rejected.count, 5U);
    EXPECT_NE(reading.report.rejected.first[3].reason.find("add uuid to --query-gpu"), std::string::npos);
    EXPECT_NE(reading.report.rejected.first[4].reason.find("cut off"), std::string::npos);
    EXPECT_TRUE(is_smi("timestamp, power.draw [W]\n"));
    EXPECT_TRUE(is_smi("\n#Date  Time  gpu  pwr\n"));
    EXPECT_TRUE(is_smi("2026/11/26 11:05:34.768, 72.28 W\n"));
    EXPECT_FALSE(is_smi("# HELP DCGM_FI_DEV_GPU_UTIL of each gpu in use (in %), x\n"));
    EXPECT_FALSE(is_smi(R"({"timestamp, ": 1})"));
}

// ../shared/data/measured-h100: means by own reading of the cells.
std::string rows_of_cards(int cards, int rounds) {
    std::string text = "timestamp, power.draw [W]\n";
    for (int second = 0; second < rounds; ++second) {
        for (int card = 0; card < cards; ++card) {
            text += fmt::format("2026/11/26 11:{:02}:{:02}.{:03}, 72.28 W\n", second / 60, second % 60, card * 2);
        }
    }
    return text;
}

// Eight cards became one source of a single card's watts.
TEST(Smi, RowsOfSeveralCardsNeedAColumnThatNamesThem) {
    EXPECT_FALSE(read(rows_of_cards(1, 300)).error);
    EXPECT_FALSE(read(rows_of_cards(1, 100) + "2026/11/26 19:05:34, 72 W\n2026/11/26 19:05:35, 72 W\n").error)
        << "a later recording";
    for (const int cards : {2, 4, 8, 16}) {
        const Reading reading = read(rows_of_cards(cards, 300));
        ASSERT_TRUE(reading.error) << cards;
        EXPECT_NE(reading.error->message.find("add uuid"), std::string::npos) << reading.error->message;
    }
}

TEST(Smi, ReadsAmdsMonitorAndMetricWithoutAZone) {
    const Reading monitor = read("'CTRL' + 'C' to stop watching output:\n"
                                 "timestamp,gpu,xcp,power_usage,hotspot_temperature,memory_temperature,gfx_clk,gfx,mem,vram_used\n"
                                 "1769014607,0,0,551,61,58,2100,97,40,2048\n1769014607,0,1,N/A,N/A,N/A,2100,90,40,N/A\n"
                                 "1769014607,1,0,N/A,50,48,132,0,0,285\n1769014608,0,0,560,61,58,2100,98,40,2048\n",
                                 {"", "box", "MI300X"});
    ASSERT_FALSE(monitor.error) << monitor.error->message;
    ASSERT_EQ(monitor.samples.size(), 11U);
    EXPECT_EQ(monitor.samples[0].source, "box/0");
    EXPECT_EQ(monitor.samples[0].device, "amd.mi300x");
    EXPECT_EQ(monitor.samples[0].time_ms, 1769014607000);
    EXPECT_EQ(monitor.samples[0].value, 551);
    EXPECT_DOUBLE_EQ(monitor.samples[1].value, 0.97);
    EXPECT_EQ(monitor.samples[3].value, 2.0) << "GiB";
    EXPECT_EQ(monitor.samples[4].source, "box/1");
    EXPECT_EQ(monitor.report.skipped, 1U) << "the second partition";
    const Reading metric = read("timestamp,gpu,gfx_activity,umc_activity,socket_power\n1769014607,0,12,1,140\n", {"", "", ""});
    ASSERT_EQ(metric.samples.size(), 2U) << metric.error->message;
    EXPECT_EQ(metric.samples[0].source, "amd-smi/0");
    const Reading rocm = read("device,Average Graphics Package Power (W),GPU use (%)\ncard0,40.0,0\n", {"UTC", "", ""});
    ASSERT_TRUE(rocm.error);
    EXPECT_NE(rocm.error->message.find("amd-smi monitor"), std::string::npos);
}

TEST(Smi, ARowWithDecimalCommasIsRefused) {
    const Reading reading = read("timestamp, power.draw [W], utilization.gpu [%]\n2026/11/26 11:05:34.768, 100,69, 5\n");
    EXPECT_TRUE(reading.samples.empty());
    ASSERT_EQ(reading.report.rejected.count, 1U);
    EXPECT_NE(reading.report.rejected.first[0].reason.find("4 cells of 3"), std::string::npos);
}

TEST(Smi, ReadsARealCardsFilesWithNoOptionButTheZone) {
    const std::filesystem::path folder = tests::source_folder() / "../shared/data/measured-h100";
    if (!std::filesystem::exists(folder)) {
        GTEST_SKIP() << folder << " is not here";
    }
    const auto text_of = [&](const char* name) {
        std::ifstream file(folder / name);
        return std::string(std::istreambuf_iterator<char>(file), {});
    };
    const std::string csv = text_of("serve-nvidia-smi.csv");
    const Reading reading = read(csv);
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.report.rejected.count, 0U);
    double own = 0.0;
    std::size_t rows = 0;
    for (std::size_t line = csv.find('\n') + 1; line < csv.size(); line = csv.find('\n', line) + 1) {
        own += std::stod(csv.substr(csv.find(',', line) + 1));
        ++rows;
    }
    double read_by_us = 0.0;
    std::size_t count = 0;
    for (const Sample& sample : reading.samples) {
        read_by_us += sample.metric == "power_w" ? sample.value : 0.0;
        count += sample.metric == "power_w" ? 1U : 0U;
    }
    ASSERT_EQ(count, rows);
    EXPECT_NEAR(read_by_us / static_cast<double>(count), own / static_cast<double>(rows), 1e-9);
    const Reading dmon = read(text_of("serve-dmon.txt"));
    ASSERT_FALSE(dmon.error);
    EXPECT_EQ(dmon.report.rejected.count, 0U);
    EXPECT_GT(dmon.samples.size(), 400U);
}

} // namespace
} // namespace costcurve::imports
