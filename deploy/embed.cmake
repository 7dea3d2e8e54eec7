# Compiles files into the binary: the pages, the packages they load and the examples as a table {path, bytes, gzip}; facts of the catalogue.
# embed_files(<variable> <header>): sets <variable> to the generated source.

# Files of npm packages that pages load, with their licences; found at /static/packages/….
set(embedded_packages rapidoc/dist/rapidoc-min.js rapidoc/dist/rapidoc-min.js.LICENSE.txt rapidoc/LICENSE.txt
                      echarts/LICENSE echarts/NOTICE
                      @fontsource-variable/inter/files/inter-latin-wght-normal.woff2 @fontsource-variable/inter/LICENSE)

# Modules of npm packages that never change under their name: found at /static/packages/kept/<package>-<hash>.js, and
# passed on by /static/packages/<package>.js, which names the newest. Pages say kept/<package>.js; they get the hash here.
set(kept_modules echarts/dist/echarts.esm.min.js)

# embed_bytes(<name> <file> <variable>): appends the file's bytes to `arrays`, as the assembler reads them: a compiler takes seconds
# for a megabyte. Appends the file to `embedded`, and sets <variable> to the text of a std::string_view of the bytes.
macro(embed_bytes name file variable)
  file(SIZE "${file}" size)
  file(SHA256 "${file}" sum) # or else a compilation kept from before would be taken for this one
  list(APPEND embedded "${file}")
  string(APPEND arrays
"asm(R\"(.pushsection .rodata
.hidden costcurve_${name}
.globl costcurve_${name}
costcurve_${name}: .incbin \"${file}\" # ${sum}
.byte 0
.popsection)\");
extern \"C\" const char costcurve_${name}[]; // NOLINT
")
  set(${variable} "{costcurve_${name}, ${size}}")
endmacro()

