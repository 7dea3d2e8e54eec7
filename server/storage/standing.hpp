// What a run's completion may read and record inside the transaction that ends it; and standings of watched comparisons, as values.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/storage/event.hpp"
#include "server/storage/record.hpp"
#include "server/storage/run.hpp"

namespace costcurve::storage {

struct NewStanding {
    std::string comparison; ///< its id
    std::string objective;
    std::string currency; ///< currency of the figure; "" if it isn't money
    std::string cheapest; ///< the id of a scenario; "" if undetermined
    double figure = 0.0;
    bool is_base = false; ///< later standings are compared with it
    std::string body;     ///< JSON, opaque here
};

struct Standing : NewStanding {
    std::int64_t number = 0; ///< ascending across all comparisons
    std::int64_t run = 0;
    std::string recorded_at;
    std::optional<std::int64_t> event; ///< event that reported it
};

/// A result of a scenario; the newest unless stated otherwise.
struct NewestResult {
    std::int64_t number = 0;
    Headline headline;
    std::int64_t body = 0; ///< number of the row that `body_of` reads
};

/// A run of a feed or an import that is undone.
struct UndoneRun {
    std::string feed; ///< its id; "" of an import
    std::int64_t run = 0;
};

/// A run inside the transaction that ends it: everything recorded here is committed with the end, or not at all.
class RunCompletion {
public:
    explicit RunCompletion(Run run) : run_(std::move(run)) {}
    virtual ~RunCompletion() = default;

    [[nodiscard]] const Run& run() const { return run_; }
    /// All comparisons as they are stored now, by id.
    [[nodiscard]] virtual std::vector<Revision> comparisons() const = 0;
    /// The newest result of a scenario; nothing if it has none.
    [[nodiscard]] virtual std::optional<NewestResult> newest(std::string_view scenario) const = 0;
    /// Model version of the scenario's result with this number; "" if there is none.
    [[nodiscard]] virtual std::string model_version_of(std::string_view scenario, std::int64_t number) const = 0;
    /// A scenario's result of this number.
    [[nodiscard]] virtual std::optional<NewestResult> result(std::string_view scenario, std::int64_t number) const = 0;
    /// The revision of a document with this number.
    [[nodiscard]] virtual std::optional<Revision> revision(const DocumentKey& key, std::int64_t number) const = 0;
    /// The JSON of a result.
    [[nodiscard]] virtual std::string body_of(const NewestResult& result) const = 0;
    /// The newest base of a comparison in this objective and currency.
    [[nodiscard]] virtual std::optional<Standing> base(std::string_view comparison, std::string_view objective,
                                                       std::string_view currency) const = 0;
    /// The newest standing of a comparison, whatever its objective.
    [[nodiscard]] virtual std::optional<Standing> last(std::string_view comparison) const = 0;
    /// Runs of feeds and imports whose undoing started this run.
    [[nodiscard]] virtual std::vector<UndoneRun> undone() const = 0;
    /// Records an event; returns its id.
    virtual std::int64_t record(const NewEvent& event) = 0;
    virtual void keep(const NewStanding& standing, std::optional<std::int64_t> event) = 0;

private:
    Run run_;
};

/// Called at the end of a run to record its consequences. If it throws StoreError, the run has not ended.
using OnRunCompleted = std::function<void(RunCompletion& completion)>;

} // namespace costcurve::storage
