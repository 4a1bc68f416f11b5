# What `cmake --install` puts down besides the programs: Heddle's public headers, the engine's headers and
# libraries, and the package that find_package(Heddle) reads. Heddle::heddle is base + trace + explore;
# front ends and reports stay private to the `heddle` command, which heddle.cmake makes tests of.
include(CMakePackageConfigHelpers)

set(heddle_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Heddle)
set(heddle_engine_include ${CMAKE_INSTALL_INCLUDEDIR}/heddle/engine)

add_library(heddle_embedding INTERFACE)
set_target_properties(heddle_embedding PROPERTIES EXPORT_NAME heddle)
target_include_directories(heddle_embedding INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(heddle_embedding INTERFACE cxx_std_20)
target_link_libraries(heddle_embedding INTERFACE heddle_explore)
add_library(Heddle::heddle ALIAS heddle_embedding)

foreach(folder base trace explore)
  target_include_directories(heddle_${folder} PUBLIC $<INSTALL_INTERFACE:${heddle_engine_include}>)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/${folder} DESTINATION ${heddle_engine_include}
          FILES_MATCHING PATTERN "*.h")
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/heddle DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS heddle_base heddle_trace heddle_explore heddle_embedding EXPORT HeddleTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT HeddleTargets NAMESPACE Heddle:: DESTINATION ${heddle_package_dir})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/HeddleConfig.cmake.in
  ${PROJECT_BINARY_DIR}/HeddleConfig.cmake INSTALL_DESTINATION ${heddle_package_dir}
  PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/HeddleConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/HeddleConfig.cmake ${PROJECT_BINARY_DIR}/HeddleConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/heddle.cmake ${CMAKE_CURRENT_LIST_DIR}/heddle_discover.cmake
        DESTINATION ${heddle_package_dir})

# `cpack -G DEB`, or scripts/package: a Debian package. What the program is linked with is found by dpkg-shlibdeps; the compiler
# that the wrappers call is not linked.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME heddle)
set(CPACK_PACKAGE_CONTACT "Heddle's maintainers <heddle@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "systematic tester for multithreaded C and C++ programs")
set(CPACK_PACKAGE_DESCRIPTION "Runs a multithreaded program under a scheduler of its own along every meaningfully different
interleaving, finds assertion failures, deadlocks, data races, memory errors and crashes, explains and replays them,
and says when there are none left to find.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-19, llvm-19, libstdc++-12-dev | libstdc++-dev")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gdb")
include(CPack)
