import type { ChainDescription, SourceKind, SpecDescription } from '@tocsin/contract'

/** The chains of the service, as they describe themselves. They are loaded before the first page of a session is shown. */
let known: readonly ChainDescription[] = []

export function setChains(chains: readonly ChainDescription[]): void {
  known = chains
}

export function listChains(): readonly ChainDescription[] {
  return known
}

/** The chain that forms start with. */
export function firstChain(): ChainDescription {
  const [first] = known
  if (!first) throw new Error('The chains are not loaded yet.')
  return first
}

/** Undefined for a timer. */
export function chainOf(kind: string | undefined): ChainDescription | undefined {
  return known.find((chain) => chain.kind === kind)
}

export function chainTitle(kind: string): string {
  return chainOf(kind)?.title ?? kind
}

/** The chain and the description of a type of triggerSpec; undefined for a timer and a stream. */
export function specOf(type: string): { chain: ChainDescription; spec: SpecDescription } | undefined {
  for (const chain of known) {
    const spec = chain.specs.find((each) => each.type === type)
    if (spec) return { chain, spec }
  }
  return undefined
}

/** The kinds of chains as the options of an input. */
export function chainOptions(): { value: SourceKind; label: string }[] {
  return known.map(({ kind, title }) => ({ value: kind, label: title }))
}
