// Watts beside a rate: the H100 of ../shared/data/measured-h100, whose points are in no fit and no measurement, and what is
// measured near a request.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/performance/rates.hpp"
#include "model/power.hpp"
#include "server/documents/decode.hpp"
#include "tests/rates/rate_facts.hpp"
#include "tests/support/source_folder.hpp"

namespace costcurve::rates {
namespace {

using model::Evidence;

template <class T> T from_catalogue(storage::Kind kind, const char* file, const std::string& id) {
    const std::string path = (tests::source_folder() / "deploy/catalog" / file).string();
    for (nlohmann::json document : nlohmann::json::parse(file_text(path))) {
        if (document.at("id") == id) {
            document.erase("power"); // by its id: the default shape is tried
            return std::get<T>(documents::decode_document(kind, document).document);
        }
    }
    throw std::runtime_error("the catalogue has no " + id);
}

model::RateQuestion question(double batch) {
    model::RateQuestion at;
    at.input_tokens = 256;
    at.output_tokens = 256;
    at.concurrency = batch;
    return at;
}

TEST(RateWatts, AreWithin15PercentOfARealH100AtEveryLoad) {
    // Llama 3.1 8B in bf16, 256 tokens in and out: the mean batch while the server was busy, watts over the same time (those of the
    // first load less a twentieth of the time at 121 W, of the idle server). serve-results.json, 2026-11-26.
    struct Row {
        double batch, watts;
    };
    constexpr Row rows[] = {{1.72, 459},    {2.31, 462.1}, {5.74, 484.5},  {12.39, 517.7}, {22.21, 555.5},
                            {35.78, 596.6}, {59.71, 663},  {61.77, 664.7}, {102.5, 689.2}, {127.48, 680.7}};
    const auto model = from_catalogue<model::Model>(storage::Kind::model, "models.json", "llama-3.1-8b");
    const auto device = from_catalogue<model::Device>(storage::Kind::device, "devices.json", "nvidia.h100-sxm5-80gb");
    const model::Rates rates({model}, {device}, {});
    for (const Row& row : rows) {
        const auto rated = rates.rate(model, device, question(row.batch));
        ASSERT_TRUE(rated);
        EXPECT_NEAR(rated->watts / row.watts, 1.0, 0.15) << row.batch;
        EXPECT_EQ(rated->watts_evidence, Evidence::assumed);
    }
}

TEST(RateWatts, AreThoseMeasuredNearAndSayHowNear) {
    const auto model = from_catalogue<model::Model>(storage::Kind::model, "models.json", "llama-3.1-8b");
    auto device = from_catalogue<model::Device>(storage::Kind::device, "devices.json", "nvidia.h100-sxm5-80gb");
    model::MeasuredPoint point;
    point.model = model.id;
    point.device = device.id;
    point.at = question(32);
    point.output_per_s = 3400;
    point.watts = 500;
    const model::Rates rates({model}, {device}, {point});
    const model::Rates without({model}, {device}, {});
    const auto at = [&](const model::Rates& of, double batch) { return *of.rate(model, device, question(batch)); };
    const double assumed = at(without, 32).watts;
    EXPECT_GT(assumed, 560);
    EXPECT_NEAR(at(rates, 32).watts, 500 * std::pow(assumed / 500, 0.1 / 1.1), 1e-6) << "the prior has a tenth of its weight";
    EXPECT_EQ(at(rates, 32).watts_evidence, Evidence::measured);
    EXPECT_EQ(at(rates, 64).watts_evidence, Evidence::extrapolated);
    EXPECT_LT(at(rates, 64).watts, at(without, 64).watts);
    EXPECT_EQ(at(rates, 1).watts_evidence, Evidence::assumed) << "beyond four times";
    EXPECT_EQ(at(rates, 1).watts, at(without, 1).watts);
    auto fp8 = question(32);
    fp8.precision = model::WeightPrecision::fp8;
    EXPECT_EQ(rates.rate(model, device, fp8)->watts, without.rate(model, device, fp8)->watts) << "another precision is not read";
    device.power.emplace();
    device.power->kind = model::CurveKind::power;
    device.power->axis = model::Axis::throughput_share;
    device.power->x = {0, 1};
    device.power->y = {100, 600};
    const auto curved = at(without, 128);
    EXPECT_EQ(curved.watts_evidence, Evidence::estimated) << "its curve is of another model's";
    EXPECT_NEAR(curved.watts, 600, 1e-9);
}

} // namespace
} // namespace costcurve::rates
