// DAWNBench entries: epochs and hours become rates, hardware texts machines, and hours times price what was published.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "server/import/identity/machine_text.hpp"
#include "tests/import/reading.hpp"
#include "tests/support/source_folder.hpp"

namespace costcurve::imports {
namespace {

std::string train_json(const std::string& hardware, double price, const std::string& timestamp = "2019-05-07") {
    return fmt::format(R"({{"version": "v1.0", "framework": "PyTorch v1.0.1", "model": "ResNet9", "hardware": "{}", )"
                       R"("costPerHour": {}, "timestamp": "{}", "misc": {{"batchSize": 512}}}})",
                       hardware, price, timestamp);
}

const std::string kP3 = "8 * V100 (AWS p3.16xlarge)";

const model::Performance* trained(const Reading& reading, const std::string& id) {
    EXPECT_FALSE(reading.error);
    return reading.find<model::Performance>("dawnbench." + id);
}

TEST(Dawnbench, RateIsTheMeanUpToTheFirstRowThatReachesTheTarget) {
    // 94 % first at epoch 20 and 0.5 h, not at the last row: 50000 x 20 / 1800 s; 0.5 h x 24 USD = 12 USD, 0.6 an epoch.
    const Reading reading =
        read_set("dawnbench", {{"a.json", train_json(kP3, 24)},
                               {"a.tsv", "epoch\thours\ttop1Accuracy\n1\t0.025\t52.61\n20\t0.5\t94.0\n21\t0.525\t93.9\n"}});
    const auto* const performance = trained(reading, "cifar10.train.a");
    ASSERT_NE(performance, nullptr);
    EXPECT_NEAR(performance->units_per_s->number, 50000.0 * 20 / 1800, 1e-9);
    EXPECT_EQ(performance->device.id, "nvidia.v100-sxm2-16gb");
    EXPECT_EQ(performance->devices, 8);
    EXPECT_EQ(performance->framework, "pytorch");
    EXPECT_NE(performance->note.find("At 24 USD an hour that is 12.00 USD in all, 0.6 USD an epoch."), std::string::npos)
        << performance->note;
    const auto* const offer = reading.find<model::Offer>("dawnbench.aws.p3.16xlarge");
    ASSERT_NE(offer, nullptr);
    EXPECT_EQ(offer->devices, 8);
    EXPECT_EQ(offer->hourly_price.curve->x, std::vector<double>{18023}); // 2019-05-07
    EXPECT_EQ(offer->hourly_price.curve->y, std::vector<double>{24});
}

TEST(Dawnbench, EpochsNumberedFromZeroCountOneMore) {
    // Row 0 takes as long as the others: it stands after an epoch, and row 9 ends the tenth.
    const Reading from_zero = read_set(
        "dawnbench", {{"a.json", train_json(kP3, 24)}, {"a.tsv", "epoch\thours\ttop1Accuracy\r\n0\t0.1\t50\r\n9\t1.0\t94.02"}});
    const auto* const counted = trained(from_zero, "cifar10.train.a");
    ASSERT_NE(counted, nullptr);
    EXPECT_NEAR(counted->units_per_s->number, 50000.0 * 10 / 3600, 1e-9);
    // Row 0 takes a twentieth of an epoch: an evaluation before it. Epochs may be fractional.
    const Reading before =
        read_set("dawnbench", {{"a.json", train_json(kP3, 24)},
                               {"a.tsv", "epoch\thours\ttop1Accuracy\n0\t0.005\t10\n1.5\t0.15\t40\n9.5\t1.0\t94.02\n\n"}});
    const auto* const evaluated = trained(before, "cifar10.train.a");
    ASSERT_NE(evaluated, nullptr);
    EXPECT_NEAR(evaluated->units_per_s->number, 50000.0 * 9.5 / 3600, 1e-9);
}

TEST(Dawnbench, ColumnsStandInAnyOrderWithSpaces) {
    const Reading squad =
        read_set("dawnbench", {{"s.json", train_json("1 K80 / AWS p2.xlarge", 0.9)},
                               {"s.tsv", "epoch\tf1Score\thours\n1\t0.61\t  0.125     \n10\t0.7584\t  1.25      "}});
    const auto* const performance = trained(squad, "squad.train.s");
    ASSERT_NE(performance, nullptr);
    EXPECT_NEAR(performance->units_per_s->number, 87599.0 * 10 / 4500, 1e-9);
    const Reading imagenet = read_set(
        "dawnbench", {{"i.json", train_json("8 K80 / 488 GB / 32 CPU (Amazon EC2 [p2.8xlarge])", 4.56)},
                      {"i.tsv", "hours\tepoch\ttop1Accuracy\ttop5Accuracy\n2\t1\t15\t36\n4\t2\t95\t92.9\n6\t3\t76\t93.0\n"}});
    const auto* const resnet = trained(imagenet, "imagenet.train.i"); // by top 5: epoch 3, not 2
    ASSERT_NE(resnet, nullptr);
    EXPECT_NEAR(resnet->units_per_s->number, 1281167.0 * 3 / 21600, 1e-9);
}

TEST(Dawnbench, InferenceGivesLatencyAndItsRate) {
    const Reading reading =
        read_set("dawnbench", {{"k.json", R"json({"framework": "TensorFlow v1.2", "model": "ResNet 164", "top1Accuracy": 94.58,
            "hardware": "1 K80 / 61 GB / 4 CPU (Amazon EC2 [p2.xlarge])", "latency": 28.688, "cost": 7.172e-06})json"}});
    const auto* const performance = trained(reading, "cifar10.inference.k");
    ASSERT_NE(performance, nullptr);
    EXPECT_DOUBLE_EQ(performance->itl_s->number, 0.028688);
    EXPECT_DOUBLE_EQ(performance->units_per_s->number, 1 / 0.028688);
    EXPECT_EQ(performance->batch, 1);
    EXPECT_NE(performance->note.find("7.172e-06 USD each, which is 0.9 USD an hour."), std::string::npos) << performance->note;
}

TEST(Dawnbench, AnUnstatedTpuIsReportedUnlessItIsSaid) {
    const std::vector<NamedText> files{{"t.json", train_json("GCP n1-standard-2, Cloud TPU", 6.595)},
                                       {"t.tsv", "epoch\thours\ttop1Accuracy\ttop5Accuracy\n1\t0.15\t5\t15\n78\t12\t76\t93.1\n"}};
    const Reading refused = read_set("dawnbench", files);
    EXPECT_TRUE(refused.documents.empty());
    ASSERT_EQ(refused.report.rejected.count, 1U);
    EXPECT_EQ(
        refused.report.rejected.first[0].reason,
        "t.json: hardware is \"GCP n1-standard-2, Cloud TPU\": which device it has is not certain; give device and devices, with "
        "files of that hardware alone");
    const Reading told = read_set("dawnbench", files, {.device = "TPU v2", .devices = "4"});
    const auto* const performance = trained(told, "imagenet.train.t");
    ASSERT_NE(performance, nullptr);
    EXPECT_EQ(performance->device.id, "google.tpu-v2");
    EXPECT_EQ(performance->devices, 4);
    const auto* const offer = told.find<model::Offer>("dawnbench.gcp.4x-tpu-v2");
    ASSERT_NE(offer, nullptr);
    EXPECT_NE(offer->note.find("The price is of the host and the TPU together."), std::string::npos);
}

TEST(Dawnbench, PricesOfOneMachineBecomeOneCurve) {
    const std::string tsv = "epoch\thours\ttop1Accuracy\n1\t0.1\t50\n9\t1.0\t94.02\n";
    const Reading reading = read_set("dawnbench", {{"b.json", train_json(kP3, 24.48, "2018-4-20")},
                                                   {"b.tsv", tsv},
                                                   {"a.json", train_json(kP3, 31.2, "2019-02-25")},
                                                   {"a.tsv", tsv},
                                                   {"c.json", train_json(kP3, 20, "2019-02-25")},
                                                   {"c.tsv", tsv},
                                                   {"d.json", train_json(kP3, 20, "")},
                                                   {"d.tsv", tsv}});
    const auto* const offer = reading.find<model::Offer>("dawnbench.aws.p3.16xlarge");
    ASSERT_NE(offer, nullptr);
    EXPECT_EQ(offer->hourly_price.curve->x, (std::vector<double>{17641, 17952}));
    EXPECT_EQ(offer->hourly_price.curve->y, (std::vector<double>{24.48, 31.2}));
    EXPECT_EQ(reading.report.warnings.count, 1U); // two prices of a day
    EXPECT_EQ(reading.report.rejected.count, 1U); // a price of no day
    EXPECT_EQ(reading.count<model::Performance>(), 4U);
}

TEST(Dawnbench, AnOfferIsTheSameWhoeverUsedTheMachine) {
    const std::string tsv = "epoch\thours\ttop1Accuracy\n1\t0.1\t50\n9\t1.0\t94.02\n";
    const Reading one = read_set("dawnbench", {{"a.json", train_json("1 K80 / AWS p2.xlarge", 0.9)}, {"a.tsv", tsv}});
    const Reading other = read_set(
        "dawnbench", {{"b.json", train_json("1 K80 / 61 GB / 4 CPU (Amazon EC2 [p2.xlarge])", 0.9, "2017-10-12")}, {"b.tsv", tsv}});
    const auto* const first = one.find<model::Offer>("dawnbench.aws.p2.xlarge");
    const auto* const second = other.find<model::Offer>("dawnbench.aws.p2.xlarge");
    ASSERT_NE(first, nullptr);
    ASSERT_NE(second, nullptr);
    EXPECT_EQ(first->source, second->source);
    EXPECT_EQ(first->note, second->note);
}

TEST(Dawnbench, WhatCannotBeUsedIsNamed) {
    const Reading reading = read_set("dawnbench", {{"a.json", train_json(kP3, 24)},
                                                   {"b.tsv", "epoch\thours\ttop1Accuracy\n1\t0.1\t50\n2\t0.2\t94\n"},
                                                   {"c.json", "{"},
                                                   {"c.tsv", "epoch\thours\ttop1Accuracy\n1\t0.1\t50\n2\t0.2\t94\n"},
                                                   {"d.json", train_json(kP3, 24)},
                                                   {"d.tsv", "epoch\tacc\n1\t2\n"},
                                                   {"e.json", train_json(kP3, 24)},
                                                   {"e.tsv", "epoch\thours\ttop1Accuracy\n1\t0.1\t50\n2\t0.2\t60\n2\t0.3\t61\n"},
                                                   {"f.json", train_json(kP3, 24)},
                                                   {"f.json", train_json(kP3, 25)},
                                                   {"readme.md", "x"}});
    ASSERT_FALSE(reading.error);
    std::vector<std::string> reasons;
    for (const Complaint& complaint : reading.report.rejected.first) {
        reasons.push_back(complaint.reason);
    }
    ASSERT_EQ(reasons.size(), 6U);
    EXPECT_EQ(reasons[0], "readme.md: neither .json nor .tsv");
    EXPECT_EQ(reasons[1], "a.json: it has no latency, and its TSV, a.tsv, is missing");
    EXPECT_EQ(reasons[2], "b.tsv: its JSON, b.json, is missing");
    EXPECT_NE(reasons[3].find("c.json: it is not JSON"), std::string::npos);
    EXPECT_EQ(reasons[4], "d.tsv: row 1: the header has no column named hours");
    EXPECT_EQ(reasons[5], "f: several files have this name; give each benchmark in a call of its own");
    EXPECT_EQ(reading.report.warnings.count, 2U); // an epoch that comes twice, and a target never reached
    EXPECT_NE(trained(reading, "cifar10.train.e"), nullptr);
    EXPECT_TRUE(read_set("dawnbench", {{"readme.md", "x"}}).error);
}

TEST(MachineText, IsReadWhereItIsCertain) {
    struct Row {
        std::string_view text, device;
        int devices, machines;
        std::string_view instance, provider;
    };
    for (const Row& row : {
             Row{"8 * V100 (AWS p3.16xlarge)", "nvidia.v100-sxm2-16gb", 8, 1, "p3.16xlarge", "aws"},
             Row{"32 * V100 (4 machines - AWS p3.16xlarge)", "nvidia.v100-sxm2-16gb", 32, 4, "p3.16xlarge", "aws"},
             Row{"8*V100 (single p3.16xlarge)", "nvidia.v100-sxm2-16gb", 8, 1, "p3.16xlarge", "aws"},
             Row{"V100 (AWS p3.2xlarge)", "nvidia.v100-sxm2-16gb", 1, 1, "p3.2xlarge", "aws"},
             Row{"1 K80 / 30 GB / 8 CPU (Google Cloud)", "nvidia.k80", 1, 1, "", "gcp"},
             Row{"Baidu Cloud Tesla V100*1-16GB/56 GB/12 CPU", "nvidia.v100-sxm2-16gb", 1, 1, "", "baidu"},
             Row{"Lambda GPU Cloud - 4x GTX 1080 Ti", "nvidia.gtx-1080-ti", 4, 1, "", "lambda"},
             Row{"1 ecs.gn6e-c12g1.24xlarge (AlibabaCloud)", "nvidia.v100-sxm2-32gb", 8, 1, "ecs.gn6e-c12g1.24xlarge", "alibaba"},
             Row{"g3.4xlarge", "nvidia.m60", 1, 1, "g3.4xlarge", "aws"},
             Row{"60 GB / 16 CPU (Google Cloud [n1-standard-16])", "gcp.n1-standard-16-cpu", 1, 1, "n1-standard-16", "gcp"},
             Row{"Didi Cloud [1 P4 / 16 GB / 8 vCPU]", "nvidia.p4", 1, 1, "", "didi"},
             Row{"GCP n1-standard-2, Cloud TPU v3-8", "google.tpu-v3", 4, 1, "", "gcp"},
             Row{"Cloud TPU", "", 0, 1, "", ""},
             Row{"V100 machine", "nvidia.v100-sxm2-16gb", 0, 1, "", ""},
             Row{"3 * V100 (p3.16xlarge)", "", 0, 1, "p3.16xlarge", "aws"},
         }) {
        const MachineText machine = machine_in(row.text);
        EXPECT_EQ(machine.device.value_or(""), row.device) << row.text;
        EXPECT_EQ(machine.devices.value_or(0), row.devices) << row.text;
        EXPECT_EQ(machine.machines, row.machines) << row.text;
        EXPECT_EQ(machine.instance, row.instance) << row.text;
        EXPECT_EQ(machine.provider, row.provider) << row.text;
    }
}

// Cases of training that are published to the cent (../shared/cases/published.json, dawnbench-train-cost): 243.9995 h at
// 4.56 USD are 1112.64 USD. Rates of the others: epochs x 1281167 / time, by an independent script over the same files.
TEST(Dawnbench, RealTrainingEntriesGiveThePublishedCost) {
    SKIP_WITHOUT_SHARED();
    struct Row {
        std::string stem;
        double rate;
        std::string note;
    };
    for (const Row& row :
         {Row{"dawn_resnet152_b_8k80_ec2_mxnet", 156.062331, "that is 1112.64 USD in all, 10.3985 USD an epoch"},
          Row{"gehc_resnet50_1_p3_16xlarge_tensorflow111", 7392.93475, "36.2 epochs"},
          Row{"fastai_pytorch", 5053.85649, "42 epochs"}, Row{"fastai_resnet50_p3_4_machine_pytorch", 20845.7289, "29 epochs"},
          Row{"alibabacloud_resnet50_gn6e_1_machine_tensorflow", 20733.0942, "21 epochs"},
          Row{"lambda_resnet50_lambda_cloud_single_pytorch", 814.98832, "29 epochs"},
          Row{"google_resnet50_tpu_tensorflow111", 3997.90178, "66 epochs"},
          Row{"google_resnet50_tpu_tensorflow17", 2230.65305, "78 epochs"}}) {
        const bool tpu = row.stem.starts_with("google");
        const Reading reading = read_shared(
            "dawnbench", {"dawnbench/ImageNet/train/" + row.stem + ".json", "dawnbench/ImageNet/train/" + row.stem + ".tsv"},
            tpu ? Options{.device = "tpu-v2", .devices = "4"} : Options{});
        const auto* const performance = trained(reading, "imagenet.train." + row.stem);
        ASSERT_NE(performance, nullptr) << row.stem;
        EXPECT_NEAR(performance->units_per_s->number / row.rate, 1.0, 1e-6) << row.stem;
        EXPECT_NE(performance->note.find(row.note), std::string::npos) << performance->note;
        ASSERT_EQ(reading.count<model::Offer>(), 1U);
        EXPECT_EQ(reading.documents.size(), 2U);
    }
}

std::vector<std::string> shared_entries(const std::string& folder) {
    std::vector<std::string> names;
    const std::filesystem::path root = tests::source_folder().parent_path() / "shared" / "data";
    for (const auto& file : std::filesystem::directory_iterator(root / folder)) {
        names.push_back(folder + "/" + file.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

TEST(Dawnbench, EveryRealFolderIsRead) {
    SKIP_WITHOUT_SHARED();
    struct Row {
        std::string folder;
        std::size_t entries, performances, offers, rejected;
    };
    for (const Row& row :
         {Row{"CIFAR10/train", 10, 10, 8, 0}, Row{"CIFAR10/inference", 7, 7, 0, 0}, Row{"ImageNet/inference", 5, 5, 0, 0},
          // Two are of a Cloud TPU that the text does not tell apart.
          Row{"ImageNet/train", 8, 6, 5, 2}, Row{"SQuAD/train", 3, 3, 2, 0}, Row{"SQuAD/inference", 2, 2, 0, 0}}) {
        const Reading reading = read_shared("dawnbench", shared_entries("dawnbench/" + row.folder));
        ASSERT_FALSE(reading.error) << row.folder;
        EXPECT_EQ(reading.report.rows, row.entries) << row.folder;
        EXPECT_EQ(reading.count<model::Performance>(), row.performances) << row.folder;
        EXPECT_EQ(reading.count<model::Offer>(), row.offers) << row.folder;
        EXPECT_EQ(reading.report.rejected.count, row.rejected) << row.folder;
        for (const Complaint& complaint : reading.report.rejected.first) {
            EXPECT_NE(complaint.reason.find("Cloud TPU"), std::string::npos) << complaint.reason;
        }
    }
}

} // namespace
} // namespace costcurve::imports
