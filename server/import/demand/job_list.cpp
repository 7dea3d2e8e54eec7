// Reads jobs with their times and GPU counts as busy GPUs by hour: demand, and utilization if the cluster's number of GPUs is
// known.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "server/import/demand/cluster_tables.hpp"
#include "server/import/demand/sacct.hpp"
#include "server/import/demand/week_hours.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/read_rows.hpp"
#include "server/import/text/utf8.hpp"

namespace costcurve::imports {

namespace {

constexpr double kMilliPerGpu = 1000.0;
constexpr double kMaxGpus = 1e6;        // per job
constexpr double kBin = 900.0;          // s; hours of every time zone begin at the start of a bin
constexpr double kMinJobSeconds = 1800; // seconds of an hour that the window must cover for that hour to get a value of its own

struct JobListJob {
    double start = 0.0;
    double end = 0.0;
    double gpus = 0.0;
};

// GPU-seconds in each quarter-hour of the window. Takes time linear in jobs and bins.
std::vector<double> busy_of(const std::vector<JobListJob>& jobs, double begin, std::size_t bins) {
    std::vector<double> partly(bins);     // GPU-seconds of jobs that begin or end in the bin
    std::vector<double> change(bins + 1); // change in the number of GPUs busy during the whole bin
    for (const JobListJob& job : jobs) {
        const auto first = static_cast<std::size_t>((job.start - begin) / kBin);
        const auto last = std::min(static_cast<std::size_t>((job.end - begin) / kBin), bins - 1);
        if (first == last) {
            partly[first] += job.gpus * (job.end - job.start);
            continue;
        }
        partly[first] += job.gpus * (begin + static_cast<double>(first + 1) * kBin - job.start);
        partly[last] += job.gpus * (job.end - begin - static_cast<double>(last) * kBin);
        change[first + 1] += job.gpus;
        change[last] -= job.gpus;
    }
    double busy = 0.0;
    for (std::size_t i = 0; i < bins; ++i) {
        busy += change[i];
        partly[i] += busy * kBin;
    }
    return partly;
}

class Jobs {
public:
    Jobs(const Options& options, Report& report) : clock_(options, 1.0), options_(options), report_(report) {}

    static bool is_job_list(Table& table) {
        const bool is_sacct = table.column("alloc_tres") && table.column("start") && table.column("end");
        return is_sacct || (start_of(table) && end_of(table) && gpus_of(table));
    }

    HardError read(Table& table) { return table.column("alloc_tres") ? read_sacct(table) : read_jobs(table); }

    HardError read_jobs(Table& table) {
        const Column start = start_of(table);
        const Column end = end_of(table);
        const Column gpus = gpus_of(table);
        const Column milli = table.column("gpu_milli");
        return each_row(table, report_, [&]() -> std::string {
            const Number count = table.number(gpus);
            const Number share = milli ? table.number(milli) : Number{Number::State::good, kMilliPerGpu};
            if (count && count.value == 0.0) {
                ++report_.skipped; // CPU-only job
                return "";
            }
            if (!count || count.value < 0.0 || count.value > kMaxGpus) {
                return count.state == Number::State::blank ? "its number of GPUs is blank: it is unknown, not 0"
                                                           : "its number of GPUs is no number from 0 to 1e6";
            }
            if (!share || share.value <= 0.0 || share.value > kMilliPerGpu) {
                return "gpu_milli is no number above 0 and up to 1000, a whole GPU";
            }
            if (table.text(start).empty()) {
                ++report_.skipped; // it never ran
                return "";
            }
            return add(table, start, end, count.value * share.value / kMilliPerGpu);
        });
    }

    // Reads Slurm's accounting. For a job that is still running, Elapsed is the time until now.
    HardError read_sacct(Table& table) {
        const Column start = table.column("start");
        const Column end = table.column("end");
        const Column elapsed = table.column("elapsed");
        const Column job = table.column("job_id");
        const Column tres = table.column("alloc_tres");
        return each_row(table, report_, [&]() -> std::string {
            const std::optional<double> gpus = gpus_of_tres(table.text(tres));
            if (!gpus || *gpus > kMaxGpus) {
                return "gres/gpu of its AllocTRES is no number from 0 to 1e6";
            }
            if (*gpus == 0.0 || is_job_step(table.text(job)) || is_no_time(table.text(start))) {
                ++report_.skipped; // CPU-only job, step of another job, or job that never ran
                return "";
            }
            if (!is_no_time(table.text(end))) {
                return add(table, start, end, *gpus);
            }
            std::string problem;
            const std::optional<double> from = clock_.read(table.text(start), problem);
            const std::optional<double> seconds = seconds_of_elapsed(table.text(elapsed));
            if (!from || !seconds) {
                return !from ? fmt::format("its start {}", problem)
                             : "it hasn't ended, and Elapsed, as [DD-]HH:MM:SS, is missing: it is needed of jobs that run";
            }
            add(table, *from, *from + *seconds, *gpus);
            return "";
        });
    }

