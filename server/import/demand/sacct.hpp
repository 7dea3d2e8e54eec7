// Cells of Slurm's accounting, as `sacct --parsable2` prints them.
#pragma once

#include <optional>
#include <string_view>

namespace costcurve::imports {

/// GPUs of AllocTRES such as "billing=8,cpu=8,gres/gpu=2,gres/gpu:a100=2,mem=64G": gres/gpu, else the sum of its types. 0 where it
/// names none; nothing where a number of them is none.
[[nodiscard]] std::optional<double> gpus_of_tres(std::string_view tres);

/// Seconds of [DD-]HH:MM:SS or MM:SS; nothing where it is none.
[[nodiscard]] std::optional<double> seconds_of_elapsed(std::string_view elapsed);

/// Whether the record is a step of a job, such as 123.batch or 123.0, whose job has a record of its own.
[[nodiscard]] bool is_job_step(std::string_view job_id);

/// Whether a time is one that sacct prints where there is none: of a job that didn't start, or hasn't ended.
[[nodiscard]] bool is_no_time(std::string_view time);

} // namespace costcurve::imports
