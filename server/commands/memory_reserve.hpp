// Memory that is held back for the moment when there is none left: unwinding needs some, as destructors of nested values do.
#pragma once

namespace costcurve::commands {

/// Holds the reserve, or holds it again where it was used: then an allocation that fails gives it back before it throws, so that
/// what was begun can be taken down. Address space, not resident memory. Call it often: it costs little where the
/// reserve is there. Thread-safe.
void hold_memory_reserve();

} // namespace costcurve::commands
