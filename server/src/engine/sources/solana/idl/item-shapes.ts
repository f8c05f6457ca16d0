import type { TriggerSpec } from '@tocsin/contract'
import { isObject } from '../../../base/json.ts'
import { anyShape, objectShape, type ValueShape } from '../../value-shape.ts'
import { findIdlType, wantedEvents, wantedInstructions } from './idl-part.ts'
import { type Idl, type Item, readIdl } from './read-idl.ts'

/**
 * The names in `params`, or in `args` and `accounts`, of the items of a spec: one shape for each event or instruction that
 * matches. Undefined if the IDL cannot be read: its own check tells that. The types of the values are not compared.
 */
export async function itemShapes(spec: TriggerSpec): Promise<ValueShape[] | undefined> {
  if (spec.type !== 'solana_event' && spec.type !== 'solana_instruction') return undefined
  if (spec.idl === undefined)
    return [spec.type === 'solana_event' ? itemShape({ params: bytes }) : instructionOf([], [])]
  const read = readIdl(spec.idl)
  if (!read.ok) return undefined
  const { idl } = read
  if (spec.type === 'solana_instruction')
    return wantedInstructions(idl, spec.instruction).instructions.map((item) =>
      instructionOf(namesOf(item.args), accountsOf(item)),
    )
  const { events, instructions } = wantedEvents(idl, spec.event)
  return [
    ...events.map((event) => itemShape({ params: eventNames(idl, event) })),
    ...instructions.map((item) => itemShape({ params: joined(accountsOf(item), namesOf(item.args)) })),
  ]
}

/** Undefined: any name. */
type Names = readonly string[] | undefined

/** Without an IDL an event is only bytes. */
const bytes = ['data']

function instructionOf(args: Names, accounts: Names): ValueShape {
  return itemShape({ args, accounts })
}

function itemShape(parts: Readonly<Record<string, Names>>): ValueShape {
  const fields = Object.entries(parts).map(([part, names]): [string, ValueShape] => [
    part,
    names ? objectShape(part, names.flatMap(spellings)) : anyShape,
  ])
  return { type: 'item', kind: 'object', fields: Object.fromEntries(fields) }
}

/** If two names of an IDL differ only in their case, the decoder has them in camel case. */
function spellings(name: string): string[] {
  return [...new Set([name, name.replaceAll(/(?<!_)_+([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())])]
}

/** In the new format an event has its fields in the type of the same name. */
function eventNames(idl: Idl, event: Item): Names {
  const type = findIdlType(idl, event.name)?.type
  return namesOf(event.fields ?? (isObject(type) ? type.fields : undefined))
}

/** A list whose members have no names is a tuple, and accounts in groups are named by the decoder. */
function namesOf(members: unknown): Names {
  if (!Array.isArray(members)) return undefined
  const names = members.flatMap((member) =>
    isObject(member) && typeof member.name === 'string' && !('accounts' in member) ? [member.name] : [],
  )
  return names.length === members.length ? names : undefined
}

function accountsOf({ accounts }: Item): Names {
  return namesOf(accounts ?? [])
}

function joined(a: Names, b: Names): Names {
  return a && b && [...a, ...b]
}
