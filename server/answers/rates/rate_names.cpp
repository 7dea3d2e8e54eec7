// Finds models and devices of a list by their names.
#include "server/answers/rates/rate_names.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "model/documents/text.hpp"
#include "server/answers/answer.hpp"
#include "server/answers/request.hpp"
#include "server/documents/near_names.hpp"
#include "server/documents/records.hpp"
#include "server/documents/renamed.hpp"
#include "server/import/identity/aliases.hpp"
#include "server/import/identity/model_name.hpp"
#include "server/import/identity/spellings.hpp"

namespace costcurve::answers {

using model::Code;

namespace {

template <class T> const T* with_id(const std::vector<T>& documents, std::string_view id) {
    const auto found = std::ranges::find(documents, id, &T::id);
    return found == documents.end() ? nullptr : &*found;
}

// By its id, one that it had before, or what `id_of` makes of a spelling.
template <class T, class F> const T* find(const std::vector<T>& documents, std::string_view name, F&& id_of) {
    if (const T* const found = with_id(documents, name)) {
        return found;
    }
    if (const auto renamed = documents::new_key({documents::kind_of<T>, std::string(name)})) {
        return with_id(documents, renamed->id);
    }
    return with_id(documents, id_of(name));
}

template <class T> model::Issue unknown(const std::vector<T>& documents, std::string_view field, std::string_view name) {
    std::vector<std::string_view> ids;
    ids.reserve(documents.size());
    for (const T& document : documents) {
        ids.emplace_back(document.id);
    }
    const std::string rest =
        documents.empty() ? fmt::format("; no {0}s are stored: put one under /v1/{0}s", field) : documents::near_names(name, ids);
    return {fmt::format("/{}", field), Code::unknown_reference,
            fmt::format("no {} has the id or name {}{}", field, shortened(name, 60), rest)};
}

} // namespace

const model::Model* find_model(const std::vector<model::Model>& models, std::string_view name) {
    if (const model::Model* const found = find(models, name, imports::model_id_of)) {
        return found;
    }
    const std::string wanted = imports::model_id_of(name);
    const auto found = std::ranges::find_if(
        models, [&](const model::Model& model) { return !wanted.empty() && imports::model_id_of(model.name) == wanted; });
    if (found != models.end()) {
        return &*found;
    }
    std::vector<std::string_view> ids;
    ids.reserve(models.size());
    for (const model::Model& model : models) {
        ids.emplace_back(model.id);
    }
    const std::string_view same = same_letters(ids, name);
    return same.empty() ? nullptr : with_id(models, same);
}

std::string_view same_letters(std::span<const std::string_view> ids, std::string_view name) {
    const auto letters_of = [](std::string_view text) {
        std::string letters = model::lower(text);
        std::erase_if(letters, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
        return letters;
    };
    const std::string wanted = letters_of(name);
    std::string_view found;
    for (const std::string_view id : ids) {
        if (wanted.empty() || id == found || letters_of(id) != wanted) {
            continue;
        }
        if (!found.empty()) {
            return {};
        }
        found = id;
    }
    return found;
}

const model::Device* find_device(const std::vector<model::Device>& devices, std::string_view name) {
    return find(devices, name, [](std::string_view spelling) { return imports::device_of(spelling).value_or(""); });
}

model::Issue unknown_model(const std::vector<model::Model>& models, std::string_view name) {
    return unknown(models, "model", name);
}
model::Issue unknown_device(const std::vector<model::Device>& devices, std::string_view name) {
    return unknown(devices, "device", name);
}

std::string peaks_of(const model::Device& device) {
    std::string text;
    for (const auto& [word, peak] : device.peak_flops) {
        text += (text.empty() ? "" : ", ") + word;
    }
    return text;
}

} // namespace costcurve::answers
