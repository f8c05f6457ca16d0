import { decoderOf } from '../abi/codec.ts'
import { keccak256 } from '../abi/keccak.ts'
import type { ChainReads } from './chain-reads.ts'
import { addressIn } from './word-address.ts'

/** The Ethereum Name Service, where the network has its registry. Names that only a web gateway knows are not found. */

const registry = '0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e'
const selectors = { resolver: '0x0178b8bf', addr: '0x3b3b57de', name: '0x691f3431' }
const decodeText = decoderOf([{ type: 'string', indexed: false }])
const nameLengthMax = 255

export async function hasEns(reads: ChainReads): Promise<boolean> {
  return (await reads.code(registry)) !== '0x'
}

/** The address of a name in lower case; undefined if the name is not valid or has none. */
export async function resolveEnsName(reads: ChainReads, name: string): Promise<string | undefined> {
  const node = (await readName(name))?.node
  const resolver = node && (await resolverOf(reads, node))
  return resolver && addressIn(await reads.call(resolver, selectors.addr + node.slice(2)))
}

/**
 * The name that the owner of an address has set. It counts only if it resolves to this address, and in its normal form,
 * because other forms imitate the names of others.
 */
export async function findEnsName(reads: ChainReads, address: string): Promise<string | undefined> {
  const node = (await readName(`${address.slice(2).toLowerCase()}.addr.reverse`))?.node
  const resolver = node && (await resolverOf(reads, node))
  const name = resolver && readText(await reads.call(resolver, selectors.name + node.slice(2)))
  if (!name || name.length > nameLengthMax || (await readName(name))?.normal !== name) return undefined
  return (await resolveEnsName(reads, name)) === address.toLowerCase() ? name : undefined
}

async function resolverOf(reads: ChainReads, node: string): Promise<string | undefined> {
  return addressIn(await reads.call(registry, selectors.resolver + node.slice(2)))
}

/** Names of these characters need no tables to be read. Two hyphens mark names of another encoding. */
const plainName = /^(?:[a-z0-9]+(?:-[a-z0-9]+)*)(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*$/

/** The tables for all other names take half a second of CPU time to load, so most services never load them. */
async function readName(name: string): Promise<{ normal: string; node: string } | undefined> {
  const lower = name.toLowerCase()
  if (plainName.test(lower)) return { normal: lower, node: hashName(lower) }
  const Ens = await import('ox/Ens')
  try {
    const normal = Ens.normalize(name)
    return normal === '' ? undefined : { normal, node: hashName(normal) }
  } catch {
    return undefined
  }
}

/** Each label from the last to the first is hashed together with the hash of those after it. */
function hashName(normal: string): string {
  const labels = normal.split('.').map((label) => keccak256(Buffer.from(label)))
  const node = labels.reduceRight<Uint8Array>(
    (after, label) => keccak256(Buffer.concat([after, label])),
    Buffer.alloc(32),
  )
  return `0x${Buffer.from(node).toString('hex')}`
}

function readText(answer: string | undefined): string | undefined {
  if (answer === undefined) return undefined
  try {
    return String(decodeText(answer)[0])
  } catch {
    return undefined
  }
}
