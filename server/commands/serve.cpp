// `costcurve serve`: puts store, routes and sockets together, logs, and listens to signals.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <malloc.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <unistd.h>

#include "model/version.hpp"
#include "server/actuals/runs/drift_answer.hpp"
#include "server/api/access.hpp"
#include "server/api/gate.hpp"
#include "server/api/handlers/jobs.hpp"
#include "server/api/problem.hpp"
#include "server/api/routes.hpp"
#include "server/commands/commands.hpp"
#include "server/commands/log.hpp"
#include "server/commands/memory_reserve.hpp"
#include "server/commands/open_upgraded.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/documents/records.hpp"
#include "server/documents/store_entries.hpp"
#include "server/http/address.hpp"
#include "server/http/budget.hpp"
#include "server/http/server.hpp"
#include "server/ingest/feed_landing.hpp"
#include "server/ingest/feed_runner.hpp"
#include "server/jobs/change_listener.hpp"
#include "server/jobs/job_runner.hpp"
#include "server/jobs/scheduler.hpp"
#include "server/outgoing/dispatcher.hpp"
#include "server/outgoing/messages.hpp"
#include "server/recalculation/recalculate.hpp"
#include "server/recalculation/recalculation.hpp"
#include "server/recalculation/standings.hpp"
#include "server/storage/open_store.hpp"

namespace costcurve::commands {

namespace {

// A connection takes one; the usual limit of 1024 is low for the sake of programs that use select.
void raise_descriptor_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit); // where it fails, the server closes idle connections sooner
    }
}

// What fails, under the name of an event.
failure::LogFailure failures(const Log& log, const char* event) {
    return [&log, event](std::string_view what, std::string_view id) { log.event(Level::error, event, what, id); };
}

sigset_t handled_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    for (const int harmless : {SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGPIPE, SIGXFSZ}) {
        sigaddset(&signals, harmless);
    }
    return signals;
}

void reread_level(const ServeOptions& options, const Log& log) {
    const std::string level = options.reread_log_level ? options.reread_log_level() : "";
    if (level.empty()) {
        log.event(Level::warn, "reload", "the settings can't be read; nothing is changed");
        return;
    }
    spdlog::set_level(spdlog::level::from_str(level));
    log.event(Level::info, "reload", "log level is " + level);
}

// Until a signal that ends the daemon; SIGHUP reads the log level again, and those that mean nothing to us end nothing.
void wait_for_end(const sigset_t& signals, const ServeOptions& options, const Log& log) {
    while (true) {
        int signal = 0;
        sigwait(&signals, &signal);
        if (signal == SIGTERM || signal == SIGINT) {
            return;
        }
        if (signal == SIGHUP) {
            const auto thrown = failure::guarded([&] { reread_level(options, log); });
            failure::log_failure(thrown ? failures(log, "reload") : nullptr, thrown ? thrown->what : "", "");
        }
    }
}

// Whether it may listen there, as far as keys go; says why not.
bool may_listen(const ServeOptions& options, const storage::Store& store) {
    const std::vector<storage::ApiKey> keys = store.keys();
    const bool any = std::any_of(keys.begin(), keys.end(), [](const storage::ApiKey& key) { return key.revoked_at.empty(); });
    const bool needed = options.require_keys || !http::is_loopback(options.host);
    if (needed && !any) {
        fmt::print(stderr, "{}: API keys are needed, and there is none; make one with: costcurve keys add NAME --role admin\n",
                   http::is_loopback(options.host) ? "--require-keys" : "--host " + options.host);
    }
    return any || !needed;
}

// Of requests and feeds together: four files that are fetched, one of which lands, fit into it beside no requests.
std::size_t memory_of(const ServeOptions& options) {
    constexpr double kFilesFetched = 3; // beside the one that lands
    const double feeds = (ingest::kMemoryOfFile + kFilesFetched) * options.feed_max_mib * (1U << 20U);
    return std::max(http::Settings().max_memory_bytes, static_cast<std::size_t>(feeds));
}

http::Settings http_settings(const ServeOptions& options, http::Budget& budget) {
    http::Settings settings;
    settings.budget = &budget;
    settings.host = options.host;
    settings.port = options.port;
    // A long question holds a worker while its own threads work, and so does one that waits for a seat: those that are left answer
    // as if there were none.
    constexpr std::size_t kHeld = 2; // by seat
    const std::size_t workers = options.threads > 0 ? options.threads : std::max(2U, std::thread::hardware_concurrency());
    settings.threads = workers + kHeld * options.questions.max_concurrent;
    settings.heavy_threads = std::max(1U, std::thread::hardware_concurrency()) + kHeld * options.questions.max_concurrent;
    return settings;
}

// What fails in the middle of a stream stays in the log; the client sees an answer cut short.
http::Producer logged(http::Producer produce, const Log& log, const std::string& id) {
    return [produce = std::move(produce), &log, id](std::string& out) {
        try {
            return produce(out);
        } catch (...) {
            failure::log_failure(failures(log, "failed"), failure::current_exception().what, id);
            throw;
        }
    };
}

