// Fields that a reader didn't look at, without those that are harmless: names, hashes, free text, figures of hosts.
#include "server/import/text/unread_fields.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "server/import/text/numbers.hpp"
#include "server/import/text/utf8.hpp"

namespace costcurve::imports {

namespace {

constexpr std::size_t kMaxFields = 4096;
constexpr std::size_t kMaxNamed = 20;

thread_local UnreadFields* fields_in_use = nullptr;

struct HarmlessRow {
    std::string_view format; // "": of all
    std::string_view names;  // folded: lower case, letters and digits alone; one that ends in * is the beginning of a name
};
// What changes no figure that is read: names, hashes, texts for people, figures of hosts, statistics beside the one that is read.
constexpr auto kHarmless = std::to_array<HarmlessRow>({
    {"",
     "id name nickname title description details note notes comment comments link url uri source author authors createdby created "
     "lastmodified lastupdated updated timestamp version hash commithash codeurl code"},
    {"aiconfigurator",
     "1 2 4 8 16 32 datadir membwempiricalscalingfactor mememp* ncclversion othermem p2platency pciebw smversion"},
    {"api_prices", "priceblended medianoutputtokenspersec"},
    {"calculon", "bandwidth efficiency latency mustbefilled processingmode processorusage size"}, // of networks between devices
    {"dawnbench", "*"}, // the members of `misc` are settings of an entry's software, under names of its own
    {"epoch_hardware",
     "allmlsystems* baseclockmhz bitlength boostclockmhz datasheet diesizemm2 energyefficiency* foundry hardwareprices "
     "internodebandwidthbits intranodebandwidthbytes lambdalabs* linktodatasheet maxperformance memorybusbit memoryclockmhz "
     "mlhardware mlmodels numberofmlmodelstrained numberoftransistorsmillions processsizenm prominentyearsofusage rops rtcores "
     "shadingunits smcount sourcefortheprice tensorcores tmus"},
    {"epoch_prices", "pricesource manufacturer"},
    {"focus",
     "availabilityzone billingaccountname billingaccounttype capacityreservation* chargefrequency "
     "commitmentprogrameligibilitydetails commitmentdiscountcategory commitmentdiscountname commitmentdiscounttype "
     "commitmentdiscountquantity "
     "commitmentdiscountunit contractapplied contractedcost contractedunitprice hostprovidername invoice* listunitprice "
     "pricingcurrencycontractedunitprice pricingcurrencylistunitprice publishername regionname resourcename servicename "
     "serviceprovidername servicesubcategory skupriceid subaccountname subaccounttype allocatedmethod* allocatedresource* x*"},
    {"focus_commitments",
     "contractid contractperiodend contractperiodstart contractcommitmentcreated contractcommitmentlastupdated "
     "contractcommitmentdurationtype contractcommitmentoffercategory invoiceissuername"},
    {"genai_perf", "avggputotalmemorygb p25* p50* p75* p90* p95* p99*"},
    // How a model's name is matched. A price by length is warned of by itself, as `start` and `price`.
    {"genai_prices",
     "apiflavor apipattern collapse contains contextwindow deprecated dest endswith equals field modelpath path price "
     "pricecomments priceschecked regex required root start startswith type"},
    {"gpu_catalog", "availability computecapability memorygb"},
    {"gpu_price_feed", "*"}, // a member a board: those that are no board of ours are rejected by name
    {"grid_carbon", "country location nercregion"},
    {"hourly_carbon", "country zonename datasource dataestimationmethod carbonfreeenergy* renewableenergy*"},
    {"inference_perf", "max min p01 p1 p5 p10 p25 p75 p90 p95 p99 p999 achievedrate requestedrate sendduration inputtokenspersec "
                       "totaltokenspersec"},
    {"inferencex",
     "image inputtputpergpu ismultinode meanintvty medianintvty meanitl medianitl p90* p95* p99* std* prefilltp prefillep "
     "prefilldpattention prefillnumworkers decodetp decodeep decodedpattention decodenumworkers"},
    {"inferencex_costs", "tdpw"},
    {"instance_power", "deltafullmachine hardwareinformation* instancegpumemory* instancememory* instancevcpu pkgwatt* platform* "
                       "ramwatt* releasedate storage*"},
    {"job_list", "cpumilli memorymib creationtime podphase qos"},
    {"litellm_prices", "bedrockconversesupportsstricttools deprecationdate max* mode rpm tpm supports* useopenairesponsespath "
                       "promptcachemintokens"},
    {"ml_energy", "activatedparamsbillions architecture energyperrequestjoules medianitlms p90itlms p99itlms taskdisplayname "
                  "totalparamsbillions"},
    {"mlperf_inference", "accuracy colorkey hostprocessorcorecount location operatingsystem p system systemname uniqueid*"},
    // Of a log the place of a line and what is logged by step; of a system its host, its network and its software.
    {"mlperf_training",
     "eventtype file lineno namespace firstepochnum stepnum epochcount step throughput currglobalstep selfgbs loss lr metric "
     "ckptname duration acceleratorfrequency acceleratorhostinterconnect acceleratorinterconnect* acceleratormemoryconfiguration "
     "acceleratoronchipmemories bootfirmwareversion cooling diskcontrollers diskdrives filesystem host* hwnotes "
     "managementfirmwareversion networkspeedmbit nics* numberoftypenicsinstalled operatingsystem other* powermanagement "
     "powersupply* swnotes systemtype* jax libtpu cublasversion cudadriverversion cudaversion cudnnversion daliversion "
     "mofedversion ncclversion openmpiversion trtversion"},
    {"openei", "approved demandrateunit demandunits eiaid flatdemandunit"},
    {"opencost", "instanceidfield"},
    // Usage of cores, memory and network: what they cost is read.
    {"opencost_allocation",
     "cpucore* cpuefficiency gpucount gpuefficiency minutes network* node providerid pvbytes ram* status totalefficiency"},
    {"openrouter",
     "arena category elo rank winrate contextlength canonicalslug ismoderated modality tokenizer mandatory "
     "maxcompletiontokens minprompttokens defaulteffort huggingfaceid defaultenabled supportsmaxtokens intelligenceindex "
     "codingindex agenticindex knowledgecutoff slug temperature topp instructtype totalcount"},
    {"request_log", "checkpointmodelversionid groupid numimagesperprompt numinferencesteps numlora predicttype promptlength "
                    "negativepromptlength"},
    {"skypilot", "arch generation memorygib vcpus provider operatingsystem spheroninstancetype"},
    {"specpower",
     "broadwell cascadelake coffeelake cores haswell ivybridge jvmvendor mhz result* sandybridge skylake totalthreads"},
    {"tpu_prices", "location"},
    {"training_costs",
     "accessibilitynotes approach batchsize* benchmarkdata citations computerankwhenpublished confidence country* datasetsizenotes "
     "epochs finetunecomputenotes foundationmodel huggingfacedeveloperid modelaccessibility notabilitycriteria* organization* "
     "posttrainingcomputenotes publicationdate reference task trainingcloudcomputevendor trainingcodeaccessibility "
     "trainingcomputecost2023usd trainingcomputeestimationmethod trainingcomputelowerbound trainingcomputeupperbound "
     "trainingdataset* trainingpowerdraww trainingtimenotes utilizationnotes"},
    {"vllm_bench", "burstiness date duration inputthroughput p25* p75* p90* p95* p99* std* requestrate tokenizerid numprompts "
                   "datasetname randominputlen randomoutputlen totaltokenthroughput concurrency"},
    {"zeus_power", "learningrate run starttime"},
});

bool is_in(std::string_view names, std::string_view name) {
    while (!names.empty()) {
        const std::size_t end = std::min(names.find(' '), names.size());
        const std::string_view one = names.substr(0, end);
        names.remove_prefix(std::min(end + 1, names.size()));
        if (one == name || (one.ends_with('*') && name.starts_with(one.substr(0, one.size() - 1)))) {
            return true;
        }
    }
    return false;
}

bool is_harmless(std::string_view format, std::string_view name) {
    const std::string folded = letters_and_digits(name);
    return std::any_of(kHarmless.begin(), kHarmless.end(), [&](const HarmlessRow& row) {
        return (row.format.empty() || row.format == format) && is_in(row.names, folded);
    });
}

} // namespace

UnreadFields::UnreadFields() : before_(std::exchange(fields_in_use, this)) {}
UnreadFields::~UnreadFields() { fields_in_use = before_; }
UnreadFields* UnreadFields::current() { return fields_in_use; }

void UnreadFields::ask(std::string_view name) {
    if (asked_.size() < kMaxFields && !asked_.contains(name)) {
        asked_.emplace(name);
    }
}

void UnreadFields::find(std::string_view name, std::size_t count) {
    if (const auto found = found_.find(name); found != found_.end()) {
        found->second += count;
    } else if (found_.size() < kMaxFields && count > 0) {
        found_.emplace(name, count);
    }
}

void UnreadFields::warn(std::string_view format, Report& report) const {
    if (report.rows > 0 && report.rejected.rows + report.skipped >= report.rows) {
        return; // no row was read to its end
    }
    std::vector<std::pair<std::size_t, std::string>> unread;
    for (const auto& [name, count] : found_) {
        if (!asked_.contains(name) && !is_harmless(format, name)) {
            unread.emplace_back(count, name);
        }
    }
    if (unread.empty()) {
        return;
    }
    std::stable_sort(unread.begin(), unread.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::string names;
    for (std::size_t i = 0; i < std::min(unread.size(), kMaxNamed); ++i) {
        names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", clipped(unread[i].second), unread[i].first);
    }
    report.warnings.add(0, fmt::format("fields that are not read, and how often they have a value: {}{}", names,
                                       unread.size() > kMaxNamed ? fmt::format(", and {} more", unread.size() - kMaxNamed) : ""));
}

} // namespace costcurve::imports
