# Manual pages and shell completions, printed by the program itself from its tables.
set(heddle_help_dir ${PROJECT_BINARY_DIR}/help)
file(MAKE_DIRECTORY ${heddle_help_dir})
set(heddle_help_files "")

function(heddle_help_file file)
  add_custom_command(OUTPUT ${heddle_help_dir}/${file}
    COMMAND heddle ${ARGN} > ${heddle_help_dir}/${file}
    DEPENDS heddle VERBATIM)
  set(heddle_help_files ${heddle_help_files} ${heddle_help_dir}/${file} PARENT_SCOPE)
endfunction()

heddle_help_file(heddle.1 man)
foreach(command run replay unfold compare status algorithms completion)
  heddle_help_file(heddle-${command}.1 man ${command})
endforeach()
heddle_help_file(heddle-cc.1 man heddle-cc)
heddle_help_file(heddle-c++.1 man heddle-c++)
heddle_help_file(heddle.bash completion bash)
heddle_help_file(_heddle completion zsh)
heddle_help_file(heddle.fish completion fish)
add_custom_target(heddle_help ALL DEPENDS ${heddle_help_files})

install(DIRECTORY ${heddle_help_dir}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
install(FILES ${heddle_help_dir}/heddle.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME heddle)
install(FILES ${heddle_help_dir}/_heddle DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${heddle_help_dir}/heddle.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