std::vector<api::Gauge> gauges_of(const http::ServerStats& stats, const Log& log) {
    return {
        {"costcurve_connections", "open connections", static_cast<double>(stats.connections)},
        {"costcurve_queue", "requests that wait for a worker", static_cast<double>(stats.queued)},
        {"costcurve_waited_seconds", "how long a client whose small requests wait has had no turn", stats.waited_s},
        {"costcurve_busy_workers", "workers that answer a request", static_cast<double>(stats.busy_workers)},
        {"costcurve_streams", "streamed answers under way", static_cast<double>(stats.streams)},
        {"costcurve_memory_bytes", "memory that requests hold, of the limit for all", static_cast<double>(stats.memory_bytes)},
        {"costcurve_saturated_total", "requests refused with 503", static_cast<double>(stats.refused_saturated), true},
        {"costcurve_log_dropped_total", "lines of the log that nobody read in time", static_cast<double>(log.dropped()), true},
    };
}

outgoing::DispatchSettings dispatch_settings(const ServeOptions& options, const storage::Store& store, const Log& log) {
    return {options.allow_private_webhooks, options.webhook_retry_s,
            [&store](const storage::DueDelivery& due) { return outgoing::delivery_body(store, due); }, failures(log, "webhooks"),
            [&log](std::string_view what, std::string_view id) { log.event(Level::warn, "dead delivery", what, id); }};
}

jobs::SchedulerSettings scheduler_settings(storage::Store& store, recalculation::Recalculator& recalculator,
                                           ingest::FeedRunner& feeds, const Log& log) {
    const auto start = [&](const documents::AnyDocument& document, std::int64_t tick) {
        if (const auto* const feed = std::get_if<model::Feed>(&document)) {
            const auto begun = store.begin_feed({"schedule", ""}, {feed->id, false, false, tick});
            feeds.wake();
            return !begun || begun->is_new;
        }
        const auto& schedule = std::get<model::Schedule>(document);
        const bool queued = jobs::queue_run(store, schedule, std::string(model::kModelVersion), tick);
        recalculator.wake();
        if (queued) {
            for (const std::string& problem : actuals::watch_drift(store, schedule)) {
                failure::log_failure(failures(log, "schedule"), problem, schedule.id);
            }
        }
        return queued;
    };
    return {start, failures(log, "schedule")};
}

ingest::BookMemory booking_of(http::Budget& budget) {
    const auto booking = std::make_shared<http::Booking>(); // shared, because a std::function must be able to be copied
    booking->open(budget);
    return [booking](std::size_t bytes) { return booking->resize(bytes); };
}

ingest::FeedSettings feed_settings(const ServeOptions& options, http::Budget& budget) {
    ingest::FeedSettings settings;
    settings.memory = [&budget] { return booking_of(budget); };
    settings.allow_private = options.allow_private_feeds;
    settings.directory = options.feed_directory;
    settings.fetch_s = options.feed_timeout_s;
    settings.max_mib = options.feed_max_mib;
    settings.model_version = model::kModelVersion;
    return settings;
}

recalculation::RunSettings recalculator_settings(const api::Service& service, const Log& log) {
    return {
        .model_version = std::string(model::kModelVersion),
        .recalculate = recalculation::guarded_recalculate(failures(log, "recalculation")),
        .low_priority = true,
        .at_end =
            [&log](storage::RunCompletion& ending) { recalculation::record_end_logged(ending, failures(log, "recalculation")); },
        .ended = service.wake_dispatcher};
}

void record_refused_tries(storage::Store& store, const Log& log, const std::string& address, std::size_t count) {
    const std::string tries = fmt::format("{} tries with a wrong key or role", count);
    store.record_action({"", "", address}, "refuse", tries);
    log.event(Level::warn, "refused tries", fmt::format("{} from {}", tries, address));
}

http::Response answer_logged(api::Service& service, const Log& log, const http::Request& request) {
    const auto start = std::chrono::steady_clock::now();
    hold_memory_reserve(); // again, where one before used it
    http::Response response = api::dispatch(service, request);
    if (response.stream) {
        response.stream = logged(std::move(response.stream), log, request.request_id);
    }
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    static_cast<void>(failure::guarded([&] { log.access(request, response, took.count()); })); // the answer stands without its line
    return response;
}

http::Admission admit_logged(api::Service& service, const Log& log, const http::Request& head) {
    http::Admission admission = api::admit_head(service, head);
    if (admission.answer) {
        static_cast<void>(failure::guarded([&] { log.access(head, *admission.answer, 0.0); }));
    }
    return admission;
}

void print_address(const ServeOptions& options, int port) {
    const bool v6 = options.host.find(':') != std::string::npos;
    fmt::print("costcurve listens on http://{}{}{}:{}\n", v6 ? "[" : "", options.host, v6 ? "]" : "", port);
    std::fflush(stdout);
}

