// The reader of each format: a pure function from bytes to documents, in a file of its own. The table in formats.cpp names them.
#pragma once

#include "server/import/importer.hpp"

namespace costcurve::imports {

HardError read_aiconfigurator(Bytes& bytes, const Options& options, Report& report);
HardError read_calculon(Bytes& bytes, const Options& options, Report& report);
HardError read_day_ahead(Bytes& bytes, const Options& options, Report& report);
HardError read_epoch_hardware(Bytes& bytes, const Options& options, Report& report);
HardError read_grid_carbon(Bytes& bytes, const Options& options, Report& report);
HardError read_hourly_prices(Bytes& bytes, const Options& options, Report& report);
HardError read_instance_power(Bytes& bytes, const Options& options, Report& report);
HardError read_openei(Bytes& bytes, const Options& options, Report& report);
HardError read_power_distribution(Bytes& bytes, const Options& options, Report& report);
HardError read_specpower(Bytes& bytes, const Options& options, Report& report);
HardError read_utilization_distribution(Bytes& bytes, const Options& options, Report& report);
HardError read_zeus_power(std::span<const NamedText> files, const Options& options, Report& report);

} // namespace costcurve::imports
