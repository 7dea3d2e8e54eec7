// Power draw of devices and hosts: serving devices by their share of the largest rate, devices of gangs full power or idle.
#include <algorithm>

#include "model/dispatch/dispatch.hpp"
#include "model/kernels.hpp"

namespace costcurve::model {

namespace {

// IT power of a pool that inference and gangs share: devices of gangs draw full power, the others follow their own utilization.
void read_shared_power(const CompiledPool& pool, std::size_t m, const MonthView& month, const Workspace::PoolHours& hours,
                       Workspace::PowerHours& power_hours) {
    const std::size_t n = month.size;
    auto& [instances, available, utilization, device_watts, others, serving, it_watts] = power_hours;
    const PowerDraw& power = pool.power;
    for (std::size_t h = 0; h < n; ++h) {
        others[h] = std::max(0.0, available[h] - hours.gangs[h]);
        serving[h] = std::clamp(hours.busy[h] - hours.gangs[h], 0.0, others[h]);
    }
    kernels::utilization(n, serving.data(), others.data(), it_watts.data());
    if (power.pack && pool.kind == PoolKind::owned) {
        const double by_busy = power.device.at_one - power.device.at_zero;
        kernels::linear(n, {power.device.at_zero, by_busy, 0.0, 0.0}, it_watts.data(), it_watts.data(), device_watts.data());
    } else {
        read_all(power.device, n, it_watts.data(), device_watts.data());
    }
    const bool is_cloud = pool.kind == PoolKind::cloud;
    const double active = is_cloud ? 0.0 : pool.units_serving[m];
    const double ramping = is_cloud ? 0.0 : pool.units_paid[m] - active;
    const double constant = ramping * (power.host_idle_w + pool.devices_per_unit * power.ramp_w);
    for (std::size_t h = 0; h < n; ++h) {
        const double hosts = is_cloud ? available[h] / pool.devices_per_unit : active;
        const double host_w = power.host_idle_w + (power.host_max_w - power.host_idle_w) * utilization[h];
        it_watts[h] = constant + hosts * host_w + others[h] * device_watts[h] + hours.gangs[h] * power.gang_w;
    }
}

} // namespace

void read_power(const CompiledPool& pool, std::size_t m, const MonthView& month, const Workspace::PoolHours& hours,
                Workspace::PowerHours& power_hours) {
    const std::size_t n = month.size;
    auto& [instances, available, utilization, device_watts, others, serving, it_watts] = power_hours;
    const double* const u = utilization.data();
    const PowerDraw& power = pool.power;
    kernels::utilization(n, hours.busy.data(), available.data(), utilization.data());
    if (pool.serves && pool.defers) {
        read_shared_power(pool, m, month, hours, power_hours);
        return;
    }
    if (!power.pack || pool.kind == PoolKind::cloud) {
        read_all(power.device, n, u, device_watts.data());
    }
    if (pool.kind == PoolKind::cloud) {
        if (power.host_max_w > 0.0) { // adds the device's part of the host's power
            const double each = 1 / pool.devices_per_unit;
            const double by_u = (power.host_max_w - power.host_idle_w) * each;
            kernels::linear(n, {power.host_idle_w * each, by_u, 1.0, 0.0}, u, device_watts.data(), it_watts.data());
            std::swap(device_watts, it_watts);
        }
        kernels::multiply(n, available.data(), device_watts.data(), it_watts.data());
        return;
    }
    const double active = pool.units_serving[m];
    const double ramping = pool.units_paid[m] - active;
    const double idle_w = ramping * (power.host_idle_w + pool.devices_per_unit * power.ramp_w);
    const double constant = idle_w + active * power.host_idle_w;
    const double by_u = active * (power.host_max_w - power.host_idle_w);
    const double devices = active * pool.devices_per_unit;
    if (power.pack) {
        const double by_busy = power.device.at_one - power.device.at_zero;
        kernels::linear(n, {constant, by_u, by_busy, power.device.at_zero * devices}, u, hours.busy.data(), it_watts.data());
    } else {
        kernels::linear(n, {constant, by_u, devices, 0.0}, u, device_watts.data(), it_watts.data());
    }
}

} // namespace costcurve::model
