import { describe, expect, test } from 'vitest'
import { UpstreamError } from '../outbound/upstream-error.ts'
import type { ChainBlock } from '../sources/block.ts'
import { BlockMemory } from './block-memory.ts'
import type { BlockSink, Link } from './chain.ts'
import { Follower, type FollowerOptions } from './follower.ts'

/** A chain with random forks, and a node that fails and lags at random. */
class SimulatedChain {
  readonly skipsNumbers: boolean
  readonly random: () => number
  blocks: ChainBlock[] = [makeBlock(0, 'genesis', '')]
  #made = 0
  /** Makes each call fail, or see an older chain, at random. */
  trouble = 0
  #before: ChainBlock[] = []

  constructor(random: () => number, skipsNumbers = false) {
    this.random = random
    this.skipsNumbers = skipsNumbers
  }

  get tip(): ChainBlock {
    return this.blocks.at(-1)!
  }

  grow(count = 1): void {
    for (let at = 0; at < count; at += 1) {
      const skipped = this.skipsNumbers && this.random() < 0.3 ? 1 + Math.floor(this.random() * 3) : 0
      this.blocks.push(makeBlock(this.tip.number + 1 + skipped, `b${++this.#made}`, this.tip.hash))
    }
  }

  /** Replaces the last blocks, sometimes by fewer blocks or by an earlier block. */
  fork(depth: number): void {
    this.#before = [...this.blocks]
    this.blocks.splice(Math.max(1, this.blocks.length - depth))
    this.grow(1 + Math.floor(this.random() * (depth + 2)))
  }

  flipBack(): void {
    const before = this.#before
    if (before.length === 0) return
    this.#before = [...this.blocks]
    this.blocks = before
    this.grow()
  }

  #seen(): ChainBlock[] {
    if (this.random() < this.trouble / 2) throw new UpstreamError('failed', 'the node has a bad day')
    return this.random() < this.trouble && this.#before.length > 0 ? this.#before : this.blocks
  }

  async head() {
    const { number, hash } = this.#seen().at(-1)!
    return { number, hash }
  }
  async block(number: number) {
    const found = this.#seen().find((block) => block.number === number)
    return this.random() < this.trouble / 4 ? undefined : found
  }
  async link(number: number) {
    return this.block(number)
  }
}

function makeBlock(number: number, hash: string, parentHash: string): ChainBlock {
  return { number, hash, parentHash, contents: undefined }
}

class Applied implements BlockSink {
  links: Link[] = []
  commits = 0
  undone = 0
  failing = 0
  readonly random: () => number
  constructor(random: () => number) {
    this.random = random
  }
  #mayFail() {
    if (this.random() < this.failing) throw new Error('the store gave way')
  }
  async apply(blocks: readonly ChainBlock[]) {
    this.#mayFail()
    this.commits += 1
    for (const block of blocks) {
      if (this.links.length > 0) expect(block.parentHash).toBe(this.links.at(-1)!.hash)
      this.links.push(block)
    }
  }
  async undo(blocks: readonly Link[], to: Link | undefined) {
    this.#mayFail()
    for (const block of blocks) {
      expect(this.links.pop()?.hash).toBe(block.hash)
      this.undone += 1
    }
    if (to && !this.links.some(({ hash }) => hash === to.hash)) this.links = [to]
    expect(this.links.at(-1)?.hash).toBe(to?.hash)
  }
  async begin(at: Link) {
    this.links = [at]
  }
}

const options: FollowerOptions = {
  ...{
    concurrency: 4,
    queuedMax: 16,
    memory: new BlockMemory(),
    confirmations: 0,
    batchMax: 8,
    batchBytesMax: 1_000_000,
  },
}

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

async function catchUp(follower: Follower, chain: SimulatedChain): Promise<void> {
  for (let calm = 0, steps = 0; calm < 3; steps += 1) {
    if (steps > 5_000) throw new Error('the follower does not come to rest')
    const { kind } = await follower.step().catch(() => ({ kind: 'short' }))
    calm = kind === 'level' && follower.tip?.hash === chain.tip.hash ? calm + 1 : 0
  }
}

async function begun(chain: SimulatedChain, sink: BlockSink, how: Partial<FollowerOptions> = {}): Promise<Follower> {
  const follower = new Follower(chain, sink, [], { ...options, ...how })
  const { number, hash, parentHash } = chain.tip
  await follower.begin({ number, hash, parentHash })
  return follower
}

/** A follower of a chain of its own. `write` is awaited before each commit. */
async function simulate(memory: BlockMemory, write: () => Promise<void> = async () => undefined) {
  const random = seeded(5)
  const chain = new SimulatedChain(random)
  const sink = new Applied(random)
  const apply = sink.apply.bind(sink)
  sink.apply = async (blocks) => {
    await write()
    await apply(blocks)
  }
  return { chain, sink, follower: await begun(chain, sink, { memory }) }
}

