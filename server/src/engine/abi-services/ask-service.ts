import { findUnsafe } from '@tocsin/contract'
import { parseForeignJson } from '../base/foreign-json.ts'
import { isObject } from '../base/json.ts'
import type { Door } from '../outbound/door.ts'

export type AbiServiceName = 'sourcify' | 'etherscan' | 'blockscout'
export type AbiServicesConfig = Readonly<{
  /** The services, in the order in which they are asked. */
  order: readonly AbiServiceName[]
  sourcifyUrl: string
  etherscan: Readonly<{ url: string; apiKey?: string | undefined }>
  /** The Blockscout of each chain id. */
  blockscoutUrls: Readonly<Record<string, string>>
}>

/** Returns undefined if the service does not know the contract; throws `Failed` or an UpstreamError if it cannot say. */
export type AskService = (get: GetJson, chainId: string, address: string) => Promise<VerifiedContract | undefined>

/** The service answered, but not with what its API promises. The message never holds a key. */
export class Failed extends Error {}

/** `status` is that of HTTP. `body` is undefined if the answer is not JSON. */
type GetJson = (url: URL) => Promise<{ status: number; body: unknown }>

/** An ABI with its documentation takes less than 1 MB; source files make an answer of Etherscan longer. */
const responseBytesMax = 5 * 1024 * 1024

export function getJson(door: Door, timeoutMs: number): GetJson {
  return async (url) => {
    const headers = { accept: 'application/json' }
    const { status, text } = await door.fetch(url.href, { headers, timeoutMs, responseBytesMax, staysAtOrigin: true })
    return { status, body: await parse(text) }
  }
}

async function parse(text: string): Promise<unknown> {
  try {
    return await parseForeignJson(text)
  } catch {
    return undefined
  }
}

/** The answer to a request that was not understood, or for which the service was not in a state to answer. */
export function failed(status: number, body: unknown): Failed {
  if (status === 429) return new Failed('it asks to be called less often')
  if (status >= 400) return new Failed(`it answered HTTP ${status}`)
  return new Failed(body === undefined ? 'its answer is not JSON' : 'its answer is not that of its API')
}

/** The ABI of a contract as a service has it. `documentation` has a text for each signature of an event or function. */
export type VerifiedContract = {
  abi: Record<string, unknown>[]
  name?: string
  documentation?: Record<string, string>
}

const nameLengthMax = 256
const itemsMax = 5_000

/** Undefined if the value is no list of ABI items. Some services send the list as text. Items that nest too deep are left out. */
export function readAbiItems(value: unknown): Record<string, unknown>[] | undefined {
  const list = typeof value === 'string' ? parseList(value) : value
  if (!Array.isArray(list) || !list.every(isObject)) return undefined
  return list.slice(0, itemsMax).filter((item) => findUnsafe(item) === undefined)
}

export function readName(value: unknown): { name?: string } {
  if (typeof value !== 'string' || value.trim() === '') return {}
  return { name: value.trim().slice(0, nameLengthMax).toWellFormed() }
}

function parseList(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
