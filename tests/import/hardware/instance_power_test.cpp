// Watts of instances: decimal commas, N/A, GPUs shared out, one profile under several names.
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

const std::string kInstancePowerHeader =
    "Instance type,Instance Memory (in GB),Platform GPU Name,Instance Number of GPU,GPUWatt @ Idle,GPUWatt @ 10%,"
    "GPUWatt @ 50%,GPUWatt @ 100%,Instance @ Idle,Instance @ 10%,Instance @ 50%,Instance @ 100%,"
    "Hardware Information on AWS Documentation & Comments\r\n";
const std::string kXlarge = "g4dn.xlarge,16,T4,1,\"8,1\",\"22,3\",\"52,7\",\"71,3\",\"16,4\",\"35,6\",\"76,3\",\"104,0\",T4\r\n";
const std::string kMetal =
    "g4dn.metal,384,T4,8,\"65,0\",\"178,2\",\"421,3\",\"570,4\",\"263,5\",\"499,0\",\"989,1\",\"1354,7\",T4\r\n";
const std::string kCpu = "c5.2xlarge,16,N/A,N/A,\"0,0\",\"0,0\",\"0,0\",\"0,0\",\"19,4\",\"31,3\",\"53,1\",\"71,9\",\"a, b\"\r\n";

TEST(InstancePower, ReadsDecimalCommasOfAGpuAndItsInstance) {
    const Reading reading = read_text("instance_power", kInstancePowerHeader + kXlarge, {.name = "aws-instances.csv"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const gpu = reading.find<model::Curve>("power.nvidia-t4.ccf");
    ASSERT_NE(gpu, nullptr);
    EXPECT_EQ(gpu->x, (std::vector<double>{0, 0.1, 0.5, 1}));
    EXPECT_EQ(gpu->y, (std::vector<double>{8.1, 22.3, 52.7, 71.3}));
    EXPECT_EQ(gpu->source, "aws-instances.csv row g4dn.xlarge, GPUWatt @ Idle, 10, 50 and 100 %");
    const auto* const instance = reading.find<model::Curve>("power.aws-g4dn-xlarge.ccf");
    ASSERT_NE(instance, nullptr);
    EXPECT_EQ(instance->y, (std::vector<double>{16.4, 35.6, 76.3, 104.0}));
    // 16.4 - 8.1 and 104.0 - 71.3.
    EXPECT_NE(instance->note.find("Without them 8.3 W idle and 32.7 W at full load: host_idle_w"), std::string::npos)
        << instance->note;
}

TEST(InstancePower, OfTheSameGpuInLargerInstancesDiffersByRoundingOnly) {
    const Reading reading = read_text("instance_power", kInstancePowerHeader + kXlarge + kMetal);
    EXPECT_EQ(reading.count<model::Curve>(), 3U) << "570.4 / 8 = 71.3";
    EXPECT_EQ(reading.report.rejected.count, 0U);
    std::string other = kMetal;
    other.replace(other.find("570,4"), 5, "600,0");
    const Reading conflict = read_text("instance_power", kInstancePowerHeader + kXlarge + other);
    ASSERT_EQ(conflict.report.rejected.count, 1U);
    EXPECT_EQ(conflict.report.rejected.first[0].reason, "g4dn.metal: a T4 draws 75 W at 100%, in row 2 71.3 W, which are read");
}

TEST(InstancePower, OfCpuInstancesHasNoGpu) {
    const Reading reading = read_text("instance_power", kInstancePowerHeader + kCpu);
    ASSERT_EQ(reading.count<model::Curve>(), 1U);
    EXPECT_EQ(reading.find<model::Curve>("power.aws-c5-2xlarge.ccf")->y, (std::vector<double>{19.4, 31.3, 53.1, 71.9}));
}

TEST(InstancePower, WarnsOfOneProfileUnderSeveralNames) {
    const std::string same = ",1,\"34,8\",\"95,5\",\"225,7\",\"305,6\",\"57,4\",\"131,3\",\"279,3\",\"379,8\",x\r\n";
    const Reading reading = read_text("instance_power", kInstancePowerHeader + kXlarge + "p3.2xlarge,61,Tesla V100" + same +
                                                            "g3.4xlarge,122,Tesla M60" + same);
    ASSERT_EQ(reading.report.warnings.count, 2U);
    EXPECT_EQ(reading.report.warnings.first[0].reason,
              "the watts of Tesla M60 are those of Tesla V100, too: one profile, not a measurement");
    const auto* const v100 = reading.find<model::Curve>("power.nvidia-v100-sxm2-16gb.ccf");
    ASSERT_NE(v100, nullptr);
    EXPECT_NE(v100->note.find("The table has the same watts for Tesla M60"), std::string::npos);
}

TEST(InstancePower, SaysWhatItCannotUse) {
    const Reading reading = read_text(
        "instance_power",
        kInstancePowerHeader + kXlarge + kXlarge +
            "a1,1,Frobnicator,1,1,1,1,1,2,3,4,5,x\nb1,1,T4,1,\"8,1\",N/A,1,1,2,3,4,5,x\nc1,1,N/A,N/A,0,0,0,0,1,,3,4,x\n"
            "d1,1,N/A,N/A,0,0,0,0,0,0,0,0,x\ne1,1,N/A,N/A,0,0,0,0,9,8,10,11,x\ng4dn.xlarge,1,N/A,N/A,0,0,0,0,1,2,3,4,x\n,1\n");
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.skipped, 1U) << "a row that is there twice";
    ASSERT_EQ(reading.report.rejected.count, 6U);
    const auto& why = reading.report.rejected.first;
    EXPECT_EQ(why[0].reason, "a1: GPU \"Frobnicator\" is unknown; its GPUs have no curve");
    EXPECT_NE(reading.find<model::Curve>("power.aws-a1.ccf"), nullptr) << "the instance has one";
    EXPECT_EQ(why[1].reason, "b1: GPUWatt @ 10% is blank; its GPUs have no curve");
    EXPECT_EQ(why[2].reason, "c1: Instance @ 10% is blank");
    EXPECT_EQ(why[3].reason, "d1: Instance @ 100% is 0 W");
    EXPECT_EQ(why[4].reason, "g4dn.xlarge has other watts in a row above");
    EXPECT_EQ(why[5].reason, "Instance type is blank");
    EXPECT_EQ(reading.report.warnings.first.at(0).reason, "the watts of e1 do not rise with its load");
}

TEST(InstancePower, NeedsItsColumnsAndAProvider) {
    EXPECT_NE(read_text("instance_power", "Instance type,Instance @ Idle\nx,1\n").error->message.find("Instance @ 100%"),
              std::string::npos);
    const std::string plain = "Instance type,Instance @ Idle,Instance @ 10%,Instance @ 50%,Instance @ 100%\nx.y,1,2,3,4\n";
    EXPECT_EQ(read_text("instance_power", plain).error->message, "row 1: no column names the provider; give the option provider");
    EXPECT_NE(read_text("instance_power", plain, {.provider = "azure"}).find<model::Curve>("power.azure-x-y.ccf"), nullptr);
    EXPECT_TRUE(read_text("instance_power", kInstancePowerHeader).error);
    EXPECT_TRUE(read_text("instance_power", "").error);
}

TEST(InstancePower, OfTheRealFileAreThoseOfTheCatalogue) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared("instance_power", {"cloud-carbon-coefficients/aws-instances.csv"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.find<model::Curve>("power.nvidia-t4.ccf")->y, (std::vector<double>{8.1, 22.3, 52.7, 71.3}));
    EXPECT_EQ(reading.find<model::Curve>("power.aws-c5-2xlarge.ccf")->y, (std::vector<double>{19.4, 31.3, 53.1, 71.9}));
    // 4889.0 W of 16 K80 in p2.16xlarge agree with the 305.6 W of p2.xlarge, and M60, K80 and V100 have one profile.
    EXPECT_EQ(reading.report.warnings.count, 3U);
    EXPECT_EQ(reading.report.rejected.count, 0U);
    EXPECT_EQ(reading.count<model::Curve>(), reading.report.rows - reading.report.skipped + 4);
}

} // namespace
} // namespace costcurve::imports
