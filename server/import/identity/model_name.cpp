// Spellings of models: what is cut off, where a hyphen is missing, and the few that no rule makes.
#include "server/import/identity/model_name.hpp"

#include <algorithm>
#include <array>

#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

namespace {

// Ends of names that say how a model was stored, tuned or run.
constexpr auto kModelEnds = std::to_array<std::string_view>(
    {"-maxtext", "-maxdiffusion", "-fp8",  "-fp8-dynamic", "-fp8-kv",   "-fp4",  "-nvfp4", "-mxfp4", "-bf16", "-int4", "-int8",
     "-awq",     "-gptq",         "-base", "-instruct",    "-thinking", "-2507", "-chat",  "-it",    "-hf",   "-gguf"});

// Makers whose name their models repeat: nvidia/NVIDIA-Nemotron-Nano-9B-v2.
constexpr auto kDoubledMakers = std::to_array<std::string_view>({"nvidia-nemotron"});

// Families whose version the catalogue sets apart: llama3.1 is llama-3.1, but qwen3 stays qwen3.
constexpr auto kHyphenFamilies = std::to_array<std::string_view>({"llama", "gemma", "gpt"});

struct ModelSpelling {
    std::string_view written;
    std::string_view id;
};
constexpr auto kModelSpellings = std::to_array<ModelSpelling>({
    {"deepseek3-671b", "deepseek-v3"},
    {"deepseek-r1-0528", "deepseek-r1"},
    {"llama-3-1-8b", "llama-3.1-8b"},
    {"llama-3-1-70b", "llama-3.1-70b"},
    {"llama-3-1-405b", "llama-3.1-405b"},
    {"nemotron-3-nano", "nemotron-3-nano-30b-a3b"},
    {"nemotron-3-super", "nemotron-3-super-120b-a12b"},
    {"nemotron_3_nano", "nemotron-3-nano-30b-a3b"},
    {"nemotron_3_super", "nemotron-3-super-120b-a12b"},
    {"qwen3.5-397b", "qwen3.5-397b-a17b"},
});

bool is_digit_of_name(char c) { return c >= '0' && c <= '9'; }

} // namespace

std::string model_id_of(std::string_view name) {
    name.remove_prefix(name.rfind('/') + 1); // npos + 1 is 0
    std::string id = make_id({name});
    for (bool found = true; found;) {
        found = false;
        for (const std::string_view end : kModelEnds) {
            if (id.size() > end.size() && id.ends_with(end)) {
                id.erase(id.size() - end.size());
                found = true;
            }
        }
    }
    for (const std::string_view maker : kDoubledMakers) {
        if (id.starts_with(maker)) {
            id.erase(0, maker.find('-') + 1);
        }
    }
    for (const std::string_view family : kHyphenFamilies) {
        if (id.size() > family.size() && id.starts_with(family) && is_digit_of_name(id[family.size()])) {
            id.insert(family.size(), 1, '-');
        }
    }
    const auto row = std::ranges::find(kModelSpellings, id, &ModelSpelling::written);
    return row == kModelSpellings.end() ? id : std::string(row->id);
}

bool names_size(std::string_view model) {
    const std::string id = make_id({model});
    for (std::size_t at = id.find('b'); at != std::string::npos; at = id.find('b', at + 1)) {
        const bool ends = at + 1 == id.size() || id[at + 1] == '-';
        if (at > 0 && is_digit_of_name(id[at - 1]) && ends) {
            return true;
        }
    }
    return false;
}

} // namespace costcurve::imports
