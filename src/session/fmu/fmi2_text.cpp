// The functions of FMI 2.0 as C.
#include "fmu_variables.hpp"

namespace dalembert::session {

const char* const fmi2_text =
    R"(typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef unsigned int fmi2ValueReference;

typedef struct {
  void (*logger)(void *environment, const char *name, fmi2Status status, const char *category, const char *message, ...);
  void *(*allocate)(size_t count, size_t size);
  void (*release)(void *memory);
  void (*step_finished)(void *environment, fmi2Status status);
  void *environment;
} fmi2CallbackFunctions;

typedef struct {
  int newDiscreteStatesNeeded;
  int terminateSimulation;
  int nominalsOfContinuousStatesChanged;
  int valuesOfContinuousStatesChanged;
  int nextEventTimeDefined;
  double nextEventTime;
} fmi2EventInfo;

typedef struct {
  core c;
  const fmi2CallbackFunctions *functions;
} instance;

static fmi2Status result(instance *i, int status)
{
  if (status == 0) { return fmi2OK; }
  if ((i->functions != NULL) && (i->functions->logger != NULL)) {
    i->functions->logger(
        i->functions->environment, "@p", fmi2Error, "logStatusError", "%s",
        (status < 0) ? "there is no such variable, or it cannot be used so here" : @p_message((@p_status)status));
  }
  return fmi2Error;
}

EXPORT const char *fmi2GetTypesPlatform(void) { return "default"; }
EXPORT const char *fmi2GetVersion(void) { return "2.0"; }

EXPORT fmi2Status fmi2SetDebugLogging(void *i, int on, size_t count, const char *const categories[])
{
  (void)i; (void)on; (void)count; (void)categories;
  return fmi2OK;
}

EXPORT void *fmi2Instantiate(const char *name, int type, const char *guid, const char *resources,
                             const fmi2CallbackFunctions *functions, int visible, int logging)
{
  instance *i = NULL;
  (void)name; (void)type; (void)resources; (void)visible; (void)logging;
  if ((guid != NULL) && (strcmp(guid, TOKEN) == 0)) { i = (instance *)malloc(sizeof *i); }
  if (i != NULL) {
    reset_core(&i->c);
    i->functions = functions;
  }
  return i;
}

EXPORT void fmi2FreeInstance(void *i) { free(i); }

EXPORT fmi2Status fmi2SetupExperiment(void *i, int has_tolerance, double tolerance, double start, int has_stop,
                                      double stop)
{
  core *c = &((instance *)i)->c;
  (void)has_stop; (void)stop;
  if (has_tolerance && (tolerance > 0.0)) { c->tolerance = fmax(fmin(tolerance, 1e-3), 1e-15); }
  c->start_time = start;
  c->is_current = 0;
  return fmi2OK;
}

EXPORT fmi2Status fmi2EnterInitializationMode(void *i) { (void)i; return fmi2OK; }

EXPORT fmi2Status fmi2ExitInitializationMode(void *i)
{
  return result((instance *)i, (int)end_initialization(&((instance *)i)->c));
}

EXPORT fmi2Status fmi2Terminate(void *i) { (void)i; return fmi2OK; }
EXPORT fmi2Status fmi2EnterEventMode(void *i) { (void)i; return fmi2OK; }
EXPORT fmi2Status fmi2EnterContinuousTimeMode(void *i) { (void)i; return fmi2OK; }

EXPORT fmi2Status fmi2Reset(void *i)
{
  reset_core(&((instance *)i)->c);
  return fmi2OK;
}

EXPORT fmi2Status fmi2GetReal(void *i, const fmi2ValueReference references[], size_t count, double values[])
{
  size_t k;
  int status = 0;
  for (k = 0; (k < count) && (status == 0); ++k) { status = get_value(&((instance *)i)->c, references[k], &values[k]); }
  return result((instance *)i, status);
}

EXPORT fmi2Status fmi2SetReal(void *i, const fmi2ValueReference references[], size_t count, const double values[])
{
  size_t k;
  int status = 0;
  for (k = 0; (k < count) && (status == 0); ++k) { status = set_value(&((instance *)i)->c, references[k], values[k]); }
  return result((instance *)i, status);
}

/* There are variables of no other type. */
#define NO_VARIABLES(name, type)                                                                     \
  EXPORT fmi2Status name(void *i, const fmi2ValueReference references[], size_t count, type values[]) \
  { (void)references; (void)values; return (count == 0U) ? fmi2OK : result((instance *)i, -1); }

NO_VARIABLES(fmi2GetInteger, int)
NO_VARIABLES(fmi2SetInteger, const int)
NO_VARIABLES(fmi2GetBoolean, int)
NO_VARIABLES(fmi2SetBoolean, const int)
NO_VARIABLES(fmi2GetString, const char *)
NO_VARIABLES(fmi2SetString, const char *const)

EXPORT fmi2Status fmi2GetDirectionalDerivative(void *i, const fmi2ValueReference unknowns[], size_t unknown_count,
                                               const fmi2ValueReference knowns[], size_t known_count,
                                               const double seed[], double change[])
{
  return result((instance *)i, get_direction(&((instance *)i)->c, knowns, known_count, seed, unknowns, unknown_count,
                                             change));
}

/* Where an integrator has left the constraints it gets states that meet them. */
EXPORT fmi2Status fmi2NewDiscreteStates(void *i, fmi2EventInfo *info)
{
  core *c = &((instance *)i)->c;
  memset(info, 0, sizeof *info);
  info->valuesOfContinuousStatesChanged = has_drifted(c);
  return info->valuesOfContinuousStatesChanged ? result((instance *)i, (int)remove_drift(c)) : fmi2OK;
}

EXPORT fmi2Status fmi2CompletedIntegratorStep(void *i, int no_way_back, int *enter_event_mode, int *terminates)
{
  (void)no_way_back;
  *enter_event_mode = has_drifted(&((instance *)i)->c);
  *terminates = 0;
  return fmi2OK;
}

EXPORT fmi2Status fmi2SetTime(void *i, double time)
{
  core *c = &((instance *)i)->c;
  c->s.t = time;
  c->is_current = 0;
  return fmi2OK;
}

EXPORT fmi2Status fmi2SetContinuousStates(void *i, const double x[], size_t count)
{
  if (count != (size_t)STATES) { return result((instance *)i, -1); }
  set_states(&((instance *)i)->c, x);
  return fmi2OK;
}

EXPORT fmi2Status fmi2GetContinuousStates(void *i, double x[], size_t count)
{
  if (count != (size_t)STATES) { return result((instance *)i, -1); }
  return result((instance *)i, (int)get_states(&((instance *)i)->c, x));
}

EXPORT fmi2Status fmi2GetDerivatives(void *i, double x[], size_t count)
{
  if (count != (size_t)STATES) { return result((instance *)i, -1); }
  return result((instance *)i, (int)get_derivatives(&((instance *)i)->c, x));
}

EXPORT fmi2Status fmi2GetEventIndicators(void *i, double x[], size_t count)
{
  (void)x;
  return (count == 0U) ? fmi2OK : result((instance *)i, -1);
}

EXPORT fmi2Status fmi2GetNominalsOfContinuousStates(void *i, double x[], size_t count)
{
  size_t k;
  (void)i;
  for (k = 0; k < count; ++k) { x[k] = 1.0; }
  return fmi2OK;
}

EXPORT fmi2Status fmi2SetRealInputDerivatives(void *i, const fmi2ValueReference references[], size_t count,
                                              const int orders[], const double values[])
{
  (void)references; (void)orders; (void)values;
  return (count == 0U) ? fmi2OK : result((instance *)i, -1);
}

EXPORT fmi2Status fmi2GetRealOutputDerivatives(void *i, const fmi2ValueReference references[], size_t count,
                                               const int orders[], double values[])
{
  (void)references; (void)orders; (void)values;
  return (count == 0U) ? fmi2OK : result((instance *)i, -1);
}

EXPORT fmi2Status fmi2DoStep(void *i, double time, double step, int no_way_back)
{
  (void)no_way_back;
  return result((instance *)i, (int)advance(&((instance *)i)->c, time + step));
}

EXPORT fmi2Status fmi2CancelStep(void *i) { return result((instance *)i, -1); }

/* Steps end before they return: nothing is pending. */
EXPORT fmi2Status fmi2GetRealStatus(void *i, int kind, double *value)
{
  if (kind != 2) { return fmi2Discard; }
  *value = ((instance *)i)->c.s.t;
  return fmi2OK;
}

EXPORT fmi2Status fmi2GetStatus(void *i, int kind, fmi2Status *value) { (void)i; (void)kind; (void)value; return fmi2Discard; }
EXPORT fmi2Status fmi2GetIntegerStatus(void *i, int kind, int *value) { (void)i; (void)kind; (void)value; return fmi2Discard; }
EXPORT fmi2Status fmi2GetBooleanStatus(void *i, int kind, int *value) { (void)i; (void)kind; (void)value; return fmi2Discard; }
EXPORT fmi2Status fmi2GetStringStatus(void *i, int kind, const char **value) { (void)i; (void)kind; (void)value; return fmi2Discard; }
)";

}  // namespace dalembert::session
