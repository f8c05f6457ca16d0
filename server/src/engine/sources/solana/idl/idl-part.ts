import { isObject } from '../../../base/json.ts'
import { type Idl, type Item, referencesIn } from './read-idl.ts'

/** The items of an IDL that have to be decoded. */
export type Wanted = { events: Item[]; instructions: Item[]; accounts: Item[] }
export type IdlPart = Record<string, unknown> & Wanted & { types: Item[] }

/** Native programs such as the token program have no events, so their instructions are used instead. */
export function wantedEvents(idl: Idl, event: string | undefined): Wanted {
  const events = named(idl, 'events', event)
  return { events, instructions: events.length === 0 ? named(idl, 'instructions', event) : [], accounts: [] }
}

export function wantedInstructions(idl: Idl, instruction: string | undefined): Wanted {
  return { events: [], instructions: named(idl, 'instructions', instruction), accounts: [] }
}

export function wantedAccounts(idl: Idl, accountName: string | undefined): Wanted {
  return { events: [], instructions: [], accounts: named(idl, 'accounts', accountName) }
}

/** Reduces the IDL to the wanted items and the types that they use, because building a large IDL takes long. */
export function findIdlPart(idl: Idl, wanted: Wanted): IdlPart {
  const { typesByName } = namesOf(idl)
  const types = new Set<Item>()
  const roots = [...wanted.events, ...wanted.instructions, ...wanted.accounts]
  // In the new format an event or account has its fields in the type of the same name.
  const open = roots.flatMap((root) => [root.name, ...referencesIn(root)])
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const type = typesByName.get(name)
    if (!type || types.has(type)) continue
    types.add(type)
    for (const reference of referencesIn(type)) open.push(reference)
  }
  return { ...headOf(idl), ...wanted, types: [...types], errors: [], constants: [] }
}

export function findIdlType(idl: Idl, name: string): Item | undefined {
  return namesOf(idl).typesByName.get(name)
}

type Section = 'events' | 'instructions' | 'accounts'

/** Without a name, all items. Old IDLs use camel case, new ones snake case, Rust Pascal case: all spellings match. */
function named(idl: Idl, section: Section, name: string | undefined): Item[] {
  return name === undefined ? idl[section] : (namesOf(idl)[section].get(fold(name)) ?? [])
}

type Names = Record<Section, ReadonlyMap<string, Item[]>> & { typesByName: ReadonlyMap<string, Item> }

/** An import looks up each item of an IDL, so the items are grouped by name once. */
const namesByIdl = new WeakMap<Idl, Names>()

function namesOf(idl: Idl): Names {
  const byFold = (items: Item[]) => Map.groupBy(items, ({ name }) => fold(name))
  const names = namesByIdl.get(idl) ?? {
    events: byFold(idl.events),
    instructions: byFold(idl.instructions),
    accounts: byFold(idl.accounts),
    typesByName: new Map(idl.types.map((type) => [type.name, type])),
  }
  namesByIdl.set(idl, names)
  return names
}

function fold(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}

const textMax = 300

/** What the decoders need to know of the program. Each draft of an import has a part, so it holds nothing else of the IDL. */
function headOf({ whole }: Idl): Record<string, unknown> {
  const { metadata, ...others } = whole
  return { ...shortTexts(others), ...(isObject(metadata) && { metadata: shortTexts(metadata) }) }
}

function shortTexts(fields: Record<string, unknown>): Record<string, unknown> {
  const names = ['address', 'name', 'version', 'spec', 'origin']
  const kept = names.flatMap((name) => {
    const value = fields[name]
    return typeof value === 'string' && value.length <= textMax ? [[name, value]] : []
  })
  return Object.fromEntries(kept)
}
