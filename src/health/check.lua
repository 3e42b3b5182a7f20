local function result(status, message)
  return { status = status, message = message or "" }
end
if obj.metadata.deletionTimestamp ~= nil then
  return result("Progressing", "The object is being deleted")
end
local status = obj.status or {}
local observed = status.observedGeneration
if observed ~= nil and observed ~= obj.metadata.generation then
  return result("Progressing", "The operator has not seen the last change")
end
local known = { Ready = true, Available = true, Healthy = true, Complete = true, Succeeded = true }
local ready, other, message = nil, nil, ""
for _, condition in ipairs(status.conditions or {}) do
  local is_true = condition.status == "True"
  if is_true and (condition.type == "Stalled" or condition.type == "Degraded" or condition.type == "Failed") then
    return result("Degraded", condition.message)
  end
  if condition.type == "Ready" then
    ready, message = is_true, condition.message
  elseif known[condition.type] then
    other = other or is_true
    if ready == nil then
      message = condition.message
    end
  end
end
if ready == nil then
  ready = other
end
if ready == nil then
  ready = observed ~= nil
  if not ready then
    message = "The operator has not reported"
  end
end
return result(ready and "Healthy" or "Progressing", message)
