// Lists of jobs and of nodes: GPUs busy by hour.
#include <numeric>

#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

const std::string kJobListHeader =
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n";
const std::string kNodes =
    "sn,cpu_milli,memory_mib,gpu,model\nn0,64000,262144,2,P100\nn1,96000,393216,8,G2\nn2,1,1,0,\nn1,96000,393216,8,G2\n"
    "n1,96000,393216,4,G2\nn3,1,1,,T4\nn4,1,1,2.5,T4\nn5,1,1,2,\n";

Reading read_jobs(const std::vector<std::string>& texts, const Options& options) {
    Reading reading;
    reading.report.on_document = [&](Document document) { reading.documents.push_back(std::move(document)); };
    std::vector<NamedText> files;
    for (const std::string& text : texts) {
        files.push_back({"file" + std::to_string(files.size()) + ".csv", text});
    }
    reading.error = read_files(*find_format("job_list"), files, options, reading.report);
    return reading;
}
std::string job_reason(const Reading& reading, std::size_t index = 0) {
    return reading.report.rejected.first.size() > index ? reading.report.rejected.first[index].reason : "";
}
const model::Curve& job_curve(const Reading& reading, std::string_view id) {
    static const model::Curve none;
    const auto* const found = reading.find<model::Curve>(id);
    EXPECT_NE(found, nullptr) << id;
    return found == nullptr ? none : *found;
}

// Two weeks from a Monday on: two GPUs throughout; a half in the first half hour of each Tuesday's hour 6; four for its whole
// hour 7.
std::string two_weeks() {
    std::string text = kJobListHeader + "base,1,1,2,1000,V100M16|V100M32,LS,Running,0,1209600,0\n";
    for (const int week : {0, 1}) {
        const int six = week * 604800 + 86400 + 6 * 3600;
        text += "half,1,1,1,500,,LS,Running,0," + std::to_string(six + 1800) + "," + std::to_string(six) + "\n";
        text += "four,1,1,4,1000,T4,BE,Succeeded,0," + std::to_string(six + 7200) + "," + std::to_string(six + 3600) + "\n";
    }
    return text;
}

