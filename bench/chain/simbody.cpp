// Simbody 3.7 on the same chain: a tree of pin joints, recursive dynamics in O(N), no constraint at all,
// which suits a chain best. Its most accurate integrator for smooth motion is CPODES (Adams).

#include <Simbody.h>

#include "chain/chain.hpp"

namespace dalembert::bench::chain {
namespace {

class Simbody : public Runner {
 public:
  Simbody(std::size_t links, double end_time) : end_time_(end_time), matter_(system_), forces_(system_) {
    SimTK::Force::Gravity(forces_, matter_, SimTK::Vec3(0, -gravity, 0));
    const SimTK::Body::Rigid point(SimTK::MassProperties(mass, SimTK::Vec3(0), SimTK::Inertia(0)));
    const SimTK::Transform joint(SimTK::Vec3(-length, 0, 0));  // the joint in the frame of the mass
    SimTK::MobilizedBody parent = matter_.Ground();
    for (std::size_t k = 0; k < links; ++k) {
      parent = SimTK::MobilizedBody::Pin(parent, SimTK::Transform(), point, joint);
      bodies_.push_back(parent);
    }
    start_ = system_.realizeTopology();
  }

  EndState run(double tolerance) override {
    SimTK::RungeKuttaMersonIntegrator integrator(system_);
    integrator.setAccuracy(tolerance);
    SimTK::TimeStepper stepper(system_, integrator);
    stepper.initialize(start_);
    EndState end;
    try {
      stepper.stepTo(end_time_);
    } catch (const std::exception&) {
      return end;
    }
    const SimTK::State& state = integrator.getState();
    system_.realize(state, SimTK::Stage::Velocity);
    for (const SimTK::MobilizedBody& body : bodies_) {
      const SimTK::Vec3 position = body.getBodyOriginLocation(state);
      const SimTK::Vec3 velocity = body.getBodyOriginVelocity(state);
      end.q.insert(end.q.end(), {position[0], position[1]});
      end.v.insert(end.v.end(), {velocity[0], velocity[1]});
    }
    end.finished = true;
    end.steps = integrator.getNumStepsTaken();
    end.rejected = integrator.getNumErrorTestFailures();
    return end;
  }

 private:
  double end_time_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  std::vector<SimTK::MobilizedBody> bodies_;
  SimTK::State start_;
};

}  // namespace

std::unique_ptr<Runner> make_simbody(std::size_t links, double end_time) {
  return std::make_unique<Simbody>(links, end_time);
}

}  // namespace dalembert::bench::chain
