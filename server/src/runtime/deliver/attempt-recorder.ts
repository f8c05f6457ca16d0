import type { Attempted } from './schedule.ts'

/** An attempt waits this long for others, so that they share one commit. */
const lingerMs = 15
const sharedMax = 250

/** Collects attempts and records them in batches, one commit after the other, while the lane goes on sending. */
export class AttemptRecorder {
  private readonly commit: (attempted: readonly Attempted[]) => Promise<void>
  private waiting: Attempted[] = []
  private committing: Promise<void> = Promise.resolve()
  private timer: NodeJS.Timeout | undefined
  /** Set after a failed commit. Nothing more is recorded then: the lane is lost, or the store is down. */
  failure: Error | undefined

  constructor(commit: (attempted: readonly Attempted[]) => Promise<void>) {
    this.commit = commit
  }

  add(attempted: Attempted): void {
    this.waiting.push(attempted)
    if (this.waiting.length >= sharedMax) void this.start()
    else this.timer ??= setTimeout(() => void this.start(), lingerMs)
  }

  /** Returns when everything that was added is recorded, or throws. */
  async flush(): Promise<void> {
    await this.start()
    if (this.failure) throw this.failure
  }

  private start(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    this.committing = this.committing.then(() => this.commitWaiting())
    return this.committing
  }

  private async commitWaiting(): Promise<void> {
    const attempted = this.waiting
    this.waiting = []
    if (attempted.length === 0 || this.failure) return
    try {
      await this.commit(attempted)
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error))
    }
  }
}
