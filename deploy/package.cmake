# Installing, and the Debian package. Included once, by CMakeLists.txt, after the target `costcurve`.
#   cmake --install BUILD --strip              below CMAKE_INSTALL_PREFIX; -DCMAKE_INSTALL_SYSCONFDIR=/etc for settings in /etc
#   cmake --build BUILD --target deb           BUILD/costcurve_VERSION_ARCHITECTURE.deb
# Units name no absolute path: systemd looks for the program in its own search path, and %E and %S are its folders.
include(GNUInstallDirs)

# The newest heading of CHANGELOG.md says the version; one that is not released yet sorts before its release.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/CHANGELOG.md)
file(STRINGS ${CMAKE_SOURCE_DIR}/CHANGELOG.md headings REGEX "^## [0-9]" LIMIT_COUNT 1)
if(NOT headings MATCHES "^## ([0-9]+[.][0-9]+[.][0-9]+)( \\(unreleased\\))?")
  message(FATAL_ERROR "CHANGELOG.md: the first heading is '${headings}'; write '## 1.2.3', or '## 1.2.3 (unreleased)'")
endif()
set(package_version ${CMAKE_MATCH_1})
if(CMAKE_MATCH_2)
  string(APPEND package_version "~unreleased")
endif()

# Only the program is built for an installation, not the tests.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
install(TARGETS costcurve)
install(PROGRAMS deploy/costcurve-backup TYPE BIN)
install(PROGRAMS deploy/health DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/costcurve)
install(FILES deploy/costcurve.conf DESTINATION ${CMAKE_INSTALL_SYSCONFDIR}/costcurve)
install(FILES deploy/systemd/costcurve.service deploy/systemd/costcurve-backup.service deploy/systemd/costcurve-backup.timer
              deploy/systemd/costcurve-recalculate.service deploy/systemd/costcurve-recalculate.timer
        DESTINATION lib/systemd/system)
install(FILES deploy/systemd/sysusers.conf DESTINATION lib/sysusers.d RENAME costcurve.conf)
install(FILES deploy/systemd/tmpfiles.conf DESTINATION lib/tmpfiles.d RENAME costcurve.conf)
file(GLOB catalogue ${CMAKE_SOURCE_DIR}/deploy/catalog/*.json)
install(FILES ${catalogue} DESTINATION ${CMAKE_INSTALL_DATADIR}/costcurve/catalog)
install(FILES deploy/catalog/examples/decisions.json DESTINATION ${CMAKE_INSTALL_DATADIR}/costcurve/catalog/examples)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/costcurve)
install(DIRECTORY clients/python DESTINATION ${CMAKE_INSTALL_DATADIR}/costcurve/clients
        PATTERN __pycache__ EXCLUDE PATTERN build EXCLUDE PATTERN "*.egg-info" EXCLUDE PATTERN generate.py EXCLUDE)
install(DIRECTORY docs/ TYPE DOC FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.json" PATTERN decisions EXCLUDE)
install(FILES README.md TYPE DOC)
install(FILES deploy/nginx.conf deploy/prometheus.yaml deploy/prometheus-rules.yaml deploy/grafana-dashboard.json
              deploy/grafana-plan.json deploy/crontab.example
        DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
# Manual pages, the compressed changelog, the licences of what is compiled in and the bill of materials are made when it is installed.
install(CODE "set(source \"${CMAKE_SOURCE_DIR}\")
set(made \"${CMAKE_BINARY_DIR}/installed\")
set(program \"$<TARGET_FILE:costcurve>\")
set(version \"${package_version}\")
set(build \"${CMAKE_BINARY_DIR}\")
set(data_folder \"${CMAKE_INSTALL_DATADIR}/costcurve\")
set(man_folder \"${CMAKE_INSTALL_MANDIR}\")
set(doc_folder \"${CMAKE_INSTALL_DOCDIR}\")")
install(SCRIPT deploy/install_made.cmake)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME costcurve)
set(CPACK_PACKAGE_VERSION ${package_version})
set(CPACK_PACKAGE_CONTACT "costcurve developers <costcurve@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "what AI accelerators really cost, over HTTP and on the command line")
set(CPACK_PACKAGE_DESCRIPTION
"costcurve evaluates scenarios: workloads of training and inference, pools where
they can run (cloud instances, servers you own, hosted APIs) and a horizon of
months. It gives cost and cash by month and category, present values, and unit
costs, compares scenarios, and finds break-even points and cost-minimal plans.
.
This package has the daemon with its dashboard, the command line, the reference
catalogue and examples.")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
# With DESTDIR the settings' folder may be absolute; where it is relative, the script moves it from /usr to the root.
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/deploy/debian/arrange.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "ca-certificates, tzdata, systemd | systemd-standalone-sysusers | systemd-sysusers, systemd | systemd-standalone-tmpfiles | systemd-tmpfiles")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "nginx, prometheus")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA)
foreach(script postinst prerm postrm conffiles)
  list(APPEND CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/deploy/debian/${script})
endforeach()
include(CPack)
add_custom_target(deb COMMAND ${CMAKE_CPACK_COMMAND} -G DEB --config ${CMAKE_BINARY_DIR}/CPackConfig.cmake -B ${CMAKE_BINARY_DIR}
                  VERBATIM)
add_dependencies(deb costcurve)