    HardError end(const Nodes& nodes) {
        if (jobs_.empty()) {
            return hard_error(model::Code::missing, 0, "no job on GPUs that ran is in it");
        }
        if (HardError error = window_.error()) {
            return error;
        }
        const double begin = std::floor(window_.first / kBin) * kBin;
        const auto bins = static_cast<std::size_t>((window_.last - begin) / kBin) + 1;
        const std::vector<double> busy = busy_of(jobs_, begin, bins);
        WeekHours sums{};
        for (std::size_t i = 0; i < bins; ++i) {
            sums[static_cast<std::size_t>(week_hour(clock_.local(begin + static_cast<double>(i) * kBin)))] += busy[i];
        }
        const HourShape shape =
            shape_of(sums, covered_seconds(window_, clock_), kMinJobSeconds, window_.seconds(), clock_.is_anchored());
        if (shape.y.size() == 1) {
            report_.warnings.add(
                0, clock_.is_anchored()
                       ? "fewer than 20 hours of the day are in it: no shape over the day is known from it, the curve is flat"
                       : "its times count from an unknown day: give `date` for the hours of the week; the curve is flat");
        }
        const std::string text = fmt::format("{} jobs from {} to {} ({:.1f} days, {}): {:.6g} GPUs busy on the mean", jobs_.size(),
                                             clock_.text(window_.first), clock_.text(window_.last),
                                             window_.seconds() / kSecondsPerDay, clock_.describe(), shape.mean);
        give(shape, model::CurveKind::demand, 1.0 / shape.mean, "demand", fmt::format("{}. {}", text, describe(shape, clock_)));
        return give_utilization(shape, nodes, text);
    }

private:
    static Column start_of(Table& table) { return table.column({"scheduled_time", "start_time", "started_at"}); }
    static Column end_of(Table& table) { return table.column({"deletion_time", "end_time", "finished_at"}); }
    static Column gpus_of(Table& table) { return table.column({"num_gpu", "gpu_num", "gpus", "num_gpus"}); }

    // Adds a job. Gives the reason if it can't be used, else "".
    std::string add(const Table& table, Column start, Column end, double gpus) {
        std::string problem;
        const std::optional<double> from = clock_.read(table.text(start), problem);
        if (!from) {
            return fmt::format("its start {}", problem);
        }
        const std::optional<double> until = clock_.read(table.text(end), problem);
        if (!until) {
            return fmt::format("its end {}", problem);
        }
        if (*until < *from) {
            return "it ends before it starts";
        }
        add(table, *from, *until, gpus);
        return "";
    }
    void add(const Table& table, double from, double until, double gpus) {
        window_.add(from, table.row());
        window_.add(until, table.row());
        if (until > from) {
            jobs_.push_back({from, until, gpus});
        } else {
            ++report_.skipped; // zero duration
        }
    }

    HardError give_utilization(const HourShape& shape, const Nodes& nodes, const std::string& text) const {
        const Number option = parse_number(options_.devices);
        const double devices = option ? option.value : nodes.devices;
        if (devices <= 0.0) {
            return std::nullopt;
        }
        const double peak = *std::max_element(shape.y.begin(), shape.y.end());
        if (peak > devices) {
            return hard_error(
                model::Code::out_of_range, 0,
                fmt::format("{:.1f} GPUs are busy in one hour on the mean, and there are {:.0f}: give those of all nodes that "
                            "the jobs ran on",
                            peak, devices));
        }
        const std::string of = option ? fmt::format("{:.0f} GPUs, as given", devices) : imports::describe(nodes);
        give(shape, model::CurveKind::utilization, 1.0 / devices, "utilization",
             fmt::format("{}, of {}. A GPU counts as busy while a job holds it. {}", text, of, describe(shape, clock_)));
        return std::nullopt;
    }

    void give(const HourShape& shape, model::CurveKind kind, double factor, std::string_view what, std::string note) const {
        report_.add(curve_of(shape, kind, factor, make_id({options_.id, what}), options_, std::move(note)));
    }

    FileClock clock_;
    const Options& options_;
    Report& report_;
    std::vector<JobListJob> jobs_;
    Window window_;
};

} // namespace

HardError read_job_list(std::span<const NamedText> files, const Options& options, Report& report) {
    Nodes nodes;
    Options named = options;
    Jobs jobs(named, report);
    bool has_jobs = false;
    for (const NamedText& file : files) {
        Bytes bytes(file.text);
        Table table(bytes);
        HardError error;
        if (Jobs::is_job_list(table)) {
            if (has_jobs) {
                return hard_error(model::Code::not_allowed, 0,
                                  "there is more than one list of jobs: import one after the other, each with its id");
            }
            has_jobs = true;
            named.name = file.name;
            error = jobs.read(table);
        } else if (is_cluster_summary(table)) {
            error = read_cluster_summary(table, report);
        } else if (is_node_list(table)) {
            error = read_nodes(table, nodes, report);
        } else if (table.error()) {
            error = table.error();
        } else {
            error = hard_error(model::Code::missing, 1,
                               fmt::format("{} is no list of jobs (num_gpu, scheduled_time, deletion_time; of sacct AllocTRES, "
                                           "Start, End), of nodes (gpu, model) or of "
                                           "clusters (gpu_job_num, complete_gpu_time)",
                                           file.name.empty() ? "the file" : std::string(clipped(file.name))));
        }
        if (error) {
            return error;
        }
    }
    if (has_jobs) {
        return jobs.end(nodes);
    }
    if (nodes.nodes > 0) {
        report.warnings.add(
            0, fmt::format("{}. A list of nodes makes no document by itself: give it with the list of jobs that ran on them",
                           describe(nodes)));
    }
    return report.rows == 0 || report.rejected.count == report.rows
               ? hard_error(model::Code::missing, 0, "nothing in it can be used")
               : HardError();
}

} // namespace costcurve::imports
