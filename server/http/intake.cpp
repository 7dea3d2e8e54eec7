// Reads requests within the memory budget: the head is admitted before its body is counted, and a body is counted as it arrives.
#include "server/http/intake.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace costcurve::http {

namespace {

Request make_request(Head& head, const std::string& remote_address) {
    Request request;
    request.method = head.method;
    request.path = std::move(head.path);
    request.query = std::move(head.query);
    request.parameters = read_parameters(request.query);
    request.has_body = head.has_body();
    request.headers = std::move(head.headers);
    request.remote_address = remote_address;
    request.request_id = make_request_id();
    request.client_id = head.client_id;
    return request;
}

std::string too_large(std::size_t max_bytes) { return "the body is larger than " + std::to_string(max_bytes) + " bytes"; }

Admit or_everything(Admit admit, const Settings& settings) {
    if (admit) {
        return admit;
    }
    return [max = settings.max_body_bytes](const Request& head) {
        return Admission{std::nullopt, max, head.remote_address, false};
    };
}

} // namespace

Intake::Intake(const Settings& settings, const Exchange& exchange, Admit admit, Budget& budget)
    : settings_(settings), exchange_(exchange), admit_(or_everything(std::move(admit), settings)), budget_(budget) {}

Step Intake::proceed(Connection& connection) {
    if (connection.head.bytes == 0) {
        connection.head = read_head(connection.in);
        if (connection.head.refused != 0) {
            return refuse(connection, connection.head.refused, connection.head.detail);
        }
        if (connection.head.bytes == 0) {
            return Step::wait;
        }
        connection.in.erase(0, connection.head.bytes);
        connection.request = make_request(connection.head, connection.remote_address);
        try {
            Admission admission = admit_(connection.request);
            if (admission.answer) {
                return answer_at_head(connection, std::move(*admission.answer));
            }
            connection.max_body = admission.max_body_bytes;
            connection.client = std::move(admission.client);
            connection.is_heavy = admission.is_heavy;
        } catch (...) { return refuse(connection, 500, "the request could not be answered"); }
        if (connection.max_body == 0 && (connection.head.content_length > 0 || connection.head.is_chunked)) {
            return refuse(connection, 400, "this takes no body: send none");
        }
        if (connection.head.content_length > connection.max_body) {
            return refuse(connection, 413, too_large(connection.max_body));
        }
        if (!begin(connection)) {
            return refuse(connection, 503, "memory is short; try again in a second");
        }
    }
    return read_body(connection);
}

// False where the client has no share left at all.
bool Intake::begin(Connection& connection) {
    connection.body_began = Clock::now();
    connection.deadline = connection.body_began + settings_.body_deadline;
    connection.chunks = ChunkedBody();
    connection.body_memory.open(budget_);
    connection.work_memory.open(budget_);
    connection.out_memory.open(budget_);
    return connection.body_memory.assign(connection.client) && connection.out_memory.assign(connection.client);
}

Step Intake::read_body(Connection& connection) const {
    std::string& body = connection.request.body;
    bool is_whole = false;
    if (connection.head.is_chunked) {
        const ChunkedBody::State state = connection.chunks.read(connection.in, body, connection.max_body);
        if (state == ChunkedBody::State::malformed) {
            return refuse(connection, 400, connection.chunks.problem());
        }
        if (state == ChunkedBody::State::too_large) {
            return refuse(connection, 413, too_large(connection.max_body));
        }
        is_whole = state == ChunkedBody::State::complete;
    } else {
        const std::size_t missing = connection.head.content_length - body.size();
        const std::size_t n = std::min(missing, connection.in.size());
        body.append(connection.in, 0, n);
        connection.in.erase(0, n);
        is_whole = n == missing;
    }
    if (!connection.body_memory.resize(body.size())) {
        return refuse(connection, 503, "this client, or all together, have more under way than there is memory for; try again");
    }
    if (is_whole) {
        return Step::hand_over;
    }
    if (connection.head.expects_continue && !std::exchange(connection.said_continue, true)) {
        return Step::say_continue;
    }
    return Step::wait;
}

Step Intake::answer_at_head(Connection& connection, Response response) const {
    // The body is still to come, or comes already: it is not read, so the connection can't go on.
    connection.close_after = connection.head.has_body() || !connection.head.keep_alive;
    connection.out = exchange_.write(connection.head, connection.request.request_id, std::move(response), connection.close_after);
    connection.sent = 0;
    return Step::send;
}

Step Intake::refuse(Connection& connection, int status, std::string_view detail) const {
    const std::string id = connection.request.request_id.empty() ? make_request_id() : connection.request.request_id;
    connection.request = Request();
    connection.body_memory.close();
    connection.work_memory.close();
    connection.out = exchange_.refuse(status, detail, connection.head, id);
    connection.out_memory.force(connection.out.size());
    connection.sent = 0;
    connection.close_after = true;
    return Step::send;
}

bool Intake::is_too_slow(const Connection& connection, Clock::time_point now) const {
    if (connection.state != Connection::State::reading || connection.head.bytes == 0) {
        return false;
    }
    const auto late = std::chrono::duration<double>(now - connection.body_began - settings_.rate_grace).count();
    return late > 0 && static_cast<double>(connection.request.body.size()) < late * static_cast<double>(settings_.min_bytes_per_s);
}

void forget_request(Connection& connection) {
    connection.head = Head();
    connection.request = Request();
    connection.body_memory.close();
    connection.work_memory.close();
    connection.out_memory.close();
    connection.said_continue = false;
    connection.drain = Drain();
}

} // namespace costcurve::http
