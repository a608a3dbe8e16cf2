# The layering rule holds on the tree, and refuses what it should.

cmake_minimum_required(VERSION 3.25)

function(check root out)
  execute_process(COMMAND "${CMAKE_COMMAND}" -D "ROOT=${root}" -P "${SOURCE_DIR}/cmake/check_layers.cmake"
    RESULT_VARIABLE code ERROR_VARIABLE text)
  set(code ${code} PARENT_SCOPE)
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# A tree of one file with one include; refused with the given words, or allowed if there are none.
function(expect file include words)
  set(root "${BINARY_DIR}/layers_test")
  file(REMOVE_RECURSE "${root}")
  file(WRITE "${root}/${file}" "#pragma once\n${include}\n")
  check("${root}" text)
  string(REGEX REPLACE "[ \n]+" " " text "${text}")
  if(words STREQUAL "" AND NOT code EQUAL 0)
    message(SEND_ERROR "${file} with ${include} should be allowed, but: ${text}")
  elseif(NOT words STREQUAL "" AND code EQUAL 0)
    message(SEND_ERROR "${file} with ${include} should be refused")
  elseif(NOT text MATCHES "${words}")
    message(SEND_ERROR "${file} with ${include} should be refused with '${words}', but: ${text}")
  endif()
  file(REMOVE_RECURSE "${root}")
endfunction()

check("${SOURCE_DIR}" text)
if(NOT code EQUAL 0)
  message(SEND_ERROR "${text}")
endif()

#      in this file                 this include                            is refused with
expect(src/graph/a.cpp              "#include \"asg/graph/b.h\""            "")
expect(src/graph/deep/er/a.cpp      "#include \"asg/core/dtype.h\""         "")
expect(src/backend/a.cpp            "#include \"asg/graph/graph.h\""        "")
expect(src/train/a.cpp              "#include \"asg/data/digits.h\""        "")
expect(src/core/a.cpp               "#include \"asg/version.h\""            "")
expect(src/core/a.cpp               "#include <graphics/colour.h>"          "")
expect(src/core/a.cpp               "#include \"asg/graph/graph.h\""        "core may know only core")
expect(include/asg/core/a.h         "#  include <asg/graph/graph.h>"        "core may know only core")
expect(src/graph/deep/er/a.cpp      "#include \"asg/ops/math.h\""           "graph may know only graph, core")
expect(src/compile/a.cpp            "#include \"asg/backend/interp.h\""     "src/compile/a.cpp: #include \"asg/backend/interp.h\"")
expect(src/ops/a.cpp                "#include \"autograd/private.h\""       "ops may know only ops, graph, core")
expect(src/data/a.cpp               "#include \"asg/elsewhere/a.h\""        "elsewhere is not in cmake/layers.cmake")
expect(src/train/a.cpp              "#include \"asg/asg.h\""                "umbrella header")
