import { isRecord } from '../../folder/paths.ts'
import { Impossible } from '../importer.ts'
import { addressesIn, type Fields, operatorOf, requireText, textOf } from './fields.ts'
import type { Alert, Expression } from './files.ts'

/** What an alert asks of the transaction, and the expressions that ask for more. All of it must hold. */
export type Facts = {
  chainId: string
  /** `direct`: the transaction calls it; `source`: it sends it; `internal`: a contract calls it; without a value: one of these. */
  target?: { address: string; role?: string | undefined }
  succeeded?: boolean
  from: { in: string[][]; notIn: string[][] }
  notTo: string[]
  values: { operator: string; value: string }[]
  others: Expression[]
}

type Reader = (fields: Fields, facts: Facts, differences: string[]) => void

/** The expressions that only choose transactions. */
const readers: Record<string, Reader> = {
  network: () => {},
  contract_address: (fields, facts) => {
    if (facts.target) throw new Impossible('it names several contracts')
    facts.target = { address: requireText(fields, 'address').toLowerCase(), role: textOf(fields.transaction_type) }
  },
  tx_status: ({ transaction_success: succeeded }, facts) => {
    if (typeof succeeded === 'boolean') facts.succeeded = succeeded
  },
  tx_value: (fields, facts) => {
    facts.values.push({ operator: operatorOf(fields, '>'), value: requireText(fields, 'transaction_value') })
  },
  whitelisted_caller_addresses: ({ addresses }, facts, differences) => {
    if (addressesIn(addresses).length > 0) facts.from.notIn.push(addressesIn(addresses))
    differences.push('it fires for senders that are not on the whitelist, as Tenderly describes this alert')
  },
  blacklisted_caller_addresses: ({ addresses }, facts) => {
    if (addressesIn(addresses).length === 0) throw new Impossible('its blacklist is empty, so it never matches')
    facts.from.in.push(addressesIn(addresses))
  },
  tx_error: ({ addresses_to_ignore: ignored }, facts, differences) => {
    facts.succeeded = false
    facts.notTo.push(...addressesIn(ignored))
    differences.push('a transaction that a require or assert stopped is matched too')
  },
}

export function readFacts({ expressions }: Alert, differences: string[]): Facts {
  const facts: Facts = { chainId: chainOf(expressions), from: { in: [], notIn: [] }, notTo: [], values: [], others: [] }
  for (const each of expressions) {
    const read = readers[each.type]
    if (read) read(each.expression, facts, differences)
    else facts.others.push(each)
  }
  return facts
}

/** The network of an alert is an expression of its own, or a field of one. */
function chainOf(expressions: readonly Expression[]): string {
  const holders = expressions.flatMap(({ expression }) => [expression, ...Object.values(expression).filter(isRecord)])
  const ids = new Set(holders.flatMap(({ network_id }) => textOf(network_id) ?? []))
  const [only] = ids
  if (only === undefined) throw new Impossible('it names no network')
  if (ids.size > 1) throw new Impossible(`it names several networks: ${[...ids].join(', ')}`)
  return only
}
