import { isObject } from '../../../base/json.ts'
import type { DescribedField } from '../../connection.ts'
import { findIdlPart, findIdlType, type IdlPart, wantedEvents, wantedInstructions } from './idl-part.ts'
import { type Idl, type Item, readIdl } from './read-idl.ts'

/** An event or an instruction of an IDL, with the part of the IDL that decodes it. */
export type IdlEntry = {
  name: string
  docs: string[]
  fields: DescribedField[]
  /** The accounts of an instruction. */
  accounts: string[]
  idl(): IdlPart
}
export type IdlEntries =
  | { ok: true; programName: string | undefined; events: IdlEntry[]; instructions: IdlEntry[] }
  | { ok: false; message: string }

/** Lists what triggers can watch of a program. */
export function idlEntries(sent: unknown): IdlEntries {
  const read = readIdl(sent)
  if (!read.ok) return read
  const { idl } = read
  return {
    ok: true,
    programName: programNameOf(idl),
    events: idl.events.map((event) => ({
      ...described(event, fieldsOfEvent(idl, event)),
      idl: () => findIdlPart(idl, wantedEvents(idl, event.name)),
    })),
    instructions: idl.instructions.map((instruction) => ({
      ...described(instruction, membersOf(instruction.args)),
      accounts: membersOf(instruction.accounts).map(({ name }) => name ?? ''),
      idl: () => findIdlPart(idl, wantedInstructions(idl, instruction.name)),
    })),
  }
}

function described({ name, docs }: Item, fields: DescribedField[]): Omit<IdlEntry, 'idl'> {
  const lines = Array.isArray(docs) ? docs.filter((line) => typeof line === 'string') : []
  return { name, docs: lines, fields, accounts: [] }
}

/** In the new format an event has its fields in the type of the same name. */
function fieldsOfEvent(idl: Idl, event: Item): DescribedField[] {
  if (Array.isArray(event.fields)) return membersOf(event.fields)
  const type = findIdlType(idl, event.name)?.type
  return isObject(type) ? membersOf(type.fields) : []
}

/** Groups of accounts, which have accounts of their own, are left out. */
function membersOf(list: unknown): DescribedField[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((member) => {
    if (!isObject(member) || typeof member.name !== 'string' || Array.isArray(member.accounts)) return []
    const type = typeof member.type === 'string' ? member.type : 'object'
    const shape = shapeOf(type)
    return [{ name: member.name, type, ...(shape && { shape }) }]
  })
}

const smallIntegers = /^[iu](?:8|16|32)$/
const bigIntegers = /^[iu](?:64|128|256)$/

function shapeOf(type: string): DescribedField['shape'] {
  if (type === 'pubkey' || type === 'publicKey') return { address: 'solana' }
  if (type === 'bool') return 'boolean'
  if (type === 'string' || type === 'bytes') return 'text'
  if (smallIntegers.test(type)) return 'integer'
  return bigIntegers.test(type) ? 'big-integer' : undefined
}

/** The new format has it in the metadata, the old one at the top. */
function programNameOf({ whole }: Idl): string | undefined {
  const { name } = isObject(whole.metadata) && typeof whole.metadata.name === 'string' ? whole.metadata : whole
  return typeof name === 'string' && name !== '' ? name : undefined
}
