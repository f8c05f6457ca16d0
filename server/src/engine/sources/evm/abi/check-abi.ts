import type { Issue } from '@tocsin/contract'
import { type AbiItem, readAbi } from './read-abi.ts'
import { isSelector, selectorOf } from './selector.ts'

/** An evm_log spec needs an event: the one that it names, or any event of the fragment. */
export async function checkEventAbi(fragment: unknown, event: string | undefined, path: string): Promise<Issue[]> {
  const abi = await readAbi(fragment, 'event')
  if (!abi.ok) return [{ path: `${path}.abiFragment`, message: abi.message }]
  const events = abi.items.filter((item) => item.type === 'event')
  if (events.length === 0) return [{ path: `${path}.abiFragment`, message: 'has no event' }]
  if (event === undefined || events.some((item) => isNamed(item, event))) return []
  return [{ path: `${path}.event`, message: `abiFragment has no event ${event.slice(0, 80)}` }]
}

/** An evm_call spec needs a function: the one that it names, or any function of the fragment. */
export async function checkMethodAbi(fragment: unknown, method: string | undefined, path: string): Promise<Issue[]> {
  const abi = await readAbi(fragment, 'function')
  if (!abi.ok) return [{ path: `${path}.abiFragment`, message: abi.message }]
  const functions = abi.items.filter((item) => item.type === 'function')
  if (functions.length === 0) return [{ path: `${path}.abiFragment`, message: 'has no function' }]
  const isSought = method === undefined ? () => true : await isMethod(method)
  if (functions.some(isSought)) return []
  return [{ path: `${path}.method`, message: `abiFragment has no function ${method?.slice(0, 80)}` }]
}

/** By name, by selector, or by any spelling of the signature. */
async function isMethod(method: string): Promise<(item: AbiItem) => boolean> {
  if (isSelector(method)) return ({ signature }) => selectorOf(signature) === method.toLowerCase()
  if (!method.includes('(')) return (item) => isNamed(item, method)
  const abi = await readAbi(method, 'function')
  const signature = abi.ok ? abi.items[0]?.signature : undefined
  return (item) => item.signature === signature
}

/** An evm_read calls a function of its fragment with the right number of arguments. */
export async function checkFunctionAbi(
  fragment: unknown,
  method: string,
  args: unknown[],
  path: string,
): Promise<Issue[]> {
  const abi = await readAbi(fragment, 'function')
  if (!abi.ok) return [{ path: `${path}.abiFragment`, message: abi.message }]
  const named = abi.items.filter((item) => item.type === 'function' && isNamed(item, method))
  if (named.length === 0)
    return [{ path: `${path}.method`, message: `abiFragment has no function ${method.slice(0, 80)}` }]
  if (named.some((item) => item.inputs.length === args.length)) return []
  const counts = named.map((item) => item.inputs.length).join(' or ')
  return [{ path: `${path}.args`, message: `${method.slice(0, 80)} takes ${counts} arguments, not ${args.length}` }]
}

/** By name or by signature: `Transfer`, `Transfer(address,address,uint256)`, or the whole human-readable line. */
export function isNamed(item: AbiItem, sought: string): boolean {
  const bare = sought.replace(/^\s*(?:event|function)\s+/, '').trim()
  if (bare === item.name) return true
  const types = /^([^(]*)\((.*)\)/s.exec(bare)
  if (!types || types[1]?.trim() !== item.name) return false
  return item.signature === bare.replace(/\s+/g, '') || sameCount(types[2] ?? '', item)
}

/** A human-readable line names its parameters, so its types are compared by position. */
function sameCount(parameters: string, item: AbiItem): boolean {
  const types =
    parameters
      .split(')')[0]
      ?.split(',')
      .map((each) => each.trim().split(/\s+/)[0]) ?? []
  return types.join(',') === item.inputs.map((input) => input.type).join(',')
}
