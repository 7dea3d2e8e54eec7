// Cost by tenant: usage by key, then each basis of division over the same rows.
#include "server/actuals/runs/tenant_costs.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/actuals/planned.hpp"
#include "server/answers/evaluate.hpp"

namespace costcurve::actuals {

namespace {

using model::Code;

constexpr double kMillionTokens = 1e6;
constexpr std::string_view kIdleAllocation = "__idle__"; // OpenCost's name of what no workload used

struct TenantKeyRow {
    TenantKey key;
    std::string TenantUsage::*name;
};
constexpr auto kTenantKeys = std::to_array<TenantKeyRow>(
    {{TenantKey::team, &TenantUsage::team}, {TenantKey::user, &TenantUsage::user}, {TenantKey::model, &TenantUsage::model}});

void add(TenantUsage& sum, const TenantUsage& part) {
    for (const auto figure : {&TenantUsage::input_tokens, &TenantUsage::output_tokens, &TenantUsage::cached_input_tokens,
                              &TenantUsage::prefill_s, &TenantUsage::decode_s}) {
        sum.*figure += part.*figure;
    }
    if (part.device_hours) {
        sum.device_hours = sum.device_hours.value_or(0.0) + *part.device_hours;
    }
}

std::optional<double> a_million(const std::optional<double>& cost, double tokens) {
    return cost && tokens > 0.0 ? std::optional(*cost / tokens * kMillionTokens) : std::nullopt;
}

// Paid cost and usage by tenant.
struct Paid {
    std::optional<double> cost;
    std::optional<double> device_hours; // paid
    double idle_device_hours = 0.0;     // that allocations state
    std::vector<TenantUsage> usage;
};

// Paid cost and usage. Allocations replace device-hours that the usage lacks; their tags name tenants like counters' labels.
model::Result<Paid> paid_of(const TenantCostsRequest& request, std::vector<TenantUsage> usage,
                            const model::ScenarioDocument& scenario, const storage::Store& store) {
    Paid paid{request.cost, request.device_hours, 0.0, std::move(usage)};
    const bool has_hours =
        std::ranges::any_of(paid.usage, [](const TenantUsage& row) { return row.device_hours.value_or(0.0) > 0.0; });
    const TenantLabels labels = request.metrics ? request.metrics->labels : TenantLabels{};
    const std::vector<BillCategory> usual;
    const std::vector<BillCategory> allocations{BillCategory::allocation};
    BillLines lines(scenario, request.bill, usual);
    BillLines divided(scenario, request.bill, allocations);
    double cost = 0.0;
    double device_hours = 0.0;
    std::size_t count = 0;
    const auto [begin, end] = days_of_months(request);
    store.visit_bill(begin, end, [&](const storage::BillSum& sum) {
        const LineUse use = divided.use_of(sum.line);
        if (use.of == LineUse::Of::compared && !has_hours && sum.line.device_hours > 0.0) {
            if (std::string_view(sum.line.resource).ends_with(kIdleAllocation)) {
                paid.idle_device_hours += sum.line.device_hours;
                return;
            }
            std::vector<LabelValue> named;
            for (const auto& [name, value] : use.tags) {
                named.push_back({name, value});
            }
            paid.usage.push_back(tenant_of(named, labels));
            paid.usage.back().device_hours = sum.line.device_hours;
        } else if (const LineUse whole = lines.use_of(sum.line); whole.of == LineUse::Of::compared) {
            cost += sum.line.effective_cost * whole.rate;
            device_hours += sum.line.device_hours;
            ++count;
        }
    });
    if (!paid.cost && count > 0) {
        if (model::Failure failure = lines.without_rate(); !failure.empty()) {
            return tl::unexpected(std::move(failure));
        }
        paid.cost = cost;
    }
    if (!paid.device_hours && device_hours > 0.0) {
        paid.device_hours = device_hours;
    }
    return paid;
}

// Divides the total cost among tenants.
class Division {
public:
    Division(const TenantCostsRequest& request, const Paid& paid, std::vector<std::string>& notes) {
        for (const TenantUsage& row : paid.usage) {
            add(all_, row);
        }
        set_hours(paid, notes);
        set_tokens(request, notes);
        total_.cost = paid.cost;
        total_.input_tokens = all_.input_tokens;
        total_.cached_input_tokens = all_.cached_input_tokens;
        total_.output_tokens = all_.output_tokens;
        total_.cost_per_million_tokens = a_million(paid.cost, all_.input_tokens + all_.output_tokens);
        if (total_.cost && total_.device_hours) {
            total_.idle_cost = *total_.cost * (*total_.idle_device_hours / *total_.device_hours);
        }
    }
    [[nodiscard]] const TenantTotal& total() const { return total_; }

