// Turns a recipe's result into a document with the conditions that its file states.
#include "server/import/benchmarks/recipe_results.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "server/import/identity/aliases.hpp"
#include "server/import/identity/device_name.hpp"
#include "server/import/identity/model_name.hpp"
#include "server/import/identity/spellings.hpp"

namespace costcurve::imports {

namespace {

struct RecipeFolder {
    std::string_view folder;
    std::string_view instance;
};
// Folders of gpu-recipes, and the instance type of each.
constexpr auto kRecipeFolders = std::to_array<RecipeFolder>({{"a3ultra", "a3-ultragpu-8g"}, {"a4", "a4-highgpu-8g"}});

std::vector<std::string_view> words_of_name(std::string_view name) {
    std::vector<std::string_view> words;
    while (!name.empty()) {
        const std::size_t end = std::min(name.find('_'), name.size());
        words.push_back(name.substr(0, end));
        name.remove_prefix(std::min(end + 1, name.size()));
    }
    return words;
}

} // namespace

std::optional<std::string> device_of_word(std::string_view word) {
    if (std::optional<std::string> device = device_of(word)) {
        return device;
    }
    const std::string name = lower(word);
    if (const auto* const row = std::ranges::find(kRecipeFolders, name, &RecipeFolder::folder); row != kRecipeFolders.end()) {
        return instance_of(row->instance).value_or(Machine{}).device;
    }
    return device_of("tpu-" + name);
}

std::string device_of_file(const RecipeFile& file) {
    if (!file.device.empty() || !file.options.device.empty()) {
        return file.device.empty() ? device_option(file.options).value_or("") : file.device;
    }
    for (const std::string_view word : words_of_name(stem_of(file.options.name))) {
        if (const std::optional<std::string> device = device_of_word(word)) {
            return *device;
        }
    }
    return "";
}

std::string model_of_file(const RecipeFile& file) {
    if (!file.options.model.empty()) {
        return file.options.model;
    }
    for (const std::string_view word : words_of_name(stem_of(file.options.name))) {
        if (names_size(word)) {
            return model_id_of(word);
        }
    }
    return "";
}

std::string precision_of_recipe(std::string_view text) { return precision_of(text.substr(0, text.find('_'))); }

std::string length_name(double tokens) {
    constexpr double kThousand = 1000.0;
    constexpr double kTwoToTheTen = 1024.0;
    if (tokens < kThousand * 0.9) {
        return fmt::format("{:.0f}", tokens);
    }
    const bool binary = std::fmod(tokens, kTwoToTheTen) == 0.0;
    return fmt::format("{:.0f}k", tokens / (binary ? kTwoToTheTen : kThousand));
}

std::string unnamed(const RecipeResult& result) {
    if (result.device.empty()) {
        return "which device it ran on is not said: give device, such as \"TPU v6e\"";
    }
    return result.model.empty() ? "which model it is of is not said: give model, such as llama-3.1-70b" : "";
}

std::string recipe_id(const RecipeFile& file, const RecipeResult& result) {
    return make_id({file.options.id.empty() ? "recipes" : file.options.id, result.model, result.what, result.precision, result.more,
                    gang_name(result.devices, result.device)});
}

model::Performance recipe_document(const RecipeFile& file, const RecipeResult& result) {
    model::Performance performance;
    performance.id = recipe_id(file, result);
    performance.device.id = result.device;
    performance.devices = result.devices;
    // A training rate is no serving rate, and questions would use any rate with a model for serving.
    performance.model = result.what == kTraining ? "" : result.model;
    performance.batch = result.batch;
    performance.mix = result.mix;
    performance.precision = result.precision;
    performance.framework = result.framework;
    performance.source = source_of(file.options, result.entry);
    performance.note = result.note;
    if (result.output_only) {
        performance.class_weights.input = 0.0;
    }
    return performance;
}

void add_recipe(RecipeFile& file, const RecipeResult& result) {
    if (!std::isfinite(result.units_per_s)) {
        file.report.rejected.add(result.row, "the rate of all devices together is no number: one of the row's is far too large");
        return;
    }
    model::Performance performance = recipe_document(file, result);
    const auto [first, is_new] = file.seen.try_emplace(performance.id, result.units_per_s, result.row);
    if (is_new) {
        performance.units_per_s = model::Rate{result.units_per_s, std::nullopt};
        file.report.add(std::move(performance));
    } else if (first->second.first == result.units_per_s) {
        ++file.report.skipped;
    } else {
        file.report.rejected.add(result.row,
                                 fmt::format("it says {:.6g} units/s, and row {} of the same model, precision and devices says "
                                             "{:.6g}; leave out the one that does not hold",
                                             result.units_per_s, first->second.second, first->second.first));
    }
}

} // namespace costcurve::imports
