// What readers of published recipes share (tables, log lines, printouts): the file's device and model, one result, and its
// document.
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

/// Value of `RecipeResult::what` for training.
inline constexpr std::string_view kTraining = "train";

/// One measured rate from a table row or a log line.
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

/// A training step as MaxText logs it, with the folder that it is quoted from.
struct StepLine {
    std::string said; ///< without the folder
    RecipeResult result;
};

/// One printout of `vllm bench serve`.
struct ServingRun {
    std::size_t row = 0; ///< 0: no printout has begun
    Number concurrency, requests, failed, seconds, input, output, output_rate, total_rate, token_ms, first_ms;
};

/// A served model, and its runs by concurrency.
struct Serving {
    RecipeResult result;
    std::map<double, ServingRun> runs;
};

/// State while one recipe file is read.
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

/// The device that a word such as "Ironwood", "v5p", "H100" or "a3ultra" names.
[[nodiscard]] std::optional<std::string> device_of_word(std::string_view word);
/// The device from the heading, the option or the file's name; "" if none names one.
[[nodiscard]] std::string device_of_file(const RecipeFile& file);
/// The model from the option, or from the file's name if it contains a model size; "" otherwise.
[[nodiscard]] std::string model_of_file(const RecipeFile& file);
/// The precision in a recipe's spelling: "fp8_full" is fp8.
[[nodiscard]] std::string precision_of_recipe(std::string_view text);
/// A token count as in ids: 1024 is "1k", 999 too, 128 is "128".
[[nodiscard]] std::string length_name(double tokens);

/// "device unknown" or "model unknown" as a reason; "" if both are known.
[[nodiscard]] std::string unnamed(const RecipeResult& result);
/// The id of the result's document. recipe_document gives the document without its rate.
[[nodiscard]] std::string recipe_id(const RecipeFile& file, const RecipeResult& result);
[[nodiscard]] model::Performance recipe_document(const RecipeFile& file, const RecipeResult& result);
/// Adds the result's document. Skips a repeated result; rejects a different rate of the same document, or one that isn't finite.
void add_recipe(RecipeFile& file, const RecipeResult& result);

/// Reads lines of Markdown tables; keeps the header between calls.
class RecipeTables {
public:
    /// Reads a line. True if the line is part of a table.
    bool read_line(std::string_view line, std::size_t row, RecipeFile& file);

private:
    std::vector<std::string> header_; ///< empty outside of tables
};

/// Reads a line. True if it is a training step or part of a serving printout.
[[nodiscard]] bool read_printout(std::string_view line, std::size_t row, RecipeFile& file);
/// Adds the documents of the printouts that were kept.
void finish_printouts(RecipeFile& file);

} // namespace costcurve::imports
