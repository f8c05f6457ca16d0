import type { Explorer, NativeCurrency, SourceKind } from '@tocsin/contract'
import { isObject } from '../base/json.ts'
import type { NetworkIdentity } from './chain-rules.ts'
import { chains, rulesOf } from './chains.ts'

/** What people see of the network of a source. */
export type NetworkFacts = {
  kind: SourceKind
  networkName?: string
  explorer?: Explorer
  nativeCurrency?: NativeCurrency
}
type OwnFacts = { explorer?: Explorer | undefined; nativeCurrency?: NativeCurrency | undefined }

/** What a source sets for itself comes before what the service knows of its network. */
export function networkFacts(kind: SourceKind, identity: NetworkIdentity, own: OwnFacts = {}): NetworkFacts {
  const known = rulesOf(kind).knownNetwork?.(identity)
  const explorer = own.explorer ?? known?.explorer
  const nativeCurrency = own.nativeCurrency ?? known?.nativeCurrency
  return {
    kind,
    ...(known && { networkName: known.name }),
    ...(explorer && { explorer }),
    ...(nativeCurrency && { nativeCurrency }),
  }
}

/** The symbol and decimals of the native currency; undefined if they are not known. */
export function nativeToken({
  kind,
  nativeCurrency,
}: NetworkFacts): { symbol: string | null; decimals: number } | undefined {
  return nativeCurrency ?? rulesOf(kind).usualCurrency
}

/**
 * The page of a transaction, an address or a block in the explorer of the network. A number, or an object with the number
 * or slot of a block, is a block. Undefined for anything else, and if the network has no explorer.
 */
export function explorerLink(facts: NetworkFacts, value: unknown): string | undefined {
  const shown = isObject(value) ? (value.number ?? value.slot) : value
  if (typeof shown !== 'string' && typeof shown !== 'number') return undefined
  const text = String(shown)
  const page = explorerPatterns(facts).find(({ pattern }) => new RegExp(pattern, 'i').test(text))
  return page && `${page.before}${text}${page.after}`
}

function pageUrl({ url }: Explorer, page: string, value: string): string {
  const link = new URL(url)
  link.pathname = `${link.pathname.replace(/(?<!\/)\/+$/, '')}/${page}/${value}`
  return link.href
}

/** The explorer's pages as patterns of values, in the order in which they are tried. */
export function explorerPatterns({
  kind,
  explorer,
}: NetworkFacts): { pattern: string; before: string; after: string }[] {
  const pages = chains.get(kind)?.rules.explorerPages
  if (!explorer || !pages) return []
  const page = (name: string, pattern: string) => {
    const [before = '', after = ''] = pageUrl(explorer, name, placeholder).split(placeholder)
    return { pattern, before, after }
  }
  return [
    page(pages.block, '^\\d{1,15}$'),
    page(pages.transaction, pages.transactionPattern),
    page(pages.address, pages.addressPattern),
  ]
}

const placeholder = 'VALUE'
