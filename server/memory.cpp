// The program's operator new: mimalloc's memory under the C++ rules for its end. mimalloc's own, compiled as C, ends the process
// where memory is out; here the new-handler is asked and then std::bad_alloc is thrown, which fails one request
// (docs/decisions/0021-memory-that-is-out.md). Sanitizers bring an operator new of their own, and this file is left out.
#include <cstddef>
#include <new>

#include <mimalloc.h>

namespace {

// What is freed goes back to the system after two seconds, where mimalloc's own are 25 ms: a price list that lands takes as much
// again at once, and taking the pages anew was half of its time. Who sets MIMALLOC_DECOMMIT_DELAY has it.
[[maybe_unused]] const bool kGivesBackLate = [] {
    constexpr long kDelayMs = 2000;
    mi_option_set_default(mi_option_decommit_delay, kDelayMs);
    return true;
}();

// Asks the handler until there is memory, or none is installed ([new.delete.single]). What mimalloc keeps for later goes back
// first.
template <class Allocate> void* or_throw(const Allocate& allocate) {
    while (true) {
        mi_collect(true);
        if (void* const memory = allocate()) {
            return memory;
        }
        const std::new_handler handler = std::get_new_handler();
        if (handler == nullptr) {
            throw std::bad_alloc();
        }
        handler();
    }
}

void* or_null(std::size_t size) noexcept {
    try {
        return operator new(size);
    } catch (...) { return nullptr; }
}

void* or_null(std::size_t size, std::align_val_t alignment) noexcept {
    try {
        return operator new(size, alignment);
    } catch (...) { return nullptr; }
}

} // namespace

void* operator new(std::size_t size) {
    if (void* const memory = mi_malloc(size)) { // the usual case, without a call more
        return memory;
    }
    return or_throw([size] { return mi_malloc(size); });
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    if (void* const memory = mi_malloc_aligned(size, static_cast<std::size_t>(alignment))) {
        return memory;
    }
    return or_throw([=] { return mi_malloc_aligned(size, static_cast<std::size_t>(alignment)); });
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new[](std::size_t size, std::align_val_t alignment) { return operator new(size, alignment); }
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept { return or_null(size); }
void* operator new[](std::size_t size, const std::nothrow_t& /*tag*/) noexcept { return or_null(size); }
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t& /*tag*/) noexcept {
    return or_null(size, alignment);
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t& /*tag*/) noexcept {
    return or_null(size, alignment);
}

void operator delete(void* memory) noexcept { mi_free(memory); }
void operator delete[](void* memory) noexcept { mi_free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { mi_free(memory); }
void operator delete[](void* memory, std::size_t /*size*/) noexcept { mi_free(memory); }
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept { mi_free(memory); }
void operator delete[](void* memory, std::align_val_t /*alignment*/) noexcept { mi_free(memory); }
void operator delete(void* memory, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept { mi_free(memory); }
void operator delete[](void* memory, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept { mi_free(memory); }
void operator delete(void* memory, const std::nothrow_t& /*tag*/) noexcept { mi_free(memory); }
void operator delete[](void* memory, const std::nothrow_t& /*tag*/) noexcept { mi_free(memory); }
void operator delete(void* memory, std::align_val_t /*alignment*/, const std::nothrow_t& /*tag*/) noexcept { mi_free(memory); }
void operator delete[](void* memory, std::align_val_t /*alignment*/, const std::nothrow_t& /*tag*/) noexcept { mi_free(memory); }
