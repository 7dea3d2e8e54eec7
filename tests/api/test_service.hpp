// A service over a store of its own, of whatever engine the tests run on, and requests to it without sockets. No tests here.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "server/api/access.hpp"
#include "server/api/routes.hpp"
#include "server/storage/open_store.hpp"
#include "server/storage/sha256.hpp"
#include "tests/storage/store_place.hpp"

namespace costcurve::tests {

using Headers = std::vector<http::Header>;

class TestService {
public:
    /// `clock` is the store's, in microseconds since 1970; the system's where it is empty.
    explicit TestService(api::AccessSettings access = {}, std::function<std::int64_t()> clock = {},
                         std::size_t readers = storage::StoreSettings().readers)
        : opened(storage::open_store({.path = place.path(), .readers = readers, .clock = std::move(clock)})),
          service(store, std::move(access)) {}

    /// `target` is the path and, after a question mark, the query: name=value&… with nothing to decode.
    http::Response ask(const std::string& method, const std::string& target, const std::string& body = "", Headers headers = {}) {
        http::Request request;
        request.method = method;
        const std::size_t question = std::min(target.find('?'), target.size());
        request.path = target.substr(0, question);
        request.query = question < target.size() ? target.substr(question + 1) : "";
        for (std::size_t at = 0; at < request.query.size();) {
            const std::size_t end = std::min(request.query.find('&', at), request.query.size());
            const std::string pair = request.query.substr(at, end - at);
            const std::size_t equals = std::min(pair.find('='), pair.size());
            request.parameters.push_back({pair.substr(0, equals), pair.substr(std::min(equals + 1, pair.size()))});
            at = end + 1;
        }
        request.body = body;
        request.headers = std::move(headers);
        request.request_id = "0123456789abcdef";
        request.remote_address = address;
        request.client_gone = client_gone;
        if (!body.empty() && http::header(request, "content-type").empty()) {
            request.headers.push_back({"content-type", "application/json"});
        }
        return api::dispatch(service, request);
    }

    std::string address;               ///< from which requests to come are
    std::function<bool()> client_gone; ///< of requests to come; nobody leaves where it is empty
    StorePlace place;
    std::unique_ptr<storage::Store> opened;
    storage::Store& store = *opened;
    api::Service service;
};

/// Adds a key and returns its secret.
[[nodiscard]] inline std::string add_key(TestService& service, const std::string& name, storage::Role role) {
    const std::string secret = api::make_secret();
    EXPECT_TRUE(service.store.add_key({"cli", ""}, {name, role, "", ""}, storage::sha256(secret)));
    return secret;
}
[[nodiscard]] inline Headers bearer(const std::string& secret) { return {{"authorization", "Bearer " + secret}}; }

/// A header of an answer; "" where it is absent.
[[nodiscard]] inline std::string header_of(const http::Response& response, std::string_view name) {
    for (const http::Header& header : response.headers) {
        if (header.name == name) {
            return header.value;
        }
    }
    return "";
}

} // namespace costcurve::tests
