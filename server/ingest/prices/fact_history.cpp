// Judges changed numbers and words of documents and their parts, by the names of their fields.
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>

#include <fmt/format.h>

#include "model/documents/documents.hpp"
#include "model/documents/fields.hpp"
#include "server/documents/records.hpp"
#include "server/ingest/prices/price_history.hpp"

namespace costcurve::ingest {

namespace {

constexpr double kFactJump = 1.5; // of a number of a device or a model: what is built doesn't change

// What a document states, by the names of its fields.
struct Facts {
    std::map<std::string, double> numbers;
    std::map<std::string, double> parts; // numbers of its parts, such as attention.window_tokens, where 0 is one too
    std::map<std::string, std::string> words;
};

template <class M> inline constexpr bool is_optional = false;
template <class M> inline constexpr bool is_optional<std::optional<M>> = true;

template <class T> void add_facts(const T& document, const std::string& of, Facts& facts);

template <class M> void add_fact(const M& member, const std::string& name, bool is_part, Facts& facts) {
    if constexpr (is_optional<M>) {
        if (member) {
            add_fact(*member, name, is_part, facts);
        }
    } else if constexpr (std::is_same_v<M, bool>) {
        facts.words[name] = member ? "true" : "false";
    } else if constexpr (std::is_enum_v<M>) {
        facts.words[name] = model::name_of(member);
    } else if constexpr (std::is_arithmetic_v<M>) {
        (is_part ? facts.parts : facts.numbers)[name] = static_cast<double>(member);
    } else if constexpr (std::is_same_v<M, std::map<std::string, double>>) {
        for (const auto& [of, number] : member) {
            facts.numbers[fmt::format("{} of {}", name, of)] = number;
        }
    } else if constexpr (model::has_fields<M> && !std::is_same_v<M, model::Curve>) {
        add_facts(member, name + ".", facts);
    }
}

template <class T> void add_facts(const T& document, const std::string& of, Facts& facts) {
    model::for_each_field<T>([&](const auto& field) {
        using M = std::decay_t<decltype(document.*field.member)>;
        add_fact<M>(document.*field.member, fmt::format("{}{}", of, field.name), !of.empty(), facts);
    });
}

template <class T> Facts facts_of(const T& document) {
    Facts facts;
    add_facts(document, "", facts);
    return facts;
}

void add_reason(std::string& reason, const std::string& text) { reason += (reason.empty() || text.empty() ? "" : "; ") + text; }

void add_moved(const std::map<std::string, double>& before, const std::map<std::string, double>& now, bool counts_zero,
               std::string& reason) {
    for (const auto& [name, number] : now) {
        const auto found = before.find(name);
        if (found == before.end() || found->second == number) {
            continue;
        }
        if (found->second > 0.0 && number > 0.0) {
            add_reason(reason, is_beyond(number / found->second, kFactJump)
                                   ? fmt::format("its {} of {:.4g} is {:.3g} times what it was, {:.4g}", name, number,
                                                 number / found->second, found->second)
                                   : "");
        } else if (counts_zero) {
            add_reason(reason, fmt::format("its {} of {:.4g} was {:.4g}", name, number, found->second));
        }
    }
}

void add_new_parts(const model::Device& /*before*/, const model::Device& /*now*/, std::string& /*reason*/) {}

// What a model that is stored without them has none of.
void add_new_parts(const model::Model& before, const model::Model& now, std::string& reason) {
    if (!before.experts && now.experts) {
        add_reason(reason, "it has experts, and had none");
    }
    if (!before.attention && now.attention &&
        (now.attention->window_tokens > 0.0 || now.attention->state_bytes > 0.0 ||
         now.attention->kind != model::AttentionKind::full)) {
        add_reason(reason, "its attention is no full one, and was");
    }
}

} // namespace

template <class T> std::string reason_of_facts(const storage::Snapshot& snapshot, storage::Kind kind, const T& document) {
    const auto revision = snapshot.load({kind, document.id});
    const auto stored = revision ? documents::decode_readable(*revision) : std::nullopt;
    return stored ? reason_of_facts(std::get<T>(*stored), document) : "";
}

template <class T> std::string reason_of_facts(const T& before, const T& document) {
    const Facts stored = facts_of(before);
    const Facts stated = facts_of(document);
    std::string reason;
    add_moved(stored.numbers, stated.numbers, false, reason);
    add_moved(stored.parts, stated.parts, std::is_same_v<T, model::Model>, reason);
    for (const auto& [name, word] : stated.words) {
        const auto found = stored.words.find(name);
        add_reason(reason, found == stored.words.end() || found->second == word
                               ? ""
                               : fmt::format("its {} is {}, and was {}", name, word, found->second));
    }
    add_new_parts(before, document, reason);
    return reason;
}
template std::string reason_of_facts(const model::Device&, const model::Device&);
template std::string reason_of_facts(const model::Model&, const model::Model&);
template std::string reason_of_facts(const storage::Snapshot&, storage::Kind, const model::Device&);
template std::string reason_of_facts(const storage::Snapshot&, storage::Kind, const model::Model&);

} // namespace costcurve::ingest
