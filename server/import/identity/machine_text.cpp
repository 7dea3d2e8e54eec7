// Instance types and devices in free text.
#include "server/import/identity/machine_text.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "server/import/identity/aliases.hpp"
#include "server/import/identity/spellings.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

namespace {

struct MachineProviderRow {
    std::string_view word;
    std::string_view provider;
};
constexpr auto kMachineProviders = std::to_array<MachineProviderRow>({
    {"amazon", "aws"},
    {"aws", "aws"},
    {"ec2", "aws"},
    {"google", "gcp"},
    {"gcp", "gcp"},
    {"azure", "azure"},
    {"microsoft", "azure"},
    {"alibaba", "alibaba"},
    {"baidu", "baidu"},
    {"didi", "didi"},
    {"lambda", "lambda"},
    {"paperspace", "paperspace"},
});

// Machines that compute on their processors: only where the text names no accelerator. Elsewhere these types are hosts.
struct CpuRow {
    std::string_view instance;
    std::string_view device;
};
constexpr auto kCpus = std::to_array<CpuRow>({
    {"c5.2xlarge", "aws.c5.2xlarge-cpu"},
    {"n1-standard-16", "gcp.n1-standard-16-cpu"},
});

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    for (const char c : lower(text) + " ") {
        if (std::string_view(" \t()[],/;:").find(c) == std::string_view::npos) {
            word += c;
        } else if (!word.empty()) {
            words.push_back(std::exchange(word, ""));
        }
    }
    return words;
}

// "8", "4x", "*", "v100*1" and "8*v100" apart: numbers, names and asterisks.
std::vector<std::string> split_at_asterisks(const std::vector<std::string>& words) {
    std::vector<std::string> parts;
    for (const std::string& word : words) {
        std::size_t begin = 0;
        for (std::size_t at = word.find('*'); at != std::string::npos; at = word.find('*', begin)) {
            parts.push_back(word.substr(begin, at - begin));
            parts.emplace_back("*");
            begin = at + 1;
        }
        parts.push_back(word.substr(begin));
    }
    std::erase(parts, "");
    return parts;
}

std::optional<int> count_in(const std::string& word) {
    const bool times = word.size() > 1 && word.back() == 'x';
    const std::string digits = times ? word.substr(0, word.size() - 1) : word;
    const bool plain = !digits.empty() && std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    const Number number = plain ? parse_number(digits) : Number{};
    return number ? count_of(number.value) : std::nullopt;
}

// The longest device that begins at a word, of up to four words.
std::optional<std::string> device_at(const std::vector<std::string>& words, std::size_t begin, std::size_t& end) {
    const auto from = words.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto plain = static_cast<std::size_t>(std::find(from, words.end(), "*") - from);
    for (std::size_t length = std::min<std::size_t>(4, plain); length > 0; --length) {
        std::string name;
        for (std::size_t i = begin; i < begin + length; ++i) {
            name += words[i];
        }
        if (std::optional<std::string> device = device_of(name)) {
            end = begin + length;
            return device;
        }
    }
    return std::nullopt;
}

struct Counted {
    std::optional<std::string> device;
    std::optional<int> devices;
};

// "8 v100", "8 * v100", "4x gtx 1080 ti", "v100 * 1"; a device without a number is no count.
Counted counted_device(const std::vector<std::string>& words) {
    const auto is_times = [&](std::size_t i) { return i < words.size() && words[i] == "*"; };
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::size_t end = 0;
        const std::optional<std::string> device = device_at(words, i, end);
        if (!device) {
            continue;
        }
        const std::size_t before = i > 0 && is_times(i - 1) ? i - 1 : i;
        std::optional<int> count = before > 0 ? count_in(words[before - 1]) : std::nullopt;
        if (!count && is_times(end) && end + 1 < words.size()) { // "v100*1-16gb": the number ends at the hyphen
            count = count_in(words[end + 1].substr(0, words[end + 1].find('-')));
        }
        return {device, count};
    }
    return {};
}

void read_instance(const std::vector<std::string>& words, const Counted& counted, MachineText& machine) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::optional<Machine> found = instance_of(words[i]);
        if (!found) {
            continue;
        }
        machine.instance = words[i];
        const bool aws = words[i].find('.') != std::string::npos && !words[i].starts_with("ecs.");
        machine.provider = machine.provider.empty() && aws ? "aws" : machine.provider;
        // "V100" of a "p3dn.24xlarge" is its board; a device of another maker's name is a contradiction that nobody can solve.
        if (counted.devices && *counted.devices % found->devices != 0) {
            machine.device.reset();
            machine.devices.reset();
            return;
        }
        machine.device = found->device;
        const std::optional<int> stated = i > 0 ? count_in(words[i - 1]) : std::nullopt;
        machine.machines = counted.devices ? *counted.devices / found->devices : stated.value_or(1);
        machine.devices = found->devices * machine.machines;
        return;
    }
}

} // namespace

MachineText machine_in(std::string_view text) {
    const std::vector<std::string> words = split_at_asterisks(words_of(text));
    MachineText machine;
    for (const MachineProviderRow& row : kMachineProviders) {
        const bool named =
            std::any_of(words.begin(), words.end(), [&](const std::string& word) { return word.starts_with(row.word); });
        if (named && machine.provider.empty()) {
            machine.provider = row.provider;
        }
    }
    const Counted counted = counted_device(words);
    machine.device = counted.device;
    machine.devices = counted.devices;
    read_instance(words, counted, machine);
    for (const std::string& word : words) { // "v3-8" is four chips
        const std::optional<Machine> slice = machine.device ? std::nullopt : tpu_slice_of(word);
        if (slice) {
            machine.device = slice->device;
            machine.devices = slice->devices;
        }
    }
    const bool tpu = std::any_of(words.begin(), words.end(), [](const std::string& word) { return word.starts_with("tpu"); });
    machine.has_host_price = tpu;
    for (const CpuRow& row : kCpus) {
        const bool named = std::find(words.begin(), words.end(), row.instance) != words.end();
        if (named && !machine.device && !tpu) {
            machine.device = row.device;
            machine.devices = 1;
            machine.instance = row.instance;
            machine.provider =
                machine.provider.empty() ? std::string(row.device.substr(0, row.device.find('.'))) : machine.provider;
        }
    }
    return machine;
}

} // namespace costcurve::imports
