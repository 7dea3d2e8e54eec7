// The members of a small object in a request, each by its type, and everything that is wrong with them at once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "model/documents.hpp"
#include "model/failure.hpp"

namespace costcurve::api {

/// Refers to the object, which outlives it. What is asked for and is not there is nothing; what is wrong is nothing and an issue.
class Members {
public:
    /// `pointer` is where the object stands; members beside `allowed` are issues, as is anything but an object.
    Members(const nlohmann::json& object, std::string pointer, const std::vector<std::string_view>& allowed);

    [[nodiscard]] const nlohmann::json* find(std::string_view name) const;
    /// At most 256 bytes, and not empty.
    [[nodiscard]] std::optional<std::string> text(std::string_view name);
    /// 1 to `most` texts, each once; empty where there is none.
    [[nodiscard]] std::vector<std::string> texts(std::string_view name, std::size_t most);
    [[nodiscard]] std::optional<double> number(std::string_view name, double low, double high, std::string_view unit);
    [[nodiscard]] std::optional<std::int64_t> whole(std::string_view name, std::int64_t low, std::int64_t high);
    /// 1 to `most` numbers; empty where there is none.
    [[nodiscard]] std::vector<double> numbers(std::string_view name, std::size_t most);
    /// The index of the word among `words`.
    [[nodiscard]] std::optional<std::size_t> choice(std::string_view name, std::span<const std::string_view> words);
    /// 1 to `most` entries of any type; null where there is none.
    [[nodiscard]] const nlohmann::json* list(std::string_view name, std::size_t most);
    [[nodiscard]] bool flag(std::string_view name);
    /// Takes over what was found wrong with a part.
    void add_all(model::Failure found);
    /// RFC 3339, in Unix milliseconds.
    [[nodiscard]] std::optional<std::int64_t> time_ms(std::string_view name);
    /// YYYY-MM.
    [[nodiscard]] std::optional<model::YearMonth> month(std::string_view name);

    void add(std::string_view name, model::Code code, std::string message);
    /// An issue unless the member is there.
    void require(std::string_view name, std::string_view what);
    [[nodiscard]] std::string at(std::string_view name) const;

    model::Failure issues;

private:
    [[nodiscard]] const nlohmann::json* found(std::string_view name, bool (nlohmann::json::*is)() const, std::string_view type);

    const nlohmann::json& object_;
    std::string pointer_;
};

} // namespace costcurve::api
