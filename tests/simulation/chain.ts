import { createHash } from 'node:crypto'
import { Hash } from 'ox'
import type { Chance } from './chance.ts'

/** A chain that forks on command. The oracle compares the service with it. */

export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const otherTopic = `0x${'5'.repeat(64)}`

export const contract = `0x${'c'.repeat(40)}`
/** The contract whose events name the contracts that it creates, its children. */
export const factory = `0x${'f'.repeat(40)}`
export const createdAbi = 'event Created(address indexed child)'
const createdTopic = `0x${Hash.keccak256(Buffer.from('Created(address)'), { as: 'Hex' }).slice(2)}`

/** `data` is different for every log of a chain; `transaction` is the index of its transaction in the block. */
export type Log = {
  address: string
  topics: string[]
  data: string
  transaction: number
  isWanted: boolean
  /** The contract that this log of the factory creates. */
  child?: string
  /** Nodes answer with megabytes of data. */
  isLarge?: true
}
export type Block = {
  number: number
  hash: string
  parentHash: string
  timestamp: number
  /** The time by the clock of this process. */
  minedAtMs: number
  bloom: string
  logs: Log[]
}

/** The time of block 0, in seconds. Each block is one second later. */
export const firstTimestamp = 1_700_000_000

/** The method of the calls that subscribers want. */
export const wantedMethod = '0x12345678'

/** The input of the call that belongs to a log. */
export function callInput({ isWanted, data }: Log): string {
  return `${isWanted ? wantedMethod : '0x87654321'}${data.slice(2)}`
}

export class Chain {
  readonly #blocks = new Map<string, Block>()
  readonly #chance: Chance
  readonly #tips: string[] = []
  /** Created on any branch; undefined if the chain has no factory. */
  readonly #children: string[] | undefined
  readonly #hasLargeBlocks: boolean
  #made = 0
  head: Block

  constructor(chance: Chance, hasFactory = false, hasLargeBlocks = false) {
    this.#chance = chance
    this.#hasLargeBlocks = hasLargeBlocks
    this.#children = hasFactory ? [] : undefined
    this.head = this.#add(undefined, [])
    for (let made = 0; made < 3; made++) this.mine()
  }

  mine(): Block {
    return this.#mine(this.#chance.below(4))
  }

  /** A block with so many logs that many of their webhooks wait at the same time. */
  mineRush(): Block {
    return this.#mine(300)
  }

  /** Replaces the last `depth` blocks with others, one more than before. */
  fork(depth: number): void {
    this.#tips.push(this.head.hash)
    const from = this.#back(this.head, depth)
    this.head = from
    for (let made = 0; made <= depth; made++) this.mine()
  }

  /** Returns to an abandoned branch that is now longer than the present one. */
  flip(): void {
    const tip = this.#tips.shift()
    const left = tip === undefined ? undefined : this.#blocks.get(tip)
    if (!left || this.head.number - left.number > 20) return
    this.#tips.push(this.head.hash)
    const goal = this.head.number + 1
    this.head = left
    while (this.head.number < goal) this.mine()
  }

  byHash(hash: string): Block | undefined {
    return this.#blocks.get(hash)
  }

  byNumber(number: number): Block | undefined {
    return number > this.head.number || number < 0 ? undefined : this.#back(this.head, this.head.number - number)
  }

