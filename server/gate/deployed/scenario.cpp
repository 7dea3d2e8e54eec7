// Finds the offer of each machine, packs pods, and leaves out models that have no rate where they run.
#include "server/gate/deployed/scenario.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/documents/text.hpp"
#include "server/answers/evaluate.hpp"
#include "server/answers/request.hpp"
#include "server/documents/stored_rates.hpp"
#include "server/gate/deployed/accelerator_words.hpp"
#include "server/gate/deployed/autoscalers.hpp"
#include "server/gate/deployed/machine_types.hpp"
#include "server/gate/deployed/node_groups.hpp"
#include "server/gate/deployed/scenario_text.hpp"
#include "server/import/identity/aliases.hpp"
#include "server/import/identity/model_name.hpp"

namespace costcurve::gate::deployed {

namespace {

std::string described(const Machines& machines) {
    const std::string what = machines.device.empty() ? machines.type
                             : machines.type.empty()
                                 ? machines.device
                                 : fmt::format("{} with {} {}", machines.type, machines.devices, machines.device);
    return fmt::format("{}{}{}", what,
                       !machines.terms.empty() ? ", " + machines.terms
                       : machines.is_spot      ? ", spot"
                                               : "",
                       machines.region.empty() ? "" : " in " + machines.region);
}

class Composer {
public:
    Composer(Deployment deployment, const Terms& terms, documents::Source& source)
        : deployment_(std::move(deployment)), terms_(terms), source_(source),
          offers_(documents::all_of_kind<model::Offer>(source)) {}

    DeployedScenario compose() {
        settle_autoscalers(deployment_);
        settle_nodes(deployment_);
        for (const Machines& machines : deployment_.machines) {
            add_machines(machines);
        }
        place_pods();
        DeployedScenario scenario;
        if (!pools_.empty()) {
            scenario.json = text();
        }
        drop_those_of_none();
        std::ranges::stable_sort(deployment_.questions, std::greater<>(), &Question::devices);
        scenario.questions = std::move(deployment_.questions);
        scenario.not_read = std::move(deployment_.not_read);
        return scenario;
    }

private:
    // --offer NAME=none: somebody knows that it costs nothing, or that its machines are counted.
    void drop_those_of_none() {
        std::erase_if(deployment_.questions, [&](const Question& question) {
            const auto stated = terms_.offers.find(question.subject);
            return stated != terms_.offers.end() && stated->second == "none";
        });
    }

    const model::Offer* offer_named(const std::string& name) {
        const auto stated = terms_.offers.find(name);
        if (name.empty() || stated == terms_.offers.end()) {
            return nullptr;
        }
        const auto offer = std::ranges::find(offers_, stated->second, &model::Offer::id);
        return offer == offers_.end() ? nullptr : &*offer;
    }

    // Of accelerators that stand apart from the type, by device and number.
    static bool is_of(const model::Offer& offer, const Machines& machines, bool by_chip) {
        const bool is_type = !machines.type.empty() && model::lower(offer.sku) == model::lower(machines.type);
        const auto device = machines.devices > 0 && !is_type ? imports::device_of(machines.device) : std::nullopt;
        const bool is_attached = device && offer.device.id == *device && offer.devices == (by_chip ? 1 : machines.devices);
        return (by_chip ? is_attached && is_chip(offer) : is_type || is_attached) &&
               (machines.provider.empty() || offer.provider == machines.provider) &&
               offer.purchase == (machines.is_spot ? model::Purchase::spot : model::Purchase::on_demand);
    }

    // A chip of TPU by itself, which slices of any size are priced by.
    static bool is_chip(const model::Offer& offer) { return offer.devices == 1 && offer.sku.ends_with("-chip"); }

    const model::Offer* stated_offer(const Machines& machines, const std::string& object) {
        for (const std::string& name :
             {machines.resource, object, machines.type, imports::device_of(machines.device).value_or(machines.device)}) {
            if (const model::Offer* const stated = offer_named(name)) {
                return stated;
            }
        }
        return nullptr;
    }

