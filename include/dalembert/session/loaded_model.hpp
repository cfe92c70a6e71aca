// A model in the hands of a user: read and checked, with its equations and their programs, made once each.
//
//   const LoadedModel crank = load("slider_crank", {"l1=0.3"});
//   check(crank).structure.degrees_of_freedom;
//   const Motion motion = run(crank, {give("duration", 2.0), give("tolerance", 1e-9)});
//   motion.column("theta1");
//
// Copies share everything. Equations and programs are made on the model's graph when they are first asked
// for, so one thread at a time may make calls with a model; models of their own do not disturb each other.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <dalembert/derive/equations.hpp>
#include <dalembert/derive/kinematics.hpp>
#include <dalembert/model/model.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/system/kinematic_system.hpp>
#include <dalembert/system/system.hpp>

namespace dalembert::session {

/// A model as it was written, and what a call changes in it.
struct ModelSource {
  std::string text;
  std::string file;                   ///< in messages
  std::vector<std::string> settings;  ///< parameters and start values, "l1=0.3", "theta1'=2"
  std::vector<std::string> columns;   ///< outputs beside the model's own, by their expressions
};

class LoadedModel {
 public:
  /// Reads and checks the model; throws Error with file, line and column.
  explicit LoadedModel(ModelSource source);

  const Model& model() const { return model_; }
  const ModelSource& source() const { return source_; }
  bool is_kinematic() const { return model_->kind == ModelKind::kinematic; }

  /// As derived, which the system's own need not be.
  const Equations& equations() const;
  const KinematicEquations& kinematic_equations() const;
  const System& system() const;
  const KinematicSystem& kinematic_system() const;

 private:
  struct Parts;

  ModelSource source_;
  Model model_;
  std::shared_ptr<Parts> parts_;
};

/// A model file, or a shipped model by its name. Throws Error.
ModelSource find_source(const std::string& name_or_file, std::vector<std::string> settings = {});
LoadedModel load(const std::string& name_or_file, std::vector<std::string> settings = {});
/// A model's text; `name` stands for its file in messages.
LoadedModel load_text(std::string text, std::vector<std::string> settings = {}, std::string name = "model");
/// With those of the wanted columns as further outputs that are definitions or expressions. Throws Error for
/// what is neither a column nor an expression.
LoadedModel load_with_columns(ModelSource source, const std::vector<std::string>& wanted);

}  // namespace dalembert::session
