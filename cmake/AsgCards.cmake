# Cards register themselves by file name. A static initialiser would be dropped by the linker together
# with its object file, so the list is written here instead and nobody keeps it by hand.

add_custom_target(asg_card_batches)

# Cards are small and many, and nearly all that the compiler reads for one are headers that it has read for the
# others: with ASG_TOGETHER those of a folder are compiled a dozen at a time. Every card then stands in a namespace of
# its own (they all call their kernel `kernel`), as card_batch.cmake writes it.
#   asg_add_cards(<target> <namespace> <files>)
function(asg_add_cards target namespace)
  if(NOT ASG_TOGETHER)
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${ASG_LIGHT_OPTIONS}")
    target_sources(${target} PRIVATE ${ARGN})
    return()
  endif()
  set(folders "")
  foreach(card IN LISTS ARGN)
    get_filename_component(folder "${card}" DIRECTORY)
    list(APPEND folders "${folder}")
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    set(cards ${ARGN})
    list(FILTER cards INCLUDE REGEX "^${folder}/[^/]+$")
    file(RELATIVE_PATH name "${PROJECT_SOURCE_DIR}" "${folder}")
    string(REGEX REPLACE "^src/" "" name "${name}")
    string(REPLACE "/" "_" name "${name}")
    list(LENGTH cards length)
    foreach(first RANGE 1 ${length} 12)
      math(EXPR first "${first} - 1")
      list(SUBLIST cards ${first} 12 batch)
      set(source "${PROJECT_BINARY_DIR}/generated/cards/${name}_${first}.cpp")
      add_custom_command(OUTPUT "${source}"
        COMMAND "${CMAKE_COMMAND}" -D "OUT=${source}" -D "NAMESPACE=${namespace}" -D "CARDS=${batch}"
          -P "${PROJECT_SOURCE_DIR}/cmake/card_batch.cmake"
        DEPENDS ${batch} "${PROJECT_SOURCE_DIR}/cmake/card_batch.cmake"
        COMMENT "Putting the cards of ${name} together"
        VERBATIM)
      set_source_files_properties("${source}" PROPERTIES
        COMPILE_OPTIONS "${ASG_LIGHT_OPTIONS}" SKIP_UNITY_BUILD_INCLUSION ON)
      if(ASG_SANITIZE STREQUAL "thread")
        asg_not_optimised("${source}")
      endif()
      target_sources(${target} PRIVATE "${source}")
      list(APPEND batches "${source}")
    endforeach()
  endforeach()
  # clang-tidy reads them without building anything else.
  add_custom_target(${target}_card_batches DEPENDS ${batches})
  add_dependencies(asg_card_batches ${target}_card_batches)
endfunction()

# Adds to <target> the cards at or below <folder> (seen from the root of the project), and a source that defines, in
# namespace asg,
#   std::span<OpCard (*const)()> <function>();
# with one entry card_<name>() for each <name>.card.cpp there, in order of name. The cards stand in asg::cards, or in
# asg::<namespace>: a layer may have the name of the op it is made of.
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
  asg_add_cards(${target} ${namespace} ${files})

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
