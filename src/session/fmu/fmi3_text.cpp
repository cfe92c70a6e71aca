// The functions of FMI 3.0 as C.
#include "fmu_variables.hpp"

namespace dalembert::session {

const char* const fmi3_text =
    R"(typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef uint32_t fmi3ValueReference;
typedef void (*fmi3LogMessageCallback)(void *environment, fmi3Status status, const char *category, const char *message);

typedef struct {
  core c;
  void *environment;
  fmi3LogMessageCallback log;
} instance;

static fmi3Status result(instance *i, int status)
{
  if (status == 0) { return fmi3OK; }
  if (i->log != NULL) {
    i->log(i->environment, fmi3Error, "logStatusError",
           (status < 0) ? "there is no such variable, or it cannot be used so here" : @p_message((@p_status)status));
  }
  return fmi3Error;
}

EXPORT const char *fmi3GetVersion(void)
{
  return "3.0";
}

EXPORT fmi3Status fmi3SetDebugLogging(void *i, bool on, size_t count, const char *const categories[])
{
  (void)i; (void)on; (void)count; (void)categories;
  return fmi3OK;
}

static void *instantiate(const char *token, void *environment, fmi3LogMessageCallback log)
{
  instance *i = NULL;
  if ((token != NULL) && (strcmp(token, TOKEN) == 0)) { i = (instance *)malloc(sizeof *i); }
  if (i == NULL) {
    if (log != NULL) { log(environment, fmi3Error, "logStatusError", "the token is of another unit, or no memory is left"); }
    return NULL;
  }
  reset_core(&i->c);
  i->environment = environment;
  i->log = log;
  return i;
}

EXPORT void *fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources, bool visible,
                                          bool logging, void *environment, fmi3LogMessageCallback log)
{
  (void)name; (void)resources; (void)visible; (void)logging;
  return instantiate(token, environment, log);
}

EXPORT void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible,
                                         bool logging, bool event_mode, bool early_return,
                                         const fmi3ValueReference intermediate[], size_t intermediate_count,
                                         void *environment, fmi3LogMessageCallback log, void (*update)(void))
{
  (void)name; (void)resources; (void)visible; (void)logging; (void)event_mode; (void)early_return;
  (void)intermediate; (void)intermediate_count; (void)update;
  return instantiate(token, environment, log);
}

EXPORT void *fmi3InstantiateScheduledExecution(const char *name, const char *token, const char *resources,
                                               bool visible, bool logging, void *environment,
                                               fmi3LogMessageCallback log, void (*clock)(void), void (*lock)(void),
                                               void (*unlock)(void))
{
  (void)name; (void)token; (void)resources; (void)visible; (void)logging; (void)clock; (void)lock; (void)unlock;
  if (log != NULL) { log(environment, fmi3Error, "logStatusError", "there is no scheduled execution"); }
  return NULL;
}

EXPORT void fmi3FreeInstance(void *i)
{
  free(i);
}

EXPORT fmi3Status fmi3EnterInitializationMode(void *i, bool has_tolerance, double tolerance, double start, bool has_stop,
                                              double stop)
{
  core *c = &((instance *)i)->c;
  (void)has_stop; (void)stop;
  if (has_tolerance && (tolerance > 0.0)) { c->tolerance = fmax(fmin(tolerance, 1e-3), 1e-15); }
  c->start_time = start;
  c->is_current = 0;
  return fmi3OK;
}

EXPORT fmi3Status fmi3ExitInitializationMode(void *i)
{
  return result((instance *)i, (int)end_initialization(&((instance *)i)->c));
}

EXPORT fmi3Status fmi3EnterEventMode(void *i) { (void)i; return fmi3OK; }
EXPORT fmi3Status fmi3EnterContinuousTimeMode(void *i) { (void)i; return fmi3OK; }
EXPORT fmi3Status fmi3EnterStepMode(void *i) { (void)i; return fmi3OK; }
EXPORT fmi3Status fmi3EnterConfigurationMode(void *i) { (void)i; return fmi3OK; }
EXPORT fmi3Status fmi3ExitConfigurationMode(void *i) { (void)i; return fmi3OK; }
EXPORT fmi3Status fmi3EvaluateDiscreteStates(void *i) { (void)i; return fmi3OK; }
EXPORT fmi3Status fmi3Terminate(void *i) { (void)i; return fmi3OK; }

EXPORT fmi3Status fmi3Reset(void *i)
{
  reset_core(&((instance *)i)->c);
  return fmi3OK;
}

EXPORT fmi3Status fmi3GetFloat64(void *i, const fmi3ValueReference references[], size_t count, double values[],
                                 size_t value_count)
{
  size_t k;
  int status = (count == value_count) ? 0 : -1;
  for (k = 0; (k < count) && (status == 0); ++k) { status = get_value(&((instance *)i)->c, references[k], &values[k]); }
  return result((instance *)i, status);
}

