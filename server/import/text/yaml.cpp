// Parses YAML with yaml-cpp, after limits were checked over the text's events.
#include "server/import/text/yaml.hpp"

#include <sstream>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>

#include "server/import/text/unread_fields.hpp"
#include "server/import/text/utf8.hpp"

namespace costcurve::imports {

namespace {

using model::Code;

constexpr std::size_t kMaxYamlBytes = std::size_t{1} << 20U; // a provider's price list has 42 kB
constexpr int kMaxYamlDepth = 32;

// Listens to a parser and makes nothing: what would grow or nest is refused.
class Inspector final : public YAML::EventHandler {
public:
    struct Refused {
        YAML::Mark at;
        const char* why;
    };
    void OnDocumentStart(const YAML::Mark& /*at*/) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& at, YAML::anchor_t anchor) override { no_anchor(at, anchor); }
    void OnAlias(const YAML::Mark& at, YAML::anchor_t /*anchor*/) override { throw Refused{at, "it has an alias; write it out"}; }
    void OnScalar(const YAML::Mark& at, const std::string& /*tag*/, YAML::anchor_t anchor, const std::string& /*value*/) override {
        no_anchor(at, anchor);
    }
    void OnSequenceStart(const YAML::Mark& at, const std::string& /*tag*/, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value /*style*/) override {
        enter(at, anchor);
    }
    void OnSequenceEnd() override { --depth_; }
    void OnMapStart(const YAML::Mark& at, const std::string& /*tag*/, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value /*style*/) override {
        enter(at, anchor);
    }
    void OnMapEnd() override { --depth_; }

private:
    static void no_anchor(const YAML::Mark& at, YAML::anchor_t anchor) {
        if (anchor != YAML::NullAnchor) {
            throw Refused{at, "it has an anchor; write it out"};
        }
    }
    void enter(const YAML::Mark& at, YAML::anchor_t anchor) {
        no_anchor(at, anchor);
        if (++depth_ > kMaxYamlDepth) {
            throw Refused{at, "it is nested deeper than 32"};
        }
    }
    int depth_ = 0;
};

model::Issue refusal_of(const Inspector::Refused& refused) {
    return hard_error(Code::not_allowed, static_cast<std::size_t>(refused.at.line) + 1, refused.why);
}

// Its message may end in the first byte of a longer character.
model::Issue yaml_error(const YAML::Exception& error) {
    return hard_error(Code::bad_format, error.mark.is_null() ? 0 : static_cast<std::size_t>(error.mark.line) + 1,
                      is_utf8(error.msg) ? fmt::format("it is not YAML: {}", error.msg) : "it is not YAML");
}

// The keys of maps that have a scalar; what is a map or a list is descended into.
void find_fields(const YAML::Node& node, UnreadFields& fields) {
    if (node.IsSequence()) {
        for (const YAML::Node& element : node) {
            find_fields(element, fields);
        }
    } else if (node.IsMap()) {
        for (const auto& item : node) {
            if (item.second.IsScalar() && item.first.IsScalar()) {
                fields.find(item.first.Scalar());
            } else {
                find_fields(item.second, fields);
            }
        }
    }
}

} // namespace

YAML::Node yaml_member(const YAML::Node& map, const char* key) {
    if (UnreadFields* const fields = UnreadFields::current()) {
        fields->ask(key);
    }
    return map.IsMap() ? map[key] : YAML::Node(YAML::NodeType::Undefined);
}

Number yaml_number(const YAML::Node& map, const char* key) {
    const YAML::Node found = yaml_member(map, key);
    if (!found || !found.IsScalar()) {
        return {found && !found.IsNull() ? Number::State::bad : Number::State::blank, 0.0};
    }
    return parse_number(found.Scalar());
}

std::string yaml_text(const YAML::Node& map, const char* key) {
    const YAML::Node found = yaml_member(map, key);
    return found && found.IsScalar() ? found.Scalar() : std::string();
}

std::size_t yaml_line(const YAML::Node& node) { return static_cast<std::size_t>(node.Mark().line) + 1; }

HardError check_yaml(const std::string& text) {
    if (!is_utf8(text)) {
        return hard_error(Code::bad_format, 0, "it is not UTF-8; save the file as UTF-8");
    }
    try {
        std::istringstream all(text);
        Inspector inspector;
        YAML::Parser parser(all);
        while (parser.HandleNextDocument(inspector)) {}
        return std::nullopt;
    } catch (const Inspector::Refused& refused) { return refusal_of(refused); } catch (const YAML::Exception& error) {
        return yaml_error(error);
    }
}

HardError read_yaml(Bytes& bytes, const std::function<HardError(const YAML::Node& root)>& read) {
    const std::optional<std::string> text = bytes.whole(kMaxYamlBytes);
    if (!text) {
        return bytes.error();
    }
    if (!is_utf8(*text)) {
        return hard_error(Code::bad_format, 0, "it is not UTF-8; save the file as UTF-8");
    }
    try {
        std::istringstream first(*text);
        Inspector inspector;
        YAML::Parser(first).HandleNextDocument(inspector);
        const YAML::Node root = YAML::Load(*text);
        HardError error = read(root);
        if (UnreadFields* const fields = UnreadFields::current(); fields != nullptr && !error) {
            find_fields(root, *fields);
        }
        return error;
    } catch (const Inspector::Refused& refused) { return refusal_of(refused); } catch (const YAML::Exception& error) {
        return yaml_error(error);
    }
}

} // namespace costcurve::imports
