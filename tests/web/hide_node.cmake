# A machine without Node.js: included by every project() of the build that tests it.
macro(find_program variable)
  if("${variable}" MATCHES "^(NODE|NPM)_PROGRAM$")
    set(${variable} ${variable}-NOTFOUND)
  else()
    _find_program(${variable} ${ARGN})
  endif()
endmacro()
