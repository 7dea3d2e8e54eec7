// Tables of words; types of machines are in machine_types.cpp.
#include "server/gate/deployed/accelerator_words.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/documents/text.hpp"
#include "server/gate/deployed/machine_types.hpp"

namespace costcurve::gate::deployed {

namespace {

// A word that begins so; of short names the word itself.
constexpr auto kBegin = std::to_array<std::string_view>(
    {"gpu",        "vgpu",  "tpu",   "h100",  "h200", "b200", "b300",  "gb200", "gb300",  "a100",  "l40",        "v100",
     "mi250",      "mi300", "mi325", "mi355", "rtx",  "k80",  "gaudi", "trn1",  "trn2",   "inf2",  "trainium",   "inferentia",
     "neuroncore", "gn5",   "gn6",   "gn7",   "gn8",  "gn10", "gx2",   "gx3",   "dcunum", "vcuda", "requestgpu", "instance-gpu"});
constexpr auto kWhole =
    std::to_array<std::string_view>({"l4", "t4", "a10", "a10g", "a16", "a30", "a40", "p100", "h20", "h800", "gpus"});

// Members whose texts people choose, or that name software.
constexpr auto kFree = std::to_array<std::string_view>(
    {"name",   "name_prefix", "tags",         "tags_all", "labels",     "label",    "description", "annotations",
     "id",     "arn",         "display_name", "comment",  "image",      "image_id", "ami",         "ami_type",
     "bucket", "path",        "policy",       "metadata", "repository", "chart",    "namespace",   "user_data",
     "env",    "environment", "url",          "urls",     "key_name"});

// A member that has the type of a machine: its text is shown.
constexpr auto kMachine = std::to_array<std::string_view>({"shape",
                                                           "node_shape",
                                                           "platform",
                                                           "platform_id",
                                                           "preset",
                                                           "gpu_type",
                                                           "gpu_type_id",
                                                           "gpu_types",
                                                           "instance_type",
                                                           "instance_type_name",
                                                           "machine_type",
                                                           "vm_size",
                                                           "size",
                                                           "sku",
                                                           "sku_name",
                                                           "flavor",
                                                           "flavor_name",
                                                           "plan",
                                                           "accelerator_type",
                                                           "node_type",
                                                           "commercial_type",
                                                           "profile",
                                                           "workload_profile_type",
                                                           "workload_type",
                                                           "resourceProfile",
                                                           "type"});

constexpr auto kAskedFor = std::to_array<std::string_view>(
    {"nvidia.com/", "amd.com/gpu", "google.com/tpu", "aws.amazon.com/neuron", "habana.ai/gaudi", "gpu.intel.com/"});

template <std::size_t N> bool is_among(const std::array<std::string_view, N>& words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

bool is_word(std::string_view word) { // also of so many: 8xh100
    const std::size_t count = word.find_first_not_of("0123456789");
    word.remove_prefix(count != std::string_view::npos && count > 0 && word[count] == 'x' ? count + 1 : 0);
    return is_among(kWhole, word) || word.ends_with("gpu") ||
           std::ranges::any_of(kBegin, [&](std::string_view begin) { return word.starts_with(begin); });
}

// The first word for accelerators of a text in small letters; "" where there is none.
std::string_view word_in(std::string_view name) {
    constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
    for (std::size_t at = name.find_first_of(kLetters); at < name.size(); at = name.find_first_of(kLetters, at)) {
        const std::size_t end = std::min(name.find_first_not_of(kLetters, at), name.size());
        if (is_word(name.substr(at, end - at))) {
            return name.substr(at, end - at);
        }
        at = end;
    }
    return "";
}

// What pods ask for; a chart's dots are escaped (nvidia\.com/gpu).
std::string asked_for_in(std::string_view text) {
    std::string plain(text);
    std::erase(plain, '\\');
    const auto found =
        std::ranges::find_if(kAskedFor, [&](std::string_view asked) { return plain.find(asked) != std::string::npos; });
    return found == kAskedFor.end() ? "" : fmt::format("{} accelerators", found->substr(0, found->find('/')));
}

bool is_machine_type(std::string_view text) {
    const bool is_size =
        text.find('.') != std::string_view::npos && (text.ends_with("xlarge") || text.find(".metal") != std::string_view::npos);
    return accelerators_of_type(text) || (is_size && is_accelerated_family("aws", text)) || is_accelerated_family("azure", text);
}

// A type of a machine within a text, such as a template of another tool.
std::string machine_in(std::string_view text) {
    constexpr std::string_view kOfTypes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    for (std::size_t at = text.find_first_of(kOfTypes); at < text.size(); at = text.find_first_of(kOfTypes, at)) {
        const std::size_t end = std::min(text.find_first_not_of(kOfTypes, at), text.size());
        if (is_machine_type(text.substr(at, end - at))) {
            return std::string(text.substr(at, end - at));
        }
        at = end;
    }
    return "";
}

// `is_free`: of texts that people choose.
std::string named_in(std::string_view member, std::string_view text, bool is_free) {
    constexpr std::size_t kShown = 100;
    std::string found = machine_in(text);
    found = found.empty() ? asked_for_in(text) : found;
    if (!found.empty() || is_free) {
        return found;
    }
    const std::string small = model::lower(text);
    const std::string_view word = word_in(small);
    const bool is_family =
        (member == "instance_type" || member.starts_with("instance_famil")) && is_accelerated_family("aws", text);
    return is_family || (!word.empty() && is_among(kMachine, member) && text.size() <= kShown) ? std::string(text)
                                                                                               : std::string(word);
}

// 0, null, false and what is empty attach none; of a list those that all state a count of 0.
bool is_something(const JsonValue& value) { // NOLINT(misc-no-recursion): no deeper than 32 levels, which was checked
    if (value.is_object()) {
        const JsonValue* const count = value.find("count");
        return count == nullptr || !count->is_number() || count->number() > 0.0;
    }
    if (value.is_array()) {
        return std::ranges::any_of(value.entries(), [](const JsonValue& entry) { return is_something(entry); });
    }
    const std::string_view text = value.text();
    return value.is_number() ? value.number() > 0.0
                             : value.boolean() || (!text.empty() && text != "0" && text != "none" && text != "false");
}

// gpu_count, requestGPU, guest_accelerator.
std::string attached_by(const JsonMember& member) {
    const std::string name = model::lower(member.name);
    const bool is_attached = name.starts_with("accelerator") || name.ends_with("accelerator") || !word_in(name).empty() ||
                             name.ends_with("gpu") || name.ends_with("gpus");
    if (!is_attached || name.ends_with("arn") || !is_something(member.value)) {
        return "";
    }
    const bool is_list = member.value.is_array() && member.value.size() > 0 && member.value[0].is_object();
    const JsonValue* const type = is_list ? member.value[0].find("type") : nullptr;
    return std::string(type != nullptr && !type->text().empty() ? type->text() : std::string_view(member.name));
}

// `member` is the name of the nearest one around the value.
// NOLINTNEXTLINE(misc-no-recursion): no deeper than 32 levels, which was checked
std::string named_below(std::string_view member, const JsonValue& value, bool is_free) {
    if (!value.text().empty()) {
        return named_in(member, value.text(), is_free);
    }
    for (const JsonMember& one : value.members()) {
        std::string found = asked_for_in(one.name);
        const bool is_chosen = is_free || is_among(kFree, one.name);
        found = found.empty() && !is_chosen ? attached_by(one) : found;
        const bool is_nothing = one.name == "guest_accelerator" && !is_something(one.value);
        found = found.empty() && !is_nothing ? named_below(one.name, one.value, is_chosen) : found;
        if (!found.empty()) {
            return found;
        }
    }
    for (const JsonValue& entry : value.entries()) {
        if (std::string found = named_below(member, entry, is_free); !found.empty()) {
            return found;
        }
    }
    return "";
}

} // namespace

bool names_accelerator(std::string_view text) { return !word_in(model::lower(text)).empty(); }

std::string accelerated_type_in(const JsonValue& value) { return named_below("", value, false); }

} // namespace costcurve::gate::deployed
