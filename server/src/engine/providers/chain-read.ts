import type { Provider } from '@tocsin/contract'
import { UpstreamError } from '../outbound/upstream-error.ts'
import { type Call, ProviderFailure } from './context.ts'

type ChainRead = Exclude<Provider, { type: 'http' | 'graphql' | 'rpc' | 'javascript' | 'state_window' }>

/** The chain's own folder knows how to read it; here is only which network, and at which block. */
export async function readChain(provider: ChainRead, call: Call): Promise<unknown> {
  const { context } = call
  const connection = await context.connection(provider.source)
  // Another network's blocks are not this item's.
  const at = provider.source === undefined ? context.at : undefined
  try {
    return await connection.read(provider, at)
  } catch (error) {
    // Codecs refuse arguments and answers in errors of their own; both come from outside.
    if (error instanceof UpstreamError || !(error instanceof Error)) throw error
    throw new ProviderFailure(`could not be read: ${error.message.slice(0, 300)}`)
  }
}
