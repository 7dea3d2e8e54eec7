// AIPerf's records: a request each, as lines of JSON or as a JSON of its own.
#pragma once

#include <string_view>
#include <vector>

#include "server/import/benchmarks/load_tests.hpp"

namespace costcurve::imports {

/// True of a text that begins as a record does: an object with "metadata" and a request's start.
[[nodiscard]] bool is_records_file(std::string_view text);

/// Records become runs: the lines of a file are one, the files that have a single record one together.
class AiperfRecords {
public:
    /// A record that can't be read is rejected with its line. Requests that failed or were cancelled, and those of the warm-up, are
    /// not counted.
    void read(const NamedText& file, std::size_t row, Report& report);
    /// A point a run: tokens of what was answered over the time from the first start to the last end, medians of the times.
    [[nodiscard]] std::vector<LoadPoint> points(Report& report) const;

private:
    struct Record {
        double start_s = 0.0, end_s = 0.0; ///< since the run's first record
        double input_tokens = 0.0, output_tokens = 0.0;
        double ttft_s = 0.0, token_s = 0.0; ///< 0: not known
    };
    struct Run {
        std::string file;
        std::size_t row = 0;
        double failed = 0.0;
        long long origin_ns = 0;
        std::vector<Record> records;
    };
    void read_record(std::string_view text, std::string_view file, std::size_t row, Run& run, Report& report);

    std::vector<Run> runs_;
    Run single_;
};

} // namespace costcurve::imports
