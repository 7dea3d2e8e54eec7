// The reader of each format: a pure function from bytes to documents, in a file of its own. The table in formats.cpp names them.
#pragma once

#include "server/import/importer.hpp"

namespace costcurve::imports {

HardError read_hourly_prices(Bytes& bytes, const Options& options, Report& report);
HardError read_skypilot(Bytes& bytes, const Options& options, Report& report);
HardError read_focus(Bytes& bytes, const Options& options, Report& report);
HardError read_tpu_prices(Bytes& bytes, const Options& options, Report& report);
HardError read_epoch_prices(Bytes& bytes, const Options& options, Report& report);
HardError read_opencost(Bytes& bytes, const Options& options, Report& report);
HardError read_api_prices(Bytes& bytes, const Options& options, Report& report);
HardError read_gpu_catalog(Bytes& bytes, const Options& options, Report& report);
HardError read_slurm_prices(Bytes& bytes, const Options& options, Report& report);

} // namespace costcurve::imports
