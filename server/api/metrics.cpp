// Prometheus' text format, version 0.0.4.
#include "server/api/metrics.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

namespace costcurve::api {

void Histogram::observe(double seconds) {
    const auto bucket = std::lower_bound(kSecondsBuckets.begin(), kSecondsBuckets.end(), seconds) - kSecondsBuckets.begin();
    counts_[static_cast<std::size_t>(bucket)].fetch_add(1, std::memory_order_relaxed);
    nanoseconds_.fetch_add(static_cast<std::uint64_t>(seconds * 1e9), std::memory_order_relaxed);
}

void Histogram::write(std::string& out, std::string_view name, const std::string& labels) const {
    const std::string_view comma = labels.empty() ? "" : ",";
    const std::string braced = labels.empty() ? "" : "{" + labels + "}";
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        below += counts_[i].load(std::memory_order_relaxed);
        const std::string bound = i < kSecondsBuckets.size() ? fmt::format("{}", kSecondsBuckets[i]) : "+Inf";
        fmt::format_to(std::back_inserter(out), "{}_bucket{{{}{}le=\"{}\"}} {}\n", name, labels, comma, bound, below);
    }
    const double sum = static_cast<double>(nanoseconds_.load(std::memory_order_relaxed)) / 1e9;
    fmt::format_to(std::back_inserter(out), "{}_sum{} {}\n{}_count{} {}\n", name, braced, sum, name, braced, below);
}

std::string label(std::string_view name, std::string_view value) {
    std::string text = std::string(name) + "=\"";
    for (const char c : value) {
        if (c == '"' || c == '\\') {
            text += '\\';
        }
        text += c;
    }
    return text + "\"";
}

void write_gauges(std::string& out, const std::vector<Gauge>& gauges) {
    std::string_view before;
    for (const Gauge& gauge : gauges) {
        if (gauge.name != before) {
            fmt::format_to(std::back_inserter(out), "# HELP {} {}\n# TYPE {} {}\n", gauge.name, gauge.help, gauge.name,
                           gauge.counts_up ? "counter" : "gauge");
            before = gauge.name;
        }
        const std::string braced = gauge.labels.empty() ? "" : "{" + gauge.labels + "}";
        fmt::format_to(std::back_inserter(out), "{}{} {}\n", gauge.name, braced, gauge.value);
    }
}

void Metrics::observe_request(std::string_view method, std::string_view path, int status, double seconds) {
    const std::string route = path.empty() ? "other" : fmt::format("{} {}", method, path);
    const std::lock_guard lock(mutex_);
    Requests& requests = requests_[route];
    requests.seconds.observe(seconds);
    ++requests.statuses[status];
}

std::string Metrics::text() const {
    std::string out;
    const std::lock_guard lock(mutex_);
    out += "# HELP costcurve_requests_total requests answered\n# TYPE costcurve_requests_total counter\n";
    for (const auto& [route, requests] : requests_) {
        for (const auto& [status, count] : requests.statuses) {
            fmt::format_to(std::back_inserter(out), "costcurve_requests_total{{{},status=\"{}\"}} {}\n", label("route", route),
                           status, count);
        }
    }
    out += "# HELP costcurve_request_seconds time in the handler\n# TYPE costcurve_request_seconds histogram\n";
    for (const auto& [route, requests] : requests_) {
        requests.seconds.write(out, "costcurve_request_seconds", label("route", route));
    }
    out += "# HELP costcurve_evaluation_seconds time to compile, evaluate and sum up a scenario\n"
           "# TYPE costcurve_evaluation_seconds histogram\n";
    evaluations.write(out, "costcurve_evaluation_seconds", "");
    return out;
}

} // namespace costcurve::api
