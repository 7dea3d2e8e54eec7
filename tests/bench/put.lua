-- wrk: puts devices, each under an id of its own, with the header that IF_NONE_MATCH says; prints one line of JSON at the end.
local count, condition = 0, os.getenv("IF_NONE_MATCH")
local headers = {["Content-Type"] = "application/json", ["If-None-Match"] = condition}

function request()
  count = count + 1
  return wrk.format("PUT", string.format("/v1/devices/%s-%d", os.getenv("ID_PREFIX"), count), headers, '{"kind": "gpu", "tdp_w": 700}')
end

function done(summary)
  local e = summary.errors
  print(string.format('{"requests": %d, "seconds": %.6f, "failed": %d}', summary.requests, summary.duration / 1e6,
    e.connect + e.read + e.write + e.status + e.timeout))
end
