# heddle_add_test: a CTest test that explores a program with Heddle. find_package(Heddle) includes this file.
#
#   heddle_add_test(NAME name SOURCES file...
#                   [ALGORITHM name] [MAX_SECONDS s] [MAX_EXECUTIONS n] [TEST name] [OPTIONS option...]
#                   [COMPILE_OPTIONS flag...] [COMPILE_DEFINITIONS name[=value]...] [INCLUDE_DIRECTORIES folder...]
#                   [LINK_OPTIONS flag...] [ARGUMENTS word...]
#                   [EXPECT_BUG] [ALLOW_INCONCLUSIVE])
#
# SOURCES is one model (.hed), or C and C++ sources, which are compiled by heddle-cc and heddle-c++ as part of `all` and
# linked to one executable. The test passes if there is no bug and everything was explored. With EXPECT_BUG it passes
# if a bug is found (for the test of a test). A budget (MAX_SECONDS, MAX_EXECUTIONS) that is used up makes the exploration
# inconclusive, and that fails the test; with ALLOW_INCONCLUSIVE it counts as skipped.
#
# OPTIONS go to `heddle run` as they are. COMPILE_DEFINITIONS of a model are its named constants. If the variable
# HEDDLE_REPORTS_DIRECTORY is set, every test leaves NAME.html, NAME.xml (JUnit) and NAME.sarif there.

function(heddle_add_test)
  set(flags EXPECT_BUG ALLOW_INCONCLUSIVE)
  set(single NAME ALGORITHM MAX_SECONDS MAX_EXECUTIONS TEST)
  set(several SOURCES OPTIONS COMPILE_OPTIONS COMPILE_DEFINITIONS INCLUDE_DIRECTORIES LINK_OPTIONS ARGUMENTS)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "${flags}" "${single}" "${several}")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heddle_add_test: unknown arguments: ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT ARG_NAME OR NOT ARG_SOURCES)
    message(FATAL_ERROR "heddle_add_test needs a NAME and SOURCES")
  endif()
  if(ARG_EXPECT_BUG AND ARG_ALLOW_INCONCLUSIVE)
    message(FATAL_ERROR "heddle_add_test(${ARG_NAME}): EXPECT_BUG and ALLOW_INCONCLUSIVE exclude each other")
  endif()

  set(command ${HEDDLE_EXECUTABLE} run)
  list(GET ARG_SOURCES 0 first)
  if(first MATCHES "\\.hed$")
    heddle_model_of_(program)
  else()
    heddle_executable_of_(program)
  endif()
  list(APPEND command ${program})
  foreach(option ALGORITHM MAX_SECONDS MAX_EXECUTIONS TEST)
    if(DEFINED ARG_${option})
      string(TOLOWER ${option} name)
      string(REPLACE "_" "-" name ${name})
      list(APPEND command --${name}=${ARG_${option}})
    endif()
  endforeach()
  list(APPEND command ${ARG_OPTIONS})
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
