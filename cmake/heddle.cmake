# heddle_add_test: a CTest test that explores a program with Heddle. heddle_discover_tests: one for each test in an
# executable of the project. find_package(Heddle) includes this file.
#
#   heddle_add_test(NAME name SOURCES file... | TARGET executable
#                   [ALGORITHM name] [MAX_SECONDS s] [MAX_EXECUTIONS n] [TEST name] [OPTIONS option...]
#                   [COMPILE_OPTIONS flag...] [COMPILE_DEFINITIONS name[=value]...] [INCLUDE_DIRECTORIES folder...]
#                   [LINK_OPTIONS flag...] [ARGUMENTS word...]
#                   [EXPECT_BUG] [ALLOW_INCONCLUSIVE])
#
# SOURCES is one model (.hed), or C and C++ sources, which are compiled by heddle-cc and heddle-c++ as part of `all` and
# linked to one executable. TARGET is an executable of the project: it gets a twin that is built from the same sources with
# the same properties by heddle-cc and heddle-c++, and so do libraries of the project that it is linked with (CMake 3.21,
# Ninja or Makefiles). The test passes if there is no bug and everything was explored. With EXPECT_BUG it passes
# if a bug is found (for the test of a test). A budget (MAX_SECONDS, MAX_EXECUTIONS) that is used up makes the exploration
# inconclusive, and that fails the test; with ALLOW_INCONCLUSIVE it counts as skipped.
#
# OPTIONS go to `heddle run` as they are. COMPILE_DEFINITIONS of a model are its named constants. If the variable
# HEDDLE_REPORTS_DIRECTORY is set, every test leaves NAME.html, NAME.xml (JUnit) and NAME.sarif there.
#
#   heddle_discover_tests(executable [PREFIX text] [ALGORITHM name] [MAX_SECONDS s] [MAX_EXECUTIONS n] [OPTIONS option...]
#                         [ALLOW_INCONCLUSIVE])
#
# One test for each GoogleTest or HEDDLE_TEST of the executable, called PREFIX (as a rule "heddle.") and its name. They are
# looked up in the twin whenever it was built. Of an executable without tests the whole is one.

set(HEDDLE_CMAKE_FOLDER_ ${CMAKE_CURRENT_LIST_DIR})

