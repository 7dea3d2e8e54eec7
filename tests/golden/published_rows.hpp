// The published cases as rows: inputs and printed results with their sources, as in ../shared/cases/published.json.
// published_file_test.cpp holds them against that file; the other tests hold the model against them.
#pragma once

#include <array>

namespace costcurve::golden {

/// Epoch AI, github epoch-research/training-cost-trends @263c40a: model_costs.csv, cost_analysis_standalone.py;
/// arXiv:2405.21015. `published` in dollars of December 2024. The out_… columns are the case's, not Epoch's.
struct EpochRow {
    const char* model;
    int start_year, start_month; ///< of training
    double chip_hours, server_price_per_chip, days_between, chip_tdp_w, chip_to_server_power, average_power_fraction, pue;
    double energy_price, price_index_publication_month;
    double out_amortized_hardware, out_interconnect, out_energy_kwh, out_energy, out_total_nominal, published;
};
inline constexpr double kEpochPriceIndexTarget = 119.349; ///< PCU518210518210, December 2024
inline constexpr double kEpochOomsPerYear = 0.14;
inline constexpr double kEpochInterconnectFraction = 0.19;
inline constexpr std::array<EpochRow, 5> kEpochRows = {{
    {"GPT-3 175B (davinci)", 2019, 10, 3552000, 18625, 463, 250, 1.6666666666666667, 0.75, 1.25, 0.0667, 113.4, 1616754.24,
     379238.65, 1387500.0, 92546.25, 2088539.14, 2198104.5650957455},
    {"BLOOM-176B", 2022, 1, 1078272, 24875, 335, 400, 2.03125, 0.75, 1.25, 0.0832, 116.778, 733885.78, 172146.05, 821340.0,
     68335.49, 974367.32, 995819.1170778133},
    {"Meena", 2019, 10, 737280, 8652.64, 530, 220, 1.47, 0.43, 1.1, 0.0667, 113.3, 146951.77, 34470.17, 112780.4, 7522.45,
     188944.39, 199031.9848540779},
    {"Falcon-180B", 2023, 1, 17694720, 24875, 880, 400, 2.03125, 0.75, 1.25, 0.0806, 118.297, 7444676.41, 1746282.12, 13478400.0,
     1086359.04, 10277317.57, 10368712.429676345},
    {"Llama 3.1-405B", 2024, 2, 35094528, 44489.88, 432, 700, 1.8214285714285714, 0.75, 1.1, 0.0771, 119.863, 39215493.31,
     9198695.96, 36915056.6, 2846150.87, 51260340.14, 51040524.06093853},
}};

/// DAWNBench, github stanford-futuredata/dawn-bench-entries @fb27b82; $ of the leaderboards, to the cent.
/// `per_epoch` is derived by the case.
struct DawnbenchTrainRow {
    const char* entry;
    int devices;
    double hourly_price, epochs, hours, published, per_epoch;
};
inline constexpr std::array<DawnbenchTrainRow, 3> kDawnbenchTrainRows = {{
    {"CIFAR10/train/fastai_pytorch_single_volta", 1, 2.3, 26, 0.11224536388888888, 0.26, 0.00993},
    {"ImageNet/train/dawn_resnet152_b_8k80_ec2_mxnet", 8, 4.56, 107, 243.99949777777786, 1112.64, 10.39848},
    {"ImageNet/train/google_amoeba_net_d_tpu_tensorflow18", 1, 6.595, 33, 7.474843, 49.3, 1.49384},
}};

/// The same repository, */inference/*.json: cost of one request of batch 1.
struct DawnbenchInferRow {
    const char* entry;
    double hourly_price, latency_ms, published;
};
inline constexpr std::array<DawnbenchInferRow, 3> kDawnbenchInferRows = {{
    {"CIFAR10 dawn_resnet164_b_1k80-ec2_pytorch", 0.9, 28.688002700200006, 7.172000675050001e-06},
    {"CIFAR10 dawn_resnet164_b_16vCPUs-gc_pytorch", 0.533, 75.35224573, 1.1156318603913891e-05},
    {"SQuAD dawn_bidaf_1k80-gc_tensorflow", 0.967, 590.0, 0.00015848055555555557},
}};

/// SemiAnalysis, github SemiAnalysisAI/InferenceX-app @77ca49a, packages/app/src/lib/chart-utils.test.ts.
struct InferencexRow {
    double gpu_hour, tokens_per_s, published;
};
inline constexpr std::array<InferencexRow, 5> kInferencexRows = {{
    {2.8, 1000, 0.7777777777777777},
    {1.4, 1000, 0.38888888888888884},
    {0.7, 1000, 0.19444444444444442},
    {2.8, 500, 1.5555555555555554},
    {2.8, 200, 3.888888888888889},
}};

/// Lenovo Press LP2225 (May 2025): 8 x H100 server against p5.48xlarge.
struct LenovoRow {
    double hourly_price, published_hours;
};
inline constexpr double kLenovoCapex = 833806;
inline constexpr double kLenovoHourly = 0.87;
inline constexpr double kLenovoEnergyPrice = 0.15;
inline constexpr std::array<LenovoRow, 3> kLenovoRows = {{
    {98.32, 8556},
    {77.43, 10890},
    {53.95, 15710},
}};

/// J. T. Daly, FGCS 22 (2006), captions of figures 3 to 5. `young` is the first-order formula's, from the case.
struct DalyRow {
    double mtbf_min, checkpoint_min, restart_min, solve_hours, published_min;
    int decimals;
    double young_min;
};
inline constexpr std::array<DalyRow, 3> kDalyRows = {{
    {1440, 5, 10, 500, 117, 0, 115.0},
    {360, 5, 10, 500, 57, 0, 55.0},
    {15, 5, 10, 500, 9.1, 1, 7.247},
}};

/// Patterson et al. 2021, arXiv:2104.10350, table 4.
struct PattersonRow {
    const char* model;
    double chips, days, chip_w, pue, mwh;
    double gross_kg_per_kwh, gross_t, net_kg_per_kwh, net_t;
};
inline constexpr std::array<PattersonRow, 3> kPattersonRows = {{
    {"Evolved Transformer NAS", 200, 6.8, 208, 1.1, 7.5, 0.431, 3.2, 0.431, 3.2},
    {"Meena", 1024, 30, 289, 1.09, 232, 0.415, 96.4, 0.415, 96.4},
    {"Switch Transformer", 1024, 27, 245, 1.1, 179, 0.403, 72.2, 0.33, 59.1},
}};

} // namespace costcurve::golden
