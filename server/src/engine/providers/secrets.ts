import type { Provider } from '@tocsin/contract'
import { referencesIn } from '../base/placeholders.ts'

/** Reads the project's secrets when a provider first needs one. */
export type OpenSecrets = () => Promise<Record<string, string>>
export type Secrets = Record<string, string>

/** Reads the secrets at most once for all providers of a run. */
export function openSecretsOnce(open: OpenSecrets): OpenSecrets {
  let opened: Promise<Secrets> | undefined
  return () => (opened ??= open())
}

/** Returns the secrets that a definition uses. Undefined, without a read, if it uses none. */
export async function openSecretsFor(
  definition: Provider,
  open: OpenSecrets | undefined,
): Promise<Secrets | undefined> {
  const names = secretNames(definition)
  if (names.length === 0) return undefined
  const all = open ? await open() : {}
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
}

const namesByDefinition = new WeakMap<Provider, string[]>()

/** Lists the secrets in the placeholders of any field. Cached, because a definition is long-lived and may hold a large IDL. */
export function secretNames(definition: Provider): string[] {
  const names =
    namesByDefinition.get(definition) ??
    referencesIn(definition).flatMap(({ segments: [root, name] }) => (root === 'secrets' && name ? [name] : []))
  namesByDefinition.set(definition, names)
  return names
}

const mask = '***'
/** Shorter values are not masked: they are hardly secrets, and masking them would change unrelated text. */
const maskedLengthMin = 4

/** Masks the values of secrets in every text: plain, URL-encoded, and JSON-encoded. */
export function maskSecrets<T>(value: T, secrets: Secrets | undefined): T {
  const texts = Object.values(secrets ?? {})
    .filter((text) => text.length >= maskedLengthMin)
    .flatMap((text) => [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)])
  if (texts.length === 0) return value
  // The longest first, because a secret may be the beginning of another one.
  texts.sort((a, b) => b.length - a.length)
  return maskWithin(value, texts) as T
}

function maskWithin(value: unknown, texts: readonly string[]): unknown {
  if (typeof value === 'string') return texts.reduce((masked, text) => masked.replaceAll(text, mask), value)
  if (Array.isArray(value)) return value.map((inner) => maskWithin(inner, texts))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([key, inner]) => [maskWithin(key, texts), maskWithin(inner, texts)])
  return Object.fromEntries(fields)
}
