// Reads Markdown tables of recipes, recognized by their columns: training per chip, MaxText's tiers, and serving, where a heading
// may say per chip above totals.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "server/import/benchmarks/recipe_results.hpp"
#include "server/import/identity/model_name.hpp"
#include "server/import/identity/spellings.hpp"
#include "server/import/text/utf8.hpp"

namespace costcurve::imports {

namespace {

using RecipeCells = std::vector<std::string>;

// Bytes of a cell that are read. No genuine cell is longer, and messages and notes quote cells.
constexpr std::size_t kMaxCell = 200;
// Training with a longer context (tokens) gets a document of its own, with the length in its id.
constexpr double kLongContext = 16384.0;
// Step times are printed with two decimals.
constexpr double kStepTolerance = 0.02;
constexpr double kChipTolerance = 0.01;

// A cell's text without tags (<div …>), surrounding spaces, and code or emphasis marks.
std::string plain_cell(std::string_view cell) {
    std::string text;
    bool tag = false;
    for (const char c : cell) {
        tag = tag || c == '<';
        if (!tag && c != '`' && c != '*') {
            text += c;
        }
        tag = tag && c != '>';
    }
    const std::size_t begin = text.find_first_not_of(" \t");
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

RecipeCells cells_of_row(std::string_view line) {
    RecipeCells cells;
    const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
    line = line.substr(begin, line.find_last_not_of(" \t") + 1 - begin);
    if (line.starts_with('|')) {
        line.remove_prefix(1);
    }
    if (line.ends_with('|')) {
        line.remove_suffix(1);
    }
    for (bool more = true; more;) {
        const std::size_t end = line.find('|');
        cells.push_back(plain_cell(line.substr(0, end)));
        more = end != std::string_view::npos;
        line.remove_prefix(more ? end + 1 : line.size());
    }
    return cells;
}

bool is_separator(const RecipeCells& cells) {
    return std::all_of(cells.begin(), cells.end(),
                       [](const std::string& cell) { return !cell.empty() && cell.find_first_not_of(":-") == std::string::npos; });
}

// The cell of the column whose heading begins with `begins`; "" if there is no such column or the row is shorter.
std::string_view cell_under(const RecipeCells& header, const RecipeCells& cells, std::string_view begins) {
    const auto found =
        std::find_if(header.begin(), header.end(), [&](const std::string& name) { return name.starts_with(begins); });
    const auto index = static_cast<std::size_t>(found - header.begin());
    return index < cells.size() && found != header.end() ? clipped(cells[index], kMaxCell) : std::string_view();
}

bool has_column(const RecipeCells& header, std::string_view begins) {
    return std::any_of(header.begin(), header.end(), [&](const std::string& name) { return name.starts_with(begins); });
}

std::optional<int> whole_cell(std::string_view cell) {
    const Number number = parse_number(cell);
    return number ? count_of(number.value) : std::nullopt;
}

// The number at the beginning of a cell: "1996.00 tok/s (…)", "256 Chips(8x4x4)".
Number first_number(std::string_view cell) { return parse_number(cell.substr(0, cell.find_first_not_of("0123456789.,"))); }

// Reads a row of training per chip. Gives the reason if it can't be used, else "".
std::string read_training(const RecipeCells& header, const RecipeCells& cells, RecipeResult& result) {
    const std::string_view rate_cell = cell_under(header, cells, "tokenssec");
    const std::optional<int> chips = whole_cell(cell_under(header, cells, "numberofchips"));
    const Number rate = parse_number(rate_cell);
    result.model = model_id_of(cell_under(header, cells, "model"));
    if (!chips || !rate || rate.value <= 0) {
        return fmt::format(
            "Number of chips is \"{}\" and Tokens/sec/chip \"{}\": both are needed; fill them in, or leave the row out",
            cell_under(header, cells, "numberofchips"), rate_cell);
    }
    const Number batch = parse_number(cell_under(header, cells, "gbs"));
    const Number sequence = parse_number(cell_under(header, cells, "sequence"));
    const Number seconds = parse_number(cell_under(header, cells, "steptime"));
    if (batch && sequence && seconds && seconds.value > 0) {
        const double by_step = batch.value * sequence.value / seconds.value / *chips;
        if (!(std::fabs(by_step - rate.value) <= kStepTolerance * rate.value)) {
            return fmt::format(
                "GBS x sequence / step time / chips is {:.6g} tokens/s, and Tokens/sec/chip says {:.6g}: mend the one "
                "that is wrong",
                by_step, rate.value);
        }
    }
    result.devices = *chips;
    result.units_per_s = rate.value * *chips;
    result.batch = batch ? count_of(batch.value) : std::nullopt;
    result.precision = precision_of_recipe(cell_under(header, cells, "precision"));
    result.more = sequence && sequence.value > kLongContext ? length_name(sequence.value) : "";
    result.note = fmt::format(
        "Tokens/s in training {}, {:.6g} a chip x {} chips{}{}.", result.model, rate.value, *chips,
        batch && sequence ? fmt::format("; a step is {:.0f} sequences of {:.0f} tokens", batch.value, sequence.value) : "",
        seconds ? fmt::format(" in {:.6g} s", seconds.value) : "");
    return "";
}

// Reads a row of MaxText's tiers, whose configuration is like "256 Chips, BF16, SL=8192". Gives the reason if it can't be used,
// else "".
std::string read_tier(const RecipeCells& header, const RecipeCells& cells, RecipeResult& result) {
    const std::string_view configuration = cell_under(header, cells, "benchmarkconfiguration");
    const std::string_view rate_cell = cell_under(header, cells, "approxtokens");
    const Number chips = first_number(configuration.substr(0, configuration.find(',')));
    const Number rate = parse_number(rate_cell);
    const std::optional<int> devices = chips ? count_of(chips.value) : std::nullopt;
    if (!devices || !rate || rate.value <= 0) {
        return fmt::format(
            "Benchmark Configuration is \"{}\" and tokens/sec/device \"{}\": chips, as in \"256 Chips, BF16, SL=8192\","
            " and a rate are needed; fill them in, or leave the row out",
            configuration, rate_cell);
    }
    for (std::string_view rest = configuration; !rest.empty();) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        const std::string precision = precision_of(plain_cell(rest.substr(0, end)));
        result.precision = precision.empty() ? result.precision : precision;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    result.model = model_id_of(cell_under(header, cells, "model"));
    result.devices = *devices;
    result.units_per_s = rate.value * *devices;
    result.note = fmt::format("Tokens/s in training {}, about {:.6g} a chip x {} chips ({}).", result.model, rate.value, *devices,
                              configuration);
    return "";
}

// Token lengths of workloads such as "1k/8k" and "16k" (k = 1024 tokens). Empty if a part is not a number.
std::vector<double> workload_tokens(std::string_view workload) {
    constexpr double kTwoToTheTen = 1024.0;
    std::vector<double> lengths;
    for (bool more = true; more;) {
        const std::size_t end = workload.find('/');
        std::string_view part = workload.substr(0, end);
        const bool thousands = part.ends_with('k');
        part.remove_suffix(thousands ? 1 : 0);
        const Number number = parse_number(part);
        if (!number || number.value <= 0) {
            return {};
        }
        lengths.push_back(number.value * (thousands ? kTwoToTheTen : 1.0));
        more = end != std::string_view::npos;
        workload.remove_prefix(more ? end + 1 : workload.size());
    }
    return lengths;
}

// Finds the number of chips and their total rate. The cell's two numbers decide, even against the heading. Gives the reason if
// unknown, else "".
std::string count_serving(std::string_view cell, bool per_chip_heading, std::optional<int> given, RecipeResult& result) {
    const Number first = first_number(cell);
    if (!first || first.value <= 0) {
        return fmt::format("the throughput is \"{}\": a number is needed; fill it in, or leave the row out", cell);
    }
    const std::size_t open = cell.find('(');
    if (open == std::string_view::npos) {
        if (!given && !per_chip_heading) {
            return "the throughput is of all chips, and how many is not said: give devices";
        }
        result.devices = given.value_or(1);
        result.units_per_s = first.value * (per_chip_heading ? result.devices : 1);
        return "";
    }
    const Number per_chip = first_number(cell.substr(open + 1));
    const double ratio = per_chip && per_chip.value > 0 ? first.value / per_chip.value : 0.0;
    const std::optional<int> devices = count_of(std::round(ratio));
    if (!devices || std::fabs(ratio - *devices) > kChipTolerance * *devices || (given && *given != *devices)) {
        return fmt::format("the throughput is \"{}\": the total is no whole number of chips times what stands in brackets{}", cell,
                           given ? ", or not that of devices" : "");
    }
    result.devices = *devices;
    result.units_per_s = first.value;
    return "";
}

// Reads a row of serving. Gives the reason if it can't be used, else "".
std::string read_serving(const RecipeCells& header, const RecipeCells& cells, const RecipeFile& file, RecipeResult& result) {
    const std::string_view workload = cell_under(header, cells, "workload");
    const bool output = has_column(header, "outputtoken");
    const std::string_view column = output ? "outputtoken" : "totaltoken";
    const std::string name =
        std::string(*std::find_if(header.begin(), header.end(), [&](const std::string& one) { return one.starts_with(column); }));
    result.model = model_of_file(file);
    const std::vector<double> lengths = workload_tokens(workload);
    result.what.clear();
    for (const double tokens : lengths) {
        result.what += (&tokens == &lengths.front() ? "" : "-") + length_name(tokens);
    }
    if (lengths.size() == 2) {
        result.mix = {lengths.front(), lengths.back()};
    }
    if (lengths.empty()) {
        return fmt::format("Workload is \"{}\": tokens in and out are needed, as 1k/8k", workload);
    }
    std::string why =
        count_serving(cell_under(header, cells, column), name.ends_with("perchip"), devices_option(file.options), result);
    result.output_only = output;
    result.framework = framework_in("vllm");
    result.note = fmt::format("{}, for {} tokens{}, of {} chip{} together: \"{}\" in the table.",
                              output ? "Counts output tokens only" : "Counts all tokens", workload, output ? " in/out" : "",
                              result.devices, result.devices == 1 ? "" : "s", cell_under(header, cells, column));
    return why;
}

} // namespace

bool RecipeTables::read_line(std::string_view line, std::size_t row, RecipeFile& file) {
    if (line.find('|') == std::string_view::npos) {
        header_.clear();
        return false;
    }
    const RecipeCells cells = cells_of_row(line);
    if (header_.empty()) {
        header_ = cells;
        std::transform(header_.begin(), header_.end(), header_.begin(), letters_and_digits);
        return true;
    }
    if (is_separator(cells)) {
        return true;
    }
    RecipeResult result;
    result.row = row;
    result.device = device_of_file(file);
    result.what = kTraining;
    result.framework = "jax"; // both training tables are of MaxText, which runs on JAX
    std::string why;
    if (has_column(header_, "numberofchips") && has_column(header_, "tokenssec")) {
        why = read_training(header_, cells, result);
    } else if (has_column(header_, "benchmarkconfiguration") && has_column(header_, "approxtokens")) {
        why = read_tier(header_, cells, result);
    } else if (has_column(header_, "workload") && (has_column(header_, "outputtoken") || has_column(header_, "totaltoken"))) {
        why = read_serving(header_, cells, file, result);
    } else {
        ++file.report.skipped; // unrelated tables stand between the results
        return true;
    }
    ++file.report.rows;
    why = why.empty() ? unnamed(result) : why;
    if (why.empty()) {
        result.entry =
            fmt::format("row {}, {}{}", row, result.what == kTraining ? "" : result.model + " ", clipped(cells.front(), kMaxCell));
        add_recipe(file, result);
    } else {
        file.report.rejected.add(row, why);
    }
    return true;
}

} // namespace costcurve::imports