TEST(JobList, AddsUpGpusBusyByHourOfTheWeek) {
    const Reading reading = read_text("job_list", two_weeks(), {.date = "2024-01-01", .devices = "10", .id = "jobs.x"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const model::Curve& utilization = job_curve(reading, "jobs.x.utilization");
    EXPECT_EQ(utilization.axis, model::Axis::hour_of_week);
    ASSERT_EQ(utilization.y.size(), 168U);
    EXPECT_DOUBLE_EQ(utilization.y[0], 0.2);
    EXPECT_DOUBLE_EQ(utilization.y[24 + 6], 0.225); // 2 + half of a half
    EXPECT_DOUBLE_EQ(utilization.y[24 + 7], 0.6);
    EXPECT_DOUBLE_EQ(utilization.y[24 + 8], 0.2);
    const model::Curve& demand = job_curve(reading, "jobs.x.demand");
    EXPECT_NEAR(std::accumulate(demand.y.begin(), demand.y.end(), 0.0), 168.0, 1e-9);
    EXPECT_NEAR(demand.y[24 + 7] / demand.y[0], 3.0, 1e-12);
    // 2 + (0.25 + 4) / 168 = 2.0253
    EXPECT_NE(utilization.note.find(
                  "5 jobs from 2024-01-01 00:00:00 to 2024-01-15 00:00:00 (14.0 days, counted from 2024-01-01 00:00, as "
                  "given): 2.0253 GPUs busy on the mean, of 10 GPUs, as given."),
              std::string::npos)
        << utilization.note;
}

TEST(JobList, OfAnUnknownDayIsFlatAndAsksForIt) {
    const Reading reading = read_text("job_list", two_weeks(), {.id = "jobs.x"});
    ASSERT_FALSE(reading.error);
    ASSERT_EQ(reading.documents.size(), 1U); // no number of GPUs: no utilization
    EXPECT_EQ(job_curve(reading, "jobs.x.demand").y, std::vector<double>{1.0});
    EXPECT_EQ(reading.report.warnings.first[0].reason,
              "its times count from an unknown day: give `date` for the hours of the week; the curve is flat");
}

TEST(JobList, SkipsJobsThatNeverRanOrNeedNoGpu) {
    const Reading reading = read_text(
        "job_list",
        kJobListHeader + "a,1,1,0,0,,LS,Running,0,100,0\nb,1,1,1,1000,,LS,Pending,0,100,\nc,1,1,1,1000,,LS,Failed,0,100,100\n"
                         "d,1,1,1,1000,,LS,Running,0,,0\ne,1,1,1,1000,,LS,Running,0,50,60\nf,1,1,,1000,,LS,Running,0,50,0\n"
                         "g,1,1,1,1500,,LS,Running,0,50,0\nh,1,1,-1,1000,,LS,Running,0,50,0\ni,1,1,1,0,,LS,Running,0,50,0\n"
                         "j,1,1,1,1000,,LS,Running,0,50,-5\nk,1,1,1,250,,LS,Running,0,3600,0\n",
        {.date = "2024-01-01", .id = "jobs.x"});
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.report.rows, 11U);
    EXPECT_EQ(reading.report.skipped, 3U);
    ASSERT_EQ(reading.report.rejected.count, 7U);
    EXPECT_EQ(job_reason(reading, 0), "its end is blank");
    EXPECT_EQ(job_reason(reading, 1), "it ends before it starts");
    EXPECT_EQ(job_reason(reading, 2), "its number of GPUs is blank: it is unknown, not 0");
    EXPECT_EQ(job_reason(reading, 3), "gpu_milli is no number above 0 and up to 1000, a whole GPU");
    EXPECT_EQ(job_reason(reading, 6), "its start is -5; it counts from the beginning, from 0 up");
    EXPECT_NE(job_curve(reading, "jobs.x.demand").note.find("0.25 GPUs busy on the mean"), std::string::npos);
}

TEST(JobList, DividesByTheGpusOfTheNodesInAnyOrder) {
    for (const bool nodes_first : {true, false}) {
        const std::vector<std::string> files =
            nodes_first ? std::vector<std::string>{kNodes, two_weeks()} : std::vector<std::string>{two_weeks(), kNodes};
        const Reading reading = read_jobs(files, {.date = "2024-01-01", .id = "jobs.x"});
        ASSERT_FALSE(reading.error) << reading.error->message;
        EXPECT_DOUBLE_EQ(job_curve(reading, "jobs.x.utilization").y[0], 0.2);
        EXPECT_NE(job_curve(reading, "jobs.x.utilization").note.find("of 2 nodes with 10 GPUs: G2 8, P100 2."), std::string::npos);
        EXPECT_EQ(job_curve(reading, "jobs.x.utilization").source, nodes_first ? "file1.csv" : "file0.csv");
        EXPECT_EQ(reading.report.skipped, 2U); // a node without GPUs, a node that is there twice
        ASSERT_EQ(reading.report.rejected.count, 4U);
        EXPECT_EQ(job_reason(reading, 0), "node n1 is there above, as another one");
        EXPECT_EQ(job_reason(reading, 1), "its number of GPUs is blank: it is unknown, not 0");
        EXPECT_EQ(job_reason(reading, 3), "its GPU's model is blank");
    }
}

TEST(JobList, RefusesFewerGpusThanAreBusy) {
    EXPECT_EQ(read_text("job_list", two_weeks(), {.date = "2024-01-01", .devices = "5", .id = "jobs.x"}).error.value().message,
              "6.0 GPUs are busy in one hour on the mean, and there are 5: give those of all nodes that the jobs ran on");
}

TEST(JobList, OfNodesAloneCountsThemByModel) {
    const Reading reading = read_text(
        "job_list", "gpu_model,gpu_capacity_num,cpu_num,node_name\nA10,1,128,2\nGPU-series-1,4,192,0\n", {.id = "nodes.x"});
    ASSERT_FALSE(reading.error);
    EXPECT_TRUE(reading.documents.empty());
    EXPECT_EQ(reading.report.warnings.first[0].reason,
              "2 nodes with 5 GPUs: GPU-series-1 4, A10 1. A list of nodes makes no document by "
              "itself: give it with the list of jobs that ran on them");
}

TEST(JobList, SaysWhyClustersSumsGiveNoUtilization) {
    const Reading reading =
        read_text("job_list",
                  "id,job_num,gpu_job_num,complete_gpu_time,cancel_gpu_time,fail_gpu_time\nSeren,20,10,3600.0,7200.0,0.0\n"
                  "PAI,5,5,,,\n",
                  {.id = "x"});
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.report.skipped, 2U);
    EXPECT_EQ(reading.report.warnings.first[0].reason, "Seren: 10 GPU jobs, 3 GPU-hours; no utilization follows from it, because "
                                                       "the file has neither the number of GPUs nor the period");
    EXPECT_NE(reading.report.warnings.first[1].reason.find("PAI: 5 GPU jobs, GPU time that is not said"), std::string::npos);
}

