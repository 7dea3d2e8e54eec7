#include "tests/rates/rate_facts.hpp"

#include <fstream>
#include <iostream>
#include <iterator>

#include <nlohmann/json.hpp>

#include "server/documents/decode.hpp"
#include "tests/support/source_folder.hpp"

namespace costcurve::rates {

std::string file_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

RateFacts read_rate_facts() {
    RateFacts facts;
    imports::Report report;
    const std::string folder = (tests::source_folder() / "deploy/catalog/").string();
    const std::string shapes = file_text(folder + "sources/architectures.csv");
    const std::string links = file_text(folder + "sources/links.csv");
    imports::Bytes shape_bytes{std::string_view(shapes)};
    imports::Bytes link_bytes{std::string_view(links)};
    for (const auto& error :
         {imports::read_architectures(shape_bytes, report, facts.shapes), imports::read_links(link_bytes, report, facts.links)}) {
        if (error) {
            std::cerr << error->message << "\n";
        }
    }
    for (const auto& complaint : report.rejected.first) {
        std::cerr << complaint.row << ": " << complaint.reason << "\n";
    }
    for (const nlohmann::json& tree : nlohmann::json::parse(file_text(folder + "devices.json"))) {
        auto decoded = documents::decode_document(storage::Kind::device, tree);
        if (decoded.issues.empty()) {
            facts.devices.push_back(std::get<model::Device>(decoded.document));
        }
    }
    return facts;
}

} // namespace costcurve::rates
