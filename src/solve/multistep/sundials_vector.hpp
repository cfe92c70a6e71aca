// Vectors for SUNDIALS whose operations fill SIMD registers. Its own may be built without any optimization
// (Debian's are) and then take most of the time of a small system.
#pragma once

#ifdef DALEMBERT_HAS_SUNDIALS

#include <cstddef>

#include <nvector/nvector_serial.h>

namespace dalembert {

/// A serial vector of zeros with such operations; its clones have them too. The length is `size` rounded up
/// to whole registers: what stands behind `size` must stay finite.
N_Vector make_sundials_vector(std::size_t size, SUNContext context);

}  // namespace dalembert

#endif
