// Fits rates for workloads without a performance, from models and measurements that are read once a source.
#include "server/documents/stored_rates.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "model/documents/walk.hpp"
#include "model/pairs/pair_work.hpp"
#include "model/performance/classes.hpp"
#include "model/performance/rated_fit.hpp"
#include "model/performance/training_rates.hpp"
#include "model/scenario.hpp"
#include "server/documents/records.hpp"

namespace costcurve::documents {

namespace {

using model::Code;

// The document as one that stands on its own: not the store's any more. A curve of money that states no currency goes on being one
// of the store: nobody knows that it is in the document's.
template <class T> void detach(T& document) {
    std::string pointer;
    model::walk(document, pointer, {}, [](auto& part, const std::string& /*where*/, const model::FieldSpec& /*spec*/) {
        using Part = std::decay_t<decltype(part)>;
        if constexpr (std::is_same_v<Part, model::Curve>) {
            part.stored = model::is_money(part.kind) && part.currency.empty() ? part.stored : model::Stored();
        } else if constexpr (model::is_stored<Part>) {
            part.stored = {};
        }
    });
}

model::Stored stored_as(const storage::Revision& revision) {
    return {false, revision.revision, revision.recorded_at, revision.sequence};
}

// What the rate comes of, as the store has it.
void note_origins(model::Performance& performance, const StoredRates& stored, Source& source) {
    performance.newest_read = stored.newest;
    performance.rated_by.push_back({model::document_name<model::Model>, performance.model, {}, {}});
    for (model::Origin& origin : performance.rated_by) {
        const auto kind = origin.kind == model::document_name<model::Model> ? storage::Kind::model : storage::Kind::measurement;
        if (const Found* const found = source.find({kind, origin.id})) {
            std::visit(
                [&]<class T>(const T& document) {
                    if constexpr (model::is_stored<T>) {
                        origin.source = document.source;
                        origin.stored = document.stored;
                    }
                },
                found->document);
        }
    }
}

struct Refusal {
    std::string_view reason; ///< of a fit
    Code code;
    std::string_view what;
};
constexpr auto kRefusals = std::to_array<Refusal>({
    {"exceeds_context", Code::too_large, "has a shorter context than the request"},
    {"no_peak_at_precision", Code::ineligible_precision, "has no peak_flops at a precision that it may run at"},
    {"exceeds_memory", Code::ineligible_memory, "takes more memory than the devices of one host have"},
    {"ineligible_latency", Code::ineligible_latency, "keeps the stated objectives at no load"},
});

// Gives one after the other, so that no more than a page of them is held.
template <class T, class Visit> void visit_all(Source& source, model::Stored* newest, const Visit& visit) {
    constexpr std::size_t kPage = 100;
    storage::ListQuery query;
    query.kind = kind_of<T>;
    query.limit = kPage;
    for (bool more = source.snapshot() != nullptr; more;) {
        const storage::Page page = source.snapshot()->list(query);
        for (const storage::Revision& revision : page.items) {
            if (newest != nullptr && revision.sequence > newest->sequence) {
                *newest = stored_as(revision);
            }
            std::optional<AnyDocument> document = decode_readable(revision);
            if (document && resolve(*document, "", source).empty()) {
                detach(std::get<T>(*document));
                visit(std::move(std::get<T>(*document)));
            }
        }
        more = page.more && !page.items.empty();
        query.after = more ? page.items.back().record.key.id : "";
    }
}

} // namespace

template <class T> std::vector<T> all_of_kind(Source& source, model::Stored* newest) {
    std::vector<T> all;
    visit_all<T>(source, newest, [&](T&& document) { all.push_back(std::move(document)); });
    return all;
}
template std::vector<model::Offer> all_of_kind(Source& source, model::Stored* newest);
template std::vector<model::Server> all_of_kind(Source& source, model::Stored* newest);
template std::vector<model::Site> all_of_kind(Source& source, model::Stored* newest);
template std::vector<model::Performance> all_of_kind(Source& source, model::Stored* newest);
template std::vector<model::Model> all_of_kind(Source& source, model::Stored* newest);
template std::vector<model::Device> all_of_kind(Source& source, model::Stored* newest);
template std::vector<model::Measurement> all_of_kind(Source& source, model::Stored* newest);
template std::vector<model::Endpoint> all_of_kind(Source& source, model::Stored* newest);
template std::vector<model::Curve> all_of_kind(Source& source, model::Stored* newest);

StoredRates read_rates(Source& source) {
    StoredRates read;
    std::vector<model::MeasuredPoint> points;
    std::vector<model::MeasuredRun> runs;
    visit_all<model::Measurement>(source, &read.newest, [&](const model::Measurement& measurement) {
        model::add_points(measurement, points);
        model::add_runs(measurement, runs);
    });
    const std::vector<model::Model> models = all_of_kind<model::Model>(source, &read.newest);
    const std::vector<model::Device> devices = all_of_kind<model::Device>(source, &read.newest);
    read.rates = std::make_shared<const model::Rates>(models, devices, std::move(points));
    read.training = std::make_shared<const model::TrainingRates>(models, devices, std::move(runs));
    return read;
}

bool takes_rate(const model::ScenarioDocument& scenario, const model::Workload& workload, const model::RunsOn& entry) {
    const auto pool = std::ranges::find(scenario.pools, entry.pool, &model::Pool::id);
    return !entry.performance && !workload.model.empty() && workload.unit == "token" && pool != scenario.pools.end() &&
           pool->kind != model::PoolKind::api;
}

namespace {

// The entry's own rate, of a stated mix: for the workload's request where it was measured with another.
void take_stated_rate(model::Performance& performance, const model::Workload& workload, const model::Device& device,
                      Source& source) {
    const std::string& id = performance.model.empty() ? workload.model : performance.model;
    if (performance.mix->cached_input > performance.mix->input) {
        return; // a rule says what is wrong
    }
    const bool is_other_model = !workload.model.empty() && id != workload.model; // a rule warns
    const Found* const found = is_other_model || id.empty() ? nullptr : source.find({storage::Kind::model, id});
    if (found == nullptr) {
        return;
    }
    const model::Model facts = std::get<model::Model>(found->document);
    performance.is_above_ceiling = model::is_above_ceiling(workload, performance, facts, device);
    if (!model::has_other_mix(performance, workload)) {
        return;
    }
    const StoredRates& stored = source.rates();
    if (auto wanted = model::at_mix_of(workload, performance, *stored.rates, facts, device)) {
        performance = std::move(*wanted);
        performance.model = id;
        note_origins(performance, stored, source);
    }
}

// Takes the prompt cache's size from the stored model if the pair doesn't state it.
void take_cache_bytes(model::Workload& workload, Source& source) {
    model::RunsOn& sender = workload.runs_on.front();
    const double prompt = model::prompt_of(model::mean_request(workload));
    const Found* const found = sender.cache_bytes_per_token || workload.model.empty() || prompt <= 0.0
                                   ? nullptr
                                   : source.find({storage::Kind::model, workload.model});
    if (found == nullptr) {
        return; // a rule says what is missing
    }
    sender.cache_bytes_per_token = model::cache_bytes_per_token(std::get<model::Model>(found->document), workload,
                                                                sender.performance ? sender.performance->precision : "");
}

void take_rate(model::RunsOn& entry, const model::Workload& workload, const model::Pool& pool, const std::string& pointer,
               Source& source, model::Failure& issues) {
    const model::Device& device = *device_of(pool);
    const Found* const found = source.find({storage::Kind::model, workload.model});
    if (found == nullptr) {
        return; // a rule says what is missing
    }
    const model::Model facts = std::get<model::Model>(found->document);
    const StoredRates& stored = source.rates();
    const int devices = model::devices_per_unit(pool);
    model::Fit fit = workload.kind == model::WorkloadKind::training
                         ? model::rated_training_fit(*stored.training, facts, device, workload, devices)
                         : model::rated_fit(*stored.rates, facts, device, workload, devices);
    if (fit.performance) {
        note_origins(*fit.performance, stored, source);
        entry.performance = std::move(*fit.performance);
        if (entry.phase) { // no replica that does half of a request was measured
            entry.performance->basis = std::max(entry.performance->basis, model::Evidence::estimated);
        }
        return;
    }
    const Refusal& refusal = *std::ranges::find(kRefusals, fit.reason, &Refusal::reason);
    issues.push_back({pointer, refusal.code,
                      fmt::format("{} on {} {}; state a performance, another pool or a narrower precision", workload.model,
                                  device.id, refusal.what)});
}

} // namespace

void add_rated_performances(model::ScenarioDocument& scenario, const std::string& pointer, Source& source, model::Failure& issues) {
    for (std::size_t w = 0; w < scenario.workloads.size() && source.snapshot() != nullptr; ++w) {
        model::Workload& workload = scenario.workloads[w];
        if (model::is_pair(workload)) {
            take_cache_bytes(workload, source);
        }
        for (std::size_t r = 0; r < workload.runs_on.size(); ++r) {
            model::RunsOn& entry = workload.runs_on[r];
            const model::Workload work = model::work_of_entry(workload, r, scenario.pools);
            const auto pool = std::ranges::find(scenario.pools, entry.pool, &model::Pool::id);
            const model::Device* const device = pool == scenario.pools.end() ? nullptr : device_of(*pool);
            if (device == nullptr) {
                continue;
            }
            if (entry.performance && entry.performance->mix) {
                take_stated_rate(*entry.performance, work, *device, source);
            } else if (takes_rate(scenario, workload, entry)) {
                take_rate(entry, work, *pool, fmt::format("{}/workloads/{}/runs_on/{}/performance", pointer, w, r), source, issues);
            }
        }
    }
}

} // namespace costcurve::documents
