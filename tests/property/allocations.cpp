// Counts how often the program asks for memory: the library's own operators but for that; those of arrays call these. The one
// without exceptions is here too: a sanitizer's own would hand out what the delete below must not free. A translation unit of its
// own, so that no compiler sees through them.
#include <cstdlib>
#include <new>

#include "tests/property/invariants.hpp"

namespace {
std::size_t allocations = 0; // of a program of one thread
}

void* operator new(std::size_t size, const std::nothrow_t& /*without exceptions*/) noexcept {
    ++allocations;
    return std::malloc(size == 0 ? 1 : size);
}
void* operator new(std::size_t size) {
    if (void* const found = operator new(size, std::nothrow)) {
        return found;
    }
    throw std::bad_alloc();
}
void operator delete(void* pointer) noexcept { std::free(pointer); }
void operator delete(void* pointer, std::size_t /*size*/) noexcept { std::free(pointer); }

namespace costcurve::tests {

std::size_t allocations_so_far() { return allocations; }

} // namespace costcurve::tests
