// Lists as JSON, a page at a time: {items, next}. What an item is, its maker says.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "server/answers/answer.hpp"
#include "server/api/request.hpp"

namespace costcurve::api {

/// The page of what was found with one more than the limit, each an Entry; number(entry) is what the cursor says.
template <class Entry, class T, class Number>
http::Response page_answer(std::vector<T> found, std::size_t limit, const Number& number) {
    const bool more = found.size() > limit;
    answers::Page<Entry> page;
    page.items.reserve(std::min(found.size(), limit));
    for (std::size_t i = 0; i < std::min(found.size(), limit); ++i) {
        page.items.push_back(Entry(std::move(found[i])));
    }
    if (more) {
        page.next = std::to_string(number(page.items.back()));
    }
    return json_answer(answers::encode_answer(page));
}

} // namespace costcurve::api
