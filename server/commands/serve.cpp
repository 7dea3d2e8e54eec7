// `costcurve serve`: puts sockets and routes together, logs, and stops gracefully on SIGTERM or SIGINT.
#include <chrono>
#include <csignal>
#include <exception>
#include <thread>

#include <malloc.h>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "server/api/problem.hpp"
#include "server/api/routes.hpp"
#include "server/commands/commands.hpp"
#include "server/http/server.hpp"

namespace costcurve::commands {

namespace {

bool is_loopback(std::string_view host) {
    const bool numeric = host.find_first_not_of("0123456789.") == std::string_view::npos;
    return (numeric && host.starts_with("127.")) || host == "localhost" || host == "::1";
}

http::Response answer(const http::Request& request) {
    const auto start = std::chrono::steady_clock::now();
    http::Response response;
    try {
        response = api::dispatch(request);
    } catch (const std::exception& error) { // what it says stays in the log; the client gets a 500 with the id
        spdlog::error("{} {} failed: {} id={}", request.method, request.path, error.what(), request.request_id);
        throw;
    }
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    spdlog::info("{} {} {} {:.2f} ms {} bytes id={}", request.method, request.path, response.status, took.count(),
                 response.body.size(), request.request_id);
    return response;
}

http::Response refuse(int status, std::string_view detail, std::string_view request_id) {
    spdlog::info("refused {} {} id={}", status, detail, request_id);
    return api::problem(status, detail, request_id);
}

// What one request gives back the next one asks for: a thread's memory stays, up to this much, instead of going to the kernel
// and being faulted in page by page (up to a third of a request's time).
void keep_memory() {
    constexpr int kKept = 16 << 20; // bytes
    mallopt(M_TRIM_THRESHOLD, kKept);
    mallopt(M_MMAP_THRESHOLD, kKept);
}

sigset_t stop_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    return signals;
}

} // namespace

int serve(const ServeOptions& options) {
    spdlog::set_level(spdlog::level::from_str(options.log_level));
    if (!is_loopback(options.host)) {
        fmt::print(stderr, "--host {}: without API keys the daemon listens on 127.0.0.1 only; put a reverse proxy before it\n",
                   options.host);
        return kWrongInput;
    }
    keep_memory();
    // Blocked before any thread starts, so that only the waiting one below takes them.
    const sigset_t signals = stop_signals();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    try {
        http::Settings settings;
        settings.host = options.host;
        settings.port = options.port;
        http::Server server(settings, answer, refuse);
        std::thread stopper([&] {
            int signal = 0;
            sigwait(&signals, &signal);
            spdlog::info("stopping: requests in flight are finished");
            server.stop();
        });
        const bool v6 = options.host.find(':') != std::string::npos;
        fmt::print("costcurve listens on http://{}{}{}:{}\n", v6 ? "[" : "", options.host, v6 ? "]" : "", server.port());
        std::fflush(stdout);
        server.run();
        stopper.join(); // run ends by the signal alone
    } catch (const std::exception& error) {
        fmt::print(stderr, "can't listen on {}:{}: {}\n", options.host, options.port, error.what());
        return kWorldFailed;
    }
    return kDone;
}

} // namespace costcurve::commands
