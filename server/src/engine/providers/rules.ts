import type { Issue, Provider } from '@tocsin/contract'
import type { ValueShape } from '../sources/value-shape.ts'
import type { Call, ProviderOf } from './context.ts'

/** What a provider does, with the fields of one definition or of its rendered form. */
export type ProviderRules = {
  call(call: Call): Promise<unknown>
  /** The request as its author may see it: header values, query values and keys in URLs are masked. */
  describe?(): Record<string, unknown> | undefined
  /** The issues of a definition, apart from its scripts and placeholders. */
  check?(path: string): Issue[] | Promise<Issue[]>
  /** The shapes that its result can have; undefined if they are not known. */
  shapes?(): readonly ValueShape[] | Promise<readonly ValueShape[] | undefined>
  /** It only reads, so equal reads of one block are made once. */
  isRead: boolean
  /** What it uses of a run's budget, if its definition does not say it. */
  weight: number
  /** A field with JavaScript, which is checked as such. */
  script?: 'source'
  /** What the result depends on besides the request. */
  scopeOf?(call: Call): unknown[]
  /** Adds what depends on the time of the item to a result that runs share. */
  atTime?(value: unknown, nowMs: number): unknown
  /** Why it cannot use secrets, or be cached. */
  whyNoSecrets?: string
  whyNoCache?: string
}

/** Undefined for a provider of another type. */
export type MakeRules = (provider: Provider) => ProviderRules | undefined

/** One type of provider, in a file of its own. */
export function providerRules<Type extends Provider['type']>(
  type: Type,
  make: (provider: ProviderOf<Type>) => ProviderRules,
): MakeRules {
  return (provider) => (isOfType(provider, type) ? make(provider) : undefined)
}

function isOfType<Type extends Provider['type']>(provider: Provider, type: Type): provider is ProviderOf<Type> {
  return provider.type === type
}
