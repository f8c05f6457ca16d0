import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ChainBlock } from '../../server/src/engine/sources/block.ts'
import { readHeader, readLogs } from '../../server/src/engine/sources/evm/blocks/read-answers.ts'
import { EvmContents } from '../../server/src/engine/sources/evm/contents.ts'

export type Log = { address: string; topics: string[]; data: string }
/**
 * A block as the service reads it for triggers on logs: the replies to `eth_getBlockByNumber` with the hashes of the
 * transactions, and to `eth_getLogs`. `logs` are the parsed logs.
 */
export type EvmBlock = { name: string; blockText: string; logsText: string; logs: Log[] }

export const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
export const approval = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'
export const swapV2 = '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822'
export const swapV3 = '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67'

/** This folder and all folders below it that contain `block.json` and `receipts.json`. */
export function readBlocks(folder: string): EvmBlock[] {
  const isBlock = existsSync(join(folder, 'block.json')) && existsSync(join(folder, 'receipts.json'))
  if (isBlock) return [readBlock(folder)]
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return folders.flatMap((entry) => readBlocks(join(folder, entry.name)))
}

function readBlock(folder: string): EvmBlock {
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const receipts: { logs: Log[] }[] = read('receipts.json')
  return asAnswers(
    basename(folder),
    read('block.json'),
    receipts.flatMap(({ logs }) => logs),
  )
}

type Header = { transactions: (string | { hash: string })[] }

function asAnswers(name: string, block: Header, logs: Log[]): EvmBlock {
  const answer = (result: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, result })
  const hashes = block.transactions.map((each) => (typeof each === 'string' ? each : each.hash))
  return { name, blockText: answer({ ...block, transactions: hashes }), logsText: answer(logs), logs }
}

/** Parses the block again, as a follower does, so that no string in it is in a cache. */
function freshBlock({ blockText, logsText }: EvmBlock): ChainBlock {
  const { number, hash, parentHash, timestamp } = readHeader(JSON.parse(blockText).result)
  const contents = new EvmContents(timestamp, { logs: readLogs(JSON.parse(logsText).result) })
  return { number, hash, parentHash, timestampMs: 1000 * timestamp, contents }
}

/** A seeded random generator: the same numbers in every run. */
export function makeChance(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

export function randomHex(bytes: number, chance: () => number): string {
  let text = ''
  while (text.length < 2 * bytes)
    text += Math.floor(chance() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')
  return text.slice(0, 2 * bytes)
}

/**
 * A block like those of a busy network: few contracts emit most of the logs, and more than half of the logs are
 * transfers. Most call data is short, some is long.
 */
export function makeBlock(name: string, seed: number): EvmBlock {
  const chance = makeChance(seed)
  const contracts = Array.from({ length: 120 }, () => `0x${randomHex(20, chance)}`)
  const people = Array.from({ length: 400 }, () => randomHex(20, chance))
  const of = <T>(list: T[], fallback: T): T => list[Math.floor(chance() ** 3 * list.length)] ?? fallback
  const place = { blockHash: `0x${randomHex(32, chance)}`, blockNumber: '0x1156fa0', removed: false }
  const logs = Array.from({ length: 320 }, (_, index) => ({
    address: of(contracts, ''),
    ...makeEvent(chance, () => `0x${of(people, '').padStart(64, '0')}`),
    ...place,
    transactionHash: `0x${randomHex(32, chance)}`,
    transactionIndex: `0x${(index >> 1).toString(16)}`,
    logIndex: `0x${index.toString(16)}`,
  }))
  return asAnswers(name, makeHeader(place.blockHash, chance), logs)
}

function makeHeader(hash: string, chance: () => number): Header {
  const word = () => `0x${randomHex(32, chance)}`
  const header = {
    ...{ hash, parentHash: word(), sha3Uncles: word(), stateRoot: word(), transactionsRoot: word() },
    ...{ receiptsRoot: word(), withdrawalsRoot: word(), mixHash: word(), miner: `0x${randomHex(20, chance)}` },
    ...{ logsBloom: `0x${randomHex(256, chance)}`, number: '0x1156fa0', timestamp: '0x65536f80', difficulty: '0x0' },
    ...{ gasLimit: '0x1c9c380', gasUsed: '0xf2b5a1', baseFeePerGas: '0x2540be400', nonce: '0x0000000000000000' },
    ...{ extraData: '0x6265617665726275696c642e6f7267', size: '0x1c3a5', totalDifficulty: '0x0', uncles: [] },
  }
  return { ...header, transactions: Array.from({ length: 160 }, word) }
}

function makeEvent(chance: () => number, person: () => string): { topics: string[]; data: string } {
  const words = (count: number) =>
    `0x${Array.from({ length: count }, () => randomHex(2 + Math.floor(chance() * 8), chance).padStart(64, '0')).join('')}`
  const kind = chance()
  if (kind < 0.55) return { topics: [transfer, person(), person()], data: words(1) }
  if (kind < 0.6) return { topics: [transfer, person(), person(), words(1)], data: '0x' }
  if (kind < 0.68) return { topics: [approval, person(), person()], data: words(1) }
  if (kind < 0.76) return { topics: [swapV2, person(), person()], data: words(4) }
  if (kind < 0.8) return { topics: [swapV3, person(), person()], data: `${words(4)}${'0'.repeat(59)}1a2b3` }
  return { topics: [`0x${randomHex(32, chance)}`], data: words(Math.ceil(chance() * 6)) }
}

/** A block to match: the replies that it is read from, and a function that reads it from them again. */
export type MeasuredBlock = { name: string; texts: readonly string[]; fresh(): ChainBlock }

/** The block as it is read for triggers on logs. */
export function withLogs(block: EvmBlock): MeasuredBlock {
  const { name, blockText, logsText } = block
  return { name, texts: [blockText, logsText], fresh: () => freshBlock(block) }
}
