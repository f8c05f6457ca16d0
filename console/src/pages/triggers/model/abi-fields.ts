import type { AddressType } from '@tocsin/contract'
import type { AbiItem, AbiKind, AbiParameter } from './abi-items.ts'
import type { Definition, Fields } from './definition.ts'

/** Suggests filters, output, transform and message for an event, or for the calls of a function. */
export function suggestFor(
  { name, parameters }: AbiItem,
  kind: AbiKind,
  addressType: AddressType,
): Pick<Definition, 'filtersSchema' | 'outputSchema' | 'transform' | 'defaults'> {
  const blockNumber = kind === 'event' ? 'source.blockNumber' : 'source.block.number'
  const simple = parameters.filter(({ type }) => fieldType(type) !== undefined)
  const filters = simple.map(
    (each) => [each.name, asField(each, addressType, { sourcePath: `params.${each.name}` })] as const,
  )
  const outputs = simple.map((each) => [each.name, asField(each, addressType, {})] as const)
  const lines = parameters.map((each) => `  ${quoted(each.name)}: ${valueIn(each)},`)
  return {
    filtersSchema: {
      contract: { type: 'address', addressType, sourcePath: 'address', description: 'The contract' },
      ...Object.fromEntries(filters),
    },
    outputSchema: {
      raw: {
        contract: { type: 'address', addressType },
        ...Object.fromEntries(outputs),
        transactionHash: 'string',
        blockNumber: 'integer',
      },
    },
    transform: {
      language: 'javascript',
      rawSource: [
        'return {',
        '  contract: source.address,',
        ...lines,
        '  transactionHash: source.transactionHash,',
        `  blockNumber: ${blockNumber},`,
        '}',
      ].join('\n'),
    },
    defaults: {
      title: name,
      short: `${name} of {{address raw.contract}}`,
      long: [
        `${name} of {{address raw.contract}}`,
        ...simple.map((each) => `${each.name}: ${shown(each)}`),
        'Transaction {{raw.transactionHash}}',
      ].join('\n'),
    },
  }
}

/** The type of a schema field for a type of Solidity; undefined for lists and tuples. */
export function fieldType(type: string): 'address' | 'boolean' | 'string' | 'balance' | undefined {
  if (type === 'address') return 'address'
  if (type === 'bool') return 'boolean'
  if (type === 'string' || /^bytes\d*$/.test(type)) return 'string'
  return /^u?int\d*$/.test(type) ? 'balance' : undefined
}

function asField({ type }: AbiParameter, addressType: AddressType, more: Fields): unknown {
  const kind = fieldType(type)
  if (kind === 'address') return { type: kind, addressType, ...more }
  if (kind === 'balance') return { type: kind, decimals: 0, ...more }
  return Object.keys(more).length === 0 ? kind : { type: kind, ...more }
}

function valueIn({ name, type }: AbiParameter): string {
  const path = /^[A-Za-z_$][\w$]*$/.test(name) ? `source.params.${name}` : `source.params[${JSON.stringify(name)}]`
  return fieldType(type) === 'balance' ? `String(${path})` : path
}

function shown({ name, type }: AbiParameter): string {
  return type === 'address' ? `{{address raw.${name}}}` : `{{raw.${name}}}`
}

function quoted(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}
