// The verbs of the command line. Each takes its options and returns the exit status.
#pragma once

#include <string>
#include <vector>

namespace costcurve::commands {

/// Exit statuses: 0 done, 1 the world failed (a file, a port), 2 a document or option is wrong.
enum ExitStatus { kDone = 0, kWorldFailed = 1, kWrongInput = 2 };

struct EvaluateOptions {
    std::vector<std::string> files; ///< scenario documents; "-" is standard input
    std::string format = "table";   ///< table, json (a line a scenario) or csv (the ledger)
    bool ledger = false;            ///< json: add the ledger's rows
};
[[nodiscard]] int evaluate(const EvaluateOptions& options);

struct ServeOptions {
    std::string host = "127.0.0.1";
    int port = 8080;
    std::string log_level = "info";
};
[[nodiscard]] int serve(const ServeOptions& options);

} // namespace costcurve::commands
