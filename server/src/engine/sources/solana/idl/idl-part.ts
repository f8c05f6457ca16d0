import { type Idl, type Item, referencesIn } from './read-idl.ts'

/** What of an IDL is to be decoded. */
export type Wanted = { events: Item[]; instructions: Item[]; accounts: Item[] }
export type IdlPart = Record<string, unknown> & Wanted & { types: Item[] }

/** A native program such as the token program has no events; its instructions stand for them. */
export function wantedEvents(idl: Idl, event: string | undefined): Wanted {
  const events = named(idl.events, event)
  return { events, instructions: events.length === 0 ? named(idl.instructions, event) : [], accounts: [] }
}

export function wantedAccounts(idl: Idl, accountName: string | undefined): Wanted {
  return { events: [], instructions: [], accounts: named(idl.accounts, accountName) }
}

/** The IDL cut down to what is wanted and the types that this reaches: building all of a large one takes long. */
export function partOf(idl: Idl, wanted: Wanted): IdlPart {
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

/** Without a name, all. Old IDLs write names in camel case, new ones in snake case, Rust in Pascal case: all mean the same. */
function named(items: Item[], name: string | undefined): Item[] {
  return name === undefined ? items : items.filter((item) => fold(item.name) === fold(name))
}

function fold(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}
