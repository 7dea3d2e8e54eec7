# Run when costcurve is installed: makes its manual pages, changelog and notices, and installs them compressed; and its bill of materials.
# Given: source, build, made (a folder to work in), program, version, man_folder, doc_folder, data_folder (below the prefix, or absolute).
file(MAKE_DIRECTORY ${made})

# Text for roff: nothing of it is a command.
function(roff_of variable text)
  string(REPLACE "\\" "\\e" text "${text}")
  string(REPLACE "-" "\\-" text "${text}")
  string(REGEX REPLACE "(^|\n)([.'])" "\\1\\\\&\\2" text "${text}")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# What a verb prints for --help, and its own verbs' after it.
function(help_of variable)
  execute_process(COMMAND ${program} ${ARGN} --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
  roff_of(text "${help}")
  list(JOIN ARGN " " words)
  roff_of(words "${words}")
  set(page "")
  if(ARGN)
    set(page ".SS costcurve ${words}\n.nf\n${text}.fi\n")
  endif()
  if(help MATCHES "\nSubcommands:\n(.*)$")
    string(REGEX MATCHALL "(^|\n)  [a-z][a-z0-9_-]*" verbs "${CMAKE_MATCH_1}")
    foreach(verb IN LISTS verbs)
      string(STRIP "${verb}" verb)
      help_of(more ${ARGN} ${verb})
      string(APPEND page "${more}")
    endforeach()
  endif()
  set(${variable} "${page}" PARENT_SCOPE)
endfunction()

function(install_compressed name folder)
  execute_process(COMMAND gzip -9nc ${made}/${name} OUTPUT_FILE ${made}/${name}.gz COMMAND_ERROR_IS_FATAL ANY)
  cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX})
  file(INSTALL ${made}/${name}.gz DESTINATION ${folder})
endfunction()

help_of(VERBS)
set(VERSION ${version})
string(TIMESTAMP DATE "%Y-%m-%d" UTC)
configure_file(${source}/deploy/costcurve.1.in ${made}/costcurve.1 @ONLY)
configure_file(${source}/deploy/costcurve-backup.1.in ${made}/costcurve-backup.1 @ONLY)
install_compressed(costcurve.1 ${man_folder}/man1)
install_compressed(costcurve-backup.1 ${man_folder}/man1)
configure_file(${source}/CHANGELOG.md ${made}/changelog COPYONLY)
install_compressed(changelog ${doc_folder})

# The packages whose files are compiled in, as they ask for it.
set(notices "")
foreach(file LICENSE node_modules/echarts/NOTICE node_modules/echarts/LICENSE node_modules/rapidoc/LICENSE.txt
             node_modules/rapidoc/dist/rapidoc-min.js.LICENSE.txt node_modules/@fontsource-variable/inter/LICENSE)
  file(READ ${source}/${file} text)
  string(APPEND notices "==== ${file}\n\n${text}\n")
endforeach()
file(WRITE ${made}/notices "${notices}")
install_compressed(notices ${doc_folder})

# What it consists of, with versions and licences. In the folder of data: images of containers leave documentation out.
find_program(DPKG_QUERY dpkg-query)
if(DPKG_QUERY)
  execute_process(COMMAND ${source}/deploy/sbom ${program} ${build} ${version} OUTPUT_FILE ${made}/sbom.cdx.json
                  COMMAND_ERROR_IS_FATAL ANY)
  cmake_path(ABSOLUTE_PATH data_folder BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX})
  file(INSTALL ${made}/sbom.cdx.json DESTINATION ${data_folder})
else()
  message(STATUS "no sbom.cdx.json: its versions are dpkg's, which is not installed")
endif()
