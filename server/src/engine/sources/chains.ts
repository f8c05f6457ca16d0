/** The list of chains. A new chain is one folder beside the others and one line here. */
import type { Issue, Provider, SourceKind } from '@tocsin/contract'
import type { Chain, FindNames } from './chain.ts'
import type { ChainRules } from './chain-rules.ts'
import { evmRules } from './evm/rules.ts'
import { solanaRules } from './solana/rules.ts'
import { substrateRules } from './substrate/rules.ts'

/** A chain's rules are loaded at the start. The chain itself is loaded when one of its sources is first used. */
export type ListedChain = {
  rules: ChainRules
  load(): Promise<Chain>
  /** Only on chains with a name service. */
  loadFindNames?(): Promise<FindNames>
}

export const chains = new Map<SourceKind, ListedChain>([
  [
    'evm',
    {
      rules: evmRules,
      load: async () => (await import('./evm/index.ts')).evm,
      loadFindNames: async () => (await import('./evm/look-up/names.ts')).findNames,
    },
  ],
  ['substrate', { rules: substrateRules, load: async () => (await import('./substrate/index.ts')).substrate }],
  ['solana', { rules: solanaRules, load: async () => (await import('./solana/index.ts')).solana }],
])

export function loadChain(kind: SourceKind): Promise<Chain> {
  return requireChain(kind).load()
}

export function rulesOf(kind: SourceKind): ChainRules {
  return requireChain(kind).rules
}

export function requireChain(kind: SourceKind): ListedChain {
  const listed = chains.get(kind)
  if (!listed) throw new Error(`there is no chain ${kind}`)
  return listed
}

/** Undefined for a spec that belongs to no chain, such as a timer's. */
export function rulesOfSpec(type: string): ChainRules | undefined {
  return listRules().find(({ specs }) => Object.hasOwn(specs, type))
}

/** Undefined for a provider that reads no chain. */
export function rulesOfRead(type: string): ChainRules | undefined {
  return listRules().find(({ reads }) => Object.hasOwn(reads, type))
}

/** Checks a provider that reads a chain. Several chains may have its type; then it must be valid for one of them. */
export async function checkRead(provider: Provider, path: string): Promise<Issue[]> {
  const all: Issue[][] = []
  for (const { reads, checkRead } of listRules())
    if (Object.hasOwn(reads, provider.type)) all.push(await checkRead(provider, path))
  const [first = []] = all
  if (all.length < 2 || all.some((issues) => issues.length === 0)) return all.length < 2 ? first : []
  return first.map(({ path }) => ({
    path,
    message: 'must be an address, a mint, the number of an asset or a placeholder',
  }))
}

/** Without a kind: true if any chain has this reading method. No two chains share a name. */
export function isReadingMethod(method: string, kind?: SourceKind): boolean {
  return kind ? rulesOf(kind).isReadingMethod(method) : listRules().some((rules) => rules.isReadingMethod(method))
}

/** The message for a method that a source does not offer to this caller; undefined when it does. */
export function whyNotServed(method: string, allowMethods: readonly string[], kind?: SourceKind): string | undefined {
  if (isReadingMethod(method, kind) || allowMethods.includes(method)) return undefined
  const shown = method.length > 80 ? `${method.slice(0, 80)}…` : method
  return `"${shown}" is not a reading method of the data source; its developers can add it to the source's allowMethods for triggers of its workspace`
}

export function listRules(): ChainRules[] {
  return [...chains.values()].map(({ rules }) => rules)
}
