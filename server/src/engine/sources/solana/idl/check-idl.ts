import type { Issue } from '@tocsin/contract'
import { whyNotDecodable } from './decodable-idl.ts'
import { wantedAccounts, wantedEvents } from './idl-part.ts'
import { readIdl } from './read-idl.ts'

/** Checks that the IDL parses and contains the event that it has to decode. */
export async function checkEventIdl(sent: unknown, event: string | undefined, path: string): Promise<Issue[]> {
  const read = readIdl(sent)
  if (!read.ok) return [{ path: `${path}.idl`, message: read.message }]
  const wanted = wantedEvents(read.idl, event)
  if (event !== undefined && wanted.events.length + wanted.instructions.length === 0) {
    return [{ path: `${path}.event`, message: `the IDL has no event ${event.slice(0, 80)}` }]
  }
  const problem = await whyNotDecodable(read.idl, wanted)
  return problem ? [{ path: `${path}.idl`, message: problem }] : []
}

export async function checkAccountIdl(sent: unknown, accountName: string | undefined, path: string): Promise<Issue[]> {
  const read = readIdl(sent)
  if (!read.ok) return [{ path: `${path}.idl`, message: read.message }]
  const wanted = wantedAccounts(read.idl, accountName)
  if (accountName !== undefined && wanted.accounts.length === 0) {
    return [{ path: `${path}.accountName`, message: `the IDL has no account ${accountName.slice(0, 80)}` }]
  }
  const problem = await whyNotDecodable(read.idl, wanted)
  return problem ? [{ path: `${path}.idl`, message: problem }] : []
}
