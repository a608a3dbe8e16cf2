# Packs every file below FOLDER by GZIP into the folder PACKED, and writes the source OUT with their bytes and the table
# of them, asg::lab::FUNCTION():
#   cmake -D FOLDER=<folder> -D FUNCTION=<name> -D GZIP=<program> -D PACKED=<folder> -D OUT=<file> -P embed_folder.cmake
# The tag of a file is its SHA-256, so a file that changes changes the source, which is then compiled again.

set(type_of_html "text/html; charset=utf-8")
set(type_of_js "text/javascript; charset=utf-8")
set(type_of_mjs "text/javascript; charset=utf-8")
set(type_of_css "text/css; charset=utf-8")
set(type_of_txt "text/plain; charset=utf-8")
set(type_of_json "application/json")
set(type_of_map "application/json")
set(type_of_webmanifest "application/manifest+json")
set(type_of_svg "image/svg+xml")
set(type_of_png "image/png")
set(type_of_jpg "image/jpeg")
set(type_of_webp "image/webp")
set(type_of_ico "image/x-icon")
set(type_of_woff2 "font/woff2")
set(type_of_wasm "application/wasm")

file(GLOB_RECURSE paths RELATIVE "${FOLDER}" "${FOLDER}/*")
list(SORT paths)  # by bytes, as Assets::find() searches
file(REMOVE_RECURSE "${PACKED}")
file(MAKE_DIRECTORY "${PACKED}")

set(blocks "")
set(declarations "")
set(rows "")
set(number 0)
foreach(path IN LISTS paths)
  if(NOT path MATCHES "^[-A-Za-z0-9._/]+$")
    message(FATAL_ERROR "${FOLDER}/${path}: the server serves only names of letters, digits, '.', '-' and '_'.")
  endif()
  set(packed "${PACKED}/${number}.gz")
  # -n: neither name nor time, so that equal files give equal programs.
  execute_process(COMMAND "${GZIP}" -9 -n -c "${FOLDER}/${path}" OUTPUT_FILE "${packed}" COMMAND_ERROR_IS_FATAL ANY)
  file(SHA256 "${FOLDER}/${path}" hash)
  string(SUBSTRING "${hash}" 0 32 hash)
  string(REGEX MATCH "[^./]*$" ending "${path}")
  string(TOLOWER "${ending}" ending)
  set(type "application/octet-stream")
  if(DEFINED type_of_${ending})
    set(type "${type_of_${ending}}")
  endif()
  set(symbol "asg_${FUNCTION}_${number}")
  string(APPEND blocks "ASG_EMBED(\"${symbol}\", \"${packed}\")\n")
  string(APPEND declarations "extern \"C\" const char ${symbol}_begin[];\nextern \"C\" const char ${symbol}_end[];\n")
  string(APPEND rows "      {\"/${path}\", \"${type}\", bytes(${symbol}_begin, ${symbol}_end), \"\\\"${hash}\\\"\"},\n")
  math(EXPR number "${number} + 1")
endforeach()

set(body "  return {};\n")
set(helper "")
if(rows)
  set(body "  static const Asset kFiles[] = {\n${rows}  };\n  return Assets(kFiles);\n")
  set(helper "static std::string_view bytes(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}
")
endif()
file(WRITE "${OUT}" "// Made by cmake/embed_folder.cmake from the files of a folder.
#include <cstddef>
#include <string_view>

#include \"asg/lab/assets.h\"

#if defined(__APPLE__)
#define ASG_EMBED_SECTION \".const_data\\n\"
#define ASG_EMBED_NAME(symbol) \"_\" symbol
#define ASG_EMBED_END \"\"
#else
#define ASG_EMBED_SECTION \".pushsection .rodata.asg_${FUNCTION}, \\\"a\\\"\\n\"
#define ASG_EMBED_NAME(symbol) symbol
#define ASG_EMBED_END \".popsection\\n\"
#endif
#define ASG_EMBED(symbol, file)                         \\
  __asm__(ASG_EMBED_SECTION                             \\
          \".globl \" ASG_EMBED_NAME(symbol) \"_begin\\n\"  \\
          \".globl \" ASG_EMBED_NAME(symbol) \"_end\\n\"    \\
          ASG_EMBED_NAME(symbol) \"_begin:\\n\"           \\
          \".incbin \\\"\" file \"\\\"\\n\"                    \\
          ASG_EMBED_NAME(symbol) \"_end:\\n\"             \\
          ASG_EMBED_END);

${blocks}
${declarations}
namespace asg::lab {

${helper}
Assets ${FUNCTION}();
Assets ${FUNCTION}() {
${body}}

}  // namespace asg::lab
")
