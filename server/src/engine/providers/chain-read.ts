import type { Provider } from '@tocsin/contract'
import { UpstreamError } from '../outbound/upstream-error.ts'
import { checkRead, rulesOfRead } from '../sources/chains.ts'
import { objectShape, type ValueShape } from '../sources/value-shape.ts'
import { type Call, ProviderFailure, type ProviderOf } from './context.ts'
import { type MakeRules, type ProviderRules, providerRules } from './rules.ts'

type ChainReadType = Exclude<Provider['type'], 'http' | 'graphql' | 'rpc' | 'javascript' | 'state_window'>
type ChainRead = ProviderOf<ChainReadType>

/** The results that are the same for every contract and chain. */
const results: Partial<Record<ChainReadType, readonly ValueShape[]>> = {
  token_metadata: [objectShape('metadata of a token', ['address', 'name', 'symbol', 'decimals', 'standard'])],
  price: [objectShape('price', ['value', 'updatedAt', 'ageMs', 'isStale', 'roundId'])],
  block_at: [objectShape('block', ['number', 'hash', 'timestampMs'])],
}

/** A provider that reads the chain. The folders of the chains know how, and which fields a log may show. */
export function chainRead(type: ChainReadType): MakeRules {
  return providerRules<ChainReadType>(type, rulesOfChainRead)
}

export function rulesOfChainRead(provider: ChainRead): ProviderRules {
  return {
    call: (call) => readChain(provider, call),
    describe() {
      const fields = rulesOfRead(provider.type)?.reads[provider.type]
      return fields && pick(provider, fields)
    },
    check: (path) => checkRead(provider, path),
    shapes: async () => results[provider.type] ?? (await rulesOfRead(provider.type)?.resultShapes?.(provider)),
    isRead: true,
    weight: 1,
  }
}

/** Reads the chain through its connection. It only chooses the network and the block; the chain's folder knows the rest. */
async function readChain(provider: ChainRead, call: Call): Promise<unknown> {
  const { context } = call
  const connection = await context.connection(provider.source)
  // The item's block exists only on its own network.
  const at = provider.source === undefined ? context.at : undefined
  try {
    return await connection.read(provider, at)
  } catch (error) {
    // Codecs throw their own errors for invalid arguments and answers. Both are input, not bugs.
    if (error instanceof UpstreamError || !(error instanceof Error)) throw error
    throw new ProviderFailure(`could not be read: ${error.message.slice(0, 300)}`)
  }
}

function pick(provider: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(provider).filter(([name, value]) => names.includes(name) && value !== undefined),
  )
}