TEST(JobList, OfAnotherFormatIsRefused) {
    EXPECT_EQ(read_text("job_list", "a,b\n1,2\n", {.name = "x.csv", .id = "x"}).error.value().message,
              "row 1: x.csv is no list of jobs (num_gpu, scheduled_time, deletion_time; of sacct AllocTRES, Start, End), of nodes "
              "(gpu, model) or of clusters "
              "(gpu_job_num, "
              "complete_gpu_time)");
    EXPECT_TRUE(read_text("job_list", "", {.id = "x"}).error);
    EXPECT_EQ(read_text("job_list", kJobListHeader, {.id = "x"}).error.value().message, "no job on GPUs that ran is in it");
    EXPECT_TRUE(read_text("job_list", kJobListHeader + "a,1,1,1,1000,\"LS,Run", {.id = "x"}).error);
    EXPECT_TRUE(read_jobs({two_weeks(), two_weeks()}, {.id = "x"}).error);
}

TEST(JobList, OfTheRealFilesIsRead) {
    SKIP_WITHOUT_SHARED();
    const Reading reading =
        read_shared("job_list", {"alibaba-gpu-v2023/openb_pod_list_default.csv", "alibaba-gpu-v2023/openb_node_list_gpu_node.csv"},
                    {.date = "2023-01-01", .id = "jobs.openb"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rows, 3000U + 1213U);
    EXPECT_EQ(reading.report.rejected.count, 0U);
    EXPECT_EQ(job_curve(reading, "jobs.openb.utilization").y.size(), 168U);
    // Σ (deletion − scheduled) × num_gpu × gpu_milli / 1000 over the window is 11.653 (a script of its own); hours of the week
    // weigh alike.
    const std::vector<double>& y = job_curve(reading, "jobs.openb.utilization").y;
    EXPECT_NEAR(std::accumulate(y.begin(), y.end(), 0.0) / 168.0 * 6212.0, 11.653, 0.2);
    EXPECT_NE(job_curve(reading, "jobs.openb.utilization").note.find("1213 nodes with 6212 GPUs: G2 4392"), std::string::npos)
        << job_curve(reading, "jobs.openb.utilization").note;
}

TEST(JobList, OfOtherRealFilesSaysWhatTheyHave) {
    SKIP_WITHOUT_SHARED();
    const Reading nodes = read_shared("job_list", {"alibaba-spot-gpu-v2026/node_info_df.csv"}, {.id = "x"});
    ASSERT_FALSE(nodes.error);
    EXPECT_EQ(nodes.report.rows, 4278U);
    // A100 432 × 8, A10 2494, H800 219 × 8, GPU-series-1 902 + 77 × 8 + 10 × 4, GPU-series-2 122 × 8, A800 22 × 8
    EXPECT_NE(nodes.report.warnings.first[0].reason.find(
                  "4278 nodes with 10412 GPUs: A100-SXM4-80GB 3456, A10 2494, H800 1752, GPU-series-1 "
                  "1558, GPU-series-2 976, A800-SXM4-80GB 176."),
              std::string::npos)
        << nodes.report.warnings.first[0].reason;
    const Reading clusters = read_shared("job_list", {"acme-trace/cluster_summary.csv"}, {.id = "x"});
    ASSERT_FALSE(clusters.error);
    EXPECT_EQ(clusters.report.rows, 5U);
    EXPECT_EQ(clusters.report.skipped, 5U);
}

// As sacct -a -P -o JobID,AllocTRES,Elapsed,Start,End,State prints it (sacct(1); GPUs of AllocTRES as in slurm.conf's
// AccountingStorageTRES).
const std::string kSacct = "JobID|AllocTRES|Elapsed|Start|End|State\n"
                           "101|billing=16,cpu=16,gres/gpu:a100=2,gres/gpu=2,mem=64G,node=1|1-00:00:00|2026-11-02T00:00:00|"
                           "2026-11-03T00:00:00|COMPLETED\n"
                           "101.batch|cpu=16,gres/gpu:a100=2,gres/gpu=2,mem=64G,node=1|1-00:00:00|2026-11-02T00:00:00|"
                           "2026-11-03T00:00:00|COMPLETED\n"
                           "102|billing=4,cpu=4,gres/gpu:a100=3,gres/gpu:a40=1,node=1|01:00:00|2026-11-02T10:00:00|"
                           "2026-11-02T11:00:00|FAILED\n"
                           "103|billing=8,cpu=8,mem=8G,node=1|01:00:00|2026-11-02T10:00:00|2026-11-02T11:00:00|COMPLETED\n"
                           "104||00:00:00|Unknown|Unknown|PENDING\n"
                           "105|cpu=4,gres/gpu=1,gres/gpumem=9999,node=1|00:30:00|2026-11-02T12:00:00|Unknown|RUNNING\n";

TEST(JobList, ReadsSlurmsAccounting) {
    const Reading reading = read_text("job_list", kSacct, {.devices = "8", .id = "cluster"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rows, 6U);
    EXPECT_EQ(reading.report.skipped, 3U);
    EXPECT_EQ(reading.report.rejected.count, 0U);
    const model::Curve& utilization = job_curve(reading, "cluster.utilization");
    EXPECT_EQ(utilization.axis, model::Axis::hour_of_day);
    ASSERT_EQ(utilization.y.size(), 24U);
    EXPECT_DOUBLE_EQ(utilization.y[9], 2.0 / 8);
    EXPECT_DOUBLE_EQ(utilization.y[10], 6.0 / 8);
    EXPECT_DOUBLE_EQ(utilization.y[12], 2.5 / 8);
}

TEST(JobList, RefusesOfSlurmsAccountingWhatIsNotKnown) {
    const std::string header = kSacct.substr(0, kSacct.find('\n') + 1);
    const Reading none = read_text("job_list", header + "104||00:00:00|Unknown|Unknown|PENDING\n", {.id = "c"});
    ASSERT_TRUE(none.error);
    EXPECT_NE(none.error->message.find("no job on GPUs that ran"), std::string::npos);
    const std::string good = "1|gres/gpu=1|01:00:00|2026-11-02T10:00:00|2026-11-02T11:00:00|COMPLETED\n";
    for (const auto& [row, reason] : {std::pair("2|gres/gpu=x|01:00:00|2026-11-02T10:00:00|2026-11-02T11:00:00|C\n", "no number"),
                                      std::pair("2|gres/gpu=1|1:x|2026-11-02T10:00:00|Unknown|RUNNING\n", "Elapsed"),
                                      std::pair("2|gres/gpu=1|01:00:00|2026-11-02T10:00:00|2026-11-02T09:00:00|C\n", "ends before"),
                                      std::pair("2|gres/gpu=1|01:00:00|2026-11-02T10", "its start")}) {
        const Reading reading = read_text("job_list", header + good + row, {.id = "c"});
        ASSERT_FALSE(reading.error) << row;
        ASSERT_EQ(reading.report.rejected.count, 1U) << row;
        EXPECT_NE(job_reason(reading).find(reason), std::string::npos) << job_reason(reading);
    }
}

} // namespace
} // namespace costcurve::imports
