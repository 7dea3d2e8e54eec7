// Lists as JSON pages {items, next}. The caller encodes the items.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "server/answers/answer.hpp"
#include "server/api/request.hpp"

namespace costcurve::api {

/// A page of entries that were read with a limit of one more than the page's; number(entry) gives the cursor.
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
