import type { BlockMemory } from '../../engine/follow-core/block-memory.ts'
import type { ChainHead } from '../../engine/follow-core/chain.ts'
import type { UpstreamError } from '../../engine/outbound/upstream-error.ts'
import type { Chain } from '../../engine/sources/chain.ts'
import type { LiveConnection } from '../../engine/sources/connection.ts'
import type { FollowerLease } from '../../store/following/followers.ts'
import type { RuntimeDeps } from '../deps.ts'
import type { Fairness } from '../jobs/split.ts'
import type { LiveSource } from '../listeners/live-source.ts'
import type { AnnouncedHeads } from './pace/announced-heads.ts'
import type { BlockTime } from './pace/block-time.ts'
import type { HeadPolling } from './pace/polling.ts'
import type { ReadGracePeriod } from './pace/read-grace-period.ts'
import type { SourceChain } from './source-chain.ts'
import type { SourceReport } from './source-report.ts'
import type { UnprovenBlocks } from './unproven-blocks.ts'

/** What the sources of a process share. */
export type SharedBySources = { fairness: Fairness; memory: BlockMemory }

export type Trouble = { since: number | undefined; processed: number | undefined }

/** What a source run gives to its follow loop. `blockTime`, `polling`, `gracePeriod`, `announced` and `trouble` outlive a loop that fails. */
export type FollowLoopOptions = SharedBySources & {
  deps: RuntimeDeps
  source: LiveSource
  lease: FollowerLease
  report: SourceReport
  isStopping(): boolean
  /** True while a node announces its heads over a stream in time. */
  areHeadsAnnounced(): boolean
  announced: AnnouncedHeads
  /** What was announced and not taken yet; a head comes first. */
  hasAnnounced(): 'head' | 'waiting alerts' | undefined
  /** True if a process has announced waiting alerts of the source since the last call. */
  takeAnnouncedWaiting(): boolean
  wait(ms: number): Promise<void>
  /** Ends a wait. */
  wake(): void
  /** The report or the sink may have something to save. */
  noteProgress(): void
  blockTime: BlockTime
  polling: HeadPolling
  gracePeriod: ReadGracePeriod
  /** Since when the node misses a block or is behind, and the last processed block meanwhile. */
  trouble: Trouble
  /** True while the last steps failed. */
  isFailing(): boolean
  /** Records and reports a failure of the nodes, and waits before the next step. */
  handleFailure(error: UpstreamError): Promise<void>
  /** A step has ended, well or not. */
  noteStep(): void
  unproven: UnprovenBlocks
  /** Ends the current series of failures and returns it if it was reported. */
  endFailures(): { failures: number; seconds: number } | undefined
}

/** What the parts of one follow loop share. */
export type FollowContext = FollowLoopOptions & {
  /** Reads what factories created in blocks that are not known yet. */
  learnFactories(): void
  chain: Chain
  connection: LiveConnection
  /** The chain as the follower reads it: blocks with the parts that listeners need. */
  view: SourceChain
  progress: Progress
}

/** The head, the finalized block and the time up to which everything was read, as a checkpoint stores them. */
export type Horizon = { head: number; headAt: Date | null; finalized: number | null; readAt?: Date | null }

/** The latest head of a source, when it was first seen, and up to which block the chain is final. */
export class Progress {
  readonly #clock: () => Date
  #head: ChainHead | undefined
  #headAt: Date | null = null
  finalized: number | null = null
  /** Every block that the node had at this time was applied. Null if that is not known since an undo or the start. */
  readAt: Date | null = null

  constructor(clock: () => Date) {
    this.#clock = clock
  }

  get head(): ChainHead | undefined {
    return this.#head
  }

  get headAt(): Date | null {
    return this.#headAt
  }

  setHead(head: ChainHead): void {
    if (head.number !== this.#head?.number) this.#headAt = this.#clock()
    this.#head = head
  }

  get horizon(): Horizon {
    const { finalized, readAt } = this
    return { head: this.#head?.number ?? 0, headAt: this.#headAt, finalized, readAt }
  }
}