void set_options(api::Service& service, const ServeOptions& options, const Log& log) {
    service.record_refused = [&](const std::string& address, std::size_t count) {
        record_refused_tries(service.store, log, address, count);
    };
    service.allow_private_webhooks = options.allow_private_webhooks;
    service.allow_private_feeds = options.allow_private_feeds;
    service.log_error = failures(log, "failed");
}

// Serves until a signal ends it, or its loop fails. The program's status.
int run_until_signal(http::Server& server, const ServeOptions& options, const sigset_t& signals, const Log& log) {
    std::thread stopper([&] {
        wait_for_end(signals, options, log);
        server.stop(); // before anything that may fail or wait
        failure::log_failure([&log](std::string_view what, std::string_view) { log.event(Level::info, "stopping", what); },
                             "requests in flight are finished", "");
    });
    print_address(options, server.port());
    const auto thrown = failure::guarded([&] { server.run(); }); // ends by the signal, or where the loop itself fails
    if (thrown) {
        failure::log_failure(failures(log, "failed"), thrown->what, "server");
        kill(getpid(), SIGTERM);
    }
    stopper.join();
    return thrown ? kWorldFailed : kDone;
}

void warn_of_open_hosts(const api::Service& service, const ServeOptions& options, const Log& log) {
    if (!service.access.keys_required && !options.allowed_hosts.empty()) {
        log.event(
            Level::warn, "access",
            fmt::format("--allowed-host without --require-keys: whoever reaches this service by {} reads without a key; writes "
                        "by that name are refused",
                        fmt::join(options.allowed_hosts, ", ")));
    }
}

// Parts are destroyed in reverse order: a callback's target is made before its caller and outlives it.
int serve_store(const ServeOptions& options, storage::Store& store) {
    // Blocked before any thread starts, so that only the waiting one below takes them.
    const sigset_t signals = handled_signals();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    const Log log(options.log_level, options.log_format == "json");
    api::Service service(
        store,
        {options.require_keys || !http::is_loopback(options.host), options.rate_limit, options.cors_origins, options.allowed_hosts},
        options.questions);
    outgoing::Dispatcher dispatcher(store, store, dispatch_settings(options, store, log));
    service.wake_dispatcher = [&dispatcher] { dispatcher.wake(); };
    recalculation::Recalculator recalculator(store, recalculator_settings(service, log), failures(log, "recalculation"));
    service.recalculator = &recalculator;
    set_options(service, options, log);
    warn_of_open_hosts(service, options, log);
    http::Budget budget(memory_of(options), http::Settings().max_client_memory_bytes);
    service.memory = [&budget] { return booking_of(budget); };
    jobs::JobRunner job_runner(
        store, [&service](const storage::Job& job, const jobs::Watch& watch) { return api::answer_job(service, job, watch); },
        failures(log, "jobs"));
    service.job_runner = &job_runner;
    ingest::FeedRunner feed_runner(
        store, feed_settings(options, budget),
        [&] {
            recalculator.wake();
            service.wake_dispatcher();
        },
        failures(log, "feed"));
    service.wake_feeds = [&] { feed_runner.wake(); };
    jobs::Scheduler scheduler(store, scheduler_settings(store, recalculator, feed_runner, log));
    scheduler.begin();
    const jobs::ChangeListener listener(
        store,
        [&] {
            recalculator.wake();
            feed_runner.wake();
            dispatcher.wake();
            job_runner.hear();
        },
        failures(log, "changes of other daemons"));
    const auto refuse = [&](int status, std::string_view detail, std::string_view id) {
        log.event(Level::info, fmt::format("refused {}", status), detail, id);
        return api::problem(status, detail, id);
    };
    http::Server server(
        http_settings(options, budget), [&](const http::Request& request) { return answer_logged(service, log, request); }, refuse,
        [&](const http::Request& head) { return admit_logged(service, log, head); });
    prepare_parser();
    hold_memory_reserve();
    service.gate->start(service);
    service.transport_gauges = [&] { return gauges_of(server.stats(), log); };
    service.waited_s = [&] { return server.stats().waited_s; };
    const int status = run_until_signal(server, options, signals, log);
    service.gate->stop();
    return status;
}

} // namespace

void keep_memory() {
    constexpr int kKept = 16 << 20; // bytes
    mallopt(M_TRIM_THRESHOLD, kKept);
    mallopt(M_MMAP_THRESHOLD, kKept);
}

int serve(const ServeOptions& options) {
    const auto lock = storage::lock_store(options.database.path); // outlives the store
    const auto store = open_upgraded({.path = options.database.path,
                                      .max_database_mb = options.database.max_mb,
                                      .telemetry_days = options.telemetry_days,
                                      .log = [](std::string_view sentence) { fmt::print(stderr, "{}\n", sentence); },
                                      .is_daemons = true});
    if (!may_listen(options, *store)) {
        return kWrongInput;
    }
    raise_descriptor_limit();
    keep_memory();
    try {
        return serve_store(options, *store);
    } catch (const std::system_error& error) {
        fmt::print(stderr, "can't listen on {}:{}: {}\n", options.host, options.port, error.what());
        return kWorldFailed;
    }
}

} // namespace costcurve::commands