describe('a follower', () => {
  test.each([false, true])(
    'applies exactly the chain after random forks and bad nodes (skipping: %s)',
    async (skips) => {
      for (let seed = 1; seed <= 60; seed += 1) {
        const random = seeded(seed)
        const chain = new SimulatedChain(random, skips)
        const sink = new Applied(random)
        const follower = await begun(chain, sink, { batchMax: 1 + (seed % 9), concurrency: 1 + (seed % 5) })
        for (let step = 0; step < 200; step += 1) {
          const dice = random()
          chain.trouble = random() < 0.3 ? 0.3 : 0
          sink.failing = random() < 0.2 ? 0.3 : 0
          if (dice < 0.5) chain.grow(1 + Math.floor(random() * 4))
          else if (dice < 0.65) chain.fork(1 + Math.floor(random() * 6))
          else if (dice < 0.7) chain.flipBack()
          if (random() < 0.8) await follower.step().catch(() => undefined)
        }
        chain.trouble = 0
        sink.failing = 0
        chain.grow(12)
        await catchUp(follower, chain)
        const from = sink.links[0]!.number
        const canonical = chain.blocks.filter(({ number }) => number >= from).map(({ hash }) => hash)
        expect(
          sink.links.map(({ hash }) => hash),
          `seed ${seed}`,
        ).toEqual(canonical)
      }
    },
  )

  test('on a chain that skips numbers, a block that arrives late is not treated as skipped', async () => {
    const random = seeded(9)
    const chain = new SimulatedChain(random, true)
    const sink = new Applied(random)
    const follower = await begun(chain, sink)
    const read = chain.block.bind(chain)
    let lateBlocks = 2
    chain.block = async (number) => {
      const late = chain.blocks.at(-1 - lateBlocks)
      return late && number > late.number ? undefined : read(number)
    }
    for (let step = 0; step < 50; step += 1) {
      chain.grow()
      await follower.step()
    }
    expect(sink.links.length).toBeGreaterThan(40)
    lateBlocks = 0
    await catchUp(follower, chain)
    expect(sink.links.map(({ hash }) => hash)).toEqual(chain.blocks.map(({ hash }) => hash))
  })

  test('never applies a block before it has enough confirmations', async () => {
    const random = seeded(7)
    const chain = new SimulatedChain(random)
    const sink = new Applied(random)
    chain.grow(5)
    const follower = new Follower(chain, sink, [], { ...options, confirmations: 3 })
    await follower.begin(chain.blocks[2]!)
    chain.grow(4)
    for (let at = 0; at < 5; at += 1) await follower.step()
    expect(follower.tip?.number).toBe(chain.tip.number - 3)
    chain.fork(3)
    for (let at = 0; at < 5; at += 1) await follower.step()
    expect(sink.undone).toBe(0)
  })

  test('blocks at the head do not wait for a source that is behind, and blocks of another source that is behind do', async () => {
    const memory = new BlockMemory()
    const { promise: written, resolve } = Promise.withResolvers<void>()
    const behind = await simulate(memory, () => written)
    const alsoBehind = await simulate(memory)
    const atHead = await simulate(memory)
    for (const { chain } of [behind, alsoBehind]) chain.grow(5)
    atHead.chain.grow(1)
    const steps = [behind, alsoBehind].map(({ follower }) => follower.step())
    await atHead.follower.step()
    expect(atHead.sink.commits).toBe(1)
    expect(alsoBehind.sink.commits).toBe(0)
    resolve()
    await Promise.all(steps)
    expect([behind, alsoBehind].map(({ sink }) => sink.commits)).toEqual([1, 1])
  })

  test('a batch that waits for its turn is not applied once the follower is closed', async () => {
    const memory = new BlockMemory()
    const { promise: written, resolve } = Promise.withResolvers<void>()
    const [behind, closed] = [await simulate(memory, () => written), await simulate(memory)]
    for (const { chain } of [behind, closed]) chain.grow(5)
    const steps = [behind, closed].map(({ follower }) => follower.step())
    closed.follower.close()
    resolve()
    await Promise.all(steps)
    expect([behind, closed].map(({ sink }) => sink.commits)).toEqual([1, 0])
  })

  test('several blocks go into one commit when it is behind', async () => {
    const random = seeded(3)
    const chain = new SimulatedChain(random)
    const sink = new Applied(random)
    const follower = await begun(chain, sink)
    chain.grow(100)
    await catchUp(follower, chain)
    expect(sink.links).toHaveLength(101)
    expect(sink.commits).toBeLessThan(60)
  })

  test('a node that lags behind undoes nothing', async () => {
    const random = seeded(4)
    const chain = new SimulatedChain(random)
    const sink = new Applied(random)
    const follower = await begun(chain, sink)
    chain.grow(10)
    await catchUp(follower, chain)
    const ahead = chain.blocks
    chain.blocks = ahead.slice(0, 6)
    for (let at = 0; at < 5; at += 1) expect(await follower.step()).toMatchObject({ kind: 'level' })
    expect(sink.undone).toBe(0)
    chain.blocks = ahead
    chain.grow(2)
    await catchUp(follower, chain)
    expect(sink.undone).toBe(0)
  })

  test('a reorg deeper than the kept blocks is reported, and following continues below it', async () => {
    const random = seeded(5)
    const chain = new SimulatedChain(random)
    const sink = new Applied(random)
    const follower = await begun(chain, sink)
    chain.grow(30)
    await catchUp(follower, chain)
    follower.forgetUpTo(20)
    chain.fork(25)
    chain.grow(40)
    const { deep } = await findDeep(follower)
    expect(deep).toEqual({ from: 21, to: 20, isFromBeginning: false })
    await catchUp(follower, chain)
    expect(sink.links.map(({ hash }) => hash)).toEqual(chain.blocks.slice(20).map(({ hash }) => hash))
  })

  test('a chain shorter than all kept blocks is reported with isBelow', async () => {
    const random = seeded(6)
    const chain = new SimulatedChain(random)
    const sink = new Applied(random)
    chain.grow(30)
    const follower = await begun(chain, sink)
    chain.blocks = chain.blocks.slice(0, 3)
    expect(await follower.step()).toMatchObject({ kind: 'level', isBelow: true })
    expect(sink.undone).toBe(0)
  })
})

async function findDeep(follower: Follower) {
  for (let at = 0; at < 50; at += 1) {
    const step = await follower.step()
    if (step.deep) return step
  }
  return { deep: undefined }
}
