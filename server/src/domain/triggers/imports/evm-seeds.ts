import type { FieldSchema } from '@tocsin/contract'
import { functionCalled } from '../core-actions/evm-activity.ts'
import { contractEvent } from '../core-actions/evm-general.ts'
import { at, balance, evmAddress } from '../core-actions/fields.ts'
import type { DraftSeed } from './drafts.ts'
import type { Entry } from './evm-contract.ts'

/** The source and the contract of an import. Without `contract` the triggers watch every contract. */
export type ImportedFrom = { source: string; contract: string | undefined; name: string | undefined }

const signatureLengthMax = 1_024

export function eventSeed(entry: Entry, { source, contract, name }: ImportedFrom): DraftSeed {
  return {
    ...seedOf(entry, name, contractEvent),
    title: titleOf(name, entry.name),
    triggerSpec: {
      type: 'evm_log',
      dataSource: source,
      ...(contract !== undefined && { contract }),
      ...(entry.signature.length <= signatureLengthMax && { event: entry.signature }),
      abiFragment: entry.item.json,
    },
    filtersSchema: {
      ...(contract === undefined && { contract: at('address', evmAddress, 'The contract') }),
      ...fieldsOf(entry),
    },
  }
}

export function callSeed(entry: Entry, { source, contract, name }: ImportedFrom): DraftSeed {
  return {
    ...seedOf(entry, name, functionCalled),
    title: titleOf(name, `${entry.name} called`),
    triggerSpec: {
      type: 'evm_call',
      dataSource: source,
      ...(contract !== undefined && { contract }),
      ...(entry.signature.length <= signatureLengthMax && { method: entry.signature }),
      abiFragment: entry.item.json,
    },
    filtersSchema: {
      ...(contract === undefined && { contract: at('address', evmAddress, 'The contract') }),
      from: at('from', evmAddress, 'The caller'),
      ...fieldsOf(entry),
    },
  }
}

/** Output and message are those of the general starting point. */
function seedOf({ name, documentation }: Entry, group: string | undefined, action: typeof contractEvent) {
  const { outputSchema, transform, defaults } = action
  return {
    names: group === undefined ? [name] : [group, name],
    ...(documentation !== undefined && { description: documentation }),
    outputSchema,
    transform,
    defaults,
  }
}

function titleOf(contract: string | undefined, what: string): string {
  return contract === undefined ? what : `${contract}: ${what}`
}

/** A filter for each input, by its name or else by its position. */
function fieldsOf({ item }: Entry): Record<string, FieldSchema> {
  return Object.fromEntries(
    item.inputs.map(({ name, type, indexed }, index) => {
      const schema = schemaOf(type, indexed === true)
      return name ? [name, at(`params.${name}`, schema, type)] : [`arg${index}`, at(`args.${index}`, schema, type)]
    }),
  )
}

/** A long value that is indexed is in the log as its hash. */
function schemaOf(type: string, isIndexed: boolean): FieldSchema {
  if (type.endsWith(']')) return isIndexed ? 'string' : 'array'
  if (type.startsWith('(')) return isIndexed ? 'string' : 'object'
  if (type === 'address') return evmAddress
  if (type === 'bool') return 'boolean'
  const bits = Number(/^u?int(\d+)$/.exec(type)?.[1] ?? 0)
  if (bits === 0) return 'string'
  return bits <= 48 ? 'integer' : balance(0)
}