    struct Found {
        std::vector<const model::Offer*> here;
        std::set<std::string> elsewhere; ///< regions that have a price
    };
    Found look_up(const Machines& machines, bool by_chip) const {
        Found found;
        for (const model::Offer& offer : offers_) {
            if (machines.terms.empty() && is_of(offer, machines, by_chip)) {
                const bool is_here =
                    offer.region.empty() || (!machines.region.empty() && model::lower(offer.region) == machines.region);
                is_here ? found.here.push_back(&offer) : static_cast<void>(found.elsewhere.insert(offer.region));
            }
        }
        return found;
    }

    // The one offer that is of the machines, in their region or in all; null where there is none, or more than one.
    const model::Offer* find_offer(const Machines& machines, const std::string& object, std::string& why) {
        if (const model::Offer* const stated = stated_offer(machines, object)) {
            return stated;
        }
        if (!machines.unsettled.empty()) {
            why = fmt::format("{}; state --offer {}=ID", machines.unsettled, machines.resource);
            return nullptr;
        }
        Found found = look_up(machines, false);
        found = found.here.empty() && found.elsewhere.empty() ? look_up(machines, true) : found;
        if (found.here.size() == 1) {
            return found.here.front();
        }
        const std::string advice = fmt::format("state --offer {}=ID", machines.type.empty() ? machines.resource : machines.type);
        why = found.here.size() > 1     ? fmt::format("{} offers are of {}; {}", found.here.size(), described(machines), advice)
              : found.elsewhere.empty() ? fmt::format("no price of {}; import one, or {}", described(machines), advice)
              : machines.region.empty()
                  ? fmt::format("its region is not stated; prices of {} are of {}; {}", described(machines),
                                fmt::join(found.elsewhere, ", "), advice)
                  : fmt::format("no price of {}, only of {}; {}", described(machines), fmt::join(found.elsewhere, ", "), advice);
        return nullptr;
    }

    void add_machines(const Machines& machines) {
        std::string why;
        const auto known = accelerators_of_type(machines.type);
        const int devices = machines.devices > 0 ? machines.devices : known ? known->devices : 1;
        const bool is_accelerated = known || machines.devices > 0 || is_accelerated_family(machines.provider, machines.type) ||
                                    names_accelerator(machines.type);
        const model::Offer* offer = find_offer(machines, "", why);
        if (offer != nullptr && (known || machines.devices > 0) && offer->devices != devices && !is_chip(*offer)) {
            why = fmt::format("it has {} accelerators, the offer {} has {}: state one of as many", devices, offer->id,
                              offer->devices);
            offer = nullptr;
        }
        if (offer == nullptr && !is_accelerated) {
            deployment_.leave(machines.file, machines.type, "no accelerator is known of this type, and no price",
                              static_cast<std::size_t>(std::max(machines.count, machines.open.empty() ? 0.0 : 1.0)));
        } else if (offer == nullptr) {
            deployment_.ask(machines.file, machines.resource, why, std::max(machines.count, 1.0) * devices);
            ask_count(machines, devices);
        } else {
            ask_count(machines, devices);
            const double chips = is_chip(*offer) ? devices : 1.0;
            add_pool(slug_of(machines.resource), *offer, machines.count * chips,
                     std::max(machines.max_count, machines.count) * chips);
        }
    }

    // Where autoscaling starts from none the cost is not known.
    void ask_count(const Machines& machines, int devices) {
        if (!machines.open.empty()) {
            deployment_.ask(machines.file, machines.resource, machines.open, 1.0);
        }
        if (machines.max_count > machines.count && (machines.count > 0.0 || machines.open.empty())) {
            deployment_.ask(machines.file, machines.resource,
                            fmt::format("it may grow from {:g} to {:g} machines: {:g} are priced", machines.count,
                                        machines.max_count, machines.count),
                            machines.count > 0.0 ? 0.0 : machines.max_count * devices);
        }
    }

