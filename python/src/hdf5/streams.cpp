// Debian's static HDF5 takes stderr and stdout as programs do, by an address that shared objects do not know;
// renamed, it finds them here.
#include <cstdio>

extern "C" {
FILE *dalembert_stderr, *dalembert_stdout;

__attribute__((constructor)) static void take_streams() {
  dalembert_stderr = stderr;
  dalembert_stdout = stdout;
}
}
