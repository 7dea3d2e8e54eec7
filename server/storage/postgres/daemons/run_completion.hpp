// Ends of runs and rows of the table standing, which are only added to and read.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "server/storage/postgres/engine/connection.hpp"
#include "server/storage/standing.hpp"
#include "server/storage/store.hpp"

namespace costcurve::storage::postgres {

/// Works inside a transaction of the caller that has locked the run.
class PostgresRunCompletion final : public RunCompletion {
public:
    PostgresRunCompletion(Connection& connection, const Store& store, Run run, std::int64_t now)
        : RunCompletion(std::move(run)), connection_(connection), store_(store), now_(now) {}

    [[nodiscard]] std::vector<Revision> comparisons() const override;
    [[nodiscard]] std::optional<NewestResult> newest(std::string_view scenario) const override;
    [[nodiscard]] std::string body_of(const NewestResult& result) const override;
    [[nodiscard]] std::optional<Standing> base(std::string_view comparison, std::string_view objective,
                                               std::string_view currency) const override;
    [[nodiscard]] std::optional<Standing> last(std::string_view comparison) const override;
    std::int64_t record(const NewEvent& event) override;
    void keep(const NewStanding& standing, std::optional<std::int64_t> event) override;

private:
    Connection& connection_;
    const Store& store_; // for documents, on a connection of its own
    std::int64_t now_;
};

/// Newest first, below number `before` (0: from the newest). Nothing where there never was such a comparison.
[[nodiscard]] std::optional<std::vector<Standing>> find_standings(Connection& connection, std::string_view comparison,
                                                                  std::int64_t before, std::size_t limit);

} // namespace costcurve::storage::postgres