    void write_shares(const TenantUsage& usage, TenantRow& row) const {
        const double tokens = usage.input_tokens + usage.output_tokens;
        row.input_tokens = usage.input_tokens;
        row.output_tokens = usage.output_tokens;
        if (total_.device_hours) {
            row.device_hours = usage.device_hours;
        }
        if (total_.cost && total_.device_hours && usage.device_hours) {
            row.by_device_hours.cost = *total_.cost * (*usage.device_hours / *total_.device_hours);
            row.by_device_hours.cost_per_million_tokens = a_million(row.by_device_hours.cost, tokens);
        }
        if (total_.cost && read_tokens(all_) + all_.output_tokens > 0.0) {
            const double cost = *total_.cost - total_.idle_cost.value_or(0.0);
            const double read = read_tokens(usage);
            TokenShare& share = row.by_tokens;
            share.input_cost = read > 0.0 ? cost * input_share_ * (read / read_tokens(all_)) : 0.0;
            share.output_cost =
                usage.output_tokens > 0.0 ? cost * (1.0 - input_share_) * (usage.output_tokens / all_.output_tokens) : 0.0;
            share.cost = *share.input_cost + *share.output_cost;
            share.cost_per_million_tokens = a_million(share.cost, tokens);
            share.cost_per_million_input = a_million(share.input_cost, read);
            share.cost_per_million_output = a_million(share.output_cost, usage.output_tokens);
        }
    }

private:
    [[nodiscard]] static double read_tokens(const TenantUsage& usage) {
        return std::max(0.0, usage.input_tokens - usage.cached_input_tokens);
    }
    void set_hours(const Paid& paid, std::vector<std::string>& notes) {
        const double of_all = all_.device_hours.value_or(0.0);
        if (of_all <= 0.0) {
            notes.emplace_back("no tenant's device-hours are known: what is idle is in each one's cost by tokens");
            return;
        }
        const double used = of_all + paid.idle_device_hours;
        if (paid.device_hours && *paid.device_hours < of_all) {
            notes.push_back(fmt::format("{:.6g} device-hours are paid and {:.6g} were used: shares are of those used",
                                        *paid.device_hours, of_all));
        }
        total_.device_hours = std::max(paid.device_hours.value_or(used), used);
        total_.idle_device_hours = *total_.device_hours - of_all;
    }
    // All prompts or all answers where the others have no tokens.
    void set_tokens(const TenantCostsRequest& request, std::vector<std::string>& notes) {
        const double read = read_tokens(all_);
        if (all_.input_tokens > 0.0 && read + all_.output_tokens <= 0.0) {
            notes.emplace_back(
                "a cache had all input tokens, and none came out: by tokens there is nothing to divide the cost over");
        }
        const bool has_time = all_.prefill_s > 0.0 && all_.decode_s > 0.0;
        total_.split = has_time ? TokenSplit::compute_time : TokenSplit::output_weight;
        const double input = has_time ? all_.prefill_s : read;
        const double output = has_time ? all_.decode_s : request.output_weight * all_.output_tokens;
        input_share_ = all_.output_tokens <= 0.0 ? 1.0 : read <= 0.0 ? 0.0 : input / (input + output);
    }

