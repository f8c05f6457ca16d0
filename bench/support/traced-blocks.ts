import type { ChainBlock } from '../../server/src/engine/sources/block.ts'
import { callsOfBlock, readDebugAnswer } from '../../server/src/engine/sources/evm/blocks/fetch-calls.ts'
import { EvmContents } from '../../server/src/engine/sources/evm/contents.ts'
import { type CallBlock, readBlockTexts, selectors } from './call-blocks.ts'
import { makeChance, randomHex } from './evm-blocks.ts'

/** A block with its traces: `read` parses the reply with the traces and returns the calls of every depth. */
export type TracedBlock = CallBlock & { tracesText: string; read(): ChainBlock }

/** Traces in which every transaction makes ten further calls, up to four deep, to the contracts of the block. */
export function withTraces(block: CallBlock, seed: number): TracedBlock {
  const chance = makeChance(seed)
  const { header, logs, transactions } = readBlockTexts(block.texts)
  const of = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T
  const word = () => randomHex(2 + Math.floor(chance() * 8), chance).padStart(64, '0')
  const frame = (from: string, calls: object[]) => ({
    ...{ type: of(['CALL', 'STATICCALL', 'DELEGATECALL']), from, to: of(block.calls).to, value: '0x0' },
    ...{ gas: '0x186a0', gasUsed: '0x5208', input: `${of(selectors)}${word()}${word()}`, output: `0x${word()}`, calls },
  })
  const nested = (from: string, depth: number): object => frame(from, depth > 0 ? [nested(from, depth - 1)] : [])
  const result = transactions.map(({ hash, from, to, input }) => ({
    txHash: hash,
    result: {
      ...{ type: 'CALL', from, to, value: '0x0', gas: '0x186a0', gasUsed: '0xc350', input, output: '0x' },
      calls: [3, 2, 1, 0].map((depth) => nested(to ?? from, depth)),
    },
  }))
  const tracesText = JSON.stringify({ jsonrpc: '2.0', id: 1, result })
  const { number, hash, parentHash, timestamp, fields } = header
  const read = () => {
    const calls = callsOfBlock(header, transactions, readDebugAnswer(JSON.parse(tracesText).result, header))
    const contents = new EvmContents(timestamp, { header: fields, logs, transactions, calls })
    return { number, hash, parentHash, timestampMs: 1000 * timestamp, contents }
  }
  return { ...block, tracesText, read }
}
