// Field tables of a scenario's result, from which its encoding and API description are generated. The structs refer to the
// evaluated scenario and exist only while it is written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "model/documents/prices.hpp"
#include "model/figures.hpp"
#include "model/performance/classes.hpp"
#include "model/version.hpp"
#include "server/answers/answer.hpp"
#include "server/answers/encode_result.hpp"
#include "server/storage/record.hpp"

namespace costcurve::answers {

/// Cost and cash by category; unless `all`, only categories with money.
[[nodiscard]] inline auto amounts_by_category(const model::AmountsByCategory& amounts, bool all) {
    return Members{model::kCategories, [&amounts, all](std::size_t c) {
                       const model::Amounts& of = amounts[c];
                       const bool has_money = of.cost != 0.0 || of.cash != 0.0;
                       return all || has_money ? std::optional(Named{name_of(static_cast<model::Category>(c)), of}) : std::nullopt;
                   }};
}
/// The values of the pools that have one.
template <class T>
[[nodiscard]] auto values_by_pool(const std::vector<model::Pool>& pools, const std::vector<std::optional<T>>& values) {
    return Members{values.size(), [&](std::size_t p) {
                       return values[p] ? std::optional(Named{pools[p].id, *values[p]}) : std::nullopt;
                   }};
}

/// When the price of a rented or hosted pool was stated, and by whom.
inline constexpr model::FieldSpec kPriceDaySpec{
    .format = model::Format::date,
    .help = "of what is rented or hosted: the day of its price in force at the start, of several the oldest; null: not known"};
inline constexpr model::FieldSpec kPriceSourceSpec{
    .help = "who states the price: the offer's, endpoint's or pool's source; null: not stated", .null_if_empty = true};

struct TotalResult {
    const model::Summary& summary;

    [[nodiscard]] const model::Terminal& terminal() const { return summary.terminal; }
};

/// Why a scenario is infeasible: the workload left unserved, or the site with too much power draw, whose id may be missing.
struct InfeasibleAnswer {
    std::optional<std::string> workload;
    std::optional<std::optional<std::string>> site;
    model::InfeasibleCode code{};
    double value = 0.0;
    double limit = 0.0;
};

struct PoolResult {
    const model::Pool& document;
    const model::PoolSummary& summary;
    model::PriceOrigin price;

    [[nodiscard]] model::PoolKind kind() const { return document.kind; }
    [[nodiscard]] auto by_category() const { return amounts_by_category(summary.by_category, false); }
    [[nodiscard]] const std::optional<std::string>& price_day() const { return price.day; }
    [[nodiscard]] const std::string& price_source() const { return price.source; }
};

/// Fields of workloads of every kind.
struct WorkloadResult {
    const model::Workload& document;
    const model::WorkloadSummary& summary;
    const std::vector<model::Pool>& pools;

    [[nodiscard]] std::string_view kind() const { return name_of(document.kind); }
    [[nodiscard]] const std::string& unit() const { return document.unit; }
    [[nodiscard]] std::optional<model::Evidence> evidence() const { return summary.evidence; }
    [[nodiscard]] auto batch() const { return values_by_pool(pools, summary.batch); }
};
/// Workload in requests: unit cost by class, if a request isn't a single number of units.
struct RequestsResult : WorkloadResult {
    [[nodiscard]] auto cost_by_class() const {
        const auto of_class = [this](std::size_t c) {
            const std::optional<model::ClassCost>& part = summary.by_class[c];
            return part && part->units > 0.0 ? std::optional(Named{model::enum_names<model::UnitClass>[c], *part}) : std::nullopt;
        };
        return model::has_classes(document) ? std::optional(Members{model::kUnitClasses, of_class}) : std::nullopt;
    }
};
struct InferenceResult : RequestsResult {
    [[nodiscard]] std::nullptr_t backlog() const { return nullptr; }
};
struct BatchResult : RequestsResult {
    [[nodiscard]] const std::vector<double>& backlog() const { return summary.backlog; }
};
struct TrainingResult : WorkloadResult {
    [[nodiscard]] std::nullptr_t cost_by_class() const { return nullptr; }
    [[nodiscard]] const std::vector<double>& backlog() const { return summary.backlog; }
    [[nodiscard]] auto hours_per_epoch() const {
        return summary.units_served > 0 ? std::optional(values_by_pool(pools, summary.hours_per_epoch)) : std::nullopt;
    }
};

struct MonthResult {
    model::YearMonth month;
    const std::vector<model::Pool>& pools;
    const model::MonthSummary& summary;

