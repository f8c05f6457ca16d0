import type { Variables } from '../evm/conditions.ts'
import type { Dialect, MatchedItem } from '../evm/triggers.ts'
import { surroundingVariables, transactionVariables } from '../evm/variables.ts'

/** The names of Defender for the fields that OpenZeppelin Monitor, its successor, writes with underscores. */
const names = {
  to: 'to',
  from: 'from',
  value: 'value',
  nonce: 'nonce',
  gasPrice: 'gas_price',
  maxFeePerGas: 'max_fee_per_gas',
  maxPriorityFeePerGas: 'max_priority_fee_per_gas',
  gasLimit: 'gas_limit',
  gasUsed: 'gas_used',
  input: 'input',
  hash: 'hash',
}

function renamed(variables: Variables, status: string): Variables {
  const pairs = Object.entries(names).flatMap(([name, theirs]) => {
    const variable = variables.get(theirs)
    return variable ? [[name, variable] as const] : []
  })
  return new Map([...pairs, ['status', { kind: 'string', script: `(${status} ? 'success' : 'failed')` }]])
}

/** The output has the form that messages of Defender read: `transaction`, `matchReasons`, `monitor`. */
export function dialectOf(monitor: string, network: string): Dialect {
  const about = `monitor: ${JSON.stringify({ name: monitor })}, network: ${JSON.stringify(network)}`
  const raw = (item: MatchedItem): string => {
    if (item.kind === 'transaction')
      return `({ ${about}, blockHash: source.block.hash, transactionHash: source.hash, value: source.value, transaction: { transactionHash: source.hash, from: source.from, to: source.to }, matchReasons: [] })`
    const block = item.kind === 'event' ? 'source.blockHash' : 'source.block.hash'
    const reason = `{ type: ${JSON.stringify(item.kind)}, signature: ${item.signature}, address: source.address, args: source.args, params: source.params }`
    return `({ ${about}, blockHash: ${block}, transactionHash: source.transactionHash, value: BigInt(providers.transaction.value), transaction: { transactionHash: source.transactionHash, from: providers.transaction.from, to: providers.transaction.to }, matchReasons: [${reason}] })`
  }
  return {
    transaction: renamed(transactionVariables, 'source.status === 1'),
    surrounding: renamed(surroundingVariables, 'source.success !== false'),
    raw,
  }
}

/** `{{ matchReasons[0].params.value }}` reads the same path in the output of the imported trigger. */
export function templateFrom(text: string): string {
  return text.replaceAll(/\{\{\s*([\w.[\]]+)\s*\}\}/g, (_whole, path: string) => {
    const steps = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')
    return `{{raw.${steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : step)).join('.')}}}`
  })
}