EXPORT fmi3Status fmi3SetFloat64(void *i, const fmi3ValueReference references[], size_t count, const double values[],
                                 size_t value_count)
{
  size_t k;
  int status = (count == value_count) ? 0 : -1;
  for (k = 0; (k < count) && (status == 0); ++k) { status = set_value(&((instance *)i)->c, references[k], values[k]); }
  return result((instance *)i, status);
}

/* There are variables of no other type. */
#define NO_VARIABLES(type, c_type)                                                                                     \
  EXPORT fmi3Status fmi3Get##type(void *i, const fmi3ValueReference references[], size_t count, c_type values[],       \
                                  size_t value_count)                                                                  \
  {                                                                                                                    \
    (void)references; (void)values; (void)value_count;                                                                 \
    return (count == 0U) ? fmi3OK : result((instance *)i, -1);                                                         \
  }                                                                                                                    \
  EXPORT fmi3Status fmi3Set##type(void *i, const fmi3ValueReference references[], size_t count, const c_type values[], \
                                  size_t value_count)                                                                  \
  {                                                                                                                    \
    (void)references; (void)values; (void)value_count;                                                                 \
    return (count == 0U) ? fmi3OK : result((instance *)i, -1);                                                         \
  }

NO_VARIABLES(Float32, float)
NO_VARIABLES(Int8, int8_t)
NO_VARIABLES(UInt8, uint8_t)
NO_VARIABLES(Int16, int16_t)
NO_VARIABLES(UInt16, uint16_t)
NO_VARIABLES(Int32, int32_t)
NO_VARIABLES(UInt32, uint32_t)
NO_VARIABLES(Int64, int64_t)
NO_VARIABLES(UInt64, uint64_t)
NO_VARIABLES(Boolean, bool)

EXPORT fmi3Status fmi3GetString(void *i, const fmi3ValueReference references[], size_t count, const char *values[],
                                size_t value_count)
{
  (void)references; (void)values; (void)value_count;
  return (count == 0U) ? fmi3OK : result((instance *)i, -1);
}

EXPORT fmi3Status fmi3SetString(void *i, const fmi3ValueReference references[], size_t count,
                                const char *const values[], size_t value_count)
{
  (void)references; (void)values; (void)value_count;
  return (count == 0U) ? fmi3OK : result((instance *)i, -1);
}

EXPORT fmi3Status fmi3GetBinary(void *i, const fmi3ValueReference references[], size_t count, size_t sizes[],
                                const uint8_t *values[], size_t value_count)
{
  (void)references; (void)sizes; (void)values; (void)value_count;
  return (count == 0U) ? fmi3OK : result((instance *)i, -1);
}

EXPORT fmi3Status fmi3SetBinary(void *i, const fmi3ValueReference references[], size_t count, const size_t sizes[],
                                const uint8_t *const values[], size_t value_count)
{
  (void)references; (void)sizes; (void)values; (void)value_count;
  return (count == 0U) ? fmi3OK : result((instance *)i, -1);
}

EXPORT fmi3Status fmi3GetClock(void *i, const fmi3ValueReference references[], size_t count, bool values[])
{
  (void)references; (void)values;
  return (count == 0U) ? fmi3OK : result((instance *)i, -1);
}

EXPORT fmi3Status fmi3SetClock(void *i, const fmi3ValueReference references[], size_t count, const bool values[])
{
  (void)references; (void)values;
  return (count == 0U) ? fmi3OK : result((instance *)i, -1);
}

)";

const char* const fmi3_rest_text =
    R"(EXPORT fmi3Status fmi3GetDirectionalDerivative(void *i, const fmi3ValueReference unknowns[], size_t unknown_count,
                                               const fmi3ValueReference knowns[], size_t known_count,
                                               const double seed[], size_t seed_count, double change[],
                                               size_t change_count)
{
  if ((seed_count != known_count) || (change_count != unknown_count)) { return result((instance *)i, -1); }
  return result((instance *)i, get_direction(&((instance *)i)->c, knowns, known_count, seed, unknowns, unknown_count,
                                             change));
}

EXPORT fmi3Status fmi3GetAdjointDerivative(void *i, const fmi3ValueReference unknowns[], size_t unknown_count,
                                           const fmi3ValueReference knowns[], size_t known_count, const double seed[],
                                           size_t seed_count, double change[], size_t change_count)
{
  (void)unknowns; (void)unknown_count; (void)knowns; (void)known_count; (void)seed; (void)seed_count; (void)change;
  (void)change_count;
  return result((instance *)i, -1);
}

EXPORT fmi3Status fmi3GetNumberOfVariableDependencies(void *i, fmi3ValueReference reference, size_t *count)
{
  (void)reference; (void)count;
  return result((instance *)i, -1);
}

EXPORT fmi3Status fmi3GetVariableDependencies(void *i, fmi3ValueReference dependent, size_t of_dependent[],
                                              fmi3ValueReference independents[], size_t of_independents[], int kinds[],
                                              size_t count)
{
  (void)dependent; (void)of_dependent; (void)independents; (void)of_independents; (void)kinds; (void)count;
  return result((instance *)i, -1);
}

/* Clocks: there are none. */
#define NO_CLOCKS_1(name, type)                                                                                \
  EXPORT fmi3Status name(void *i, const fmi3ValueReference references[], size_t count, type x[])              \
  { (void)references; (void)x; return (count == 0U) ? fmi3OK : result((instance *)i, -1); }
