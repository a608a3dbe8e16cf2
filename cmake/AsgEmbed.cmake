# Puts a file into a program as bytes:
#   asg_embed(<target> <symbol> <file>)
# The program then declares
#   extern "C" const unsigned char <symbol>_begin[];
#   extern "C" const unsigned char <symbol>_end[];
# A zero byte follows the end, so text may be read as a C string. The assembler copies the file (.incbin),
# which takes no time however large it is; compiling an array of numbers would.
function(asg_embed target symbol file)
  get_filename_component(file "${file}" ABSOLUTE)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${target}_${symbol}.embed.cpp")
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT [[
// Made by CMake: the bytes of @file@.
#if defined(__APPLE__)
#define ASG_EMBED_SECTION ".const_data\n"
#define ASG_EMBED_NAME(part) "_@symbol@_" part
#define ASG_EMBED_END ""
#else
#define ASG_EMBED_SECTION ".pushsection .rodata.@symbol@, \"a\"\n"
#define ASG_EMBED_NAME(part) "@symbol@_" part
#define ASG_EMBED_END ".popsection\n"
#endif

__asm__(ASG_EMBED_SECTION
        ".globl " ASG_EMBED_NAME("begin") "\n"
        ".globl " ASG_EMBED_NAME("end") "\n"
        ".balign 64\n"
        ASG_EMBED_NAME("begin") ":\n"
        ".incbin \"@file@\"\n"
        ASG_EMBED_NAME("end") ":\n"
        ".byte 0\n"
        ASG_EMBED_END);
]])
  # Link-time optimisation cannot see into assembler text, and a precompiled header helps nothing here.
  set_source_files_properties("${source}" PROPERTIES
    OBJECT_DEPENDS "${file}"
    COMPILE_OPTIONS -fno-lto
    SKIP_PRECOMPILE_HEADERS ON)
  target_sources(${target} PRIVATE "${source}")
endfunction()
