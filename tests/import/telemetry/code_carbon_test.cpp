// CodeCarbon's emissions.csv: energy of GPUs by run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "server/import/telemetry/code_carbon.hpp"
#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

Reading read_emissions(std::string_view text, const SmiOptions& options = {"Europe/Berlin", "", ""}) {
    Reading reading;
    reading.report.on_sample = [&](const Sample& sample) { reading.samples.push_back(sample); };
    Bytes bytes(text);
    reading.error = read_code_carbon(bytes, options, reading.report);
    return reading;
}

// As CodeCarbon 2.4.2 wrote it for the model card of huggingface.co/nicholasKluge/Aux-RewardModel (emissions.csv, 2024-05-27),
// without its place.
const std::string kEmissionsHeader =
    "timestamp,project_name,run_id,duration,emissions,emissions_rate,cpu_power,gpu_power,ram_power,cpu_"
    "energy,gpu_energy,ram_energy,"
    "energy_consumed,country_name,country_iso_code,region,cloud_provider,cloud_region,os,python_version,"
    "codecarbon_version,cpu_count,"
    "cpu_model,gpu_count,gpu_model,longitude,latitude,ram_total_size,tracking_mode,on_cloud,pue\n";
std::string emissions_row(std::string_view duration = "4251.8744423389435", std::string_view energy = "0.379311540115656",
                          std::string_view count = "1", std::string_view model = "1 x NVIDIA A100-SXM4-40GB",
                          std::string_view time = "2024-05-27T10:49:55", std::string_view run = "392f828") {
    return fmt::format(
        "{},codecarbon,{},{},0.2,5.3e-05,42.5,163.0812527545463,31.3,0.05,{},0.037,0.47,Singapore,SGP,,,,Linux,3.10.12,"
        "2.4.2,12,Intel(R) Xeon(R) CPU @ 2.20GHz,{},{},,,83.47,machine,N,1.0\n",
        time, run, duration, energy, count, model);
}

TEST(CodeCarbon, GivesTheEnergyOfEachCardAsACounter) {
    const Reading reading = read_emissions(kEmissionsHeader + emissions_row());
    ASSERT_FALSE(reading.error) << reading.error->message;
    ASSERT_EQ(reading.samples.size(), 3U); // of 71 minutes, up to an hour apart
    EXPECT_EQ(reading.samples[0].source, "codecarbon/392f828/0");
    EXPECT_EQ(reading.samples[0].device, "nvidia.a100-sxm4-40gb");
    EXPECT_EQ(reading.samples[0].metric, "energy_j");
    EXPECT_EQ(reading.samples[0].value, 0.0);
    EXPECT_NEAR(reading.samples[2].value, 0.379311540115656 * 3.6e6, 1e-6);
    EXPECT_EQ(reading.samples[2].time_ms, 1716799795000) << "08:49:55 UTC";
    EXPECT_EQ(reading.samples[2].time_ms - reading.samples[0].time_ms, 4251874);
}

TEST(CodeCarbon, SplitsTheEnergyOfSeveralCardsAndTakesARunsLongestRow) {
    const Reading reading = read_emissions(kEmissionsHeader + emissions_row("60", "0.1", "4", "4 x NVIDIA A100-SXM4-40GB") +
                                               emissions_row("120", "0.2", "4", "4 x NVIDIA A100-SXM4-40GB") +
                                               emissions_row("90", "", "", "", "", "cpu"),
                                           {"UTC", "box", ""});
    ASSERT_FALSE(reading.error) << reading.error->message;
    ASSERT_EQ(reading.samples.size(), 8U);
    EXPECT_EQ(reading.samples[7].source, "box/392f828/3");
    EXPECT_DOUBLE_EQ(reading.samples[7].value, 0.2 * 3.6e6 / 4);
    EXPECT_EQ(reading.samples[7].time_ms - reading.samples[6].time_ms, 120000);
    EXPECT_EQ(reading.report.skipped, 1U);
}

TEST(CodeCarbon, RejectsWhatIsNoEnergyOfOneKindOfCards) {
    for (const auto& [row, reason] :
         {std::pair(emissions_row("60", "0.1", "5", "4 x NVIDIA A401 x NVIDIA A100 80GB PCIe"), "one kind of cards"),
          std::pair(emissions_row("60", "0.1", "2"), "one kind of cards"), std::pair(emissions_row("0", "0.1"), "above 0"),
          std::pair(emissions_row("60", "-0.1"), "above 0"), std::pair(emissions_row("1", "0.1"), "360000 W"),
          std::pair(emissions_row("60", "0.1", "1", "1 x NVIDIA A100-SXM4-40GB", "yesterday"), "no date"),
          std::pair(std::string("2024-05-27T10:49:55,codecarbon,cut,60,0.2,5.3e-05,42.5,163,31.3,0.05,0.1"),
                    "one kind of cards")}) {
        const Reading reading = read_emissions(kEmissionsHeader + emissions_row() + row);
        ASSERT_FALSE(reading.error) << row;
        ASSERT_EQ(reading.report.rejected.count, 1U) << row;
        EXPECT_NE(reading.report.rejected.first[0].reason.find(reason), std::string::npos)
            << reading.report.rejected.first[0].reason;
        EXPECT_EQ(reading.samples.size(), 3U);
    }
    EXPECT_NE(read_emissions(kEmissionsHeader + emissions_row(), {}).error->message.find("time_zone"), std::string::npos);
    EXPECT_NE(read_emissions(kEmissionsHeader + emissions_row("60", "0")).error->message.find("energy of GPUs"), std::string::npos);
    EXPECT_TRUE(read_emissions("timestamp,run_id\n").error);
    EXPECT_TRUE(read_emissions(kEmissionsHeader).error);
}

} // namespace
} // namespace costcurve::imports
