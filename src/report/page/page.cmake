# The page of the HTML report becomes a source file of heddle_report. The order of the scripts is that of their use.
set(page_folder ${CMAKE_CURRENT_LIST_DIR})
set(page_scripts trace.js highlight.js dom.js marks.js lanes.js minimap.js source.js values.js circle.js charts.js tree.js finding.js report.js)
list(TRANSFORM page_scripts PREPEND ${page_folder}/)
set(page_source ${CMAKE_CURRENT_BINARY_DIR}/html_page.cpp)
add_custom_command(OUTPUT ${page_source}
  COMMAND ${CMAKE_COMMAND} "-DSCRIPTS=${page_scripts}" -DFOLDER=${page_folder} -DOUTPUT=${page_source}
          -P ${page_folder}/embed.cmake
  DEPENDS ${page_scripts} ${page_folder}/page.html ${page_folder}/page.css ${page_folder}/embed.cmake
  VERBATIM COMMENT "Embedding the report's page")
target_sources(heddle_report PRIVATE ${page_source})
