// Whether what hosts state of their speed is plausible.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/documents/documents.hpp"
#include "server/storage/snapshot.hpp"

namespace costcurve::ingest {

/// Whether an endpoint states any of it.
[[nodiscard]] bool states_speed(const model::Endpoint& endpoint);

/// Why endpoints are held: a latency below 20 ms, or a tenth or ten times what other hosts of the same model state, or beyond, or a
/// tenth or twenty times what all hosts do where none of the model states any; any of it a fifth or five times what the same host
/// stated before. Not compared with others is what was so far from them before, and has moved by less than twice.
[[nodiscard]] std::map<storage::DocumentKey, std::string> reasons_of_speeds(const storage::Snapshot& snapshot,
                                                                            const std::vector<model::Endpoint>& listed);

} // namespace costcurve::ingest
