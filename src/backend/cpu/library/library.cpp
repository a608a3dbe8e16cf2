#include "backend/cpu/library/library.h"

namespace asg::cpu {

Library default_library() { return has_onednn() ? Library::onednn : Library::builtin; }

}  // namespace asg::cpu
