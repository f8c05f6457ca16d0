import { type ProviderForm, providerOfType, providers } from '@tocsin/contract'
import type { Fields } from './definition.ts'

/** What the builder offers. The two transports of `rpc` are two forms. */
export const providerForms: readonly ProviderForm[] = providers.flatMap(({ forms }) => [...forms])

export function providerFormOf(provider: Fields): ProviderForm | undefined {
  return providerOfType(provider.type)?.forms.find(({ isFor }) => isFor?.(provider) ?? true)
}
