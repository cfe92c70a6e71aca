// Equations as the programs of a System.
#pragma once

#include <dalembert/derive/equations.hpp>
#include <dalembert/system/system.hpp>

namespace dalembert {

DynamicsProgram compile_dynamics(const Equations& e);
StateProgram compile_state(const Equations& e);
PositionProgram compile_position(const Equations& e);
ObservableProgram compile_observables(const Equations& e);
EventProgram compile_events(const Equations& e);
EnergyProgram compile_energy(const Equations& e);

}  // namespace dalembert
