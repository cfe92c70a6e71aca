// The functions that keep a state and go back to it, as C.
#include "fmu_variables.hpp"

namespace dalembert::session {

const char* const fmu_state_text = R"(EXPORT @{fmi}Status @{fmi}Get@{FMUstate}(void *i, void **state)
{
  if (*state == NULL) { *state = malloc(sizeof(core)); }
  if (*state == NULL) { return @{fmi}Error; }
  memcpy(*state, &((instance *)i)->c, sizeof(core));
  return @{fmi}OK;
}

EXPORT @{fmi}Status @{fmi}Set@{FMUstate}(void *i, void *state)
{
  memcpy(&((instance *)i)->c, state, sizeof(core));
  return @{fmi}OK;
}

EXPORT @{fmi}Status @{fmi}Free@{FMUstate}(void *i, void **state)
{
  (void)i;
  free(*state);
  *state = NULL;
  return @{fmi}OK;
}

EXPORT @{fmi}Status @{fmi}Serialized@{FMUstate}Size(void *i, void *state, size_t *size)
{
  (void)i; (void)state;
  *size = sizeof(core);
  return @{fmi}OK;
}

EXPORT @{fmi}Status @{fmi}Serialize@{FMUstate}(void *i, void *state, @{byte} bytes[], size_t size)
{
  if (size != sizeof(core)) { return result((instance *)i, -1); }
  memcpy(bytes, state, size);
  return @{fmi}OK;
}

EXPORT @{fmi}Status @{fmi}@{Deserialize}@{FMUstate}(void *i, const @{byte} bytes[], size_t size, void **state)
{
  if (size != sizeof(core)) { return result((instance *)i, -1); }
  if (*state == NULL) { *state = malloc(sizeof(core)); }
  if (*state == NULL) { return @{fmi}Error; }
  memcpy(*state, bytes, size);
  return @{fmi}OK;
}
)";

}  // namespace dalembert::session
