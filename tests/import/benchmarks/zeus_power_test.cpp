// Zeus: power limits, epochs to a target, sweeps with several GPUs, nan.
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

const std::string kPower = "dataset,network,batch_size,optimizer,power_limit,time_per_epoch,average_power\n"
                           "imagenet,resnet50,256,adadelta,250,3600,220\n"
                           "imagenet,resnet50,8,adadelta,250,6000,200\n"
                           "imagenet,resnet50,256,adadelta,100,7200,99.5\n"
                           "squad,bert,8,adamw,250,500,240\n";
const std::string kTrain = "dataset,network,batch_size,optimizer,learning_rate,run,target_metric,target_epoch\n"
                           "imagenet,resnet50,256,adadelta,1e-1,1,0.5,10\n"
                           "imagenet,resnet50,256,adadelta,1e-1,2,0.5,30\n"
                           "imagenet,resnet50,8,adadelta,1e-1,1,0.5,nan\n"
                           "imagenet,resnet50,8,adadelta,1e-1,2,0.5,5\n"
                           "imagenet,resnet50,256,adadelta,1e-1,1,0.9,nan\n"
                           "cifar100,shufflenetv2,256,adam,1e-1,1,0.9,3\n";
const std::string kSweep = "start_time,window_name,elapsed_time,gpu0_energy,gpu1_energy\n"
                           "13586410.28,__GlobalPowerLimitOptimizer_300,8.0,1600,2400\n"
                           "13586420.69,__GlobalPowerLimitOptimizer_275,10.0,2000,2000\n"
                           "13586431.02,warm_up,10.0,2000,2000\n"
                           "13586441.02,__GlobalPowerLimitOptimizer_250,10.0,2000,\n"
                           "13586451.02,__GlobalPowerLimitOptimizer_275,11.0,2000,2000\n";

Reading read_zeus(const std::vector<NamedText>& files, const Options& options = {}) {
    Reading reading;
    reading.report.on_document = [&](Document document) { reading.documents.push_back(std::move(document)); };
    reading.error = read_files(*find_format("zeus_power"), files, options, reading.report);
    return reading;
}