function(heddle_add_test)
  set(flags EXPECT_BUG ALLOW_INCONCLUSIVE)
  set(single NAME TARGET ALGORITHM MAX_SECONDS MAX_EXECUTIONS TEST)
  set(several SOURCES OPTIONS COMPILE_OPTIONS COMPILE_DEFINITIONS INCLUDE_DIRECTORIES LINK_OPTIONS ARGUMENTS)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "${flags}" "${single}" "${several}")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heddle_add_test: unknown arguments: ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT ARG_NAME OR (NOT ARG_SOURCES AND NOT ARG_TARGET))
    message(FATAL_ERROR "heddle_add_test needs a NAME and SOURCES, or a TARGET instead of them")
  endif()
  if(ARG_TARGET)
    foreach(option SOURCES COMPILE_OPTIONS COMPILE_DEFINITIONS INCLUDE_DIRECTORIES LINK_OPTIONS)
      if(ARG_${option})
        message(FATAL_ERROR "heddle_add_test(${ARG_NAME}): ${option} is not for a TARGET, which has its own")
      endif()
    endforeach()
  endif()
  if(ARG_EXPECT_BUG AND ARG_ALLOW_INCONCLUSIVE)
    message(FATAL_ERROR "heddle_add_test(${ARG_NAME}): EXPECT_BUG and ALLOW_INCONCLUSIVE exclude each other")
  endif()

  set(command ${HEDDLE_EXECUTABLE} run)
  if(ARG_SOURCES)
    list(GET ARG_SOURCES 0 first)
  endif()
  if(ARG_TARGET)
    heddle_twin_(${ARG_TARGET} twin)
    set(program $<TARGET_FILE:${twin}>)
  elseif(first MATCHES "\\.hed$")
    heddle_model_of_(program)
  else()
    heddle_executable_of_(program)
  endif()
  list(APPEND command ${program})
  heddle_options_(command)
  if(HEDDLE_REPORTS_DIRECTORY)
    file(MAKE_DIRECTORY ${HEDDLE_REPORTS_DIRECTORY})
    set(report ${HEDDLE_REPORTS_DIRECTORY}/${ARG_NAME})
    list(APPEND command --html=${report}.html --junit=${report}.xml --sarif=${report}.sarif)
  endif()
  if(ARG_ARGUMENTS)
    list(APPEND command -- ${ARG_ARGUMENTS})
  endif()

  add_test(NAME ${ARG_NAME} COMMAND ${command} WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  if(ARG_EXPECT_BUG)
    set_tests_properties(${ARG_NAME} PROPERTIES PASS_REGULAR_EXPRESSION "verdict: bug")
  endif()
  if(ARG_ALLOW_INCONCLUSIVE)
    set_tests_properties(${ARG_NAME} PROPERTIES SKIP_RETURN_CODE 2)
  endif()
endfunction()

# Sets `result` to the model's path with its constants. A macro, like the next: both read the arguments of the
# function above.
macro(heddle_model_of_ result)
  list(LENGTH ARG_SOURCES count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "heddle_add_test(${ARG_NAME}): a model is one file, but SOURCES has ${count}")
  endif()
  foreach(option COMPILE_OPTIONS INCLUDE_DIRECTORIES LINK_OPTIONS ARGUMENTS TEST)
    if(ARG_${option})
      message(FATAL_ERROR "heddle_add_test(${ARG_NAME}): ${option} is for C and C++, and ${first} is a model")
    endif()
  endforeach()
  get_filename_component(model ${first} ABSOLUTE)
  file(RELATIVE_PATH ${result} ${CMAKE_CURRENT_SOURCE_DIR} ${model})
  foreach(definition ${ARG_COMPILE_DEFINITIONS})
    list(APPEND ${result} -D ${definition})
  endforeach()
endmacro()

# Adds the commands that build the executable, and sets `result` to its path.
macro(heddle_executable_of_ result)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/heddle/${ARG_NAME})
  file(MAKE_DIRECTORY ${folder})
  set(compile_flags -g -O1)
  foreach(definition ${ARG_COMPILE_DEFINITIONS})
    list(APPEND compile_flags -D${definition})
  endforeach()
  foreach(include ${ARG_INCLUDE_DIRECTORIES})
    get_filename_component(include ${include} ABSOLUTE)
    list(APPEND compile_flags -I${include})
  endforeach()
  set(objects "")
  set(linker ${HEDDLE_C_COMPILER})
  foreach(source ${ARG_SOURCES})
    get_filename_component(path ${source} ABSOLUTE)
    get_filename_component(name ${source} NAME)
    if(name MATCHES "\\.c$")
      set(compile ${HEDDLE_C_COMPILER} ${compile_flags})
      if(CMAKE_C_STANDARD)
        list(APPEND compile -std=gnu${CMAKE_C_STANDARD})
      endif()
    else()
      set(linker ${HEDDLE_CXX_COMPILER})
      set(standard 20)
      if(CMAKE_CXX_STANDARD)
        set(standard ${CMAKE_CXX_STANDARD})
      endif()
      set(compile ${HEDDLE_CXX_COMPILER} ${compile_flags} -std=gnu++${standard})
    endif()
    list(LENGTH objects number)   # two sources may have one name
    set(object ${folder}/${number}-${name}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${compile} ${ARG_COMPILE_OPTIONS} -MD -MF ${object}.d -c ${path} -o ${object}
      DEPENDS ${path} ${HEDDLE_C_COMPILER} DEPFILE ${object}.d VERBATIM
      COMMENT "Compiling ${source} for Heddle")
    list(APPEND objects ${object})
  endforeach()
  set(${result} ${folder}/${ARG_NAME})
  add_custom_command(OUTPUT ${${result}}
    COMMAND ${linker} ${objects} ${ARG_LINK_OPTIONS} -o ${${result}}
    DEPENDS ${objects} VERBATIM COMMENT "Linking ${ARG_NAME} for Heddle")
  add_custom_target(heddle_test_${ARG_NAME} ALL DEPENDS ${${result}})
endmacro()

# Appends the options of `heddle run` that the function above was given.
macro(heddle_options_ command)
  foreach(option ALGORITHM MAX_SECONDS MAX_EXECUTIONS TEST)
    if(DEFINED ARG_${option})
      string(TOLOWER ${option} name)
      string(REPLACE "_" "-" name ${name})
      list(APPEND ${command} --${name}=${ARG_${option}})
    endif()
  endforeach()
  list(APPEND ${command} ${ARG_OPTIONS})
endmacro()

