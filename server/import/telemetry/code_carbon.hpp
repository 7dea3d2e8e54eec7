// CodeCarbon's emissions.csv as telemetry: the energy of the GPUs of each run.
#pragma once

#include <string_view>

#include "server/import/telemetry/smi.hpp"

namespace costcurve::imports {

/// Reads gpu_energy (kWh) of each run as a counter of joules of each of its cards, in equal parts: from timestamp less duration (s)
/// on, evenly, to timestamp, which is local time (`time_zone`). Of rows of one run the longest counts, as they add up. A source is
/// the host, or codecarbon, a slash, the run and the number of the card. Runs without GPUs' energy are skipped; rejected are those
/// of several kinds of cards, and of more watts than a card draws. Hard errors: a column that is missing, no time zone, no run.
[[nodiscard]] HardError read_code_carbon(Bytes& bytes, const SmiOptions& options, Report& report);

/// Whether a text begins as theirs do.
[[nodiscard]] bool is_code_carbon(std::string_view beginning);

} // namespace costcurve::imports
