// `costcurve serve`: puts store, routes and sockets together, logs, and listens to signals.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <exception>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <malloc.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include "model/version.hpp"
#include "server/api/access.hpp"
#include "server/api/events.hpp"
#include "server/api/json_text.hpp"
#include "server/api/problem.hpp"
#include "server/api/recalculation.hpp"
#include "server/api/records.hpp"
#include "server/api/routes.hpp"
#include "server/api/standings.hpp"
#include "server/commands/commands.hpp"
#include "server/http/server.hpp"
#include "server/work/dispatcher.hpp"
#include "server/work/recalculate.hpp"
#include "server/work/scheduler.hpp"

namespace costcurve::commands {

namespace {

// In JSON a line's fields stand beside the time and the level; the message is their object without its brackets.
void set_up_log(const ServeOptions& options) {
    spdlog::set_level(spdlog::level::from_str(options.log_level));
    if (options.log_format == "json") {
        spdlog::set_pattern(R"({"time":"%Y-%m-%dT%H:%M:%S.%f%z","level":"%l",%v})");
    }
}

class Log {
public:
    explicit Log(bool json) : json_(json) {}

    void access(const http::Request& request, const http::Response& response, double milliseconds) const {
        if (!spdlog::should_log(spdlog::level::info)) {
            return;
        }
        if (json_) {
            api::JsonWriter out;
            out.begin_object().member("event", "request").member("method", request.method).member("path", request.path);
            out.member("status", response.status).member("ms", milliseconds);
            out.member("bytes", static_cast<double>(response.body.size())).member("id", request.request_id);
            write(spdlog::level::info, out.end_object().take());
        } else {
            spdlog::info("{} {} {} {:.2f} ms {} bytes id={}", request.method, request.path, response.status, milliseconds,
                         response.body.size(), request.request_id);
        }
    }
    void event(spdlog::level::level_enum level, std::string_view event, std::string_view detail, std::string_view id = "") const {
        if (json_) {
            api::JsonWriter out;
            out.begin_object().member("event", event).member("detail", detail).member("id", id).end_object();
            write(level, out.take());
        } else {
            spdlog::log(level, "{}: {}{}{}", event, detail, id.empty() ? "" : " id=", id);
        }
    }

private:
    static void write(spdlog::level::level_enum level, const std::string& object) {
        spdlog::log(level, "{}", std::string_view(object).substr(1, object.size() - 2));
    }
    bool json_;
};

// A connection takes one; the usual limit of 1024 is low for the sake of programs that use select.
void raise_descriptor_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit); // where it fails, the server closes idle connections sooner
    }
}

sigset_t handled_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
    return signals;
}

// Until a signal that ends the daemon; SIGHUP reads the log level again.
void wait_for_end(const sigset_t& signals, const ServeOptions& options, const Log& log) {
    while (true) {
        int signal = 0;
        sigwait(&signals, &signal);
        if (signal != SIGHUP) {
            log.event(spdlog::level::info, "stopping", "requests in flight are finished");
            return;
        }
        const std::string level = options.reread_log_level ? options.reread_log_level() : "";
        if (level.empty()) {
            log.event(spdlog::level::warn, "reload", "the settings can't be read; nothing is changed");
            continue;
        }
        spdlog::set_level(spdlog::level::from_str(level));
        log.event(spdlog::level::info, "reload", "log level is " + level);
    }
}

// Whether it may listen there, as far as keys go; says why not.
bool may_listen(const ServeOptions& options, const storage::Store& store) {
    const std::vector<storage::ApiKey> keys = store.keys();
    const bool any = std::any_of(keys.begin(), keys.end(), [](const storage::ApiKey& key) { return key.revoked_at.empty(); });
    const bool needed = options.require_keys || !api::is_loopback(options.host);
    if (needed && !any) {
        fmt::print(stderr, "{}: API keys are needed, and there is none; make one with: costcurve keys add NAME --role admin\n",
                   api::is_loopback(options.host) ? "--require-keys" : "--host " + options.host);
    }
    return any || !needed;
}

http::Settings http_settings(const ServeOptions& options) {
    http::Settings settings;
    settings.host = options.host;
    settings.port = options.port;
    // A long question holds a worker while its own threads work: those that are left answer as if there were none.
    const std::size_t workers = options.threads > 0 ? options.threads : std::max(2U, std::thread::hardware_concurrency());
    settings.threads = workers + options.questions.at_once;
    settings.max_body_bytes = 64U << 20U; // of an imported file; the API allows JSON less
    return settings;
}

