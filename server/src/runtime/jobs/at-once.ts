import type { Store } from '../../store/index.ts'
import type { QueuedJob } from './split.ts'

/**
 * Evaluates matches of new blocks without jobs: the commit of the blocks then has their alerts too. Evaluation serves it, the
 * followers of the same process use it. Only matches whose evaluation waits for nothing are evaluated so.
 */
export type AtOnce = {
  /** Evaluates some of the jobs. Undefined if it evaluated none. */
  evaluate(jobs: readonly QueuedJob[]): Promise<EvaluatedAtOnce | undefined>
  /** Returns the function that ends it. */
  serve(evaluate: AtOnce['evaluate']): () => void
}

/** The results wait for a transaction. If it fails, the jobs have to be added. */
export type EvaluatedAtOnce = {
  /** The ids of the evaluated jobs, which need not be added. */
  jobIds: ReadonlySet<string>
  /** The first step of the transaction, so that all transactions lock these rows before those of a follower. */
  lock(store: Store): Promise<void>
  write(store: Store): Promise<void>
  noteCommitted(): Promise<void>
  /** The results were not committed. */
  discard(): void
}

export function makeAtOnce(): AtOnce {
  let served: AtOnce['evaluate'] = async () => undefined
  const unserved = served
  return {
    evaluate: (jobs) => served(jobs),
    serve(evaluate) {
      served = evaluate
      return () => {
        served = unserved
      }
    },
  }
}
