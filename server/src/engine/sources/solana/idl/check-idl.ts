import type { Issue } from '@tocsin/contract'
import { whyNotDecodable } from './decodable-idl.ts'
import { type Wanted, wantedAccounts, wantedEvents, wantedInstructions } from './idl-part.ts'
import { type Idl, readIdl } from './read-idl.ts'

/** Checks that the IDL parses and contains the event that it has to decode. */
export function checkEventIdl(sent: unknown, event: string | undefined, path: string): Promise<Issue[]> {
  return checkIdl(sent, path, (idl) => wantedEvents(idl, event), { field: 'event', what: 'event', name: event })
}

/** An IDL without any instruction would never match. */
export async function checkInstructionIdl(sent: unknown, name: string | undefined, path: string): Promise<Issue[]> {
  const pick = (idl: Idl) => wantedInstructions(idl, name)
  const issues = await checkIdl(sent, path, pick, { field: 'instruction', what: 'instruction', name })
  const read = readIdl(sent)
  if (issues.length > 0 || !read.ok || read.idl.instructions.length > 0) return issues
  return [{ path: `${path}.idl`, message: 'it has no instructions' }]
}

export function checkAccountIdl(sent: unknown, accountName: string | undefined, path: string): Promise<Issue[]> {
  const named = { field: 'accountName', what: 'account', name: accountName }
  return checkIdl(sent, path, (idl) => wantedAccounts(idl, accountName), named)
}

type Named = { field: string; what: string; name: string | undefined }

async function checkIdl(
  sent: unknown,
  path: string,
  pick: (idl: Idl) => Wanted,
  { field, what, name }: Named,
): Promise<Issue[]> {
  const read = readIdl(sent)
  if (!read.ok) return [{ path: `${path}.idl`, message: read.message }]
  const wanted = pick(read.idl)
  const { events, instructions, accounts } = wanted
  if (name !== undefined && events.length + instructions.length + accounts.length === 0)
    return [{ path: `${path}.${field}`, message: `the IDL has no ${what} ${name.slice(0, 80)}` }]
  const problem = await whyNotDecodable(read.idl, wanted)
  return problem ? [{ path: `${path}.idl`, message: problem }] : []
}
