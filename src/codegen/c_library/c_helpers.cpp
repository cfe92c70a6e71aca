// The functions that generated lines call: recurrences of Taylor coefficients, as C.
#include <array>
#include <string>
#include <string_view>

#include <dalembert/codegen/c_program.hpp>

namespace dalembert {
namespace {

struct Helper {
  std::string_view name;
  std::string_view text;
};

// clang-format off
constexpr std::array helper_texts = std::to_array<Helper>({
{"sign_of", R"(static double sign_of(double x)
{
  return (x > 0.0) ? 1.0 : ((x < 0.0) ? -1.0 : x);
}
)"},
{"lesser", R"(static double lesser(double x, double y)
{
  return (y < x) ? y : x;
}
)"},
{"greater", R"(static double greater(double x, double y)
{
  return (y > x) ? y : x;
}
)"},
{"product", R"(/* u = x y:  u_k = sum of x_j y_(k-j), j = 0..k */
static double product(const double x[], const double y[], int k)
{
  double sum = 0.0;
  int j;
  for (j = 0; j <= k; ++j) { sum += x[j]*y[k - j]; }
  return sum;
}
)"},
{"past_product", R"(/* the part of x y that does not need y_k:  sum of x_j y_(k-j), j = 1..k */
static double past_product(const double x[], const double y[], int k)
{
  double sum = 0.0;
  int j;
  for (j = 1; j <= k; ++j) { sum += x[j]*y[k - j]; }
  return sum;
}
)"},
{"quotient", R"(/* u = x / y:  y_0 u_k = x_k - sum of y_j u_(k-j), j = 1..k */
static double quotient(const double x[], const double y[], const double u[], int k)
{
  double sum = x[k];
  int j;
  for (j = 1; j <= k; ++j) { sum -= y[j]*u[k - j]; }
  return sum/y[0];
}
)"},
{"inverse", R"(/* u = 1 / x:  x_0 u_k = -sum of x_j u_(k-j), j = 1..k */
static double inverse(const double x[], const double u[], int k)
{
  double sum = 0.0;
  int j;
  for (j = 1; j <= k; ++j) { sum -= x[j]*u[k - j]; }
  return sum/x[0];
}
)"},
{"square_root", R"(/* u = sqrt(x):  2 u_0 u_k = x_k - sum of u_j u_(k-j), j = 1..k-1 */
static double square_root(const double x[], const double u[], int k)
{
  double sum = x[k];
  int j;
  for (j = 1; j < k; ++j) { sum -= u[j]*u[k - j]; }
  return sum/(2.0*u[0]);
}
)"},
{"natural_power_of_zero", R"(/* u = x^n where x = t^m b with b_0 not 0:  u = t^(m n) b^n, and w = b^n has i b_0 w_i = sum of (n j - i + j) b_j w_(i-j) */
static double natural_power_of_zero(const double x[], const double u[], int n, int k)
{
  double sum = 0.0;
  int m = 1;
  int i;
  int j;
  while ((m < k) && (fabs(x[m]) <= 0.0)) { ++m; }
  if ((n < 1) || (m*n > k)) { return 0.0; }
  i = k - m*n;
  if (i == 0) { return pow(x[m], (double)n); }
  for (j = 1; j <= i; ++j) { sum += (double)(n*j - i + j)*x[m + j]*u[m*n + i - j]; }
  return sum/((double)i*x[m]);
}
)"},
{"power", R"(/* u = x^c:  k x_0 u_k = sum of (c j - (k - j)) x_j u_(k-j), j = 1..k */
static double power(const double x[], const double u[], double c, int k)
{
  double sum = 0.0;
  int j;
  if ((fabs(x[0]) <= 0.0) && (c >= 0.0) && (c <= 1000.0) && (fabs(c - floor(c)) <= 0.0)) {
    return natural_power_of_zero(x, u, (int)c, k);
  }
  for (j = 1; j <= k; ++j) { sum += (c*(double)j - (double)(k - j))*x[j]*u[k - j]; }
  return sum/((double)k*x[0]);
}
)"},
{"integral_of_product", R"(/* u' = x' w:  k u_k = sum of j x_j w_(k-j), j = 1..k */
static double integral_of_product(const double x[], const double w[], int k)
{
  double sum = 0.0;
  int j;
  for (j = 1; j <= k; ++j) { sum += (double)j*x[j]*w[k - j]; }
  return sum/(double)k;
}
)"},
{"integral_of_quotient", R"(/* u' = x' / w:  w_0 u_k = x_k - (sum of j u_j w_(k-j), j = 1..k-1) / k */
static double integral_of_quotient(const double x[], const double w[], const double u[], int k)
{
  double sum = 0.0;
  int j;
  for (j = 1; j < k; ++j) { sum += (double)j*u[j]*w[k - j]; }
  return (x[k] - sum/(double)k)/w[0];
}
)"},
{"angle", R"(/* u = atan2(x, y), z = x^2 + y^2:  z u' = y x' - x y' */
static double angle(const double x[], const double y[], const double z[], const double u[], int k)
{
  double sum = 0.0;
  int j;
  for (j = 1; j <= k; ++j) { sum += (double)j*(x[j]*y[k - j] - y[j]*x[k - j]); }
  for (j = 1; j < k; ++j) { sum -= (double)j*u[j]*z[k - j]; }
  return sum/((double)k*z[0]);
}
)"},
});
// clang-format on

}  // namespace

std::string CHelpers::text() const {
  std::string result;
  for (const Helper& helper : helper_texts) {
    const bool serves_power = helper.name == "natural_power_of_zero" && has("power");
    if (has(std::string(helper.name)) || serves_power) result += std::string(helper.text) + "\n";
  }
  return result;
}

}  // namespace dalembert
