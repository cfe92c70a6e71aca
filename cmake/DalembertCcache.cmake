# Compiles through ccache when it is installed. Paths count relative to the source tree, so that a second clone
# finds what the first one compiled. Precompiled headers need the sloppiness that ccache's manual asks for; with the
# inode cache ccache does not read their hundreds of megabytes again for every unit.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_SLOPPINESS=pch_defines,time_macros
                                  CCACHE_INODECACHE=1 ${CCACHE_PROGRAM})
endif()
