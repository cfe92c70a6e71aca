// session stands on all others.
#if !__has_include(<dalembert/solve/solve.hpp>) || !__has_include(<dalembert/output/row.hpp>)
#error "session does not see solve and output"
#endif
#if !__has_include(<dalembert/import/urdf.hpp>) || !__has_include(<dalembert/session/run.hpp>)
#error "session does not see import and itself"
#endif
