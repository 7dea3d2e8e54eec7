// Inputs of a verb without a daemon: prices from files or a database, and scenarios from files.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/answers/encode_result.hpp"
#include "server/documents/references.hpp"
#include "server/gate/deployed/scenario.hpp"
#include "server/storage/store.hpp"

namespace CLI {
class App;
}

namespace costcurve::commands {

/// Where ids are looked up: files or a database, or nowhere.
struct GivenPrices {
    std::vector<std::string> files; ///< what export writes, or lists such as offers.json
    std::string database;
};
/// Options shared by the verbs of this folder.
struct GivenOptions {
    std::vector<std::string> files;
    GivenPrices prices;
    std::vector<std::string> offers; ///< NAME=ID
    std::string today;               ///< YYYY-MM-DD; "" for the system's day
};
/// `FILE`, `--prices`, `--database`, `--offer` and `--today`.
void add_given(CLI::App& verb, GivenOptions& options, const char* files);

/// Opened prices.
class Given {
public:
    explicit Given(documents::Source source) : source_(std::move(source)) {}
    explicit Given(std::unique_ptr<storage::Store> store) : store_(std::move(store)), source_(*store_, std::nullopt) {}

    [[nodiscard]] documents::Source& source() { return source_; }
    /// The store; null without a database.
    [[nodiscard]] const storage::Store* store() const { return store_.get(); }

private:
    std::unique_ptr<storage::Store> store_;
    documents::Source source_;
};
/// Fails where a file can't be read or the database isn't there. Throws StoreError.
[[nodiscard]] model::Result<std::unique_ptr<Given>> open_given(const GivenPrices& prices);

/// An evaluated scenario of a file.
struct GivenScenario {
    std::string file;
    std::string name;
    answers::Evaluated evaluated;
    std::vector<std::string> open; ///< what of a deployment is not known and moves its cost, what moves most first
};

/// Content of files. Plans and manifests together form one deployment.
struct GivenFiles {
    std::vector<GivenScenario> scenarios; ///< in the order of the files; that of the deployment last
    std::string deployment;               ///< the first file of a deployment; "" of none
    gate::deployed::DeployedScenario deployed;
};

/// Options for reading files.
struct ReadTerms {
    gate::deployed::Terms deployed;
    bool prefers_stored = false; ///< scenarios of an id that the source has are as they are there
};

/// The scenarios of files, every issue at once, each at `file#pointer`.
[[nodiscard]] model::Result<GivenFiles> read_scenarios(const std::vector<std::string>& files, documents::Source& source,
                                                       const ReadTerms& terms);
/// The deployment of plans and manifests alone, which is not evaluated.
[[nodiscard]] model::Result<GivenFiles> read_deployment(const std::vector<std::string>& files, documents::Source& source,
                                                        const ReadTerms& terms);

/// The terms of the options `--offer` and `--today`, and the day.
struct Today {
    double day = 0.0;
    ReadTerms terms;
};
[[nodiscard]] model::Result<Today> read_terms(const std::vector<std::string>& offers, const std::string& today);

/// The issues with the file's name and # before their pointers.
[[nodiscard]] model::Failure placed_in(const std::string& file, model::Failure issues);
[[nodiscard]] model::Failure cannot_read(const std::string& file);

} // namespace costcurve::commands
