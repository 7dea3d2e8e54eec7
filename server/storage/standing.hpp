// How watched comparisons stand when recalculations end, as values; and the end of a run, seen from inside of its transaction.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/storage/event.hpp"
#include "server/storage/record.hpp"
#include "server/storage/run.hpp"

namespace costcurve::storage {

class Database;

struct NewStanding {
    std::string comparison; ///< its id
    std::string objective;
    std::string currency; ///< of the figure; "" where it is no money
    std::string cheapest; ///< the id of a scenario; "" where none can be said to be
    double figure = 0.0;
    bool is_base = false; ///< later ones are measured against it
    std::string body;     ///< JSON, opaque here
};

struct Standing : NewStanding {
    std::int64_t number = 0; ///< ascends over all comparisons
    std::int64_t run = 0;
    std::string recorded_at;
    std::optional<std::int64_t> event; ///< that told of it
};

/// The newest result of a scenario.
struct NewestResult {
    std::int64_t number = 0;
    Headline headline;
};

/// A run that has just ended, in the transaction that ends it: what is recorded here is recorded with that, or not at all.
class Ending {
public:
    Ending(Database& database, Run run, std::int64_t now) : database_(database), run_(std::move(run)), now_(now) {}

    [[nodiscard]] const Run& run() const { return run_; }
    /// All comparisons as they are stored now, by id.
    [[nodiscard]] std::vector<Revision> comparisons() const;
    /// Nothing where it has none.
    [[nodiscard]] std::optional<NewestResult> newest(std::string_view scenario) const;
    /// The newest base of a comparison in this objective and currency.
    [[nodiscard]] std::optional<Standing> base(std::string_view comparison, std::string_view objective,
                                               std::string_view currency) const;
    /// The event's id.
    std::int64_t record(const NewEvent& event);
    void keep(const NewStanding& standing, std::optional<std::int64_t> event);

private:
    Database& database_;
    Run run_;
    std::int64_t now_;
};

/// What is to be recorded at the end of a run. May throw StoreError: the run goes on then.
using AtEnd = std::function<void(Ending& ending)>;

} // namespace costcurve::storage
