import type { Provider } from '@tocsin/contract'
import { referencesIn } from '../base/placeholders.ts'

/** The project's secrets, read when the first provider of a run names one. */
export type OpenSecrets = () => Promise<Record<string, string>>
export type Secrets = Record<string, string>

/** Reads them at most once, however many providers ask. */
export function openSecretsOnce(open: OpenSecrets): OpenSecrets {
  let opened: Promise<Secrets> | undefined
  return () => (opened ??= open())
}

/** The secrets that a definition names; undefined where it names none, and then nothing is read. */
export async function secretsFor(definition: Provider, open: OpenSecrets | undefined): Promise<Secrets | undefined> {
  const names = secretNames(definition)
  if (names.length === 0) return undefined
  const all = open ? await open() : {}
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
}

const known = new WeakMap<Provider, string[]>()

/** By the placeholders in any field, wherever they are. Definitions live long and may hold a large IDL. */
export function secretNames(definition: Provider): string[] {
  const names =
    known.get(definition) ??
    referencesIn(definition).flatMap(({ segments: [root, name] }) => (root === 'secrets' && name ? [name] : []))
  known.set(definition, names)
  return names
}

const mask = '***'
/** Anything shorter is no secret, and masking it would garble what has nothing to do with it. */
const maskedLengthMin = 4

/** Replaces the values of secrets in every text: as they are, inside a URL, and inside JSON. */
export function maskSecrets<T>(value: T, secrets: Secrets | undefined): T {
  const texts = Object.values(secrets ?? {})
    .filter((text) => text.length >= maskedLengthMin)
    .flatMap((text) => [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)])
  if (texts.length === 0) return value
  // The longest first: a secret may be the beginning of another.
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
