// The model of MFU: its formula, its fit, its correction by measured runs, and the audit over the published file beside the
// repository.
#include "model/performance/training_rates.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <optional>

#include "model/performance/rate_audit.hpp"
#include "model/performance/training_table.hpp"
#include "server/import/benchmarks/training_rows.hpp"
#include "tests/rates/rate_facts.hpp"
#include "tests/support/source_folder.hpp"

namespace costcurve::rates {
namespace {

constexpr double kH100Peak = 989.5e12;

model::TrainingRun run_of_70b() {
    model::TrainingRun run;
    run.active_parameters = 70e9;
    run.layers = 80;
    run.hidden = 8192;
    run.peak_flops = run.peak_flops_16 = kH100Peak;
    run.family = "hopper";
    run.devices = 64;
    return run;
}

TEST(TrainingModel, ATokenTakesSixFlopAParameterAndItsAttention) {
    // 6 (70e9 + 80 x 8192 x 4096) / 989.5e12 = 6 x 72.684e9 / 989.5e12
    model::TrainingRun run = run_of_70b();
    EXPECT_NEAR(model::training_token_s(run), 440.733e-6, 1e-9);
    run.method = model::TrainingMethod::lora;
    EXPECT_NEAR(model::training_token_s(run), 293.822e-6, 1e-9);
    // Of 88 layers 8 attend, by 32 heads of 128 (Nemotron 3 Super): 6 (12.77e9 + 8 x 32 x 128 x 8192) / 989.5e12.
    run = run_of_70b();
    run.active_parameters = 12.77e9;
    run.layers = 88;
    run.hidden = 4096;
    run.attention_flop = 4.0 * 8 * 32 * 128;
    run.sequence = 8192;
    EXPECT_NEAR(model::training_token_s(run), 79.061e-6, 1e-9);
}

TEST(TrainingModel, PassesNoCeiling) {
    model::TrainingNumbers high = model::kTrainingCoefficients;
    high[0] = 2.0;
    EXPECT_EQ(model::training_mfu(run_of_70b(), high), model::kPeakCeiling);
}

TEST(TrainingModel, ReachesLessThanTwiceOfHalfTheBitsAndLessOfMixturesOfSmallExperts) {
    model::TrainingRun run = run_of_70b();
    const double at_16 = model::training_mfu(run, model::kTrainingCoefficients);
    run.precision = model::WeightPrecision::fp8;
    const double at_8 = model::training_mfu(run, model::kTrainingCoefficients);
    EXPECT_LT(at_8, at_16);
    EXPECT_GT(2.0 * at_8, at_16);
    run.is_mixture = true;
    run.expert_parameters = 40e6;
    const double large_experts = model::training_mfu(run, model::kTrainingCoefficients);
    run.expert_parameters = 5e6;
    EXPECT_LT(large_experts, at_8);
    EXPECT_LT(model::training_mfu(run, model::kTrainingCoefficients), large_experts);
}

TEST(TrainingModel, SoftwareOfYearsThatNobodyMeasuredIsThatOfTheNearest) {
    model::TrainingRun run = run_of_70b();
    run.year = 2040;
    const double later = model::training_mfu(run, model::kTrainingCoefficients);
    run.year = model::kLastTrainingYear;
    EXPECT_EQ(model::training_mfu(run, model::kTrainingCoefficients), later);
}

TEST(TrainingFit, FindsTheCoefficientsThatMadeItsRows) {
    model::TrainingNumbers truth = model::kTrainingCoefficients;
    truth[static_cast<std::size_t>(model::TrainingTerm::sequence)] = -0.2;
    truth[static_cast<std::size_t>(model::TrainingTerm::fp8)] = 0.2;
    std::vector<model::TrainingRow> rows;
    for (const double sequence : {2048.0, 8192.0, 32768.0}) {
        for (const double devices : {8.0, 64.0, 512.0}) {
            for (const double parameters : {1e9, 8e9, 70e9}) {
                for (const auto precision : {model::WeightPrecision::bf16, model::WeightPrecision::fp8}) {
                    model::TrainingRow row;
                    row.run = run_of_70b();
                    row.run.active_parameters = parameters;
                    row.run.sequence = sequence;
                    row.run.devices = devices;
                    row.run.precision = precision;
                    row.output_per_s = model::training_mfu(row.run, truth) / model::training_token_s(row.run) * devices;
                    rows.push_back(row);
                }
            }
        }
    }
    std::vector<const model::TrainingRow*> pointers;
    for (const model::TrainingRow& row : rows) {
        pointers.push_back(&row);
    }
    const model::TrainingNumbers fitted = model::fit_training(pointers);
    for (const model::TrainingRow& row : rows) { // priors hold what the rows do not tell apart
        EXPECT_NEAR(model::training_mfu(row.run, fitted) / model::training_mfu(row.run, truth), 1.0, 0.03);
    }
    EXPECT_NEAR(fitted[static_cast<std::size_t>(model::TrainingTerm::sequence)], -0.2, 0.02);
}

// ---- Documents.

class TrainingRatesTest : public testing::Test {
protected:
    TrainingRatesTest() {
        model_.id = "acme-70b";
        model_.parameters = model_.active_parameters = 70e9;
        model_.layers = 80;
        model_.hidden = 8192;
        model_.kv_heads = 8;
        model_.embedding_parameters = 1e9;
        model_.kv_bytes_per_token = 327680;
        model_.attention = model::Attention{};
        device_.id = "nvidia.h100-sxm5-80gb";
        device_.peak_flops = {{"bf16", kH100Peak}, {"fp8", 2 * kH100Peak}};
        question_.devices = 64;
    }
    // What it refers to is kept until the next call.
    model::RatedTraining rate(std::vector<model::MeasuredRun> runs) {
        rates_.emplace(std::vector{model_}, std::vector{device_}, std::move(runs));
        return *rates_->rate(model_, device_, question_);
    }
    model::MeasuredRun measured(double mfu) const {
        model::TrainingRun run = run_of_70b();
        run.devices = question_.devices;
        model::MeasuredRun found{model_.id, device_.id, question_, "lab", false, 0.0, "m", 3};
        found.tokens_per_s = mfu / model::training_token_s(run) * run.devices;
        return found;
    }
    model::Model model_;
    model::Device device_;
    model::TrainingQuestion question_;
    std::optional<model::TrainingRates> rates_;
};

TEST_F(TrainingRatesTest, AMeasuredRunMovesItsOwnAndIsNamed) {
    const model::RatedTraining alone = rate({});
    EXPECT_EQ(alone.evidence, model::Evidence::assumed); // no run of the family is known here
    EXPECT_TRUE(alone.from.empty());
    const model::RatedTraining moved = rate({measured(0.6)});
    EXPECT_EQ(moved.evidence, model::Evidence::measured);
    EXPECT_GT(moved.mfu, alone.mfu);
    EXPECT_LT(moved.mfu, 0.6);
    EXPECT_LT(moved.low, moved.tokens_per_s);
    EXPECT_GT(moved.high, moved.tokens_per_s);
    ASSERT_EQ(moved.from.size(), 1U);
    EXPECT_EQ(moved.from[0].run->measurement, "m");
    EXPECT_EQ(moved.from[0].run->point, 3U);
    EXPECT_GT(moved.from[0].weight, 0.8);
}

TEST_F(TrainingRatesTest, AQuestionOfNoSoftwareIsMetByARunOfAny) {
    model::MeasuredRun run = measured(0.4);
    run.at.framework = "torchtitan";
    EXPECT_NEAR(std::log(rate({run}).mfu / 0.4), 0.0, 0.1);
    question_.framework = "megatron-bridge"; // which does more than torchtitan
    EXPECT_GT(rate({run}).mfu, 0.45);
}

TEST_F(TrainingRatesTest, OnesOwnRunIsTheRateAtItsConditions) {
    std::vector<model::MeasuredRun> runs(20, measured(0.35));
    model::MeasuredRun own = measured(0.5);
    own.is_own = true;
    own.at.framework = "torchtitan";
    own.at.year = 2026.5;
    own.measurement = "own";
    runs.push_back(own);
    const model::RatedTraining moved = rate(runs);
    EXPECT_NEAR(moved.mfu, 0.5, 0.005);
    EXPECT_EQ(moved.evidence, model::Evidence::measured);
    EXPECT_EQ(moved.from[0].run->measurement, "own");
    question_.sequence *= 64.0; // far off published ones count again
    EXPECT_LT(rate(runs).from[0].weight, 0.9);
}

TEST_F(TrainingRatesTest, ARunAboveTheCeilingMovesNothing) { EXPECT_EQ(rate({measured(0.8)}).tokens_per_s, rate({}).tokens_per_s); }

TEST_F(TrainingRatesTest, NoRateOrIntervalPassesTheCeiling) {
    const model::RatedTraining rated = rate({measured(0.749), measured(0.7495)});
    EXPECT_LE(rated.ceiling, 1.0);
    EXPECT_LE(rated.high / rated.tokens_per_s * rated.mfu, model::kPeakCeiling + 1e-12);
}

TEST_F(TrainingRatesTest, AdaptersAreNotMovedByRunsOfAllParameters) {
    question_.method = model::TrainingMethod::lora;
    const double alone = rate({}).tokens_per_s;
    model::MeasuredRun full = measured(0.6);
    full.at.method = model::TrainingMethod::full;
    EXPECT_EQ(rate({full}).tokens_per_s, alone);
}

TEST_F(TrainingRatesTest, APrecisionWithoutAPeakHasNoRate) {
    question_.precision = model::WeightPrecision::fp4;
    EXPECT_FALSE(model::TrainingRates({model_}, {device_}, {}).rate(model_, device_, question_));
}

TEST_F(TrainingRatesTest, StateIsSixteenBytesAParameterOrTheFrozenWeights) {
    EXPECT_EQ(model::training_state_bytes(model_, model::WeightPrecision::fp8, model::TrainingMethod::full), 16 * 70e9);
    EXPECT_EQ(model::training_state_bytes(model_, model::WeightPrecision::bf16, model::TrainingMethod::lora), 2 * 70e9);
}

// ---- Rows of tables.

constexpr std::string_view kRuns =
    "source,measured,device,devices,model,params,active_params,seq,gbs,precision,framework,version,task,tok_s_device\n"
    "lab,2026-02,nvidia.h100-sxm5-80gb,64,llama-3.1-70b,,,8192,128,fp8,megatron-bridge,26.02,pretrain,1500\n"
    "lab,2026-02,nvidia.h100-sxm5-80gb,64,llama-3.3-70b,,,8192,128,fp8,megatron-bridge,26.02,pretrain,1500\n"
    "lab,2026-02,nvidia.h200-sxm-141gb,64,llama-3.1-70b,,,8192,128,fp4,nemo,25.09,pretrain,1500\n"
    "lab,2025,nvidia.a100-sxm4-40gb,8,nobodys-1b,1.3e9,1.3e9,2048,,bf16,llm-foundry,,pretrain,20000\n"
    "lab,2025,nvidia.a100-sxm4-40gb,8,unheard,,,2048,,bf16,llm-foundry,,pretrain,20000\n"
    "lab,2025,nvidia.a100-sxm4-40gb,8,nobodys-1b,1.3e9,1.3e9,2048,,bf16,llm-foundry,,pretrain,\n";

TEST(TrainingRows, SayWhyTheyAreLeftOut) {
    const RateFacts facts = read_rate_facts();
    imports::TrainingRows rows(facts.shapes, facts.devices);
    imports::Report report;
    std::vector<std::string> reasons;
    const auto error =
        imports::read_training_runs(kRuns, report, [&](imports::MeasuredTraining&& run) { reasons.push_back(rows.add(run)); });
    ASSERT_FALSE(error);
    EXPECT_EQ(reasons,
              (std::vector<std::string>{"", "says what another row says", "doubtful: nvidia.h200-sxm-141gb has no peak of fp4", "",
                                        "no parameters of unheard: neither its row nor the catalogue has them"}));
    ASSERT_EQ(report.rejected.count, 1U);
    EXPECT_EQ(report.rejected.first[0].reason, "tok_s_device is missing: tokens/s of a device");
    ASSERT_EQ(rows.rows().size(), 2U);
    EXPECT_EQ(rows.rows()[0].run.software, model::TrainingSoftware::megatron);
    EXPECT_EQ(rows.rows()[0].run.tokens_per_step, 8192 * 128);
    EXPECT_NEAR(rows.rows()[0].run.year, 2026 + 1.0 / 12, 1e-9);
    EXPECT_NEAR(rows.rows()[1].run.layers * 128, rows.rows()[1].run.hidden, 1e-9); // neither is stated
}

// ---- Over the published file beside the repository.

class TrainingAudit : public testing::Test {
protected:
    void SetUp() override {
        const auto file = tests::source_folder() / "../shared/data/measured-rates/training.csv";
        if (!std::filesystem::exists(file)) {
            GTEST_SKIP() << "../shared is not here";
        }
        facts_ = read_rate_facts();
        files_.emplace(facts_);
        ASSERT_TRUE(files_->add("training.csv", file_text(file.string())).empty());
    }
    RateFacts facts_;
    std::optional<answers::AuditedFiles> files_;
};

TEST_F(TrainingAudit, TheTableIsWhatTheFitMakes) {
    std::vector<const model::TrainingRow*> rows;
    for (const model::TrainingRow& row : files_->training_rows()) {
        rows.push_back(&row);
    }
    const model::TrainingNumbers fitted = model::fit_training(rows);
    for (std::size_t i = 0; i < fitted.size(); ++i) {
        EXPECT_NEAR(fitted[i], model::kTrainingCoefficients[i], 0.00051) << model::kTrainingTerms[i].name;
    }
}

TEST_F(TrainingAudit, ReachesWhatEstimatesSays) {
    struct Row {
        model::LeaveOut leave_out;
        double within, dense, mixture;
    };
    constexpr Row kPromised[] = {{model::LeaveOut::model_on_device, 0.82, 0.84, 0.72}, {model::LeaveOut::row, 0.90, 0.94, 0.80}};
    for (const Row& promised : kPromised) {
        const model::Audit audit = model::audit_training(files_->training_rows(), promised.leave_out, 1);
        const auto within = [&](std::string_view name) {
            for (const model::AuditClass& row : audit.classes) {
                if (row.name == name) {
                    return row.within;
                }
            }
            return -1.0;
        };
        EXPECT_GE(within("training"), promised.within) << static_cast<int>(promised.leave_out);
        EXPECT_GE(within("training dense"), promised.dense) << static_cast<int>(promised.leave_out);
        EXPECT_GE(within("training mixture"), promised.mixture) << static_cast<int>(promised.leave_out);
    }
}

} // namespace
} // namespace costcurve::rates
