#pragma once
// Andrews' squeezing mechanism: parameters, start and reference end state.
//
// Parameters and start: problem "andrews" of the IVP test set (CWI/Bari), as redistributed in
// https://github.com/cran/deTestSet (src/Ex_andrews.f); Hairer & Wanner, Solving Ordinary Differential
// Equations II, section VI.9. The published end state carries only 8 to 10 correct digits, so the reference
// is a recomputation in IEEE binary128 (GBS extrapolation on the index-1 form with projection; runs at 1e-24
// and 1e-27 agree to 22 digits, 20 are to be trusted).

#include <array>

namespace dalembert::bench::andrews {

using Vector6 = std::array<double, 6>;
using Vector7 = std::array<double, 7>;

namespace parameter {
inline constexpr double m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.07050, m6 = 0.00706,
                        m7 = 0.05498;
inline constexpr double i1 = 2.194e-6, i2 = 4.410e-7, i3 = 5.255e-6, i4 = 5.667e-7, i5 = 1.169e-5,
                        i6 = 5.667e-7, i7 = 1.912e-5;
inline constexpr double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072;
inline constexpr double d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092, ss = 0.035;
inline constexpr double sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02, ta = 0.02308, tb = 0.00916;
inline constexpr double u = 0.04, ua = 0.01228, ub = 0.00449, zf = 0.02, zt = 0.04, fa = 0.01421;
inline constexpr double c0 = 4530, l0 = 0.07785, mom = 0.033;
}  // namespace parameter

inline constexpr double end_time = 0.03;

// q = (beta, Theta, gamma, Phi, delta, Omega, epsilon); the mechanism starts at rest.
inline constexpr Vector7 initial_q = {-0.0617138900142764496358948458001, 0.0,
                                      0.455279819163070380255912382449,   0.222668390165885884674473185609,
                                      0.487364979543842550225598953530,   -0.222668390165885884674473185609,
                                      1.23054744454982119249735015568};
inline constexpr Vector7 initial_v = {};
inline constexpr Vector7 initial_a = {
    14222.4439199541138705911625887, -10666.8329399655854029433719415, 0, 0, 0, 0, 0};
inline constexpr Vector6 initial_lambda = {
    98.5668703962410896057654982170, -6.12268834425566265503114393122, 0, 0, 0, 0};

inline constexpr Vector7 end_q = {1.5810771195153707097119e+1, -1.5756371058411839469728e+1,
                                  4.0822240119645804858282e-2, -5.3473011634207959377019e-1,
                                  5.2440996587995406937166e-1, 5.3473011634207959377019e-1,
                                  1.0480807410419378730685e+0};
inline constexpr Vector7 end_v = {1.1399203022591060641981e+3, -1.4243792951775400731960e+3,
                                  1.1032911910618593745327e+1, 1.9293374105032040831628e+1,
                                  5.7356991482950245381769e-1, -1.9293374105032040831628e+1,
                                  3.2317914924913087499075e-1};
inline constexpr Vector7 end_a = {-2.4631763122874634470051e+4, 5.1850319636464231533754e+4,
                                  3.2410260070757860581194e+5,  5.6674942200099532649329e+5,
                                  1.6743635418345444609645e+4,  -5.6674942200099532649329e+5,
                                  9.8265078015441626884905e+3};
inline constexpr Vector6 end_lambda = {1.9917534810453862818624e+2, -2.9755309974971763324416e+1,
                                       2.3066543611622151128617e+1, 3.1452725275771137075385e+1,
                                       2.2642494786394378577713e+1, 1.1617392352611255906801e+1};

}  // namespace dalembert::bench::andrews
