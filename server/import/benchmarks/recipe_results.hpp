// What the tables, log lines and printouts of published recipes have in common: whose file it is, one result, and its document.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/import/importer.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

/// `RecipeResult::what` of training.
inline constexpr std::string_view kTraining = "train";

/// One measured rate, as a row or a line gives it.
struct RecipeResult {
    std::size_t row = 0;
    std::string device, model, precision, framework;
    int devices = 0;
    double units_per_s = 0.0;             ///< of all devices together
    bool output_only = false;             ///< counts generated tokens, not the prompt's
    std::optional<model::RequestMix> mix; ///< of serving
    std::optional<int> batch;
    std::string what;  ///< part of the id: "train", or the tokens in and out, "1k-8k"
    std::string more;  ///< part of the id behind the precision
    std::string entry; ///< which row or line, for the source
    std::string note;
};

/// A step of training as MaxText logs it, and the folder that it was quoted in.
struct StepLine {
    std::string said; ///< without the folder
    RecipeResult result;
};

/// One printout of `vllm bench serve`.
struct ServingRun {
    std::size_t row = 0; ///< 0: none has begun
    Number concurrency, requests, failed, seconds, input, output, output_rate, total_rate, token_ms, first_ms;
};

/// What was served, and its runs by the number of requests at a time.
struct Serving {
    RecipeResult result;
    std::map<double, ServingRun> runs;
};

/// A file of recipes as it is read.
struct RecipeFile {
    const Options& options;
    Report& report;
    std::string device;                                         ///< named by the last heading; "" if not named
    int heading = 0;                                            ///< how deep that heading stands
    std::map<std::string, std::pair<double, std::size_t>> seen; ///< rate and row by id
    std::vector<StepLine> steps;                                ///< to be compared with one another
    std::map<std::string, Serving> servings;                    ///< by id
    ServingRun serving;                                         ///< that has begun
};

/// The device of a word such as "Ironwood", "v5p", "H100" or "a3ultra".
[[nodiscard]] std::optional<std::string> device_of_word(std::string_view word);
/// What the heading, the option or the file's name say; "" where none does.
[[nodiscard]] std::string device_of_file(const RecipeFile& file);
/// What the option says, or the file's name where it has a size in it; "" where none does.
[[nodiscard]] std::string model_of_file(const RecipeFile& file);
/// "fp8_full" is fp8.
[[nodiscard]] std::string precision_of_recipe(std::string_view text);
/// 1024 is "1k", 999 too, 128 is "128".
[[nodiscard]] std::string length_name(double tokens);

/// Why the result is of nothing: device or model unknown; "" where both are known.
[[nodiscard]] std::string unnamed(const RecipeResult& result);
/// The id of its document, and the document without its rate.
[[nodiscard]] std::string recipe_id(const RecipeFile& file, const RecipeResult& result);
[[nodiscard]] model::Performance recipe_document(const RecipeFile& file, const RecipeResult& result);
/// Adds its document, once.
void add_recipe(RecipeFile& file, const RecipeResult& result);

/// A line of a table in Markdown, which keeps its header between calls.
class RecipeTables {
public:
    /// True where the line was part of a table.
    bool read_line(std::string_view line, std::size_t row, RecipeFile& file);

private:
    std::vector<std::string> header_; ///< empty outside of tables
};

/// True where the line is a step of training, or part of a serving printout.
[[nodiscard]] bool read_printout(std::string_view line, std::size_t row, RecipeFile& file);
/// Adds what was kept of them.
void finish_printouts(RecipeFile& file);

} // namespace costcurve::imports