TEST(ZeusPower, GivesThroughputByBatchAtEachLimit) {
    const Reading reading = read_text("zeus_power", kPower, {.name = "summary_power_a40.csv"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const curve = reading.find<model::Curve>("throughput.zeus.imagenet.resnet50-adadelta.nvidia.a40.cap-250w");
    ASSERT_NE(curve, nullptr);
    EXPECT_EQ(curve->axis, model::Axis::batch);
    EXPECT_EQ(curve->x, (std::vector<double>{8, 256}));
    EXPECT_DOUBLE_EQ(curve->y[0], 1281167.0 / 6000);
    EXPECT_DOUBLE_EQ(curve->y[1], 1281167.0 / 3600);
    // 220 W x 3600 s = 792 kJ.
    EXPECT_EQ(curve->note,
              "Samples/s (1281167 an epoch) of one device under a power limit of 250 W. An epoch, by batch size: 8: 200 W, "
              "6000 s, 1200 kJ; 256: 220 W, 3600 s, 792 kJ.");
    const auto* const performance = reading.find<model::Performance>("zeus.imagenet.resnet50-adadelta.nvidia.a40.cap-250w");
    ASSERT_NE(performance, nullptr);
    EXPECT_EQ(performance->device.id, "nvidia.a40");
    EXPECT_EQ(performance->batch, 256);
    EXPECT_TRUE(performance->units_per_s->curve->stored.is_reference);
    EXPECT_NE(reading.find<model::Curve>("throughput.zeus.imagenet.resnet50-adadelta.nvidia.a40.cap-100w"), nullptr);
    EXPECT_EQ(reading.report.rows, 4U);
}

TEST(ZeusPower, CountsEpochsWhereTheSamplesAreNotKnown) {
    const Reading reading = read_text("zeus_power", kPower, {.name = "summary_power_a40.csv"});
    const auto* const curve = reading.find<model::Curve>("throughput.zeus.squad.bert-adamw.nvidia.a40.cap-250w");
    ASSERT_NE(curve, nullptr);
    EXPECT_DOUBLE_EQ(curve->y[0], 1.0 / 500);
    EXPECT_TRUE(curve->note.starts_with("Epochs/s of one device"));
}

TEST(ZeusPower, JoinsEpochsToATargetWithTheTimeOfAnEpoch) {
    const Reading reading = read_zeus({{"summary_train.csv", kTrain}, {"summary_power_a40.csv", kPower}});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const curve = reading.find<model::Curve>("throughput.zeus.imagenet.resnet50-adadelta.to-0.5.nvidia.a40.cap-250w");
    ASSERT_NE(curve, nullptr);
    EXPECT_EQ(curve->x, std::vector<double>{256});
    EXPECT_DOUBLE_EQ(curve->y[0], 1.0 / (20 * 3600)) << "10 and 30 epochs, at the largest limit";
    EXPECT_NE(curve->note.find("Batch 8 is left out: 1 of 2 runs did not reach it."), std::string::npos) << curve->note;
    EXPECT_EQ(reading.find<model::Curve>("throughput.zeus.imagenet.resnet50-adadelta.to-0.9.nvidia.a40.cap-250w"), nullptr)
        << "nan: nobody reached it";
    ASSERT_EQ(reading.report.warnings.count, 2U) << "the device's name, and the job without a time";
    EXPECT_EQ(reading.report.warnings.first[1].reason,
              "epochs of cifar100 shufflenetv2 adam are left out: no time of an epoch is beside them");
    const Reading alone = read_text("zeus_power", kTrain, {.name = "summary_train.csv"});
    ASSERT_TRUE(alone.error);
    EXPECT_NE(alone.error->message.find("give the summary_power file"), std::string::npos);
}

TEST(ZeusPower, ReadsSweepsOfSeveralGpus) {
    const Reading reading = read_text("zeus_power", kSweep, {.name = "A40+resnet50+gpu0,1.csv"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const full = reading.find<model::Performance>("zeus.sweep.resnet50.2x-nvidia.a40.cap-300w");
    ASSERT_NE(full, nullptr);
    EXPECT_EQ(full->devices, 2);
    EXPECT_DOUBLE_EQ(full->units_per_s->number, 0.125);
    EXPECT_NE(full->note.find("250 W a device, 4000 J a window."), std::string::npos) << full->note; // 4000 J / 8 s / 2
    ASSERT_EQ(reading.report.rejected.count, 3U);
    EXPECT_EQ(reading.report.rejected.first[0].reason, "window_name \"warm_up\" does not end in a power limit");
    EXPECT_EQ(reading.report.rejected.first[1].reason, "gpu1_energy is blank");
    EXPECT_EQ(reading.report.rejected.first[2].reason, "the limit of 275 W has a window above");
}

TEST(ZeusPower, TakesTheDeviceFromItsNameOrTheOption) {
    EXPECT_EQ(read_text("zeus_power", kPower, {.name = "summary_power_a40.csv"}).report.warnings.first.at(0).reason,
              "the device is read off the file's name, as nvidia.a40; give the option device if it was another board");
    const Reading given = read_text("zeus_power", kPower, {.name = "x.csv", .device = "V100-PCIE-32GB"});
    EXPECT_NE(given.find<model::Performance>("zeus.squad.bert-adamw.nvidia.v100-pcie-32gb.cap-250w"), nullptr);
    EXPECT_EQ(given.report.warnings.count, 0U);
    EXPECT_EQ(read_text("zeus_power", kPower, {.name = "x.csv"}).error->message,
              "the file's name has no device that is known; give the option device");
}

TEST(ZeusPower, SaysWhatItCannotUse) {
    const Reading reading =
        read_text("zeus_power",
                  kPower + "squad,bert,8,adamw,250,500,240\nsquad,bert,8,adamw,250,501,240\nsquad,bert,8.5,adamw,1,1,1\n"
                           "squad,bert,16,adamw,250,,1\nsquad,bert,16,adamw,250,0,1\n",
                  {.name = "summary_power_a40.csv"});
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.report.skipped, 1U);
    ASSERT_EQ(reading.report.rejected.count, 4U);
    const auto& why = reading.report.rejected.first;
    EXPECT_EQ(why[0].reason, "batch size 8 at 250 W was measured in a row above, with another result");
    EXPECT_EQ(why[1].reason, "batch_size is \"8.5\"; a whole number from 1 to 1000000 is needed");
    EXPECT_EQ(why[2].reason, "time_per_epoch is blank");
    EXPECT_EQ(why[3].reason, "time_per_epoch is 0; a number above 0 is needed");
    EXPECT_TRUE(read_text("zeus_power", "a,b\n1,2\n", {.name = "summary_power_a40.csv"}).error);
    EXPECT_TRUE(read_text("zeus_power", "power_limit\n1\n", {.name = "summary_power_a40.csv"}).error);
    EXPECT_TRUE(read_text("zeus_power", "window_name,elapsed_time\nx_100,1\n", {.name = "A40+x+gpu0.csv"}).error);
    EXPECT_TRUE(read_text("zeus_power", "", {.name = "summary_power_a40.csv"}).error);
}

TEST(ZeusPower, OfTheRealFilesAreRead) {
    SKIP_WITHOUT_SHARED();
    const Reading a40 = read_shared("zeus_power", {"zeus/trace/summary_power_a40.csv", "zeus/trace/summary_train.csv"});
    ASSERT_FALSE(a40.error) << a40.error->message;
    const auto* const resnet = a40.find<model::Curve>("throughput.zeus.imagenet.resnet50-adadelta.nvidia.a40.cap-300w");
    ASSERT_NE(resnet, nullptr);
    EXPECT_EQ(resnet->x.size(), 9U);
    EXPECT_NEAR(resnet->y[0], 218.75, 0.005) << "as deploy/catalog/curves.json has it";
    EXPECT_NEAR(resnet->y[5], 338.88, 0.005);
    EXPECT_EQ(a40.report.rejected.count, 0U);
    const Reading v100 = read_shared("zeus_power", {"zeus/trace/summary_power_v100.csv"}, {.device = "nvidia.v100-pcie-32gb"});
    EXPECT_NEAR(v100.find<model::Curve>("throughput.zeus.imagenet.resnet50-adadelta.nvidia.v100-pcie-32gb.cap-250w")->y[0], 217.41,
                0.005);
    EXPECT_EQ(v100.report.rejected.count, 0U);
    const Reading sweeps = read_shared("zeus_power", {"zeus/power_limit_sweep/A40+bert-base-uncased+gpu0.csv",
                                                      "zeus/power_limit_sweep/A40+resnet18+gpu0.csv",
                                                      "zeus/power_limit_sweep/A40+resnet50+gpu0,1,2,3.csv"});
    EXPECT_EQ(sweeps.count<model::Performance>(), 27U);
    const auto* const four = sweeps.find<model::Performance>("zeus.sweep.resnet50.4x-nvidia.a40.cap-300w");
    ASSERT_NE(four, nullptr);
    // (1067.513 + 1072.433 + 1049.198 + 1129.595) J / 8.2260854 s / 4 = 131.25 W.
    EXPECT_NE(four->note.find("131.3 W a device"), std::string::npos) << four->note;
}

} // namespace
} // namespace costcurve::imports
