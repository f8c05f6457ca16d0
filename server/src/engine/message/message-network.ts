import type { SourceItem } from '../base/source-item.ts'
import type { Call } from '../render/ast.ts'
import { findCalls } from '../render/find-calls.ts'
import type { ShownNetwork } from '../render/index.ts'
import { explorerLink, type NetworkFacts, nativeToken } from '../sources/network-facts.ts'
import type { Templates } from './templates.ts'
import type { ShownToken } from './token-table.ts'

/** The network of some items, with the metadata of the tokens that their messages show. */
export type MessageNetwork = {
  facts: NetworkFacts
  /** Undefined if the token could not be read. */
  tokenOf(contract: string): ShownToken | undefined
}

/** The name of the native currency in the helper `token`. */
const native = 'native'

/** The network as the templates of one item see it. */
export function networkOfItem({ facts, tokenOf }: MessageNetwork, item: SourceItem): ShownNetwork {
  return {
    linkTo: (value) => explorerLink(facts, value),
    tokenOf(token = contractOf(item)) {
      if (token === undefined) return undefined
      return token === native ? nativeToken(facts) : tokenOf(token)
    },
  }
}

/** The contract of an EVM log or call. Other items have none, so their templates name the token. */
export function contractOf({ address }: SourceItem): string | undefined {
  return typeof address === 'string' ? address : undefined
}

/** How templates use the network: not at all, its explorer alone, the contract of the item, or other tokens too. */
export type NetworkUse = 'none' | 'explorer' | 'item-token' | 'any-token'

export function networkUseOf({ links = [], ...texts }: Templates): NetworkUse {
  const calls = [...Object.values(texts), ...links.flatMap(({ title, url }) => [title, url])].flatMap(findCalls)
  const tokens = calls.filter(({ name }) => name === 'token')
  if (tokens.some(({ call }) => namesToken(call))) return 'any-token'
  if (tokens.length > 0) return 'item-token'
  return calls.some(({ name }) => name === 'explorer') ? 'explorer' : 'none'
}

function namesToken({ params, hash }: Call): boolean {
  return params.length > 1 || (hash?.pairs ?? []).some(({ key }) => key === 'token')
}
