#include "tests/rates/rate_facts.hpp"

#include <fstream>
#include <iostream>
#include <iterator>

#include "tests/support/source_folder.hpp"

namespace costcurve::rates {

std::string file_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

RateFacts read_rate_facts() {
    const std::string folder = (tests::source_folder() / "deploy/catalog/").string();
    const auto facts = answers::read_rate_facts(file_text(folder + "models.json"), file_text(folder + "devices.json"));
    if (!facts) {
        for (const model::Issue& issue : facts.error()) {
            std::cerr << issue.pointer << ": " << issue.message << "\n";
        }
        return {};
    }
    return *facts;
}

} // namespace costcurve::rates
