import type { FieldSchema } from '@tocsin/contract'
import { functionCalled } from '../core-actions/evm-activity.ts'
import { contractEvent } from '../core-actions/evm-general.ts'
import { at, balance, evmAddress } from '../core-actions/fields.ts'
import type { DraftSeed } from './drafts.ts'
import type { Entry } from './evm-contract.ts'

/**
 * The source and the contract of an import. Without `contract` the triggers watch every contract. `decimals` are those of
 * the contract if it is a token.
 */
export type ImportedFrom = {
  source: string
  contract: string | undefined
  name: string | undefined
  decimals: number | undefined
}

const signatureLengthMax = 1_024

export function eventSeed(entry: Entry, { source, contract, name, decimals }: ImportedFrom): DraftSeed {
  return {
    ...seedOf(entry, name, contractEvent),
    defaults: { ...contractEvent.defaults, ...tokenMessage(entry) },
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
      ...fieldsOf(entry, decimals),
    },
  }
}

export function callSeed(entry: Entry, { source, contract, name, decimals }: ImportedFrom): DraftSeed {
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
      ...fieldsOf(entry, decimals),
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

/** The amounts of tokens are in whole tokens, and the receiver of a message sees no raw numbers. */
function tokenMessage({ signature, item }: Entry): { short?: string; long?: string } {
  const [first, second, third] = item.inputs.map(({ name }) => name)
  const isAmount = item.inputs[2]?.indexed !== true
  const kind = /^(Transfer|Approval)\(address,address,uint256\)$/.exec(signature)?.[1]
  if (kind === undefined || !first || !second || !third) return {}
  const what = isAmount ? `{{token raw.params.${third}}}` : `#{{raw.params.${third}}}`
  const [who, other] = [`{{address raw.params.${first}}}`, `{{address raw.params.${second}}}`]
  const short = kind === 'Transfer' ? `${what} from ${who} to ${other}` : `${who} lets ${other} spend ${what}`
  return { short, long: `${short}\nTransaction {{raw.transactionHash}}` }
}

const tokenSignatures = new Set([
  ...['Transfer(address,address,uint256)', 'Approval(address,address,uint256)'],
  ...['transfer(address,uint256)', 'transferFrom(address,address,uint256)', 'approve(address,uint256)'],
  ...['mint(address,uint256)', 'burn(uint256)', 'burnFrom(address,uint256)'],
])

/** A filter for each input, by its name or else by its position. A balance is entered in whole tokens. */
function fieldsOf({ item, signature }: Entry, decimals: number | undefined): Record<string, FieldSchema> {
  const amountDecimals = tokenSignatures.has(signature) ? (decimals ?? 0) : 0
  return Object.fromEntries(
    item.inputs.map(({ name, type, indexed }, index) => {
      const schema = schemaOf(type, indexed === true, amountDecimals)
      return name ? [name, at(`params.${name}`, schema, type)] : [`arg${index}`, at(`args.${index}`, schema, type)]
    }),
  )
}

/** A long value that is indexed is in the log as its hash. */
function schemaOf(type: string, isIndexed: boolean, decimals: number): FieldSchema {
  if (type.endsWith(']')) return isIndexed ? 'string' : 'array'
  if (type.startsWith('(')) return isIndexed ? 'string' : 'object'
  if (type === 'address') return evmAddress
  if (type === 'bool') return 'boolean'
  const bits = Number(/^u?int(\d+)$/.exec(type)?.[1] ?? 0)
  if (bits === 0) return 'string'
  return bits <= 48 ? 'integer' : balance(decimals)
}
