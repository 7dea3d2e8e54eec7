// Stored scenarios evaluated for a run: between their JSON and the work that drives them.
#pragma once

#include <string>

#include "server/storage/run.hpp"
#include "server/work/resolve.hpp"

namespace costcurve::api {

/// What work::Recalculate asks for: the scenario's result, packed; nothing new where its inputs hash as before; or what is wrong
/// with it, as a list of issues in JSON.
[[nodiscard]] storage::RunOutcome recalculate(const storage::RunItem& item, work::Source& source);

/// {id, state, scenarios, …, total, done, evaluated, unchanged, failed, eta_s, waits_for}: `done` may be ahead of what is stored;
/// `waits_for` "" is null; `elapsed_s` since it started gives the time that is left. With failures where they are given.
[[nodiscard]] std::string encode_run(const storage::Run& run, std::int64_t done, std::string_view waits_for, double elapsed_s,
                                     const std::vector<storage::RunFailure>* failures = nullptr);

} // namespace costcurve::api