    void add_pool(std::string id, const model::Offer& offer, double count, double max_count) {
        const std::string plain = id;
        for (int number = 2; std::ranges::find(pools_, id, &RentedPool::id) != pools_.end(); ++number) {
            id = fmt::format("{}-{}", plain, number);
        }
        pools_.push_back({std::move(id), &offer, count, max_count});
    }

    static std::string device_of(const Pods& pods) {
        const auto known = accelerators_of_type(pods.on.type);
        return known ? known->device : imports::device_of(pods.on.device).value_or(pods.on.device);
    }

    // Pods run on a plan's machines where it has any: these are paid for already.
    void place_pods() {
        if (pools_.empty() || deployment_.machines.empty()) {
            place_on_machines_of_their_own();
            return;
        }
        std::map<std::string, double> asked; // by device; "" of any
        for (const Pods& pods : deployment_.pods) {
            asked[device_of(pods)] += pods.devices * pods.replicas;
        }
        for (const auto& [device, devices] : asked) {
            double there = 0.0;
            for (const RentedPool& pool : pools_) {
                there += device.empty() || pool.offer->device.id == device ? pool.devices() : 0.0;
            }
            if (devices > there) {
                deployment_.ask(deployment_.pods.front().file, device.empty() ? "pods" : device,
                                fmt::format("pods ask for {:g} accelerators, the plan's machines have {:g}", devices, there),
                                devices - there);
            }
        }
    }

    void place_on_machines_of_their_own() {
        std::map<const model::Offer*, std::vector<const Pods*>> by_offer;
        std::map<const model::Offer*, double> chips;
        for (const Pods& pods : deployment_.pods) {
            Machines on = pods.on;
            on.resource = pods.subject();
            on.devices = on.type.empty() ? pods.devices : on.devices;
            std::string why;
            const model::Offer* const offer = find_offer(on, pods.object, why);
            const double devices = pods.devices * std::max(pods.replicas, 1.0);
            if (offer == nullptr) {
                const bool is_nothing_stated = on.type.empty() && on.device.empty() && on.unsettled.empty();
                deployment_.ask(pods.file, pods.subject(),
                                is_nothing_stated ? fmt::format("no selector names its accelerator or machine; state --offer {}=ID",
                                                                pods.subject())
                                                  : why,
                                devices);
            } else if (is_chip(*offer)) {
                placed_[pods.object].insert(offer);
                chips[offer] += pods.devices * pods.replicas;
            } else if (pods.devices > offer->devices) {
                deployment_.ask(pods.file, pods.subject(),
                                fmt::format("a pod asks for {} accelerators, {} has {}", pods.devices, offer->id, offer->devices),
                                devices);
            } else {
                placed_[pods.object].insert(offer);
                by_offer[offer].push_back(&pods);
            }
        }
        for (auto& [offer, pods] : by_offer) {
            const double count = machines_for(std::move(pods), *offer);
            add_pool(slug_of(offer->id), *offer, count, count);
        }
        for (const auto& [offer, count] : chips) {
            add_pool(slug_of(offer->id), *offer, count, count);
        }
    }

    // Best fit, the largest pods first: machines by the number of devices that are free.
    static double machines_for(std::vector<const Pods*> pods, const model::Offer& offer) {
        std::ranges::stable_sort(pods, std::greater<>(), &Pods::devices);
        std::vector<double> free(static_cast<std::size_t>(offer.devices) + 1, 0.0); // machines by their free devices
        double machines = 0.0;
        for (const Pods* const object : pods) {
            const auto size = static_cast<std::size_t>(object->devices);
            for (auto left = static_cast<int>(object->replicas); left > 0; --left) {
                std::size_t room = size;
                while (room < free.size() && free[room] == 0.0) {
                    ++room;
                }
                if (room == free.size()) {
                    ++machines;
                    room = free.size() - 1;
                } else {
                    --free[room];
                }
                ++free[room - size];
            }
        }
        return machines;
    }