#define NO_CLOCKS_2(name, type, other)                                                                         \
  EXPORT fmi3Status name(void *i, const fmi3ValueReference references[], size_t count, type x[], other y[])   \
  { (void)references; (void)x; (void)y; return (count == 0U) ? fmi3OK : result((instance *)i, -1); }

NO_CLOCKS_2(fmi3GetIntervalDecimal, double, int)
NO_CLOCKS_1(fmi3GetShiftDecimal, double)
NO_CLOCKS_2(fmi3GetShiftFraction, uint64_t, uint64_t)
NO_CLOCKS_1(fmi3SetIntervalDecimal, const double)
NO_CLOCKS_2(fmi3SetIntervalFraction, const uint64_t, const uint64_t)
NO_CLOCKS_1(fmi3SetShiftDecimal, const double)
NO_CLOCKS_2(fmi3SetShiftFraction, const uint64_t, const uint64_t)

EXPORT fmi3Status fmi3GetIntervalFraction(void *i, const fmi3ValueReference references[], size_t count,
                                          uint64_t counters[], uint64_t resolutions[], int qualifiers[])
{
  (void)references; (void)counters; (void)resolutions; (void)qualifiers;
  return (count == 0U) ? fmi3OK : result((instance *)i, -1);
}

EXPORT fmi3Status fmi3ActivateModelPartition(void *i, fmi3ValueReference clock, double time)
{
  (void)clock; (void)time;
  return result((instance *)i, -1);
}

/* Where an integrator has left the constraints it gets states that meet them. */
EXPORT fmi3Status fmi3UpdateDiscreteStates(void *i, bool *again, bool *terminates, bool *nominals_changed,
                                           bool *states_changed, bool *has_next_event, double *next_event)
{
  core *c = &((instance *)i)->c;
  (void)next_event;
  *again = false;
  *terminates = false;
  *nominals_changed = false;
  *has_next_event = false;
  *states_changed = has_drifted(c) != 0;
  return *states_changed ? result((instance *)i, (int)remove_drift(c)) : fmi3OK;
}

EXPORT fmi3Status fmi3CompletedIntegratorStep(void *i, bool no_way_back, bool *enter_event_mode, bool *terminates)
{
  (void)no_way_back;
  *enter_event_mode = has_drifted(&((instance *)i)->c) != 0;
  *terminates = false;
  return fmi3OK;
}

EXPORT fmi3Status fmi3SetTime(void *i, double time)
{
  core *c = &((instance *)i)->c;
  c->s.t = time;
  c->is_current = 0;
  return fmi3OK;
}

EXPORT fmi3Status fmi3SetContinuousStates(void *i, const double x[], size_t count)
{
  if (count != (size_t)STATES) { return result((instance *)i, -1); }
  set_states(&((instance *)i)->c, x);
  return fmi3OK;
}

EXPORT fmi3Status fmi3GetContinuousStates(void *i, double x[], size_t count)
{
  if (count != (size_t)STATES) { return result((instance *)i, -1); }
  return result((instance *)i, (int)get_states(&((instance *)i)->c, x));
}

EXPORT fmi3Status fmi3GetContinuousStateDerivatives(void *i, double x[], size_t count)
{
  if (count != (size_t)STATES) { return result((instance *)i, -1); }
  return result((instance *)i, (int)get_derivatives(&((instance *)i)->c, x));
}

EXPORT fmi3Status fmi3GetNominalsOfContinuousStates(void *i, double x[], size_t count)
{
  size_t k;
  (void)i;
  for (k = 0; k < count; ++k) { x[k] = 1.0; }
  return fmi3OK;
}

EXPORT fmi3Status fmi3GetEventIndicators(void *i, double x[], size_t count)
{
  (void)x;
  return (count == 0U) ? fmi3OK : result((instance *)i, -1);
}

EXPORT fmi3Status fmi3GetNumberOfEventIndicators(void *i, size_t *count) { (void)i; *count = 0U; return fmi3OK; }
EXPORT fmi3Status fmi3GetNumberOfContinuousStates(void *i, size_t *count) { (void)i; *count = (size_t)STATES; return fmi3OK; }

EXPORT fmi3Status fmi3GetOutputDerivatives(void *i, const fmi3ValueReference references[], size_t count,
                                           const int32_t orders[], double values[], size_t value_count)
{
  (void)references; (void)orders; (void)values; (void)value_count;
  return (count == 0U) ? fmi3OK : result((instance *)i, -1);
}

EXPORT fmi3Status fmi3DoStep(void *i, double time, double step, bool no_way_back, bool *event_needed, bool *terminates,
                             bool *early_return, double *last_time)
{
  core *c = &((instance *)i)->c;
  int status;
  (void)no_way_back;
  *event_needed = false;
  *terminates = false;
  *early_return = false;
  status = (int)advance(c, time + step);
  *last_time = c->s.t;
  return result((instance *)i, status);
}
)";

}  // namespace dalembert::session