    [[nodiscard]] auto by_category() const { return amounts_by_category(summary.by_category, false); }
    [[nodiscard]] auto by_pool() const {
        return Members{pools.size(), [this](std::size_t p) { return Named{pools[p].id, summary.by_pool[p]}; }};
    }
};

/// Cost borne by workloads, by value of one tag key.
[[nodiscard]] inline auto borne_by_value(const model::TagSummary& tag) {
    return Members{tag.values.size(), [&tag](std::size_t v) { return Named{tag.values[v], tag.borne[v]}; }};
}

/// A document that the scenario is made of.
struct DocumentUsed {
    std::string_view kind;
    std::string id;
    std::optional<std::int64_t> revision;
    std::string source;
};
struct ProvenanceAnswer {
    std::string_view model_version = model::kModelVersion;
    std::string inputs_hash;
    std::optional<std::string> oldest_price;
    std::string as_of;
    std::vector<DocumentUsed> documents;
};

struct LedgerLine {
    model::YearMonth month;
    std::optional<std::string_view> pool;
    std::optional<std::string_view> workload;
    model::Category category{};
    double cost = 0.0;
    double cash = 0.0;
};

struct ResultAnswer {
    const Evaluated& evaluated;
    const model::ScenarioDocument& scenario;
    const model::Summary& summary;
    bool with_ledger = false;

    [[nodiscard]] const std::string& name() const { return scenario.name; }
    [[nodiscard]] const std::string& currency() const { return scenario.currency; }
    [[nodiscard]] model::YearMonth start() const { return scenario.start; }
    [[nodiscard]] int months() const { return scenario.months; }
    [[nodiscard]] TotalResult total() const { return {summary}; }
    [[nodiscard]] bool feasible() const { return summary.is_feasible(); }
    [[nodiscard]] std::vector<InfeasibleAnswer> infeasible_because() const;
    [[nodiscard]] model::Objective decide_by() const { return summary.decide_by; }
    [[nodiscard]] std::optional<double> decisive() const { return figure_of(summary, summary.decide_by); }
    [[nodiscard]] auto by_category() const { return amounts_by_category(summary.by_category, true); }
    [[nodiscard]] auto by_pool() const {
        return Members{scenario.pools.size(), [this](std::size_t p) {
                           return Named{scenario.pools[p].id, PoolResult{scenario.pools[p], summary.pools[p],
                                                                         model::price_origin(scenario.pools[p], scenario.start)}};
                       }};
    }
    [[nodiscard]] auto by_site() const {
        return Members{summary.sites.size(), [this](std::size_t s) { return Named{summary.sites[s].id, summary.sites[s]}; }};
    }
    [[nodiscard]] auto by_workload() const {
        return Members{scenario.workloads.size(), [this](std::size_t w) {
                           return Named{scenario.workloads[w].id, workload_result(w)};
                       }};
    }
    [[nodiscard]] auto by_tag() const {
        return Members{summary.by_tag.size(), [this](std::size_t k) {
                           return Named{summary.by_tag[k].key, borne_by_value(summary.by_tag[k])};
                       }};
    }
    [[nodiscard]] std::vector<MonthResult> by_month() const;
    [[nodiscard]] double unallocated_cost() const { return summary.unallocated_cost; }
    [[nodiscard]] const std::vector<model::Issue>& warnings() const { return summary.warnings; }
    [[nodiscard]] ProvenanceAnswer provenance() const;
    [[nodiscard]] std::optional<std::vector<LedgerLine>> ledger() const;

private:
    [[nodiscard]] std::variant<InferenceResult, TrainingResult, BatchResult> workload_result(std::size_t w) const;
};

/// A figure as a row of a part of the result, or of a struct with that part as `summary`.
template <class Part, class Document = Part> struct FigureField {
    struct Member {
        std::optional<double> (*read)(const Part& part);
        std::optional<double> operator()(const Part& part) const { return read(part); }
        template <class T>
        requires requires(const T& object) { object.summary; }
        std::optional<double> operator()(const T& object) const { return read(object.summary); }
    };
    std::string_view name;
    Member member;
    model::FieldSpec spec;
    bool (*applies)(const Document& document) = nullptr; ///< null: all have it
};
template <class Part, class Document = Part>
constexpr FigureField<Part, Document> figure_field(const model::Figure<Part>& figure, bool (*applies)(const Document&) = nullptr) {
    return {figure.name, {figure.read}, {.unit = figure.unit, .required = !figure.may_be_null}, applies};
}
template <class Part, class Document>
constexpr FigureField<Part, Document> figure_field(const model::FigureOfSome<Part, Document>& row) {
    return figure_field(row.figure, row.applies);
}
/// The rows of a table of figures.
template <class Row, std::size_t N> constexpr auto figure_fields(const std::array<Row, N>& table) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) { return model::Rows{figure_field(table[I])...}; }
    (std::make_index_sequence<N>{});
}

