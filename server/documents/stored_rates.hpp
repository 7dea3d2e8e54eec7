// Rates of stored models, and performances for scenarios that state none.
#pragma once

#include <string>

#include "model/performance/rates.hpp"
#include "server/documents/references.hpp"

namespace costcurve::documents {

/// Every document of a kind in the source's snapshot, without references; those that can't be read, or whose references can't, are
/// left out. Empty where there is no store. `newest` becomes the newest that was listed, where that is newer.
template <class T> [[nodiscard]] std::vector<T> all_of_kind(Source& source, model::Stored* newest = nullptr);

/// The basis of rates: all models, devices and measurements of the source's snapshot.
[[nodiscard]] StoredRates read_rates(Source& source);

/// Whether a workload's entry needs a rate: its units are tokens of a stored model, and it states no performance.
[[nodiscard]] bool takes_rate(const model::ScenarioDocument& scenario, const model::Workload& workload, const model::RunsOn& entry);

/// Adds the performance found by model::rated_fit to each entry without one, for workloads with a stored model on pools of devices.
/// Adds to `issues` if there is none: the model exceeds the device's memory or context, or meets no objective. Workloads without
/// tokens and models that aren't stored are skipped. A stated performance measured with requests of another size is converted to
/// the workload's (model::at_mix_of) if possible.
void add_rated_performances(model::ScenarioDocument& scenario, const std::string& pointer, Source& source, model::Failure& issues);

} // namespace costcurve::documents
