# Refuses #includes that point the wrong way between the library folders (see layers.cmake).
#
#   cmake -D ROOT=<tree> [-D STAMP=<file>] -P check_layers.cmake
#
# Looks at src/<folder> and include/asg/<folder>. Both spellings count: the public "asg/graph/graph.h"
# and the private "graph/json_reader.h". The umbrella header asg/asg.h knows everything, so no library
# may include it. STAMP is touched on success, for the build rule.

cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/layers.cmake")

list(JOIN ASG_FOLDERS "|" any_folder)
set(include_line "^[ \t]*#[ \t]*include[ \t]*[<\"](asg/([a-z_]+)/|asg/asg\\.h|(${any_folder})/)")
set(violations "")

function(check_file file folder)
  file(STRINGS "${file}" lines REGEX "${include_line}")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "${include_line}" _ "${line}")
    set(included "${CMAKE_MATCH_2}${CMAKE_MATCH_3}")
    if(included IN_LIST known)
      continue()
    endif()
    file(RELATIVE_PATH name "${ROOT}" "${file}")
    if(included STREQUAL "")
      set(reason "the umbrella header is for users of the library, not for the library")
    elseif(NOT included IN_LIST ASG_FOLDERS)
      set(reason "the folder ${included} is not in cmake/layers.cmake")
    else()
      list(JOIN known ", " known_words)
      set(reason "${folder} may know only ${known_words}")
    endif()
    string(STRIP "${line}" line)
    string(APPEND violations "  ${name}: ${line}\n    ${reason}\n")
  endforeach()
  set(violations "${violations}" PARENT_SCOPE)
endfunction()

foreach(folder IN LISTS ASG_FOLDERS)
  asg_known_folders(${folder} known)
  file(GLOB_RECURSE files
    "${ROOT}/src/${folder}/*.cpp" "${ROOT}/src/${folder}/*.h" "${ROOT}/include/asg/${folder}/*.h")
  foreach(file IN LISTS files)
    check_file("${file}" ${folder})
  endforeach()
endforeach()

if(violations)
  message(FATAL_ERROR "includes that break the layering of cmake/layers.cmake:\n${violations}")
endif()
if(STAMP)
  file(TOUCH "${STAMP}")
endif()