template <model::WorkloadKind kKind> inline constexpr auto kKindWord = std::to_array({name_of(kKind)});

} // namespace costcurve::answers

namespace costcurve::model {

template <> inline constexpr std::string_view document_name<Amounts> = "amounts";
template <> inline constexpr auto fields<Amounts> = Rows{Field{"cost", &Amounts::cost, {}}, Field{"cash", &Amounts::cash, {}}};
template <> inline constexpr std::string_view document_name<answers::InfeasibleAnswer> = "infeasibility";
template <>
inline constexpr auto fields<answers::InfeasibleAnswer> =
    Rows{Field{"workload", &answers::InfeasibleAnswer::workload, {.omit = true}},
         Field{"site", &answers::InfeasibleAnswer::site, {.omit = true}}, Field{"code", &answers::InfeasibleAnswer::code, {}},
         Field{"value", &answers::InfeasibleAnswer::value, {.help = "fraction of the demand, or kW"}},
         Field{"limit", &answers::InfeasibleAnswer::limit, {}}};
template <> inline constexpr auto fields<Terminal> = answers::figure_fields(kTerminalFigures);
template <> inline constexpr std::string_view document_name<answers::TotalResult> = "total";
template <>
inline constexpr auto fields<answers::TotalResult> =
    join(answers::figure_fields(kTotalFigures),
         Rows{Field{"terminal", &answers::TotalResult::terminal, {.help = "what the horizon's end settles"}}});
template <> inline constexpr std::string_view document_name<SiteSummary> = "site_result";
template <>
inline constexpr auto fields<SiteSummary> =
    join(answers::figure_fields(kSiteFigures),
         Rows{Field{"bill_by_month", &SiteSummary::bill_by_month, {.help = "energy and demand charges of the pools there"}}});
template <> inline constexpr std::string_view document_name<Borne> = "tag_result";
template <> inline constexpr auto fields<Borne> = answers::figure_fields(kTagFigures);
template <> inline constexpr std::string_view document_name<answers::PoolResult> = "pool_result";
template <>
inline constexpr auto fields<answers::PoolResult> =
    join(Rows{Field{"kind", &answers::PoolResult::kind, {}}}, answers::figure_fields(kPoolFigures),
         Rows{Field{"price_day", &answers::PoolResult::price_day, answers::kPriceDaySpec},
              Field{"price_source", &answers::PoolResult::price_source, answers::kPriceSourceSpec},
              Field{"by_category", &answers::PoolResult::by_category, {.schema = "some_categories"}}});
template <> inline constexpr auto fields<ClassCost> = answers::figure_fields(kClassFigures);
template <> inline constexpr std::string_view document_name<answers::InferenceResult> = "inference_result";
template <> inline constexpr std::string_view document_name<answers::TrainingResult> = "training_result";
template <> inline constexpr std::string_view document_name<answers::BatchResult> = "batch_result";
/// Of any kind: its own figures, and rows that stand before those of the batch.
template <class R, WorkloadKind kKind>
constexpr auto workload_fields(const std::array<Figure<WorkloadSummary>, 2>& quantity, const auto&... own) {
    return join(Rows{Field{"kind", &R::kind, {.words = answers::kKindWord<kKind>}}, Field{"unit", &R::unit, {}}},
                answers::figure_fields(kWorkloadFigures),
                Rows{Field{"cost_by_class", &R::cost_by_class, {}}, Field{"evidence", &R::evidence, {}}},
                answers::figure_fields(quantity),
                Rows{Field{"backlog", &R::backlog, {.help = "units at the end of each month that the next one takes"}}, own...,
                     Field{"batch", &R::batch, {.format = Format::slug, .help = "by pool, where one was stated or chosen"}}});
}
template <>
inline constexpr auto
    fields<answers::InferenceResult> = workload_fields<answers::InferenceResult, WorkloadKind::inference>(kRequestFigures);
template <>
inline constexpr auto fields<answers::BatchResult> = workload_fields<answers::BatchResult, WorkloadKind::batch>(kRequestFigures);
template <>
inline constexpr auto fields<answers::TrainingResult> = workload_fields<answers::TrainingResult, WorkloadKind::training>(
    kTrainingFigures, Field{"hours_per_epoch", &answers::TrainingResult::hours_per_epoch, {.format = Format::slug}});
template <> inline constexpr std::string_view document_name<answers::MonthResult> = "month_result";
template <>
inline constexpr auto fields<answers::MonthResult> =
    join(Rows{Field{"month", &answers::MonthResult::month, {}}}, answers::figure_fields(kMonthFigures),
         Rows{Field{"by_category", &answers::MonthResult::by_category, {.schema = "some_categories"}},
              Field{"by_pool", &answers::MonthResult::by_pool, {.format = Format::slug}}});
template <> inline constexpr std::string_view document_name<answers::DocumentUsed> = "document_used";
template <>
inline constexpr auto fields<answers::DocumentUsed> =
    Rows{Field{"kind", &answers::DocumentUsed::kind, {.words = storage::kind_names}},
         Field{"id", &answers::DocumentUsed::id, {.format = Format::slug}},
         Field{"revision", &answers::DocumentUsed::revision, {.help = "null where it came inline"}},
         Field{"source", &answers::DocumentUsed::source, {.null_if_empty = true}}};
template <> inline constexpr std::string_view document_name<answers::ProvenanceAnswer> = "provenance";
template <>
inline constexpr auto fields<answers::ProvenanceAnswer> =
    Rows{Field{"model_version", &answers::ProvenanceAnswer::model_version, {}},
         Field{"inputs_hash",
               &answers::ProvenanceAnswer::inputs_hash,
               {.help = "SHA-256 of the resolved scenario", .pattern = "^[0-9a-f]{64}$"}},
         Field{"oldest_price", &answers::ProvenanceAnswer::oldest_price, {.help = "the day of the oldest last price"}},
         Field{"as_of", &answers::ProvenanceAnswer::as_of, {.format = Format::date_time, .null_if_empty = true}},
         Field{"documents", &answers::ProvenanceAnswer::documents, {}}};
template <> inline constexpr std::string_view document_name<answers::LedgerLine> = "ledger_row";
template <>
inline constexpr auto fields<answers::LedgerLine> =
    Rows{Field{"month", &answers::LedgerLine::month, {}},       Field{"pool", &answers::LedgerLine::pool, {}},
         Field{"workload", &answers::LedgerLine::workload, {}}, Field{"category", &answers::LedgerLine::category, {}},
         Field{"cost", &answers::LedgerLine::cost, {}},         Field{"cash", &answers::LedgerLine::cash, {}}};
template <> inline constexpr std::string_view document_name<answers::ResultAnswer> = "result";
template <>
inline constexpr auto fields<answers::ResultAnswer> =
    Rows{Field{"name", &answers::ResultAnswer::name, {.help = "of the scenario, where it has one", .omit = true}},
         Field{"currency", &answers::ResultAnswer::currency, {.format = Format::currency}},
         Field{"start", &answers::ResultAnswer::start, {}},
         Field{"months", &answers::ResultAnswer::months, {}},
         Field{"total", &answers::ResultAnswer::total, {}},
         Field{"feasible", &answers::ResultAnswer::feasible, {}},
         Field{"infeasible_because", &answers::ResultAnswer::infeasible_because, {}},
         Field{"decide_by", &answers::ResultAnswer::decide_by, {}},
         Field{"decisive", &answers::ResultAnswer::decisive, {.help = "the total's figure that decide_by names"}},
         Field{"by_category", &answers::ResultAnswer::by_category, {.schema = "categories"}},
         Field{"by_pool", &answers::ResultAnswer::by_pool, {.format = Format::slug}},
         Field{"by_site", &answers::ResultAnswer::by_site, {.format = Format::slug, .help = "of owned pools' sites with an id"}},
         Field{"by_workload", &answers::ResultAnswer::by_workload, {.format = Format::slug}},
         Field{"by_tag",
               &answers::ResultAnswer::by_tag,
               {.help = "by key and value of the workloads' tags; (untagged) and (idle) are the rest"}},
         Field{"by_month", &answers::ResultAnswer::by_month, {}},
         Field{"unallocated_cost", &answers::ResultAnswer::unallocated_cost, {}},
         Field{"warnings", &answers::ResultAnswer::warnings, {}},
         Field{"provenance", &answers::ResultAnswer::provenance, {}},
         Field{"ledger", &answers::ResultAnswer::ledger, {.help = "on request", .omit = true}}};

} // namespace costcurve::model
