// Reads AIPerf's request records: one record per JSON line, or one JSON file per record.
#pragma once

#include <string_view>
#include <vector>

#include "server/import/benchmarks/load_tests.hpp"

namespace costcurve::imports {

/// Whether a text begins like a record: an object with "metadata" and a request's start time.
[[nodiscard]] bool is_records_file(std::string_view text);

/// Groups records into runs. All lines of a JSON-lines file form one run; all files with a single record form one run together.
class AiperfRecords {
public:
    /// Adds the records of a file. A record that can't be read is rejected with its line number. Failed, cancelled and warm-up
    /// requests are not counted.
    void read(const NamedText& file, std::size_t row, Report& report);
    /// One point per run: tokens of successful requests divided by the time from the first start to the last end, with median
    /// latencies.
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
