import type { Defaults, Overrides } from '@tocsin/contract'

export type Templates = Omit<Defaults, 'delivery'>

/** Each field of the subscription's overrides replaces the trigger's default. */
export function templatesOf(defaults: unknown, overrides: Overrides): Templates {
  const { delivery: _delivery, ...texts } = (defaults ?? {}) as Defaults
  return { ...texts, ...overrides }
}
