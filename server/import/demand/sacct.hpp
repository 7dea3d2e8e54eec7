// Cells of Slurm's accounting, as `sacct --parsable2` prints them.
#pragma once

#include <optional>
#include <string_view>

namespace costcurve::imports {

/// Number of GPUs in AllocTRES such as "billing=8,cpu=8,gres/gpu=2,gres/gpu:a100=2,mem=64G": the value of gres/gpu, else the sum
/// over its types. 0 if it lists no GPUs; nothing if a count is malformed.
[[nodiscard]] std::optional<double> gpus_of_tres(std::string_view tres);

/// Seconds of [DD-]HH:MM:SS or MM:SS; nothing if malformed.
[[nodiscard]] std::optional<double> seconds_of_elapsed(std::string_view elapsed);

/// Whether a record is a step of a job, such as 123.batch or 123.0. The job has a record of its own.
[[nodiscard]] bool is_job_step(std::string_view job_id);

/// Whether a time is sacct's placeholder for a job that didn't start or hasn't ended.
[[nodiscard]] bool is_no_time(std::string_view time);

} // namespace costcurve::imports
