# Puts all files of a folder into a library or program, packed, for a page that it serves:
#   asg_embed_folder(<target> <function> <folder>)
# defines asg::lab::Assets asg::lab::<function>(), see include/asg/lab/assets.h. The files are packed again when one of
# them changes, appears or goes. Where the folder is missing or empty, so is the table.
function(asg_embed_folder target function folder)
  find_program(ASG_GZIP gzip REQUIRED)
  mark_as_advanced(ASG_GZIP)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS "${folder}/*")
  set(packed "${PROJECT_BINARY_DIR}/generated/${target}_${function}")
  set(source "${packed}.embed.cpp")
  set(script "${PROJECT_SOURCE_DIR}/cmake/embed_folder.cmake")
  # The list is a file of its own, since a file that goes makes nothing newer.
  file(CONFIGURE OUTPUT "${packed}.list" CONTENT "${files}\n")
  add_custom_command(OUTPUT "${source}"
    COMMAND "${CMAKE_COMMAND}" -D "FOLDER=${folder}" -D "FUNCTION=${function}" -D "GZIP=${ASG_GZIP}"
      -D "PACKED=${packed}" -D "OUT=${source}" -P "${script}"
    DEPENDS ${files} "${packed}.list" "${script}"
    COMMENT "Packing the files of ${folder}"
    VERBATIM)
  # Link-time optimisation cannot see into assembler text.
  set_source_files_properties("${source}" PROPERTIES
    COMPILE_OPTIONS -fno-lto
    SKIP_UNITY_BUILD_INCLUSION ON
    SKIP_PRECOMPILE_HEADERS ON)
  target_sources(${target} PRIVATE "${source}")
endfunction()
