// Lists as JSON, a page at a time: {items, next}. What an item is, its maker says.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "server/api/json_text.hpp"
#include "server/api/request.hpp"

namespace costcurve::api {

/// {items, next} of what was found with one more than the limit: write(out, item) writes one, number(item) is what the cursor says.
template <class T, class Write, class Number>
http::Response page_answer(std::vector<T> found, std::size_t limit, const Write& write, const Number& number) {
    const bool more = found.size() > limit;
    found.resize(std::min(found.size(), limit));
    JsonWriter out;
    out.begin_object().key("items").begin_array();
    for (const T& item : found) {
        write(out, item);
    }
    out.end_array().member("next", more ? std::optional(std::to_string(number(found.back()))) : std::nullopt).end_object();
    return json_answer(out.take());
}

} // namespace costcurve::api
