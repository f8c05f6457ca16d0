import { type Idl, type Item, referencesIn } from './read-idl.ts'

/** The items of an IDL that have to be decoded. */
export type Wanted = { events: Item[]; instructions: Item[]; accounts: Item[] }
export type IdlPart = Record<string, unknown> & Wanted & { types: Item[] }

/** Native programs such as the token program have no events, so their instructions are used instead. */
export function wantedEvents(idl: Idl, event: string | undefined): Wanted {
  const events = named(idl.events, event)
  return { events, instructions: events.length === 0 ? named(idl.instructions, event) : [], accounts: [] }
}

export function wantedInstructions(idl: Idl, instruction: string | undefined): Wanted {
  return { events: [], instructions: named(idl.instructions, instruction), accounts: [] }
}

export function wantedAccounts(idl: Idl, accountName: string | undefined): Wanted {
  return { events: [], instructions: [], accounts: named(idl.accounts, accountName) }
}

/** Reduces the IDL to the wanted items and the types that they use, because building a large IDL takes long. */
export function findIdlPart(idl: Idl, wanted: Wanted): IdlPart {
  const byName = new Map(idl.types.map((type) => [type.name, type]))
  const types = new Set<Item>()
  const roots = [...wanted.events, ...wanted.instructions, ...wanted.accounts]
  // In the new format an event or account has its fields in the type of the same name.
  const open = roots.flatMap((root) => [root.name, ...referencesIn(root)])
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const type = byName.get(name)
    if (!type || types.has(type)) continue
    types.add(type)
    open.push(...referencesIn(type))
  }
  return { ...idl.whole, ...wanted, types: [...types], errors: [], constants: [] }
}

/** Without a name, all items. Old IDLs use camel case, new ones snake case, Rust Pascal case: all spellings match. */
function named(items: Item[], name: string | undefined): Item[] {
  return name === undefined ? items : items.filter((item) => fold(item.name) === fold(name))
}

function fold(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}
