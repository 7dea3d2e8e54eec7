// Epoch AI's hardware table: units, unknowns, boards, and rows that name the same device.
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

constexpr double kGib = 1073741824.0;

const model::Device& device(const Reading& reading, const std::string& id) {
    static const model::Device nothing;
    const auto* const found = reading.find<model::Device>(id);
    EXPECT_NE(found, nullptr) << id;
    return found == nullptr ? nothing : *found;
}

bool has(const Complaints& complaints, std::size_t row, const std::string& part) {
    for (const Complaint& one : complaints.first) {
        if (one.row == row && one.reason.find(part) != std::string::npos) {
            return true;
        }
    }
    return false;
}

TEST(EpochHardware, ConvertsSiUnitsOfARecordThatSpansLines) {
    const Reading reading = read_fixture("epoch_hardware", "epoch_hardware.csv", {.source = "epoch"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const model::Device& h100 = device(reading, "nvidia.h100-sxm5-80gb");
    EXPECT_EQ(h100.kind, model::DeviceKind::gpu);
    EXPECT_EQ(h100.vendor, "NVIDIA");
    EXPECT_DOUBLE_EQ(h100.tdp_w, 700);
    EXPECT_NEAR(h100.memory_gib.value_or(0), 74.505805969, 1e-9) << "80e9 bytes over 2^30";
    EXPECT_DOUBLE_EQ(h100.memory_bandwidth_gb_per_s.value_or(0), 3350);
    EXPECT_EQ(h100.released.text, "2022-09-20");
    EXPECT_EQ(h100.note, "bf16 is the peak of Tensor-FP16/BF16. Price at its release: 44489.88 USD.");
    EXPECT_EQ(h100.source, "epoch epoch_hardware.csv row \"NVIDIA H100 SXM5 80GB\"");
    const std::map<std::string, double> peaks{{"bf16", 989.4e12}, {"fp16", 989.4e12}, {"fp32", 66.91e12},
                                              {"fp64", 33.45e12}, {"int8", 1979e12},  {"tf32", 494.7e12}};
    EXPECT_EQ(h100.peak_flops, peaks) << "blank formats are not there, FP16 is that of tensor cores";
    EXPECT_EQ(reading.report.rows, 13U);
}

TEST(EpochHardware, TellsTensorFormatsApart) {
    const Reading reading = read_fixture("epoch_hardware", "epoch_hardware.csv");
    const model::Device& tpu = device(reading, "google.tpu-v4");
    EXPECT_EQ(tpu.kind, model::DeviceKind::tpu);
    EXPECT_EQ(tpu.peak_flops, (std::map<std::string, double>{{"bf16", 275e12}, {"int8", 275e12}})) << "a TPU has no FP16";
    const model::Device& v100 = device(reading, "nvidia.v100-sxm2-16gb");
    EXPECT_EQ(v100.peak_flops, (std::map<std::string, double>{{"fp16", 125e12}, {"fp32", 15.67e12}})) << "no TF32, so no BF16";
}

TEST(EpochHardware, KeepsTheRowThatNamesTheDeviceToTheLetter) {
    const Reading reading = read_fixture("epoch_hardware", "epoch_hardware.csv");
    EXPECT_DOUBLE_EQ(device(reading, "nvidia.v100-sxm2-16gb").tdp_w, 300) << "not the 250 W of the DGX Station's card";
    // Records count, not lines: the DGXS card is the fourth record of the file, header included.
    EXPECT_TRUE(has(reading.report.rejected, 4, "\"NVIDIA Tesla V100 DGXS 16 GB\" is the same device as row 5"));
    EXPECT_TRUE(has(reading.report.rejected, 6, "\"NVIDIA V100\" is the same device as row 5"));
}

TEST(EpochHardware, GivesABoardOfOtherMemoryItsOwnId) {
    const Reading reading = read_fixture("epoch_hardware", "epoch_hardware.csv");
    EXPECT_EQ(reading.find<model::Device>("nvidia.a100-pcie-80gb"), nullptr);
    EXPECT_DOUBLE_EQ(device(reading, "nvidia.a100-pcie").tdp_w, 250);
    EXPECT_TRUE(has(reading.report.warnings, 3, "has 40 GB, so it is not nvidia.a100-pcie-80gb; its id is nvidia.a100-pcie"));
}

TEST(EpochHardware, SharesOutABoardOfTwoGpus) {
    const Reading reading = read_fixture("epoch_hardware", "epoch_hardware.csv");
    const model::Device& k80 = device(reading, "nvidia.k80");
    EXPECT_DOUBLE_EQ(k80.tdp_w, 150);
    EXPECT_DOUBLE_EQ(k80.memory_gib.value_or(0), 12e9 / kGib);
    EXPECT_DOUBLE_EQ(k80.memory_bandwidth_gb_per_s.value_or(0), 241) << "384 bits at 5 GHz: the row's is one GPU's";
    EXPECT_DOUBLE_EQ(k80.peak_flops.at("fp32"), 4.063e12);
}

TEST(EpochHardware, AnIntelCpuNamedA100IsNotNvidias) {
    // As the published table has it: a CPU of 3 W beside the accelerator that is called the same.
    const Reading reading = read_text("epoch_hardware", "Hardware name,Manufacturer,Type,TDP (W)\n"
                                                        "Intel A100,Intel,CPU,3\n"
                                                        "NVIDIA A100,NVIDIA,GPU,400\n"
                                                        "A100,Intel,CPU,3\n"
                                                        "H100,NVIDIA,CPU,5\n"
                                                        "MI300X,\"AMD, Inc.\",GPU,750\n"
                                                        "Gaudi2,\"Intel, Habana Labs\",,600\n");
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(device(reading, "nvidia.a100-sxm4-40gb").tdp_w, 400);
    EXPECT_EQ(device(reading, "intel.a100").tdp_w, 3);
    EXPECT_EQ(device(reading, "intel.a100").kind, model::DeviceKind::cpu);
    EXPECT_EQ(device(reading, "nvidia.h100").tdp_w, 5) << "the table of names has no CPU";
    EXPECT_EQ(device(reading, "amd.mi300x").tdp_w, 750);
    EXPECT_EQ(device(reading, "intel.gaudi2").tdp_w, 600);
    EXPECT_TRUE(has(reading.report.rejected, 4, "\"A100\" is the same device as row 2"));
}

TEST(EpochHardware, RejectsRowsWithoutAUsableTdp) {
    const Reading reading = read_fixture("epoch_hardware", "epoch_hardware.csv");
    EXPECT_TRUE(has(reading.report.rejected, 7, "TDP of \"Example MI999\" is blank; a device needs one"));
    EXPECT_TRUE(has(reading.report.rejected, 12, "TDP of \"Odd Chip\" is 40000; allowed 1 to 20000 W"));
    EXPECT_TRUE(has(reading.report.rejected, 14, "Hardware name is blank"));
    EXPECT_EQ(reading.report.rejected.count, 5U);
}

TEST(EpochHardware, SaysWhatIsLeftOutOfARow) {
    const Reading reading = read_fixture("epoch_hardware", "epoch_hardware.csv");
    EXPECT_FALSE(device(reading, "nobody.odder-chip").memory_gib) << "Infinity is no size";
    EXPECT_TRUE(has(reading.report.warnings, 13, "memory size is \"Infinity\""));
    EXPECT_TRUE(has(reading.report.warnings, 13, "Release price is \"ask\""));
    EXPECT_TRUE(has(reading.report.warnings, 9, "Type of \"Cambricon MLU370-X8\" is blank"));
    EXPECT_TRUE(has(reading.report.warnings, 9, "Release date is \"2022-03\", no day"));
    EXPECT_EQ(device(reading, "cambricon.mlu370-x8").kind, model::DeviceKind::asic);
    EXPECT_EQ(device(reading, "moore-threads-tencent.mtt-s4000").kind, model::DeviceKind::gpu);
}

TEST(EpochHardware, NeedsItsColumns) {
    const Reading reading = read_text("epoch_hardware", "Hardware name,Manufacturer\nA,B\n");
    ASSERT_TRUE(reading.error);
    EXPECT_NE(reading.error->message.find("TDP (W)"), std::string::npos);
    EXPECT_TRUE(read_text("epoch_hardware", "Hardware name,Manufacturer,TDP (W)\nA,B,\n").error) << "nothing usable";
    EXPECT_TRUE(read_text("epoch_hardware", "").error);
}

TEST(EpochHardware, OfTheRealFileAreRead) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared("epoch_hardware", {"epoch-hardware/Chip dataset-Grid view.csv"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rows, 137U);
    // 16 rows have no TDP; A100, V100 (SXM3, SXM2, two of DGXS, bare) and P100 (Tesla, bare) stand there again: 137 - 16 - 8.
    EXPECT_EQ(reading.count<model::Device>(), 113U);
    EXPECT_EQ(reading.report.rejected.count, 24U);
    EXPECT_DOUBLE_EQ(device(reading, "nvidia.t4").memory_bandwidth_gb_per_s.value_or(0), 320);
    EXPECT_DOUBLE_EQ(device(reading, "nvidia.v100-sxm2-16gb").tdp_w, 300);
    EXPECT_DOUBLE_EQ(device(reading, "google.tpu-v7").tdp_w, 980);
    EXPECT_DOUBLE_EQ(device(reading, "amd.mi300x").peak_flops.at("bf16"), 1307.4e12);
}

TEST(EpochHardware, AnAcceleratorOfAmazonsIsNoGpu) { // the published table has GPU as the type of Trainium
    const Reading reading = read_text("epoch_hardware", "Hardware name,Manufacturer,Type,TDP (W)\n"
                                                        "Amazon Trainium1,Amazon AWS,GPU,210\n");
    ASSERT_EQ(reading.count<model::Device>(), 1U);
    EXPECT_EQ(std::get<model::Device>(reading.documents[0]).kind, model::DeviceKind::asic);
}

} // namespace
} // namespace costcurve::imports
