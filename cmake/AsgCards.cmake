# Cards register themselves by file name. A static initialiser would be dropped by the linker together
# with its object file, so the list is written here instead and nobody keeps it by hand.

# Adds to <target> a source that defines, in namespace asg,
#   std::span<OpCard (*const)()> <function>();
# with one entry card_<name>() for each <name>.card.cpp at or below <folder> (seen from the root of the
# project), in order of name. The cards stand in asg::cards, or in asg::<namespace>: a layer may have the
# name of the op it is made of.
#   asg_card_list(<target> <folder> <function> [<namespace>])
function(asg_card_list target folder function)
  set(namespace cards)
  if(ARGC GREATER 3)
    set(namespace ${ARGV3})
  endif()
  if(NOT TARGET ${target})
    return()
  endif()
  file(GLOB_RECURSE files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.card.cpp")

  set(names "")
  foreach(file IN LISTS files)
    get_filename_component(name "${file}" NAME)
    string(REGEX REPLACE "\\.card\\.cpp$" "" name "${name}")
    if(NOT name MATCHES "^[a-z][a-z0-9_]*$")
      message(FATAL_ERROR "${file}: the name of a card file is snake_case, since it names card_${name}().")
    endif()
    if(name IN_LIST names)
      message(FATAL_ERROR "Two card files below ${folder} are called ${name}.card.cpp; one must be renamed.")
    endif()
    list(APPEND names ${name})
  endforeach()
  list(SORT names)

  set(declarations "")
  set(entries "")
  foreach(name IN LISTS names)
    string(APPEND declarations "OpCard card_${name}();\n")
    string(APPEND entries "      ${namespace}::card_${name},\n")
  endforeach()
  if(names)
    set(body "  static OpCard (*const kCards[])() = {\n${entries}  };\n  return kCards;\n")
  else()
    set(body "  return {};\n")
  endif()

  get_filename_component(last_name "${folder}" NAME)
  set(source "${PROJECT_BINARY_DIR}/generated/${last_name}_card_list.cpp")
  # file(CONFIGURE) leaves the file alone when nothing changed, so nothing is rebuilt.
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT [[
// Made by CMake from the names of the files @folder@/**/*.card.cpp.
#include <span>

#include "asg/graph/card.h"

namespace asg {

namespace @namespace@ {

@declarations@
}  // namespace @namespace@

std::span<OpCard (*const)()> @function@() {
@body@}

}  // namespace asg
]])
  target_sources(${target} PRIVATE "${source}")
endfunction()
