// Rates of models that are stored, and the performances of scenarios that state none.
#pragma once

#include <string>

#include "model/performance/rates.hpp"
#include "server/documents/references.hpp"

namespace costcurve::documents {

/// Every document of a kind in the source's snapshot, without references; those that can't be read, or whose references can't, are
/// left out. Empty where there is no store. `newest` becomes the newest that was listed, where that is newer.
template <class T> [[nodiscard]] std::vector<T> all_of_kind(Source& source, model::Stored* newest = nullptr);

/// What rates are made of: all models, devices and measurements of the source's snapshot.
[[nodiscard]] StoredRates read_rates(Source& source);

/// Whether the entry of the workload takes a rate: its units are tokens of a stored model, and it states no performance.
[[nodiscard]] bool takes_rate(const model::ScenarioDocument& scenario, const model::Workload& workload, const model::RunsOn& entry);

/// Gives each entry of a workload with a stored model, on a pool of devices, that states no performance the one that
/// model::rated_fit finds. Adds to `issues` where there is none: the model exceeds the device's memory or context, or keeps no
/// objective. Workloads that are not of tokens, and models that are not stored, are left as they are. A stated performance that
/// was measured with requests of another size is converted to the workload's (model::at_mix_of) where possible.
void add_rated_performances(model::ScenarioDocument& scenario, const std::string& pointer, Source& source, model::Failure& issues);

} // namespace costcurve::documents