    TenantUsage all_;
    TenantTotal total_;
    double input_share_ = 0.0;
};

// Workloads that have no tag of their own for the model have their model as one.
model::ScenarioDocument with_model_tags(model::ScenarioDocument scenario) {
    for (model::Workload& workload : scenario.workloads) {
        if (!workload.model.empty()) {
            workload.tags.try_emplace("model", workload.model);
        }
    }
    return scenario;
}

void note_without_hours(std::string_view key, const std::map<std::string, TenantUsage>& by_tenant,
                        std::vector<std::string>& notes) {
    constexpr std::size_t kShown = 3;
    std::vector<std::string> without;
    for (const auto& [tenant, usage] : by_tenant) {
        if (!usage.device_hours) {
            without.push_back(tenant);
        }
    }
    if (!without.empty()) {
        const std::size_t shown = std::min(kShown, without.size());
        notes.push_back(fmt::format("device-hours of {} {}{} are not known: by device-hours what they used is in (idle), or in the "
                                    "shares of the others",
                                    key, fmt::join(without.begin(), without.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                                    shown < without.size() ? fmt::format(" and {} more", without.size() - shown) : ""));
    }
}

void write_key(const TenantKeyRow& key, const Paid& paid, const Division& division, const answers::Evaluated& evaluated,
               MonthRange months, TenantCostsAnswer& answer) {
    const std::string name(model::name_of(key.key));
    std::map<std::string, TenantUsage> by_tenant;
    for (const TenantUsage& row : paid.usage) {
        const std::string& tenant = row.*key.name;
        add(by_tenant[tenant.empty() ? std::string(model::kUntagged) : tenant], row);
    }
    const bool is_named = by_tenant.size() > 1 || !by_tenant.contains(std::string(model::kUntagged));
    const std::vector<std::string> keys = tag_keys(evaluated.scenario.document());
    const bool is_planned = std::ranges::find(keys, name) != keys.end();
    if (!is_named && !is_planned) {
        return; // nobody says who
    }
    std::map<std::string, double> planned;
    std::map<std::string, std::optional<double>> planned_tokens;
    if (is_planned) {
        planned = planned_by_tag(evaluated, months, name);
        planned_tokens = planned_tokens_by_tag(evaluated, months, name);
    }
    const TenantTotal& total = division.total();
    if (total.device_hours) {
        note_without_hours(name, by_tenant, answer.notes);
    }
    std::map<std::string, TenantRow> rows;
    for (const auto& [tenant, usage] : by_tenant) {
        division.write_shares(usage, rows[tenant]);
    }
    if (total.idle_device_hours.value_or(0.0) > 0.0) {
        TenantRow& idle = rows[std::string(model::kIdle)];
        idle.device_hours = total.idle_device_hours;
        idle.by_device_hours.cost = idle.by_tokens.cost = total.idle_cost;
    }
    for (const auto& [tenant, cost] : planned) {
        rows[tenant].planned_cost = cost;
    }
    for (const auto& [tenant, tokens] : planned_tokens) {
        rows[tenant].planned_tokens = tokens;
    }
    for (auto& [tenant, row] : rows) {
        row.key = key.key;
        row.tenant = tenant;
        answer.tenants.push_back(std::move(row));
    }
}

} // namespace

void check(TenantCostsRequest& request, const answers::QuestionLimits& /*limits*/, model::Failure& issues) {
    check_months(request, issues);
    if (!request.usage.empty() && request.metrics) {
        issues.push_back({"/usage", Code::inconsistent,
                          "give usage, rows of who used what, or metrics, two scrapes of counters: not both; neither where a "
                          "cluster's allocations say it"});
    }
    for (std::size_t i = 0; i < request.usage.size(); ++i) {
        const TenantUsage& row = request.usage[i];
        if (row.cached_input_tokens > row.input_tokens) {
            issues.push_back(
                {fmt::format("/usage/{}/cached_input_tokens", i), Code::inconsistent,
                 fmt::format("cached_input_tokens is {}, of {} input_tokens", row.cached_input_tokens, row.input_tokens)});
        }
    }
    if (request.bill) {
        request.bill->device = device_id(request.bill->device);
    }
}

model::Result<TenantCostsAnswer> tenant_costs(const TenantCostsRequest& request, const model::ScenarioDocument& scenario,
                                              const storage::Store& store) {
    const auto months = months_of(scenario, request);
    if (!months) {
        return tl::unexpected(months.error());
    }
    TenantCostsAnswer answer;
    auto usage = request.metrics ? tenant_usage(*request.metrics, answer.notes) : request.usage;
    if (!usage) {
        return tl::unexpected(std::move(usage.error()));
    }
    const auto evaluated = answers::evaluate_resolved(with_model_tags(scenario), "/scenario");
    if (!evaluated) {
        return tl::unexpected(evaluated.error());
    }
    const auto paid = paid_of(request, std::move(*usage), scenario, store);
    if (!paid) {
        return tl::unexpected(paid.error());
    }
    answer.from = request.from;
    answer.to = request.to;
    answer.currency = scenario.currency;
    if (!paid->cost) {
        answer.notes.emplace_back("there is no line of a bill of these months that fits: give cost");
    }
    const Division division(request, *paid, answer.notes);
    answer.total = division.total();
    for (const TenantKeyRow& key : kTenantKeys) {
        write_key(key, *paid, division, *evaluated, *months, answer);
    }
    if (division.total().input_tokens + division.total().output_tokens <= 0.0) {
        answer.notes.emplace_back("no tokens are known: give usage, or metrics of who serves them");
    }
    if (answer.tenants.empty()) {
        answer.notes.emplace_back("nothing names a team, a user or a model");
    }
    return answer;
}

model::Result<std::string> answer(const TenantCostsRequest& request, const model::ScenarioDocument& scenario,
                                  const storage::Store& store) {
    return tenant_costs(request, scenario, store).map([](const TenantCostsAnswer& found) { return answers::encode_answer(found); });
}

} // namespace costcurve::actuals
