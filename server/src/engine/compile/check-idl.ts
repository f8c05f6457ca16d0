import type { Issue } from '@tocsin/contract'
import { whyNotDecodable } from './decodable-idl.ts'
import { type Item, readIdl } from './read-idl.ts'

/** The IDL parses, and the event it is there to decode is in it. */
export async function checkEventIdl(sent: unknown, event: string | undefined, path: string): Promise<Issue[]> {
  const read = readIdl(sent)
  if (!read.ok) return [{ path: `${path}.idl`, message: read.message }]
  const events = named(read.idl.events, event)
  // A native program such as the token program has no events; an instruction of its IDL stands for one.
  const instructions = events.length === 0 && event !== undefined ? named(read.idl.instructions, event) : []
  if (event !== undefined && events.length + instructions.length === 0) {
    return [{ path: `${path}.event`, message: `the IDL holds no event ${event.slice(0, 80)}` }]
  }
  const problem = await whyNotDecodable(read.idl, { events, instructions, accounts: [] })
  return problem ? [{ path: `${path}.idl`, message: problem }] : []
}

export async function checkAccountIdl(sent: unknown, accountName: string | undefined, path: string): Promise<Issue[]> {
  const read = readIdl(sent)
  if (!read.ok) return [{ path: `${path}.idl`, message: read.message }]
  const accounts = named(read.idl.accounts, accountName)
  if (accountName !== undefined && accounts.length === 0) {
    return [{ path: `${path}.accountName`, message: `the IDL holds no account ${accountName.slice(0, 80)}` }]
  }
  const problem = await whyNotDecodable(read.idl, { accounts, events: [], instructions: [] })
  return problem ? [{ path: `${path}.idl`, message: problem }] : []
}

/** Without a name, all. Old IDLs write names in camel case, new ones in snake case, Rust in Pascal case: all mean the same. */
function named(items: Item[], name: string | undefined): Item[] {
  if (name === undefined) return items
  return items.filter((item) => fold(item.name) === fold(name))
}

function fold(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}
