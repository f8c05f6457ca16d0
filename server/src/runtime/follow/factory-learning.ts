import { setTimeout as sleep } from 'node:timers/promises'
import { TriggerFields } from '@tocsin/contract'
import { UpstreamError } from '../../engine/outbound/upstream-error.ts'
import { bindSpec, type SourceSpec } from '../../engine/sources/bindings.ts'
import type { Factory } from '../../engine/sources/block.ts'
import type { TriggerDefinition } from '../../store/core/tables.ts'
import type { UnlearnedFactory } from '../../store/following/factories.ts'
import { LeaseLost, requireLease } from '../../store/following/followers.ts'
import type { FollowContext } from './follow-context.ts'

const Definition = TriggerFields.pick({ triggerSpec: true, sourceBindings: true })

/** The first pause after a failure of the nodes; each further one is twice as long, up to a minute. */
const [retryFirstMs, retryMaxMs, restMs] = [1_000, 60_000, 50]

/**
 * Reads which contracts the factories of a source created before the blocks that the follower reads itself, by ranges of
 * logs, beside the follow loop and under the same lease. Each part of a range is one commit with the new contracts, so a
 * crash repeats at most one part. Blocks that may still be replaced are left to the follower. When all factories of a
 * trigger are known, its status is no longer `learning`.
 */
export class FactoryLearning {
  readonly #context: FollowContext
  #running: Promise<void> | undefined
  #mustLookAgain = false
  #isClosed = false

  constructor(context: FollowContext) {
    this.#context = context
  }

  /** Starts to read what is missing, unless it runs already. */
  start(): void {
    this.#mustLookAgain = true
    if (this.#running || this.#isClosed) return
    const { deps, source } = this.#context
    this.#running = this.#run()
      .catch((error: unknown) => {
        if (error instanceof LeaseLost) return
        deps.log.warn({ source: source.fullname, error: String(error) }, 'learning of factories failed')
      })
      .finally(() => {
        this.#running = undefined
        if (this.#mustLookAgain) this.start()
      })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#running
  }

  get #isOver(): boolean {
    return this.#isClosed || this.#context.isStopping()
  }

  async #run(): Promise<void> {
    const { deps, source } = this.#context
    for (let retryMs = retryFirstMs; this.#mustLookAgain && !this.#isOver; ) {
      this.#mustLookAgain = false
      const checkpoint = (await deps.store.followers.find(source.fullname))?.number ?? undefined
      // Without a first block nothing is known about the chain; the loop calls again when it has one.
      if (checkpoint === undefined) return
      try {
        for (const row of await deps.store.factories.listUnlearned(source.fullname))
          if (!this.#isOver) await this.#learn(row, checkpoint)
        retryMs = retryFirstMs
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error
        if (retryMs === retryFirstMs) await this.#reportFailure(error)
        await this.#pause(retryMs)
        retryMs = Math.min(retryMaxMs, retryMs * 2)
        this.#mustLookAgain = true
      }
    }
  }

  async #learn(row: UnlearnedFactory, checkpoint: number): Promise<void> {
    const { connection, chain } = this.#context
    const factory = await this.#factoryOf(row)
    const firstBlock = async () => (await connection.firstBlockOf?.(factory?.contract ?? '', checkpoint)) ?? 0
    const fromBlock = row.fromBlock ?? factory?.fromBlock ?? (factory ? await firstBlock() : 0)
    const from = Math.max(fromBlock, (row.learnedTo ?? -1) + 1)
    const to = checkpoint - chain.pace.replaceable
    if (factory && connection.logBlocks && from <= to)
      for await (const part of connection.logBlocks(factory.logs, { from, to })) {
        const members = part.blocks.flatMap(({ number, hash, ...block }) => {
          const found = factory.membersIn({ number, hash, ...block }) ?? []
          return found.map((address) => ({ triggerId: row.triggerId, factory: row.factory, address, number, hash }))
        })
        await this.#write(row, { fromBlock, learnedTo: part.to, isLearned: part.to >= to }, members)
        if (this.#isOver) return
      }
    else await this.#write(row, { fromBlock, learnedTo: from - 1, isLearned: true }, [])
  }

  /** Undefined if the definition no longer has the factory; a save replaces the row then. */
  async #factoryOf({ definition, factory }: UnlearnedFactory): Promise<Factory | undefined> {
    const { chain, source } = this.#context
    for (const spec of specsOf(definition, source.fullname)) {
      const items = await chain.items.prepare(spec)
      if (items.factory?.key === factory) return items.factory
    }
    return undefined
  }

  async #write(
    { triggerId, factory }: UnlearnedFactory,
    progress: { fromBlock: number; learnedTo: number; isLearned: boolean },
    members: { triggerId: string; factory: string; address: string; number: number; hash: string }[],
  ): Promise<void> {
    const { deps, lease, source } = this.#context
    await deps.store.tx(async (store) => {
      await requireLease(store, lease)
      await store.factories.addMembers(source.fullname, members)
      await store.factories.advance({ triggerId, source: source.fullname, factory }, progress)
      if (progress.isLearned && (await store.factories.areAllLearned(triggerId)))
        await store.triggerStatuses.endLearning(triggerId, deps.clock())
    })
  }

  async #reportFailure(error: UpstreamError): Promise<void> {
    const message = `The contracts that a factory created earlier cannot be read; it will be retried. ${error.message}`
    await this.#context.report.log({ level: 'warn', message, details: { code: 'factory_unread' } })
  }

  async #pause(ms: number): Promise<void> {
    const endsAt = performance.now() + ms
    while (!this.#isOver && performance.now() < endsAt) await sleep(restMs)
  }
}

function specsOf({ triggerSpec, sourceBindings }: TriggerDefinition, source: string): SourceSpec[] {
  const parsed = Definition.safeParse({ triggerSpec, sourceBindings }).data
  const spec = parsed?.triggerSpec
  if (!spec || !('dataSource' in spec)) return []
  const bound = parsed.sourceBindings?.map((binding) => bindSpec(spec, binding)) ?? [spec]
  return bound.filter(({ dataSource }) => dataSource === source)
}
