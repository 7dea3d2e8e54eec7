// Differences between two stored results of a scenario, in one currency.
#pragma once

#include "server/answers/answer.hpp"
#include "server/documents/store_entries.hpp"
#include "server/storage/store.hpp"

namespace costcurve::recalculation {

/// A document by which two results differ: its revisions.
struct DocumentDifference {
    storage::Kind kind{};
    std::string id;
    std::optional<std::int64_t> from;
    std::optional<std::int64_t> to;
};
/// Cost change caused by a change of documents or of the model version.
struct DifferenceShare {
    std::vector<DocumentDifference> documents;
    double amount = 0.0;
    std::string because;
};
struct ResultDifference {
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::string currency;
    std::string from_model_version;
    std::string to_model_version;
    answers::ByName<std::optional<double>> total; ///< nothing where one of the two has no such figure
    answers::ByName<double> by_category;
    answers::ByName<double> by_pool;
    answers::ByName<double> by_workload;
    std::vector<DifferenceShare> by_document;
};

/// "version 1.0.0 → 2.1.0 of the model"; "" where it is the same, or not known.
[[nodiscard]] std::string version_change(std::string_view from, std::string_view to);

/// The newer result less the older one, by category, pool and workload, by the version of the model where it differs, and by the
/// documents whose revisions differ.
[[nodiscard]] ResultDifference difference_of(const storage::Store& store, const std::string& scenario,
                                             const storage::StoredResult& older, const storage::StoredResult& newer);

} // namespace costcurve::recalculation

namespace costcurve::model {

template <>
inline constexpr auto fields<recalculation::DocumentDifference> = Rows{
    Field{"kind", &recalculation::DocumentDifference::kind, {}},
    Field{"id", &recalculation::DocumentDifference::id, {.format = Format::slug}},
    Field{"from", &recalculation::DocumentDifference::from, {.help = "revision; null where it wasn't used"}},
    Field{"to", &recalculation::DocumentDifference::to, {}},
};
template <>
inline constexpr auto fields<recalculation::DifferenceShare> = Rows{
    Field{"documents",
          &recalculation::DifferenceShare::documents,
          {.help = "none: another version of the model, or documents that are no longer used"}},
    Field{"amount", &recalculation::DifferenceShare::amount, {}},
    Field{"because",
          &recalculation::DifferenceShare::because,
          {.help = "version 1.0.0 → 2.1.0 of the model; absent where it is the documents alone", .omit = true}},
};
template <>
inline constexpr auto fields<recalculation::ResultDifference> = Rows{
    Field{"from", &recalculation::ResultDifference::from, {.min = 0}},
    Field{"to", &recalculation::ResultDifference::to, {.min = 1}},
    Field{"currency", &recalculation::ResultDifference::currency, {.format = Format::currency}},
    Field{"from_model_version", &recalculation::ResultDifference::from_model_version, {}},
    Field{"to_model_version", &recalculation::ResultDifference::to_model_version, {}},
    Field{"total", &recalculation::ResultDifference::total, {.schema = "total_difference"}},
    Field{"by_category",
          &recalculation::ResultDifference::by_category,
          {.help = "of the cost; what didn't change is left out, as in the next two"}},
    Field{"by_pool", &recalculation::ResultDifference::by_pool, {}},
    Field{"by_workload", &recalculation::ResultDifference::by_workload, {}},
    Field{"by_document",
          &recalculation::ResultDifference::by_document,
          {.help = "the model's version first, then documents one after another; the amounts add up to the cost's difference"}},
};

} // namespace costcurve::model