// What fails in the middle of a stream stays in the log; the client sees an answer cut short.
http::Producer logged(http::Producer produce, const Log& log, const std::string& id) {
    return [produce = std::move(produce), &log, id](std::string& out) {
        try {
            return produce(out);
        } catch (const std::exception& error) {
            log.event(spdlog::level::err, "failed", error.what(), id);
            throw;
        }
    };
}

std::vector<api::Gauge> gauges_of(const http::ServerStats& stats) {
    return {
        {"costcurve_connections", "open connections", static_cast<double>(stats.connections)},
        {"costcurve_queue", "requests that wait for a worker", static_cast<double>(stats.queued)},
        {"costcurve_busy_workers", "workers that answer a request", static_cast<double>(stats.busy_workers)},
        {"costcurve_streams", "streamed answers under way", static_cast<double>(stats.streams)},
        {"costcurve_saturated_total", "requests refused with 503", static_cast<double>(stats.refused_saturated), true},
    };
}

work::DispatchSettings dispatch_settings(const ServeOptions& options, const Log& log) {
    return {options.allow_private_webhooks, options.webhook_retry_s, api::encode_event,
            [&log](std::string_view what, bool is_failure) {
                log.event(is_failure ? spdlog::level::err : spdlog::level::warn, is_failure ? "failed" : "dead delivery", what);
            }};
}

work::SchedulerSettings scheduler_settings(storage::Store& store, work::Recalculator& recalculator, const Log& log) {
    const auto start = [&](const model::Schedule& schedule) {
        const bool queued = work::queue_run(store, schedule, std::string(model::kModelVersion));
        recalculator.wake();
        return queued;
    };
    return {api::decode_revision, start, [&log](std::string_view what) { log.event(spdlog::level::err, "schedule", what); }};
}

int serve_store(const ServeOptions& options, storage::Store& store) {
    // Blocked before any thread starts, so that only the waiting one below takes them.
    const sigset_t signals = handled_signals();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    const Log log(options.log_format == "json");
    api::Service service(
        store,
        {options.require_keys || !api::is_loopback(options.host), options.rate_limit, options.cors_origins, options.allowed_hosts},
        options.questions);
    work::Dispatcher dispatcher(store, dispatch_settings(options, log));
    service.wake_dispatcher = [&dispatcher] { dispatcher.wake(); };
    work::Recalculator recalculator(store,
                                    {.model_version = std::string(model::kModelVersion),
                                     .recalculate = api::recalculate,
                                     .steps_back = true,
                                     .at_end = api::record_end,
                                     .ended = service.wake_dispatcher},
                                    [&](std::string_view what) { log.event(spdlog::level::err, "recalculation", what); });
    service.recalculator = &recalculator;
    service.log_error = [&](std::string_view what, std::string_view id) { log.event(spdlog::level::err, "failed", what, id); };
    work::Scheduler scheduler(store, scheduler_settings(store, recalculator, log));
    scheduler.begin();
    const auto answer = [&](const http::Request& request) {
        const auto start = std::chrono::steady_clock::now();
        http::Response response = api::dispatch(service, request);
        if (response.stream) {
            response.stream = logged(std::move(response.stream), log, request.request_id);
        }
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
        log.access(request, response, took.count());
        return response;
    };
    const auto refuse = [&](int status, std::string_view detail, std::string_view id) {
        log.event(spdlog::level::info, fmt::format("refused {}", status), detail, id);
        return api::problem(status, detail, id);
    };
    http::Server server(http_settings(options), answer, refuse);
    service.transport_gauges = [&server] { return gauges_of(server.stats()); };
    std::thread stopper([&] {
        wait_for_end(signals, options, log);
        server.stop();
    });
    const bool v6 = options.host.find(':') != std::string::npos;
    fmt::print("costcurve listens on http://{}{}{}:{}\n", v6 ? "[" : "", options.host, v6 ? "]" : "", server.port());
    std::fflush(stdout);
    server.run();
    stopper.join(); // run ends by the signal alone
    return kDone;
}

} // namespace

void keep_memory() {
    constexpr int kKept = 16 << 20; // bytes
    mallopt(M_TRIM_THRESHOLD, kKept);
    mallopt(M_MMAP_THRESHOLD, kKept);
}

int serve(const ServeOptions& options) {
    set_up_log(options);
    storage::Store store(
        {.path = options.database.path, .max_database_mb = options.database.max_mb, .telemetry_days = options.telemetry_days});
    if (!may_listen(options, store)) {
        return kWrongInput;
    }
    raise_descriptor_limit();
    keep_memory();
    try {
        return serve_store(options, store);
    } catch (const std::system_error& error) {
        fmt::print(stderr, "can't listen on {}:{}: {}\n", options.host, options.port, error.what());
        return kWorldFailed;
    }
}

} // namespace costcurve::commands
