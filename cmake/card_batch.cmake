# Writes OUT, a source that includes CARDS, each in a namespace of its own, and hands out their functions card_<name>()
# in asg::NAMESPACE, where the list of cards looks for them:
#   cmake -D OUT=<file> -D NAMESPACE=<name> -D CARDS=<files> -P cmake/card_batch.cmake
# The headers of all cards come first, outside, so that the cards' own #include lines find them read already.

set(headers "")
foreach(card IN LISTS CARDS)
  file(STRINGS "${card}" lines REGEX "^#include ")
  list(APPEND headers ${lines})
endforeach()
list(SORT headers)
list(REMOVE_DUPLICATES headers)
list(JOIN headers "\n" headers)

set(content "// Made by cmake/card_batch.cmake.\n${headers}\n\nnamespace asg::${NAMESPACE} {}\n")
foreach(card IN LISTS CARDS)
  get_filename_component(name "${card}" NAME)
  string(REGEX REPLACE "\\.card\\.cpp$" "" name "${name}")
  string(APPEND content "
namespace card_of_${name} {
using namespace ::asg;
using namespace ::asg::${NAMESPACE};
#include \"${card}\"
}
namespace asg::${NAMESPACE} {
OpCard card_${name}() { return card_of_${name}::asg::${NAMESPACE}::card_${name}(); }
}
")
endforeach()
file(WRITE "${OUT}" "${content}")
