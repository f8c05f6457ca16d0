import type { ProxyKind } from '@tocsin/contract'
import { isObject } from '../../../base/json.ts'
import { decoderOf } from '../abi/codec.ts'
import type { ChainReads } from './chain-reads.ts'
import { codeFacts } from './code-facts.ts'
import { addressIn } from './word-address.ts'

/** `targets` are the contracts whose code runs: the contract itself, its implementation, or the facets of a diamond. */
export type Followed = { code: string; proxyKind?: ProxyKind; targets: string[] }

/** An implementation may be a proxy again. Longer chains have no use and may be circles. */
const stepsMax = 4

export async function followProxies(reads: ChainReads, address: string, steps = stepsMax): Promise<Followed> {
  const code = await reads.code(address)
  const proxy = code === '0x' ? undefined : await findProxy(reads, address, code)
  if (!proxy) return { code, targets: [address] }
  const { kind: proxyKind, implementations } = proxy
  const [implementation] = implementations
  if (implementations.length !== 1 || implementation === undefined || steps === 1)
    return { code, proxyKind, targets: implementations }
  const { targets } = await followProxies(reads, implementation, steps - 1)
  return { code, proxyKind, targets }
}

/** A proxy and the contracts that run for it: one, or the facets of a diamond. */
type FoundProxy = { kind: ProxyKind; implementations: string[] }

/** Each is the hash of a name, of EIP-1967 minus one. The last is the slot of proxies before EIP-1967, such as USDC. */
const slots = {
  logic: '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  beacon: '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
  proxiable: '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7',
  zeppelin: '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
  first: '0x0',
}
const selectors = { implementation: '0x5c60da1b', facets: '0x7a0ed627', facetAddresses: '0x52ef6b2c' }

/** Finds out from code, storage and views whether a contract is a proxy. */
async function findProxy(reads: ChainReads, address: string, code: string): Promise<FoundProxy | undefined> {
  const clone = findClone(code)
  if (clone) return { kind: 'eip1167', implementations: [clone] }
  const read = async (slot: string) => addressIn(await reads.storage(address, slot))
  const [logic, beacon, proxiable, zeppelin] = await Promise.all(
    [slots.logic, slots.beacon, slots.proxiable, slots.zeppelin].map(read),
  )
  if (logic ?? zeppelin) return { kind: 'eip1967', implementations: [logic ?? zeppelin ?? ''] }
  const ofBeacon = beacon && addressIn(await reads.call(beacon, selectors.implementation))
  if (ofBeacon) return { kind: 'eip1967-beacon', implementations: [ofBeacon] }
  if (proxiable) return { kind: 'eip1822', implementations: [proxiable] }
  const singleton = isSafeShaped(code) ? await read(slots.first) : undefined
  // Without masterCopy() the first slot may hold anything, such as the account of an owner.
  if (singleton && (code.includes(masterCopy) || (await reads.code(singleton)) !== '0x'))
    return { kind: 'safe', implementations: [singleton] }
  const facets = await findFacets(reads, address)
  return facets && { kind: 'diamond', implementations: facets }
}

/** The code before the address in minimal proxies: of EIP-1167, an optimised form of it, and a form with PUSH0. */
const clonePrefixes = ['363d3d373d3d3d363d', '3d3d3d3d363d3d37363d', '5f5f365f5f37365f']
const addressBytes = 20

/** An address with leading zeros may be pushed by a shorter instruction. */
function findClone(code: string): string | undefined {
  const prefix = clonePrefixes.find((each) => code.startsWith(each, 2))
  if (prefix === undefined) return undefined
  const at = 2 + prefix.length
  const size = Number.parseInt(code.slice(at, at + 2), 16) - 0x5f
  if (!(size >= 1 && size <= addressBytes)) return undefined
  const end = at + 2 + 2 * size
  const isDelegating = code.startsWith('5af4', end)
  return isDelegating ? `0x${code.slice(at + 2, end).padStart(2 * addressBytes, '0')}` : undefined
}

/** The proxies of Safe are short, keep their implementation in the first slot and answer masterCopy() themselves. */
const masterCopy = 'a619486e'
const [safeProxyBytesMax, plainProxyBytesMax] = [1_000, 200]
const [sload, delegateCall] = [0x54, 0xf4]

function isSafeShaped(code: string): boolean {
  const size = code.length / 2 - 1
  if (size > safeProxyBytesMax || (size > plainProxyBytesMax && !code.includes(masterCopy))) return false
  const { opcodes } = codeFacts(code)
  return opcodes.has(sload) && opcodes.has(delegateCall)
}

const plain = { indexed: false }
const decodeFacets = decoderOf([
  {
    ...plain,
    type: '(address,bytes4[])[]',
    components: [
      { ...plain, type: 'address', name: 'facetAddress' },
      { ...plain, type: 'bytes4[]', name: 'functionSelectors' },
    ],
  },
])
const decodeAddresses = decoderOf([{ ...plain, type: 'address[]' }])

/** The code of further facets is not read, and nobody is asked about them. */
const facetsMax = 40
/** Of the loupe's answer, in hex digits: room for some thousand functions. */
const loupeDigitsMax = 2 * 128 * 1024

/** The loupe of a diamond. Any contract may answer any bytes, so an answer that cannot be read means no diamond. */
async function findFacets(reads: ChainReads, address: string): Promise<string[] | undefined> {
  const ask = async (selector: string) => {
    const answer = await reads.call(address, selector)
    return answer === undefined || answer.length > loupeDigitsMax ? undefined : answer
  }
  const facets = await ask(selectors.facets)
  const listed = facets === undefined ? undefined : readList(() => decodeFacets(facets)[0], facetAddress)
  if (listed) return listed
  const addresses = await ask(selectors.facetAddresses)
  return addresses === undefined ? undefined : readList(() => decodeAddresses(addresses)[0], String)
}

function readList(decode: () => unknown, addressOf: (entry: unknown) => string): string[] | undefined {
  try {
    const list = decode()
    const found = Array.isArray(list) ? list.map(addressOf).filter((each) => !/^0x0*$/.test(each)) : []
    return found.length > 0 ? [...new Set(found)].slice(0, facetsMax) : undefined
  } catch {
    return undefined
  }
}

function facetAddress(facet: unknown): string {
  return isObject(facet) ? String(facet.facetAddress) : ''
}
