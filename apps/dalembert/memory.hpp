// Libraries in C that end the program where they find no memory.
#pragma once

namespace dalembert::app {

/// GMP and MPFR abort without memory, and no exception may pass through them: say it, leave nothing, end.
void end_in_order_without_memory();

}  // namespace dalembert::app
