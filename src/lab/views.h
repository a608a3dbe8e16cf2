#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "asg/lab/scene.h"

namespace asg::lab {

// The scenes of one version of one model, each made when it is first asked for. Used by one thread.
class Views {
 public:
  Views(std::int64_t version, std::shared_ptr<const Graph> model, std::shared_ptr<const train::StepGraph> step);

  std::int64_t version() const { return version_; }
  const Graph& model() const { return *model_; }
  // Whether a view needs what only the device can tell, and nobody has told yet.
  bool lacks_explanation(View view) const;
  // Null is an answer too: the device has nothing to say, or no batch has run that would tell the sizes.
  void set_explanation(std::shared_ptr<const Explanation> explanation, std::vector<double> step_seconds);
  const Scene& scene(View view);  // throws missing_value where an explanation is needed and there is none
  std::vector<Scene> all();       // that can be made

 private:
  Scene make(View view) const;
  const std::shared_ptr<const Explanation>& explanation() const;  // throws missing_value where there is none

  std::int64_t version_;
  std::shared_ptr<const Graph> model_;
  std::shared_ptr<const train::StepGraph> step_;
  bool asked_ = false;
  std::shared_ptr<const Explanation> explanation_;
  std::vector<double> step_seconds_;
  std::map<View, Scene> scenes_;
};

}  // namespace asg::lab
