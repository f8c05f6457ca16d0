import { isObject } from '../../../base/json.ts'

/** A call as the runtime's types decode it. Unnamed arguments are in `params` under their position. */
export type Call = { pallet: string; call: string; args: unknown[]; params: Record<string, unknown> }

/** Reads `{type: <pallet>, value: <call>}`, the JSON of the runtime's type for calls. Undefined when the value is not a call. */
export function readCall(value: unknown): Call | undefined {
  const pallet = readVariant(value)
  const call = pallet && readVariant(pallet.value)
  if (!pallet || !call) return undefined
  const params = paramsOf(call.value)
  return { pallet: pallet.name, call: call.name, args: Object.values(params), params }
}

/** A variant without fields is its name. */
function readVariant(value: unknown): { name: string; value: unknown } | undefined {
  if (typeof value === 'string') return { name: value, value: {} }
  return isObject(value) && typeof value.type === 'string' ? { name: value.type, value: value.value } : undefined
}

function paramsOf(fields: unknown): Record<string, unknown> {
  if (isObject(fields)) return fields
  return Object.fromEntries((Array.isArray(fields) ? fields : [fields]).map((field, position) => [position, field]))
}
