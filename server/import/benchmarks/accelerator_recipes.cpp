// Reads results from recipes of accelerator makers (tpu-recipes, gpu-recipes, MaxText): Markdown tables, step lines of MaxText's
// log and output of vLLM's benchmark, mixed with prose in one text.
#include <algorithm>

#include <fmt/format.h>

#include "server/import/benchmarks/recipe_results.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/lines.hpp"

namespace costcurve::imports {

namespace {

bool is_word_sign(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-'; }

// A heading such as "## Trillium (v6e)" names the device for all lines until the next heading of the same or a higher level.
void read_heading(std::string_view line, RecipeFile& file) {
    const auto depth = static_cast<int>(line.find_first_not_of('#'));
    std::string device;
    for (std::string_view rest = line; !rest.empty();) {
        const auto end = static_cast<std::size_t>(std::find_if_not(rest.begin(), rest.end(), is_word_sign) - rest.begin());
        device = device.empty() ? device_of_word(rest.substr(0, end)).value_or("") : device;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (!device.empty() || depth <= file.heading) {
        file.device = device;
        file.heading = device.empty() ? 0 : depth;
    }
}

bool is_heading(std::string_view line) {
    const std::size_t end = line.find_first_not_of('#');
    return end != 0 && end != std::string_view::npos && line[end] == ' ';
}

} // namespace

HardError read_accelerator_recipes(Bytes& bytes, const Options& options, Report& report) {
    RecipeFile file{options, report, "", 0, {}, {}, {}, {}};
    RecipeTables tables;
    Lines lines(bytes);
    while (lines.next()) {
        const std::size_t row = lines.row();
        const bool table = tables.read_line(lines.text(), row, file); // tables first: any other line ends a table
        if (!table && !read_printout(lines.text(), row, file) && is_heading(lines.text())) {
            read_heading(lines.text(), file);
        }
    }
    if (lines.error()) {
        return lines.error();
    }
    finish_printouts(file);
    if (report.rows == 0) {
        return hard_error(model::Code::bad_format, 0,
                          "there is no result in it: a table with tokens/s by chip or device (or Workload and token throughput), a "
                          "step line of MaxText, or a printout of vllm bench serve is needed");
    }
    return std::nullopt;
}

} // namespace costcurve::imports
