import type { Tried } from './schedule.ts'

/** So long others are waited for, to share a commit. */
const lingerMs = 15
const sharedMax = 250

/** Gathers what was tried and settles it together, one commit after the other, while sending goes on. */
export class Settler {
  private readonly commit: (tried: readonly Tried[]) => Promise<void>
  private waiting: Tried[] = []
  private committing: Promise<void> = Promise.resolve()
  private timer: NodeJS.Timeout | undefined
  /** After a commit that failed nothing more can be settled: the lane is lost, or the store is. */
  failure: Error | undefined

  constructor(commit: (tried: readonly Tried[]) => Promise<void>) {
    this.commit = commit
  }

  add(tried: Tried): void {
    this.waiting.push(tried)
    if (this.waiting.length >= sharedMax) void this.start()
    else this.timer ??= setTimeout(() => void this.start(), lingerMs)
  }

  /** Everything that was added is settled, or it throws. */
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
    const tried = this.waiting
    this.waiting = []
    if (tried.length === 0 || this.failure) return
    try {
      await this.commit(tried)
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error))
    }
  }
}
