// Values of parameters and results in binary form, each after its length.
#include "server/storage/postgres/engine/values.hpp"

namespace costcurve::storage::postgres {

int Parameters::length_of(std::size_t start) const {
    std::uint32_t length = 0;
    for (std::size_t i = 0; i < sizeof length; ++i) {
        length = length << 8U | static_cast<unsigned char>(cells_[start + i]);
    }
    return static_cast<int>(length);
}

std::vector<const char*> Parameters::pointers() const {
    std::vector<const char*> pointers;
    pointers.reserve(starts_.size());
    for (const std::size_t start : starts_) {
        pointers.push_back(length_of(start) < 0 ? nullptr : cells_.data() + start + sizeof(std::uint32_t));
    }
    return pointers;
}

std::vector<int> Parameters::lengths() const {
    std::vector<int> lengths;
    lengths.reserve(starts_.size());
    for (const std::size_t start : starts_) {
        lengths.push_back(length_of(start));
    }
    return lengths;
}

} // namespace costcurve::storage::postgres
