// A peer to measure the daemon against: the packaged httplib as it comes, with Nagle's algorithm off, whose POST /echo parses
// a JSON body and sends its dump back. No limits, no checks, no model. usage: bare_httplib THREADS; prints its port.
#include <cstdio>
#include <cstdlib>

#include <httplib.h>
#include <nlohmann/json.hpp>

int main(int argc, char** argv) {
    const std::size_t threads = argc == 2 ? std::strtoul(argv[1], nullptr, 10) : 0;
    if (threads == 0) {
        std::fputs("usage: bare_httplib THREADS\n", stderr);
        return 2;
    }
    httplib::Server server;
    server.set_tcp_nodelay(true);
    server.set_keep_alive_max_count(1U << 30U);                                     // not 5: a connection is kept here too
    server.new_task_queue = [threads] { return new httplib::ThreadPool(threads); }; // httplib deletes it
    server.Post("/echo", [](const httplib::Request& request, httplib::Response& response) {
        response.set_content(nlohmann::json::parse(request.body).dump(), "application/octet-stream"); // JSON it would compress
    });
    const int port = server.bind_to_any_port("127.0.0.1");
    std::printf("http://127.0.0.1:%d\n", port);
    std::fflush(stdout);
    return port > 0 && server.listen_after_bind() ? 0 : 1;
}