    // The models that objects serve, of which something is known: several templates of an object serve one together.
    std::vector<ServedModel> served() {
        std::vector<ServedModel> found;
        std::set<std::pair<std::string, std::string>> seen;
        for (const Pods& pods : deployment_.pods) {
            if (pods.model.empty() || !seen.emplace(pods.object, pods.model).second) {
                continue;
            }
            std::vector<std::string> pools = pools_of(pods);
            if (source_.find({storage::Kind::model, imports::model_id_of(pods.model)}) == nullptr) {
                deployment_.ask(pods.file, pods.object,
                                fmt::format("the model {} is not among the given documents: no rate is known", pods.model), 0.0);
            } else if (!pools.empty()) {
                found.push_back({&pods, std::move(pools)});
            }
        }
        return found;
    }

    // Those that the object's pods were placed on, or on a plan's machines all of the devices of its templates.
    std::vector<std::string> pools_of(const Pods& of) const {
        std::set<std::string> devices;
        for (const Pods& pods : deployment_.pods) {
            if (pods.object == of.object && pods.model == of.model) {
                devices.insert(device_of(pods));
            }
        }
        const auto placed = placed_.find(of.object);
        std::vector<std::string> found;
        for (const RentedPool& pool : pools_) {
            const bool is_device = devices.contains("") || devices.contains(pool.offer->device.id);
            if (placed != placed_.end() ? placed->second.contains(pool.offer) : is_device) {
                found.push_back(pool.id);
            }
        }
        return found;
    }

    // A model that can't be rated where it runs, such as one that takes several hosts, costs no less for it: it is a question.
    bool leave_unrated(std::vector<ServedModel>& models, const std::string& json) {
        const auto parsed = answers::parse_body(json);
        const auto resolved = answers::resolve_scenario(**parsed, "", source_);
        std::map<std::size_t, std::string> unrated;
        constexpr std::string_view kWorkloads = "/workloads/";
        for (const model::Issue& issue : resolved ? model::Failure() : resolved.error()) {
            if (issue.pointer.starts_with(kWorkloads)) {
                const std::string rest = issue.pointer.substr(kWorkloads.size());
                unrated.try_emplace(model::read_number<std::size_t>(rest.substr(0, rest.find('/'))).value_or(0), issue.message);
            }
        }
        const std::size_t before = models.size();
        for (auto row = unrated.rbegin(); row != unrated.rend(); ++row) {
            if (row->first < models.size()) {
                const Pods& pods = *models[row->first].pods;
                deployment_.ask(pods.file, pods.object, fmt::format("no rate of {}: {}", pods.model, row->second), 0.0);
                models.erase(models.begin() + static_cast<std::ptrdiff_t>(row->first));
            }
        }
        return models.size() < before;
    }

    std::string text() {
        std::vector<ServedModel> models = served();
        std::string json = scenario_text(models, pools_, terms_.start);
        while (leave_unrated(models, json)) {
            json = scenario_text(models, pools_, terms_.start);
        }
        for (const ServedModel& of : models) {
            const Pods& pods = *of.pods;
            deployment_.ask(pods.file, pods.object,
                            fmt::format("requests/s of {}, and their tokens: 0 of 1000 in and 300 out are assumed{}{}", pods.model,
                                        pods.max_tokens > 0.0 ? fmt::format(" (at most {:g} fit)", pods.max_tokens) : "",
                                        pods.max_requests > 0 ? fmt::format(", at most {} at once", pods.max_requests) : ""),
                            0.0);
        }
        return json;
    }

    Deployment deployment_;
    const Terms& terms_;
    documents::Source& source_;
    std::vector<model::Offer> offers_;
    std::vector<RentedPool> pools_;
    std::map<std::string, std::set<const model::Offer*>> placed_; ///< by object, of pods on machines of their own
};

} // namespace

std::vector<std::string> DeployedScenario::open() const {
    std::vector<std::string> open;
    for (const Question& question : questions) {
        if (question.devices > 0.0) {
            open.push_back(fmt::format("{}: {}", question.subject, question.what));
        }
    }
    return open;
}

DeployedScenario scenario_of(Deployment deployment, const Terms& terms, documents::Source& source) {
    return Composer(std::move(deployment), terms, source).compose();
}

} // namespace costcurve::gate::deployed
