// A model in the hands of a user: read and checked, with its equations and their programs, made once each.
//
//   const LoadedModel crank = load("slider_crank", {"l1=0.3"});
//   check(crank).structure.degrees_of_freedom;
//   const Motion motion = run(crank, {give("duration", 2.0), give("tolerance", 1e-9)});
//   motion.column("theta1");
//
// Copies share everything, those of with_parameters() all that does not depend on values. Equations and
// programs are made when they are first asked for; any number of threads may make calls with one model.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <dalembert/derive/equations.hpp>
#include <dalembert/derive/kinematics.hpp>
#include <dalembert/model/model.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/output/row.hpp>
#include <dalembert/system/kinematic_system.hpp>
#include <dalembert/system/system.hpp>

namespace dalembert::session {

/// A model as it was written, and what a call changes in it.
struct ModelSource {
  std::string text;
  std::string file;                      ///< in messages
  std::vector<std::string> settings;     ///< parameters and start values, "l1=0.3", "theta1'=2"
  std::vector<std::string> columns;      ///< outputs beside the model's own, by their expressions
  std::vector<std::string> starts = {};  ///< start values, x or x', that with_parameters() takes too
};

class LoadedModel {
 public:
  /// Reads and checks the model; throws Error with file, line and column.
  explicit LoadedModel(ModelSource source);

  /// With other values of parameters. Of mechanical models nothing is derived or compiled again; of kinematic
  /// ones everything is. Throws Error for a name that is none, and for a value that is not finite.
  LoadedModel with_parameters(std::span<const NamedValue> values) const;
  /// With other start values, x or x'. Of mechanical models they are derived and compiled once for each set
  /// of names, and never again. Throws Error for a name that is no coordinate, and for a value that is not
  /// finite.
  LoadedModel with_start(std::span<const NamedValue> values) const;

  /// With other values of parameters read again when it is first asked for.
  const Model& model() const { return own().described_; }
  /// The same but for the values of parameters: names, options, columns, without reading again.
  const Model& described() const { return described_; }
  /// The same model that shares nothing with others of other values: for what writes values into equations
  /// and pictures.
  const LoadedModel& own() const;
  const ModelSource& source() const { return source_; }
  bool is_kinematic() const { return described_->kind == ModelKind::kinematic; }

  /// As derived, which the system's own need not be.
  const Equations& equations() const;
  const KinematicEquations& kinematic_equations() const;
  const System& system() const;
  const KinematicSystem& kinematic_system() const;
  /// What rows of all columns need besides samples.
  std::shared_ptr<const RowProgram> row_program() const;

 private:
  struct Parts;
  struct Variant;

  LoadedModel with_values(std::span<const NamedValue> values) const;
  LoadedModel started_at(const std::vector<std::string>& names) const;

  ModelSource source_;
  Model described_;
  std::shared_ptr<Parts> parts_;
  std::shared_ptr<Variant> variant_;  // none: parameters have the values of described_
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