function(heddle_discover_tests target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "ALLOW_INCONCLUSIVE" "PREFIX;ALGORITHM;MAX_SECONDS;MAX_EXECUTIONS" "OPTIONS")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heddle_discover_tests: unknown arguments: ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT DEFINED ARG_PREFIX)
    set(ARG_PREFIX "heddle.")
  endif()
  heddle_twin_(${target} twin)
  heddle_options_(options)
  set(tests ${CMAKE_CURRENT_BINARY_DIR}/${twin}_tests.cmake)
  add_custom_command(TARGET ${twin} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -D HEDDLE=${HEDDLE_EXECUTABLE} -D PROGRAM=$<TARGET_FILE:${twin}> -D TARGET=${target}
            -D PREFIX=${ARG_PREFIX} -D "OPTIONS=${options}" -D INCONCLUSIVE=${ARG_ALLOW_INCONCLUSIVE}
            -D FOLDER=${CMAKE_CURRENT_SOURCE_DIR} -D OUT=${tests} -P ${HEDDLE_CMAKE_FOLDER_}/heddle_discover.cmake
    BYPRODUCTS ${tests} VERBATIM)
  set(look ${CMAKE_CURRENT_BINARY_DIR}/${twin}_include.cmake)
  file(WRITE ${look} "if(EXISTS \"${tests}\")\n  include(\"${tests}\")\nelse()\n"
    "  add_test(\"${ARG_PREFIX}${target}_NOT_BUILT\" \"${target}_NOT_BUILT\")\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${look})
endfunction()

# The same target once more, compiled and linked by heddle-cc and heddle-c++, which take the place of the compiler at the
# beginning of its commands.
function(heddle_twin_ target result)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "\"${target}\" is no target of this project; name an executable made by add_executable before")
  endif()
  get_target_property(aliased ${target} ALIASED_TARGET)
  if(aliased)
    set(target ${aliased})
  endif()
  set(twin heddle_twin_${target})
  set(${result} ${twin} PARENT_SCOPE)
  if(TARGET ${twin})
    return()
  endif()
  if(CMAKE_VERSION VERSION_LESS 3.21 OR NOT CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
    message(FATAL_ERROR "twins of targets need CMake 3.21 and Ninja or Makefiles; use heddle_add_test with SOURCES")
  endif()
  get_target_property(type ${target} TYPE)
  get_target_property(folder ${target} SOURCE_DIR)
  get_target_property(sources ${target} SOURCES)
  list(TRANSFORM sources PREPEND ${folder}/ REGEX "^[^/$]")
  if(type STREQUAL "EXECUTABLE")
    add_executable(${twin} ${sources})
  else()
    add_library(${twin} STATIC ${sources})
  endif()
  foreach(property COMPILE_OPTIONS COMPILE_DEFINITIONS COMPILE_FEATURES INCLUDE_DIRECTORIES LINK_DIRECTORIES LINK_OPTIONS
                   INTERFACE_COMPILE_OPTIONS INTERFACE_COMPILE_DEFINITIONS INTERFACE_COMPILE_FEATURES
                   INTERFACE_INCLUDE_DIRECTORIES INTERFACE_LINK_DIRECTORIES INTERFACE_LINK_OPTIONS
                   C_STANDARD CXX_STANDARD C_EXTENSIONS CXX_EXTENSIONS)
    get_target_property(value ${target} ${property})
    if(NOT value STREQUAL "value-NOTFOUND")
      set_property(TARGET ${twin} PROPERTY ${property} "${value}")
    endif()
  endforeach()
  foreach(property LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
    get_target_property(value ${target} ${property})
    if(value)
      heddle_twins_of_(libraries ${value})
      set_property(TARGET ${twin} PROPERTY ${property} "${libraries}")
    endif()
  endforeach()
  target_compile_options(${twin} PRIVATE -g -O1)
  foreach(language C CXX)
    set(replace "sh;-c;shift && exec \"$0\" \"$@\";${HEDDLE_${language}_COMPILER}")
    set_target_properties(${twin} PROPERTIES ${language}_COMPILER_LAUNCHER "${replace}" ${language}_LINKER_LAUNCHER "${replace}")
  endforeach()
endfunction()

# Libraries of the project have twins, others stay what they are.
function(heddle_twins_of_ result)
  set(twins "")
  foreach(library ${ARGN})
    set(own FALSE)
    if(TARGET ${library})
      get_target_property(imported ${library} IMPORTED)
      get_target_property(type ${library} TYPE)
      if(NOT imported AND type MATCHES "^(STATIC|SHARED|OBJECT)_LIBRARY$")
        set(own TRUE)
      endif()
    endif()
    if(own)
      heddle_twin_(${library} library)
    endif()
    list(APPEND twins ${library})
  endforeach()
  set(${result} "${twins}" PARENT_SCOPE)
endfunction()
