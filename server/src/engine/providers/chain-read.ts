import type { Provider } from '@tocsin/contract'
import { UpstreamError } from '../outbound/upstream-error.ts'
import { type Call, ProviderFailure } from './context.ts'

type ChainRead = Exclude<Provider, { type: 'http' | 'graphql' | 'rpc' | 'javascript' | 'state_window' }>

/** Reads the chain through its connection. It only chooses the network and the block; the chain's folder knows the rest. */
export async function readChain(provider: ChainRead, call: Call): Promise<unknown> {
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
