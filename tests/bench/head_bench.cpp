// A request's head read and an answer written by httplib, as it would stand behind the loop, beside our own (decision 0059).
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include <benchmark/benchmark.h>
#include <httplib.h>

#include "server/http/exchange.hpp"
#include "server/http/head.hpp"

namespace costcurve::http {
namespace {

constexpr std::string_view kHead =
    "POST /v1/evaluate?detail=full HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nUser-Agent: python-requests/2.31\r\n"
    "Accept-Encoding: gzip, deflate\r\nAccept: */*\r\nConnection: keep-alive\r\n"
    "Authorization: Bearer 0123456789abcdef0123456789abcdef\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n";
constexpr std::string_view kLeastHead = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n";

// A request that has arrived, and what is written to it.
class Memory : public httplib::Stream {
public:
    explicit Memory(std::string_view in) : in_(in) {}
    std::string out;

    [[nodiscard]] bool is_readable() const override { return true; }
    [[nodiscard]] bool is_writable() const override { return true; }
    ssize_t read(char* to, std::size_t bytes) override {
        const std::size_t n = std::min(bytes, in_.size());
        std::memcpy(to, in_.data(), n);
        in_.remove_prefix(n);
        return static_cast<ssize_t>(n);
    }
    ssize_t write(const char* from, std::size_t bytes) override {
        out.append(from, bytes);
        return static_cast<ssize_t>(bytes);
    }
    void get_remote_ip_and_port(std::string& /*ip*/, int& /*port*/) const override {}
    void get_local_ip_and_port(std::string& /*ip*/, int& /*port*/) const override {}
    [[nodiscard]] socket_t socket() const override { return 0; }

private:
    std::string_view in_;
};

// Without routes: the hook before them answers.
class Parser : public httplib::Server {
public:
    Parser() {
        set_pre_routing_handler([](const httplib::Request&, httplib::Response& response) {
            response.set_content("{}", "application/json; charset=utf-8");
            return HandlerResponse::Handled;
        });
    }
    void answer(Memory& memory) {
        bool closed = false;
        if (!process_request(memory, false, closed, [](httplib::Request& /*request*/) {})) {
            std::abort();
        }
    }
};

void httplib_reads_and_writes(benchmark::State& state, std::string_view head) {
    Parser parser;
    for (auto _ : state) {
        Memory memory(head);
        parser.answer(memory);
        benchmark::DoNotOptimize(memory.out);
    }
}

void own_reads(benchmark::State& state) {
    for (auto _ : state) {
        const Head head = read_head(kHead);
        benchmark::DoNotOptimize(read_parameters(head.query));
    }
}

void own_writes(benchmark::State& state) {
    const Exchange exchange({}, {}, 1024);
    const Head head = read_head(kLeastHead);
    for (auto _ : state) {
        Response response;
        response.content_type = "application/json; charset=utf-8";
        response.body = "{}";
        benchmark::DoNotOptimize(exchange.write(head, "0123456789abcdef", std::move(response), false));
    }
}

BENCHMARK_CAPTURE(httplib_reads_and_writes, usual_head, kHead);
BENCHMARK_CAPTURE(httplib_reads_and_writes, least_head, kLeastHead);
BENCHMARK(own_reads);
BENCHMARK(own_writes);

} // namespace
} // namespace costcurve::http

BENCHMARK_MAIN();
