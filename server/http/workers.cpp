// Worker threads of two kinds with three queues, and the list of their responses.
#include "server/http/workers.hpp"

#include <exception>
#include <future>
#include <new>
#include <utility>

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

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
        connection.work_memory.close();
    }
    connection.out_memory.force(connection.out.size());
}

// The allocator gives a thread its heap at its first allocation: at the start, while there is memory.
void take_heap() { ::operator delete(::operator new(1)); }

// A thread that gives way to those of the loop and of small requests. Linux has a nice value for each thread.
void give_way() {
    constexpr int kNice = 5;
    setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), kNice); // where it fails, it is as important as the others
}

} // namespace

Workers::Workers(const Exchange& exchange, std::size_t max_queue, std::function<void()> answered)
    : exchange_(exchange), max_queue_(max_queue), tell_answered_(std::move(answered)) {
    constexpr std::size_t kManyConnections = 8192; // so that one that is answered is noted where memory is out
    answered_.reserve(kManyConnections);
    taken_.reserve(kManyConnections);
}

void Workers::start(std::size_t threads, std::size_t heavy_threads) {
    {
        const std::lock_guard lock(mutex_);
        small_.threads = threads;
        heavy_.threads = heavy_threads;
    }
    try {
        for (std::size_t i = 0; i < threads + heavy_threads; ++i) {
            start_one(i < threads ? &Workers::work_small : &Workers::work_heavy);
        }
    } catch (...) {
        static_cast<void>(dismiss());
        join();
        throw;
    }
}

// Waits until the thread has its heap: without memory for it, the server doesn't start.
void Workers::start_one(void (Workers::*work)()) {
    std::promise<void> heap;
    std::future<void> has_heap = heap.get_future();
    threads_.emplace_back([this, work, heap = std::move(heap)]() mutable {
        try {
            take_heap();
        } catch (...) {
            heap.set_exception(std::current_exception());
            return;
        }
        heap.set_value();
        (this->*work)();
    });
    has_heap.get();
}

bool Workers::ask(Connection& connection, bool is_heavy) {
    const std::lock_guard lock(mutex_);
    Kind& kind = is_heavy ? heavy_ : small_;
    if (!kind.waiting.add(connection, max_queue_)) {
        return false;
    }
    kind.ready.notify_one();
    return true;
}

bool Workers::withdraw(const Connection& connection) {
    const std::lock_guard lock(mutex_);
    return small_.waiting.remove(connection, small_.threads - small_.busy) ||
           heavy_.waiting.remove(connection, heavy_.threads - heavy_.busy);
}

std::vector<Connection*> Workers::withdraw_all() {
    std::vector<Connection*> waiting;
    const std::lock_guard lock(mutex_);
    small_.waiting.take_all(waiting);
    heavy_.waiting.take_all(waiting);
    return waiting;
}

void Workers::go_on(Connection& connection) {
    const std::lock_guard lock(mutex_);
    streams_.push_back(&connection);
    heavy_.ready.notify_one();
}

void Workers::discard(std::unique_ptr<Stream> stream) {
    const std::lock_guard lock(mutex_);
    discarded_.push_back(std::move(stream));
    heavy_.ready.notify_one();
}

const std::vector<Connection*>& Workers::take_answered() {
    const std::lock_guard lock(mutex_);
    taken_.clear();
    taken_.swap(answered_);
    return taken_;
}

std::vector<Connection*> Workers::dismiss() {
    std::vector<Connection*> waiting = withdraw_all();
    const std::lock_guard lock(mutex_);
    waiting.insert(waiting.end(), streams_.begin(), streams_.end());
    streams_.clear();
    dismissed_ = true;
    small_.ready.notify_all();
    heavy_.ready.notify_all();
    return waiting;
}

void Workers::join() {
    for (std::thread& thread : threads_) {
        thread.join();
    }
    discarded_.clear();
}

Workers::Stats Workers::stats() const {
    const std::lock_guard lock(mutex_);
    return {small_.waiting.size() + heavy_.waiting.size(), small_.busy + heavy_.busy, open_streams_, small_.waiting.waited_s()};
}

void Workers::work_small() {
    std::unique_lock lock(mutex_);
    while (true) {
        small_.ready.wait(lock, [this] { return dismissed_ || !small_.waiting.empty(); });
        if (dismissed_) {
            return;
        }
        finish_job(lock, small_, small_.waiting.take());
    }
}

void Workers::work_heavy() {
    give_way();
    std::unique_lock lock(mutex_);
    while (true) {
        heavy_.ready.wait(lock,
                          [this] { return dismissed_ || !heavy_.waiting.empty() || !streams_.empty() || !discarded_.empty(); });
        if (dismissed_) {
            return;
        }
        if (!discarded_.empty()) { // first of all: it frees memory
            std::unique_ptr<Stream> stream = std::move(discarded_.back());
            discarded_.pop_back();
            lock.unlock();
            stream.reset();
            lock.lock();
            continue;
        }
        finish_job(lock, heavy_, take_heavy());
    }
}

// Does it without the lock, and puts the connection among those answered.
void Workers::finish_job(std::unique_lock<std::mutex>& lock, Kind& kind, Connection* connection) {
    ++kind.busy;
    lock.unlock();
    do_job(*connection);
    lock.lock();
    --kind.busy;
    answered_.push_back(connection);
    if (answered_.size() == 1) {
        lock.unlock();
        tell_answered_();
        lock.lock();
    }
}

Connection* Workers::take_heavy() {
    const bool is_stream = heavy_.waiting.empty() || (streams_turn_ && !streams_.empty());
    streams_turn_ = !is_stream;
    if (!is_stream) {
        return heavy_.waiting.take();
    }
    Connection* const connection = streams_.front();
    streams_.pop_front();
    return connection;
}

void Workers::do_job(Connection& connection) {
    connection.out.clear();
    connection.sent = 0;
    try {
        if (!connection.stream) {
            answer(connection);
        }
        connection.is_stalled =
            connection.stream && !connection.hung_up && !connection.out_memory.resize(connection.out.size() + Stream::kPieceBytes);
        if (connection.stream && !connection.is_stalled) {
            pull(connection);
        }
    } catch (...) { // no memory even for the error's answer
        connection.out = std::string();
        connection.stream.reset();
        connection.close_after = true;
    }
    [[maybe_unused]] const bool works = send_some(connection); // the loop sends what is left, and finds out where it is broken
}

void Workers::answer(Connection& connection) {
    Request& request = connection.request;
    request.client_gone = [&connection] { return connection.hung_up.load(); };
    request.memory = &connection.work_memory;
    Answer answer = exchange_.answer(connection.head, request);
    request.body = std::string();
    connection.body_memory.close();
    const bool has_room =
        connection.out_memory.resize(answer.bytes.size()) && (!answer.stream || connection.work_memory.assign(connection.client));
    if (!has_room) {
        connection.work_memory.close();
        connection.out =
            exchange_.refuse(503, "this client, or all together, have more under way than there is memory for; try again",
                             connection.head, request.request_id);
        connection.close_after = true;
        return;
    }
    connection.out = std::move(answer.bytes);
    if (answer.stream) {
        connection.stream = std::make_unique<Stream>(std::move(answer.stream), connection.head.is_http11, open_streams_);
    } else {
        connection.work_memory.close();
    }
}

} // namespace costcurve::http
