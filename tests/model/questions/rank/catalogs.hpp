// Small catalogues by hand and at random, and their rankings by brute force: every size of every way, evaluated whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/questions/rank/rank.hpp"

namespace costcurve::tests {

/// The model that everything here is for.
inline constexpr auto kTinyModel = "tiny";

/// Three months of requests with 300 tokens in and 100 out; all plans.
[[nodiscard]] model::RankQuestion tiny_question(double requests_per_s);

[[nodiscard]] model::Offer tiny_offer(const std::string& id, double price, model::Purchase purchase = model::Purchase::on_demand);
void add_offer(model::Catalog& catalog, model::Offer offer, double units_per_s);
[[nodiscard]] model::Endpoint tiny_endpoint(const std::string& provider, double input, double output);
/// At the catalogue's first site, which is made where there is none.
void add_server(model::Catalog& catalog, const std::string& id, double price, double units_per_s);

/// A model of 15 GiB of weights and a device that holds it, "fast", rented by the hour.
[[nodiscard]] model::Catalog one_device();

/// The tiny model on hosts of eight joined by NVLink, at 16 an hour.
[[nodiscard]] model::Catalog hosts_of_eight();
/// Of the step model alone, on the devices of its offers.
void add_training_rates(model::Catalog& catalog);
/// One epoch of so many tokens, in the horizon of tiny_question.
[[nodiscard]] model::RankQuestion run_question(double tokens, std::optional<double> within_days);

/// One after another in this thread; throws where the question is refused.
[[nodiscard]] model::Ranking ranked(const model::RankQuestion& question, const model::Catalog& catalog);
[[nodiscard]] std::optional<model::Exclusion> excluded_for(const model::Ranking& ranking, const std::string& reason);

/// A plan's figure and name.
using Named = std::pair<double, std::string>;
/// Of the cost, ascending: ways of up to 16 units, and hybrids of every fixed one with every other. None of the program's ranking.
[[nodiscard]] std::vector<Named> by_brute_force(const model::RankQuestion& question, const model::Catalog& catalog);

/// Numbers of a seed.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed * 2862933555777941757ULL + 3037000493ULL) {}
    double between(double low, double high) {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL; // D. E. Knuth, MMIX
        return low + (high - low) * static_cast<double>(state_ >> 11U) * 0x1p-53;
    }
    bool chance(double probability) { return between(0, 1) < probability; }

private:
    std::uint64_t state_;
};

/// Three offers, and mostly a server and a hosted model.
[[nodiscard]] model::Catalog random_catalog(Random& random);
/// 24 hours between 0.2 and 1.8.
[[nodiscard]] model::Rate random_day(Random& random);

} // namespace costcurve::tests
