#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace asg::cpu {

// A call to something callable that lives elsewhere, for as long as that lives; it allocates nothing. May be empty.
template <class Signature>
class FunctionRef;

template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  FunctionRef() = default;
  template <class Callable, class = std::enable_if_t<!std::is_same_v<std::remove_cv_t<Callable>, FunctionRef>>>
  FunctionRef(Callable& callable)  // NOLINT: meant to be implicit, as with std::function
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
        call_([](void* object, Arguments... arguments) -> Result {
          return (*static_cast<Callable*>(object))(std::forward<Arguments>(arguments)...);
        }) {}

  explicit operator bool() const { return call_ != nullptr; }
  Result operator()(Arguments... arguments) const { return call_(object_, std::forward<Arguments>(arguments)...); }

 private:
  void* object_ = nullptr;
  Result (*call_)(void*, Arguments...) = nullptr;
};

}  // namespace asg::cpu
