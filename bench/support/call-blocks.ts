import { withReceipts } from '../../server/src/engine/sources/evm/blocks/fetch-block.ts'
import { readHeader, readReceipt, readTransaction } from '../../server/src/engine/sources/evm/blocks/read-answers.ts'
import { EvmContents } from '../../server/src/engine/sources/evm/contents.ts'
import { type EvmBlock, type MeasuredBlock, makeChance, randomHex } from './evm-blocks.ts'

/** A call in a made block: the contract, and the amount in its second argument. */
export type MadeCall = { to: string; person: string; amount: bigint }
export type CallBlock = MeasuredBlock & { texts: readonly [string, string]; calls: MadeCall[] }

/** The selectors of `transfer`, `approve` and `mint`, each with a receiver and an amount. */
export const selectors = ['0xa9059cbb', '0x095ea7b3', '0x40c10f19']

/**
 * The block as the service reads it for triggers on calls: the replies with whole transactions, and with receipts, which
 * contain the logs. Most transactions call the contracts of the logs with a receiver and an amount.
 */
export function withCalls(block: EvmBlock, seed: number): CallBlock {
  const chance = makeChance(seed)
  const contracts = [...new Set(block.logs.map(({ address }) => address))]
  const of = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T
  const header = JSON.parse(block.blockText).result as { hash: string; number: string; transactions: string[] }
  const calls = header.transactions.map(() => ({
    to: of(contracts),
    person: `0x${randomHex(20, chance)}`,
    amount: BigInt(`0x${randomHex(2 + Math.floor(chance() * 8), chance)}`),
  }))
  const word = (hex: string) => hex.replace('0x', '').padStart(64, '0')
  const transactions = calls.map(({ to, person, amount }, index) => ({
    ...{
      blockHash: header.hash,
      blockNumber: header.number,
      transactionIndex: hex(index),
      type: '0x2',
      nonce: hex(index),
    },
    ...{ hash: header.transactions[index], from: `0x${randomHex(20, chance)}`, to, value: '0x0', gas: '0x186a0' },
    ...{ gasPrice: '0x2540be400', maxFeePerGas: '0x2540be400', maxPriorityFeePerGas: '0x1', chainId: '0x1' },
    ...{ accessList: [], v: '0x1', r: `0x${randomHex(32, chance)}`, s: `0x${randomHex(32, chance)}` },
    input:
      chance() < 0.8 ? `${of(selectors)}${word(person)}${word(amount.toString(16))}` : `0x${randomHex(196, chance)}`,
  }))
  const receipts = transactions.map(({ hash, from, to }, index) => ({
    ...{ transactionHash: hash, transactionIndex: hex(index), blockHash: header.hash, blockNumber: header.number },
    ...{ from, to, type: '0x2', status: '0x1', gasUsed: '0xc350', cumulativeGasUsed: '0xc350', contractAddress: null },
    ...{ effectiveGasPrice: '0x2540be400', logsBloom: `0x${randomHex(256, chance)}` },
    logs: block.logs.slice(2 * index, 2 * index + 2).map((log) => ({ ...log, transactionHash: hash })),
  }))
  const answer = (result: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, result })
  return measured(block.name, [answer({ ...header, transactions }), answer(receipts)], calls)
}

function measured(name: string, texts: readonly [string, string], calls: MadeCall[]): CallBlock {
  const fresh = () => {
    const { header, logs, transactions } = readBlockTexts(texts)
    const { number, hash, parentHash, timestamp, fields } = header
    const contents = new EvmContents(timestamp, { header: fields, logs, transactions })
    return { number, hash, parentHash, timestampMs: 1000 * timestamp, contents }
  }
  return { name: `${name} with calls`, texts, fresh, calls }
}

/** Reads the replies with the functions of the service. */
export function readBlockTexts([block, receiptsText]: readonly [string, string]) {
  const header = readHeader(JSON.parse(block).result)
  const receipts = (JSON.parse(receiptsText).result as unknown[]).map(readReceipt)
  const transactions = withReceipts(header.transactions.map(readTransaction), receipts)
  return { header, logs: receipts.flatMap((receipt) => receipt.logs), transactions }
}

function hex(number: number): string {
  return `0x${number.toString(16)}`
}
