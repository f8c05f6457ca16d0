import { setTimeout as sleep } from 'node:timers/promises'
import { LeaseLost } from '../../../store/following/followers.ts'
import type { FollowContext } from '../follow-context.ts'
import type { SourceSink } from '../source-sink.ts'
import { EarlierBlocks } from './earlier-blocks.ts'
import { HistoryRun } from './history-run.ts'

/** The histories of a source that run at once. The others wait for one of them to end. */
const atOnceMax = 4
/** The pause after a round in which no history could do anything: its jobs are not evaluated yet, or its node failed. */
const waitMs = 50

/**
 * The histories of one source, beside its follow loop and under the same lease. They take turns of one batch of blocks. A
 * source without histories costs nothing.
 */
export class Histories {
  readonly #context: FollowContext
  readonly #sink: SourceSink
  readonly earlierBlocks: EarlierBlocks
  readonly #runs = new Map<string, HistoryRun>()
  #running: Promise<void> | undefined
  #isClosed = false

  constructor(context: FollowContext, sink: SourceSink) {
    this.#context = context
    this.#sink = sink
    this.earlierBlocks = new EarlierBlocks(context)
  }

  /** Starts to run the histories of the source, unless they run already or there are none. */
  start(): void {
    const { deps, source } = this.#context
    if (this.#running || this.#isClosed || deps.listeners.histories(source.fullname).length === 0) return
    const onFailure = (error: unknown) => {
      if (error instanceof LeaseLost) return
      deps.log.warn({ source: source.fullname, error: String(error) }, 'history failed; it will be retried')
    }
    this.#running = this.#run()
      .catch(onFailure)
      .finally(() => {
        for (const id of this.#runs.keys()) this.#end(id)
        this.#running = undefined
      })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#running
  }

  #end(subscriptionId: string): void {
    this.#runs.get(subscriptionId)?.close()
    this.#runs.delete(subscriptionId)
  }

  async #run(): Promise<void> {
    const { deps, source, isStopping } = this.#context
    while (!this.#isClosed && !isStopping()) {
      const histories = deps.listeners.histories(source.fullname).slice(0, atOnceMax)
      if (histories.length === 0) return
      let hasWorked = false
      for (const history of histories) {
        const run =
          this.#runs.get(history.subscriptionId) ?? new HistoryRun(this.#context, this.#sink, this.earlierBlocks)
        this.#runs.set(history.subscriptionId, run)
        if (await run.step(history)) hasWorked = true
      }
      const ids = new Set(histories.map(({ subscriptionId }) => subscriptionId))
      for (const id of this.#runs.keys()) if (!ids.has(id)) this.#end(id)
      if (!hasWorked) await sleep(waitMs)
    }
  }
}
