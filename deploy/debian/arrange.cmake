# Run by CPack before it packs: settings to /etc, and what Debian's policy wants beside the program (copyright, changelog).
# Given by CPack: the folder of what was installed, the package's name and version.
set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY})
set(doc ${root}/usr/share/doc/costcurve)
if(IS_DIRECTORY ${root}/usr/etc)
  file(RENAME ${root}/usr/etc ${root}/etc)
endif()
# The changelog is upstream's and stands there already; Debian's has an entry for this build.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(entry "costcurve (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium\n\n")
string(APPEND entry "  * Built from the sources; changelog.gz says what is new.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
file(WRITE ${doc}/changelog.Debian "${entry}")
execute_process(COMMAND gzip -9nf ${doc}/changelog.Debian COMMAND_ERROR_IS_FATAL ANY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/copyright ${doc}/copyright COPYONLY) # not file(INSTALL): DESTDIR is set
