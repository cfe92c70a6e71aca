// expr may depend on base and on nothing above it.
#if !__has_include(<dalembert/base/error.hpp>) || !__has_include(<dalembert/expr/graph.hpp>)
#error "expr does not see base and itself"
#endif
#if __has_include(<dalembert/model/model.hpp>)
#error "expr sees model, which depends on it"
#endif
