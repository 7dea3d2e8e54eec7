// Jobs of Slurm's sacct(1): fields AllocTRES, Elapsed, JobID, Start and End.
#include "server/import/demand/sacct.hpp"

#include <algorithm>

#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

std::optional<double> gpus_of_tres(std::string_view tres) {
    constexpr std::string_view kGpus = "gres/gpu";
    std::optional<double> all;
    double typed = 0.0;
    for (std::size_t begin = 0; begin < tres.size();) {
        const std::size_t end = std::min(tres.find(',', begin), tres.size());
        const std::string_view part = tres.substr(begin, end - begin);
        const std::size_t equals = part.find('=');
        begin = end + 1;
        if (!part.starts_with(kGpus) || equals == std::string_view::npos) {
            continue;
        }
        const Number count = parse_number(part.substr(equals + 1));
        if (!count || count.value < 0.0) {
            return std::nullopt;
        }
        if (equals == kGpus.size()) {
            all = count.value;
        } else if (part[kGpus.size()] == ':') { // gres/gpumem and gres/gpuutil don't count GPUs
            typed += count.value;
        }
    }
    return all.value_or(typed);
}

std::optional<double> seconds_of_elapsed(std::string_view elapsed) {
    constexpr double kParts = 60.0;
    constexpr double kHoursOfDay = 24.0;
    double days = 0.0;
    if (const std::size_t dash = elapsed.find('-'); dash != std::string_view::npos) {
        const Number number = parse_number(elapsed.substr(0, dash));
        if (!number || number.value < 0.0) {
            return std::nullopt;
        }
        days = number.value;
        elapsed.remove_prefix(dash + 1);
    }
    double seconds = 0.0;
    std::size_t parts = 0;
    for (std::size_t begin = 0; begin <= elapsed.size(); ++parts) {
        const std::size_t end = std::min(elapsed.find(':', begin), elapsed.size());
        const Number number = parse_number(elapsed.substr(begin, end - begin));
        if (!number || number.value < 0.0) {
            return std::nullopt;
        }
        seconds = seconds * kParts + number.value;
        begin = end + 1;
    }
    return parts == 2 || parts == 3 ? std::optional(days * kHoursOfDay * kParts * kParts + seconds) : std::nullopt;
}

bool is_job_step(std::string_view job_id) { return job_id.find('.') != std::string_view::npos; }

bool is_no_time(std::string_view time) { return time == "Unknown" || time == "None" || time == "N/A"; }

} // namespace costcurve::imports