  find(isIt: (block: Block) => boolean): Block | undefined {
    return [...this.#blocks.values()].find(isIt)
  }

  /** `<block hash>:<data>` of every log on the present chain that subscribers must get an alert for. */
  wanted(after: number, upTo?: number): string[] {
    return this.wantedLogs(after, upTo).map(({ key }) => key)
  }

  /** The same logs in the order of the chain, each with its block and the index of its transaction. */
  wantedLogs(after: number, upTo = Number.POSITIVE_INFINITY): { key: string; number: number; transaction: number }[] {
    const blocks: Block[] = []
    for (let block: Block | undefined = this.head; block; block = this.byHash(block.parentHash)) blocks.unshift(block)
    const children = new Set<string>()
    return blocks.flatMap(({ number, hash, logs }) => {
      // The block that creates a contract counts for the contract's own logs, whichever comes first.
      for (const { child } of logs) if (child !== undefined) children.add(child)
      const isTold = ({ isWanted, address }: Log) => isWanted && (address === contract || children.has(address))
      const told = number > after && number <= upTo ? logs.filter(isTold) : []
      return told.map(({ data, transaction }) => ({ key: `${hash}:${data}`, number, transaction }))
    })
  }

  /** A transaction has one log or more. */
  #mine(count: number): Block {
    const logs: Log[] = []
    for (let made = 0; made < count; made++) {
      const last = logs.at(-1)?.transaction ?? -1
      logs.push(this.#makeLog(last < 0 || this.#chance.happens(0.5) ? last + 1 : last))
    }
    if (this.#children && logs.length > 0) this.#useChildren(this.#children, logs)
    if (this.#hasLargeBlocks && this.#chance.happens(0.03)) logs.push(this.#makeLarge(logs))
    this.head = this.#add(this.head, logs)
    return this.head
  }

  /** The logs are those of children, of this branch or of another; sometimes the block creates one that it also uses. */
  #useChildren(children: string[], logs: Log[]): void {
    const creation = children.length === 0 || this.#chance.happens(0.3) ? this.#makeCreation(logs) : undefined
    if (creation?.child !== undefined) children.push(creation.child)
    for (const log of logs) log.address = children[this.#chance.below(children.length)] ?? factory
    if (!creation) return
    const [first] = logs
    if (first) first.address = creation.child ?? factory
    if (this.#chance.happens(0.5)) logs.unshift({ ...creation, transaction: 0 })
    else logs.push(creation)
  }

  /** In the last transaction of the block. */
  #makeCreation(logs: readonly Log[]): Log {
    const log = this.#makeLog(logs.at(-1)?.transaction ?? 0)
    const child = `0x${log.topics[1]?.slice(-40)}`
    return { ...log, address: factory, topics: [createdTopic, word(child.slice(2))], isWanted: false, child }
  }

  /** A log of a contract that nobody watches, in the last transaction of the block. */
  #makeLarge(logs: readonly Log[]): Log {
    const log = this.#makeLog((logs.at(-1)?.transaction ?? -1) + 1)
    return { ...log, address: `0x${'d'.repeat(40)}`, topics: [otherTopic], isWanted: false, isLarge: true }
  }

  #back(block: Block, steps: number): Block {
    let found = block
    for (let step = 0; step < steps; step++) found = this.#blocks.get(found.parentHash) ?? found
    return found
  }

  /** Every log has its own topic, so that the bloom shows a log that a node leaves out. */
  #makeLog(transaction: number): Log {
    const isWanted = this.#chance.happens(0.6)
    const unique = createHash('sha256')
      .update(`log ${++this.#made} ${this.#chance.number()}`)
      .digest('hex')
    const topics = [isWanted ? transferTopic : otherTopic, word(unique.slice(0, 40)), word('b'.repeat(40))]
    return { address: contract, topics, data: word(this.#made.toString(16)), transaction, isWanted }
  }

  #add(parent: Block | undefined, logs: Log[]): Block {
    const number = parent ? parent.number + 1 : 0
    const hash = `0x${createHash('sha256')
      .update(`block ${++this.#made} ${this.#chance.number()}`)
      .digest('hex')}`
    const parentHash = parent?.hash ?? `0x${'0'.repeat(64)}`
    const timestamp = firstTimestamp + number
    const block = { number, hash, parentHash, timestamp, minedAtMs: performance.now(), bloom: bloomOf(logs), logs }
    this.#blocks.set(hash, block)
    return block
  }
}

function word(hex: string): string {
  return `0x${hex.padStart(64, '0')}`
}

function bloomOf(logs: readonly Log[]): string {
  const bits = new Uint8Array(256)
  for (const { address, topics } of logs)
    for (const value of [address, ...topics]) {
      const digest = Hash.keccak256(Buffer.from(value.slice(2), 'hex'))
      for (const at of [0, 2, 4]) {
        const bit = (((digest[at] ?? 0) << 8) | (digest[at + 1] ?? 0)) & 2047
        const byte = 255 - (bit >> 3)
        bits[byte] = (bits[byte] ?? 0) | (1 << (bit & 7))
      }
    }
  return `0x${Buffer.from(bits).toString('hex')}`
}
