// Two queues, turn by turn, and one list of what was answered.
#include "server/http/workers.hpp"

#include <utility>

namespace costcurve::http {

namespace {

// The next piece of a stream to the end of `out`. Where it fails or nobody wants it, the connection ends without the last chunk.
void pull(Connection& connection) {
    bool more = false;
    try {
        more = connection.stream->pull(connection.out, connection.hung_up);
        connection.close_after |= connection.hung_up;
    } catch (...) { // already told
        connection.close_after = true;
    }
    if (!more || connection.hung_up) {
        connection.stream.reset();
    }
}

} // namespace

Workers::Workers(const Exchange& exchange, std::size_t max_queue, std::function<void()> answered)
    : exchange_(exchange), max_queue_(max_queue), tell_answered_(std::move(answered)) {}

void Workers::start(std::size_t threads) {
    for (std::size_t i = 0; i < threads; ++i) {
        threads_.emplace_back([this] { work(); });
    }
}

bool Workers::ask(Connection& connection, std::string body) {
    const std::lock_guard lock(mutex_);
    if (requests_.size() >= max_queue_) {
        return false;
    }
    requests_.push_back({&connection, std::move(body)});
    job_ready_.notify_one();
    return true;
}

void Workers::go_on(Connection& connection) {
    const std::lock_guard lock(mutex_);
    streams_.push_back({&connection, {}});
    job_ready_.notify_one();
}

std::vector<Connection*> Workers::take_answered() {
    const std::lock_guard lock(mutex_);
    return std::exchange(answered_, {});
}

std::vector<Connection*> Workers::dismiss() {
    std::vector<Connection*> waiting;
    const std::lock_guard lock(mutex_);
    for (std::deque<Job>* const queue : {&requests_, &streams_}) {
        for (const Job& job : *queue) {
            waiting.push_back(job.connection);
        }
        queue->clear();
    }
    dismissed_ = true;
    job_ready_.notify_all();
    return waiting;
}

void Workers::join() {
    for (std::thread& thread : threads_) {
        thread.join();
    }
}

Workers::Stats Workers::stats() const {
    const std::lock_guard lock(mutex_);
    return {requests_.size(), busy_, open_streams_};
}

void Workers::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        job_ready_.wait(lock, [this] { return dismissed_ || !requests_.empty() || !streams_.empty(); });
        if (dismissed_) {
            return;
        }
        Job job = take_job();
        Connection* const connection = job.connection;
        ++busy_;
        lock.unlock();
        do_job(std::move(job));
        lock.lock();
        --busy_;
        answered_.push_back(connection);
        if (answered_.size() == 1) {
            lock.unlock();
            tell_answered_();
            lock.lock();
        }
    }
}

Workers::Job Workers::take_job() {
    std::deque<Job>& queue = requests_.empty() || (streams_turn_ && !streams_.empty()) ? streams_ : requests_;
    streams_turn_ = &queue == &requests_;
    Job job = std::move(queue.front());
    queue.pop_front();
    return job;
}

void Workers::do_job(Job job) {
    Connection& connection = *job.connection;
    connection.out.clear();
    connection.sent = 0;
    if (!connection.stream) {
        Answer answer = exchange_.answer(connection.head, std::move(job.body), connection.remote_address,
                                         [&connection] { return connection.hung_up.load(); });
        connection.out = std::move(answer.bytes);
        if (answer.stream) {
            connection.stream = std::make_unique<Stream>(std::move(answer.stream), connection.head.is_http11, open_streams_);
        }
    }
    if (connection.stream) {
        pull(connection);
    }
    [[maybe_unused]] const bool works = send_some(connection); // the loop sends what is left, and finds out where it is broken
}

} // namespace costcurve::http
