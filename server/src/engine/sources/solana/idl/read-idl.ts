import { isObject, parseJson } from '../../../base/json.ts'

/** The parts of an Anchor IDL, in the old or the new format, that triggers need. */
export type Idl = {
  whole: Record<string, unknown>
  events: Item[]
  accounts: Item[]
  instructions: Item[]
  types: Item[]
}
export type Item = Record<string, unknown> & { name: string }
export type ReadIdl = { ok: true; idl: Idl } | { ok: false; message: string }

const primitives = new Set(
  ['bool', 'string', 'bytes', 'pubkey', 'publicKey', 'shortU16', 'usize', 'isize', 'f32', 'f64'].concat(
    ['8', '16', '32', '64', '128', '256'].flatMap((bits) => [`u${bits}`, `i${bits}`]),
  ),
)

export function readIdl(sent: unknown): ReadIdl {
  const whole = typeof sent === 'string' ? parseText(sent) : sent
  if (!isObject(whole)) return refused('it must be an object or its JSON text')
  // A fragment with only the events, or only the accounts, is enough to decode them.
  if (![whole.instructions, whole.events, whole.accounts].some(Array.isArray))
    return refused('it has no list of instructions, events or accounts')
  const sections = ['instructions', 'events', 'accounts', 'types']
  const broken = sections.find((section) => !isItems(whole[section] ?? []))
  if (broken) return refused(`${broken} must be a list of named items`)
  const [instructions = [], events = [], accounts = [], types = []] = sections.map((section) => itemsOf(whole[section]))
  const idl = { whole: withFormat(whole), instructions, events, accounts, types }
  const shapeless = [...accounts, ...types].find(({ type }) => type !== undefined && !isObject(type))
  if (shapeless) return refused(`${shapeless.name.slice(0, 80)} must describe its type by an object`)
  const unknown = unknownType(idl)
  return unknown === undefined ? { ok: true, idl } : refused(`it has an unknown type ${unknown.slice(0, 80)}`)
}

/**
 * Decoders recognise the new format by `metadata.spec`, which a shortened IDL often lacks. Only the new format has
 * discriminators.
 */
function withFormat(whole: Record<string, unknown>): Record<string, unknown> {
  const metadata = isObject(whole.metadata) ? whole.metadata : {}
  const parts = [whole.instructions, whole.events, whole.accounts].flatMap(itemsOf)
  const isNew = metadata.spec === undefined && parts.some((item) => Array.isArray(item.discriminator))
  return isNew ? { ...whole, metadata: { name: 'program', version: '0.0.0', ...metadata, spec: '0.1.0' } } : whole
}

/** The types that a part of an IDL refers to: `{defined: name}` in the old format, `{defined: {name}}` in the new one. */
export function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  if (!isObject(value)) return []
  const { defined } = value
  if (typeof defined === 'string') return [defined]
  if (isObject(defined) && typeof defined.name === 'string') return [defined.name, ...referencesIn(defined.generics)]
  return Object.values(value).flatMap(referencesIn)
}

function unknownType(idl: Idl): string | undefined {
  const parts = [...idl.instructions, ...idl.events, ...idl.accounts, ...idl.types]
  const defined = new Set([...idl.types, ...idl.accounts, ...idl.events].map((item) => item.name))
  return (
    parts.flatMap(referencesIn).find((name) => !defined.has(name)) ??
    parts.flatMap(fieldTypesIn).find((name) => !primitives.has(name))
  )
}

/** The plain types of fields and arguments. Elsewhere in an IDL `type` has other meanings. */
function fieldTypesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(fieldTypesIn)
  if (!isObject(value)) return []
  const members = [value.fields, value.args].flatMap((list) => (Array.isArray(list) ? list : []))
  const bare = members.flatMap((member) => (isObject(member) && typeof member.type === 'string' ? [member.type] : []))
  return [...bare, ...Object.values(value).flatMap(fieldTypesIn)]
}

function parseText(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function isItems(list: unknown): list is Item[] {
  return (
    Array.isArray(list) && list.every((item) => isObject(item) && typeof item.name === 'string' && item.name !== '')
  )
}

function itemsOf(list: unknown): Item[] {
  return isItems(list) ? list : []
}

function refused(why: string): ReadIdl {
  return { ok: false, message: `is not an Anchor IDL: ${why}` }
}
