// Epoch AI's systems and costs: estimates of what is published of a run.
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

const std::string kTrainingCostsHeader =
    "\xEF\xBB\xBFModel,Domain,Training hardware,Hardware quantity,Training time (hours),Hardware utilization "
    "(MFU),Parameters,Training compute (FLOP),Numerical format,Abstract,More\n";

TEST(TrainingCosts, AnMfuBecomesAnEstimate) {
    const Reading reading = read_set(
        "training_costs",
        {{"costs.csv", "Model,Cloud_Cost,Hardware_Acquisition_Cost,Hardware_Capex_Energy_Cost\nBig-1,1000000,,250000\nOther,,,1\n"},
         {"systems.csv",
          kTrainingCostsHeader +
              "Big-1,Language,NVIDIA H100 SXM5 80GB,1024.0,100.0,0.4,2000000000.0,1e22,BF16,\"Two\nlines, quoted\",x\n"}},
        {.source = "a study"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const performance = reading.find<model::Performance>("epoch-training.big-1");
    ASSERT_NE(performance, nullptr);
    EXPECT_EQ(performance->device.id, "nvidia.h100-sxm5-80gb");
    EXPECT_EQ(performance->devices, 1024);
    EXPECT_EQ(performance->basis, model::Evidence::estimated);
    EXPECT_EQ(performance->precision, "bf16");
    ASSERT_TRUE(performance->estimate);
    EXPECT_EQ(performance->estimate->mfu, 0.4);
    EXPECT_EQ(performance->estimate->active_parameters, 2e9);
    EXPECT_NE(performance->note.find("Published estimates of the training's cost, USD: cloud rental 1e+06, hardware amortised, and "
                                     "energy 2.5e+05."),
              std::string::npos)
        << performance->note;
}

TEST(TrainingCosts, HoursAndComputeStandInForTheMfu) {
    const Reading reading =
        read_set("training_costs", {{"systems.csv", kTrainingCostsHeader + "Big-1,Language,Google TPU v4,8,100,,1e9,6e20,,,\n"}});
    const auto* const performance = reading.find<model::Performance>("epoch-training.big-1");
    ASSERT_NE(performance, nullptr); // 6e20 / 6e9 = 1e11 tokens in 360000 s
    EXPECT_NEAR(performance->units_per_s->number, 1e11 / 360000, 1e-6);
    EXPECT_FALSE(performance->estimate);
    EXPECT_EQ(performance->basis, model::Evidence::estimated);
}

TEST(TrainingCosts, UnpublishedIsSkippedAndUnusableIsNamed) {
    const Reading reading = read_set(
        "training_costs",
        {{"systems.csv", kTrainingCostsHeader + "A,Language,,,,,,1e22,,,\n"                   // no hardware
                                                "B,Language,NVIDIA A100,8,,,1e9,1e22,,,\n"    // neither MFU nor hours
                                                "C,Language,Abacus,8,10,0.4,1e9,1e22,,,\n"    // unknown device
                                                "D,Vision,NVIDIA A100,8,10,0.4,1e9,1e22,,,\n" // no tokens
                                                "E,Language,NVIDIA A100,8,10,0.4,1e9,1e22,,\"a Mixture-of-Experts model\",\n"
                                                "F,Language,NVIDIA A100,8,10,40,1e9,1e22,,,\n" // percent
                                                "G,Language,NVIDIA A100,8,10,0.4,1e9,1e22,,,\n"
                                                "G,Language,NVIDIA A100,16,10,0.4,1e9,1e22,,,\n" // twice
                                                "H,Language,NVIDIA A100,8.5,10,0.4,1e9,1e22,,,\n"}});
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.report.rows, 9U);
    EXPECT_EQ(reading.report.skipped, 2U);
    EXPECT_EQ(reading.documents.size(), 1U);
    ASSERT_EQ(reading.report.rejected.count, 6U);
    EXPECT_EQ(reading.report.rejected.first[0].reason, "C: Training hardware is \"Abacus\": no device of that name is known");
    EXPECT_EQ(reading.report.rejected.first[0].row, 4U);
    EXPECT_EQ(reading.report.rejected.first[2].reason,
              "E: it is a mixture of experts: Parameters counts all of them, and how many a token passes is not in the table");
    EXPECT_EQ(reading.report.rejected.first[3].reason, "F: MFU is \"40\"; a fraction above 0 and up to 1 is needed");
}

TEST(TrainingCosts, TheTableOfSystemsIsNeeded) {
    EXPECT_EQ(read_set("training_costs", {{"costs.csv", "Model,Cloud_Cost\nA,1\n"}}).error->message,
              "the table of systems, with Training hardware and Hardware quantity, is needed beside the costs");
    EXPECT_EQ(read_set("training_costs", {{"x.csv", "Model,b\n1,2\n"}}).error->message,
              "x.csv: row 1: the header has no column named Training hardware, Hardware quantity, Parameters");
    EXPECT_TRUE(read_set("training_costs", {{"x.csv", ""}}).error);
    EXPECT_TRUE(read_set("training_costs", {{"x.csv", kTrainingCostsHeader + "A,\"never closed\n"}}).error);
}

TEST(TrainingCosts, RealTablesAreRead) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared(
        "training_costs", {"epoch-training-cost/model_costs.csv", "epoch-training-cost/All ML Systems - full view.csv"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rows, 41U);
    const auto* const llama = reading.find<model::Performance>("epoch-training.llama-3.1-405b");
    ASSERT_NE(llama, nullptr);
    EXPECT_EQ(llama->devices, 16384);
    EXPECT_EQ(llama->estimate->mfu, 0.4042);
    EXPECT_EQ(llama->estimate->active_parameters, 405e9);
    EXPECT_NE(llama->note.find("hardware amortised, and energy 5.104e+07"), std::string::npos);
    EXPECT_EQ(reading.find<model::Performance>("epoch-training.glam"), nullptr); // mixtures of experts
    EXPECT_EQ(reading.find<model::Performance>("epoch-training.switch"), nullptr);
    EXPECT_EQ(reading.documents.size() + reading.report.rejected.count + reading.report.skipped, 41U);
}

} // namespace
} // namespace costcurve::imports
