// output knows results, not who computes them.
#if !__has_include(<dalembert/output/row.hpp>) || !__has_include(<dalembert/derive/equations.hpp>)
#error "output does not see derive and itself"
#endif
#if __has_include(<dalembert/solve/solve.hpp>) || __has_include(<dalembert/session/run.hpp>)
#error "output sees solve or session"
#endif
