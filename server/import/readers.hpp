// The reader of each format: a pure function from bytes to documents, in a file of its own. The table in formats.cpp names them.
#pragma once

#include "server/import/importer.hpp"

namespace costcurve::imports {

HardError read_hourly_prices(Bytes& bytes, const Options& options, Report& report);
HardError read_llm_trace(Bytes& bytes, const Options& options, Report& report);
HardError read_request_log(Bytes& bytes, const Options& options, Report& report);
HardError read_request_rate(Bytes& bytes, const Options& options, Report& report);
HardError read_gpu_duty_cycle(Bytes& bytes, const Options& options, Report& report);

} // namespace costcurve::imports