function(embed_files variable header)
  file(GLOB_RECURSE pages RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS static/*)
  file(GLOB_RECURSE examples RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS examples/*.json)
  list(TRANSFORM embedded_packages PREPEND node_modules/ OUTPUT_VARIABLE packages)
  list(TRANSFORM kept_modules PREPEND node_modules/ OUTPUT_VARIABLE kept)
  foreach(file IN LISTS packages kept)
    if(NOT EXISTS ${CMAKE_SOURCE_DIR}/${file})
      message(FATAL_ERROR "${file} is missing: run deploy/packages run")
    endif()
  endforeach()
  set(generated ${CMAKE_BINARY_DIR}/assets.cpp)
  set(table "")
  set(arrays "")
  set(embedded "")
  set(index 0)
  set(named "") # file|path pairs
  set(kept_names "") # plain|hashed pairs
  foreach(file IN LISTS pages packages examples)
    string(REGEX REPLACE "^node_modules/" "static/packages/" path "${file}")
    list(APPEND named "${CMAKE_SOURCE_DIR}/${file}|${path}")
  endforeach()
  foreach(file IN LISTS kept)
    string(REGEX REPLACE "^node_modules/([^/]+)/.*" "\\1" package "${file}")
    file(SHA256 ${CMAKE_SOURCE_DIR}/${file} hash)
    string(SUBSTRING ${hash} 0 16 hash)
    set(pass_on ${CMAKE_BINARY_DIR}/${package}.js)
    file(CONFIGURE OUTPUT ${pass_on} CONTENT "// Passes on ${file}.\nexport * from \"./kept/${package}-${hash}.js\";\n")
    list(APPEND named "${CMAKE_SOURCE_DIR}/${file}|static/packages/kept/${package}-${hash}.js"
                      "${pass_on}|static/packages/${package}.js")
    list(APPEND kept_names "kept/${package}.js|kept/${package}-${hash}.js")
  endforeach()
  foreach(pair IN LISTS named)
    string(REGEX MATCH "^(.*)[|](.*)$" pair "${pair}")
    set(file "${CMAKE_MATCH_1}")
    set(path "${CMAKE_MATCH_2}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    if(path MATCHES "[.]html$")
      file(READ ${file} text)
      foreach(name IN LISTS kept_names)
        string(REPLACE "|" ";" name "${name}")
        string(REPLACE ${name} text "${text}")
      endforeach()
      set(file ${CMAKE_BINARY_DIR}/page${index}.html)
      file(CONFIGURE OUTPUT ${file} CONTENT "@text@" @ONLY)
    endif()
    # Own scripts and styles without indentation, comments and line ends that mean nothing: a seventh of what is sent.
    if(path MATCHES "^static/" AND NOT path MATCHES "^static/packages/" AND path MATCHES "[.](js|css)$")
      set(lean ${CMAKE_BINARY_DIR}/lean${index}.txt)
      set(join "s/,\\n([])}])/\\1/g;s/;\\n[}]/}/g;s/([{([,;])\\n/\\1/g")
      if(path MATCHES "[.]css$")
        set(join "s/ *([{};,])[ \\n]*/\\1/g;s/;[}]/}/g;s/([a-z]): /\\1:/g")
      endif()
      execute_process(COMMAND sed -E "s/^[ \t]+//;/^(\\/\\/|\\/[*].*[*]\\/$)/d;s/ +\\/[*][^*]*[*]\\/$//;s/ +\\/\\/ [^\"'`]*$//" ${file}
                      COMMAND sed -zE "${join}" OUTPUT_FILE ${lean} COMMAND_ERROR_IS_FATAL ANY)
      set(file ${lean})
    endif()
    embed_bytes(file${index} "${file}" bytes)
    set(packed "{}")
    if(path MATCHES "/packages/.*[.]js$")
      set(gzip ${CMAKE_BINARY_DIR}/packed${index}.gz)
      execute_process(COMMAND gzip -9nc ${file} OUTPUT_FILE ${gzip} COMMAND_ERROR_IS_FATAL ANY)
      embed_bytes(packed${index} "${gzip}" packed)
    endif()
    string(APPEND table "    {\"/${path}\", ${bytes}, ${packed}},\n")
    math(EXPR index "${index} + 1")
  endforeach()
  file(CONFIGURE OUTPUT ${generated} CONTENT
"// Generated by deploy/embed.cmake from static/, node_modules/ and examples/.
#include \"${header}\"

${arrays}
namespace costcurve::api {
namespace {
const Asset kAssets[] = {
${table}};
} // namespace
std::span<const Asset> assets() { return kAssets; }
} // namespace costcurve::api
" @ONLY)
  set_source_files_properties(${generated} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON OBJECT_DEPENDS "${embedded}")
  set(${variable} ${generated} PARENT_SCOPE)
endfunction()

# embed_rate_facts(<variable> <header>): the same of what an audit of rates reads of the catalogue.
function(embed_rate_facts variable header)
  set(generated ${CMAKE_BINARY_DIR}/rate_facts.cpp)
  set(arrays "")
  set(embedded "")
  set(catalogue ${CMAKE_SOURCE_DIR}/deploy/catalog)
  embed_bytes(models ${catalogue}/models.json models)
  embed_bytes(devices ${catalogue}/devices.json devices)
  embed_bytes(rates ${catalogue}/sources/measured_rates.csv rates)
  embed_bytes(training ${catalogue}/sources/measured_training.csv training)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${embedded})
  file(CONFIGURE OUTPUT ${generated} CONTENT
"// Generated by deploy/embed.cmake from deploy/catalog/.
#include \"${header}\"

${arrays}
namespace costcurve::commands {
RateFactsTexts rate_facts_texts() { return {${models}, ${devices}, ${rates}, ${training}}; }
} // namespace costcurve::commands
" @ONLY)
  set_source_files_properties(${generated} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON OBJECT_DEPENDS "${embedded}")
  set(${variable} ${generated} PARENT_SCOPE)
endfunction()

# embed_measure(<variable> <header>): the same of the program that measures a served model.
function(embed_measure variable header)
  set(generated ${CMAKE_BINARY_DIR}/measure_program.cpp)
  set(arrays "")
  set(embedded "")
  embed_bytes(measure ${CMAKE_SOURCE_DIR}/deploy/measure/measure.py program)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${embedded})
  file(CONFIGURE OUTPUT ${generated} CONTENT
"// Generated by deploy/embed.cmake from deploy/measure/.
#include \"${header}\"

${arrays}
namespace costcurve::commands {
std::string_view measure_program() { return ${program}; }
} // namespace costcurve::commands
" @ONLY)
  set_source_files_properties(${generated} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON OBJECT_DEPENDS "${embedded}")
  set(${variable} ${generated} PARENT_SCOPE)
endfunction()

# embed_mappings(<variable> <header>): the same of mappings of columns that are formats, each as NAME_mapping.
function(embed_mappings variable header)
  set(generated ${CMAKE_BINARY_DIR}/mappings.cpp)
  set(arrays "")
  set(embedded "")
  set(texts "")
  file(GLOB mappings CONFIGURE_DEPENDS ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../server/import/columns/formats/*.yaml)
  foreach(path IN LISTS mappings)
    get_filename_component(name ${path} NAME_WE)
    embed_bytes(${name} ${path} text)
    string(APPEND texts "const std::string_view ${name}_mapping = ${text};\n")
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${embedded})
  file(CONFIGURE OUTPUT ${generated} CONTENT
"// Generated by deploy/embed.cmake from server/import/columns/formats/.
#include \"${header}\"

${arrays}
namespace costcurve::imports {
${texts}} // namespace costcurve::imports
" @ONLY)
  set_source_files_properties(${generated} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON OBJECT_DEPENDS "${embedded}")
  set(${variable} ${generated} PARENT_SCOPE)
endfunction()
