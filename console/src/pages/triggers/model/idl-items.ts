import { isObject } from '../../../forms/json.ts'
import type { Fields } from './definition.ts'

export type IdlItem = { name: string; fields: string[] }
export type IdlKind = 'event' | 'instruction'
export type FoundIdl = {
  items: IdlItem[]
  idl?: Fields
  programId?: string
  isInstructions: boolean
  problem?: string
}

const nothing: FoundIdl = { items: [], isInstructions: false }

/**
 * Finds the events or the instructions of an Anchor IDL, old or new format. For a program without events, it returns the
 * instructions.
 */
export function itemsInIdl(pasted: string, kind: IdlKind): FoundIdl {
  if (pasted.trim() === '') return nothing
  try {
    const idl: unknown = JSON.parse(pasted)
    return isObject(idl) ? readIdl(idl, kind) : { ...nothing, problem: 'An IDL is a JSON object.' }
  } catch (error) {
    return { ...nothing, problem: `Invalid JSON: ${error instanceof Error ? error.message : 'syntax error'}` }
  }
}

function readIdl(idl: Fields, kind: IdlKind): FoundIdl {
  const events = kind === 'event' ? namesIn(idl.events, idl) : []
  const isInstructions = events.length === 0
  const found = isInstructions ? namesIn(idl.instructions, idl) : events
  const metadata = isObject(idl.metadata) ? idl.metadata : {}
  const programId = [idl.address, metadata.address].find((each) => typeof each === 'string')
  return {
    items: found,
    idl,
    isInstructions,
    ...(programId !== undefined && { programId }),
    ...(found.length === 0 && {
      problem: kind === 'event' ? 'The IDL contains no event and no instruction.' : 'The IDL contains no instruction.',
    }),
  }
}

function namesIn(list: unknown, idl: Fields): IdlItem[] {
  const items = Array.isArray(list) ? list.filter(isObject) : []
  return items.flatMap((item) =>
    typeof item.name === 'string' ? [{ name: item.name, fields: fieldsOf(item, item.name, idl) }] : [],
  )
}

/** In the new format, the fields of an event are in the type of the same name. */
function fieldsOf(item: Fields, name: string, { types }: Fields): string[] {
  const own = item.fields ?? item.args
  const type = Array.isArray(types) ? types.filter(isObject).find((each) => each.name === name)?.type : undefined
  const fields = Array.isArray(own) ? own : isObject(type) && Array.isArray(type.fields) ? type.fields : []
  return fields.filter(isObject).map((field) => String(field.name))
}
