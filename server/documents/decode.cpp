// Decodes documents by kind, with the field tables of model/documents/fields.hpp.
#include "server/documents/decode.hpp"

#include <nlohmann/json.hpp>

#include "server/documents/decoder.hpp"

namespace costcurve::documents {

namespace {

template <class T> Decoded<AnyDocument> decode_as(const JsonValue& value, const std::string& pointer, Reading reading) {
    Decoder decoder;
    decoder.reading = reading;
    T document;
    if constexpr (std::is_same_v<T, model::Curve>) {
        decoder.decode_curve(value, Pointer(pointer), nullptr, document);
    } else {
        decoder.decode_object(value, Pointer(pointer), document);
    }
    return {std::move(document), std::move(decoder.issues), std::move(decoder.unknown_fields)};
}

// By storage::Kind, as AnyDocument's alternatives stand.
constexpr auto kDecoders = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array{&decode_as<std::variant_alternative_t<I, AnyDocument>>...};
}
(std::make_index_sequence<std::variant_size_v<AnyDocument>>{});

} // namespace

Decoded<AnyDocument> decode_document(storage::Kind kind, const JsonValue& value, const std::string& pointer, Reading reading) {
    return kDecoders[static_cast<std::size_t>(kind)](value, pointer, reading);
}

Decoded<model::ScenarioDocument> decode_scenario(const JsonValue& value, const std::string& pointer) {
    Decoder decoder;
    model::ScenarioDocument document;
    decoder.decode_object(value, Pointer(pointer), document);
    return {std::move(document), std::move(decoder.issues)};
}

Decoded<AnyDocument> decode_document(storage::Kind kind, const nlohmann::json& tree, const std::string& pointer, Reading reading) {
    return decode_document(kind, *ParsedJson(tree), pointer, reading);
}

Decoded<model::ScenarioDocument> decode_scenario(const nlohmann::json& tree, const std::string& pointer) {
    return decode_scenario(*ParsedJson(tree), pointer);
}

} // namespace costcurve::documents
