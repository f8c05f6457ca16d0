const second = 1_000
const passMs = 30 * second
/** Finished jobs are deleted a minute after their end, so a few passes must follow the last work. */
const afterWorkMs = 150 * second
/** Another process may have died and left finished jobs. */
const idlePassMs = 600 * second

/**
 * When pg-boss should pass over all queues: it measures them and deletes finished jobs, with over 60 transactions for each
 * pass. While no job is added, also after a start, a pass has nothing to do, so there is one in ten minutes.
 */
export class QueuePasses {
  #workedAtMs = Number.NEGATIVE_INFINITY
  #passedAtMs: number

  constructor(nowMs: number) {
    this.#passedAtMs = nowMs
  }

  /** A job was added, by this process or another one. */
  noteWork(nowMs: number): void {
    this.#workedAtMs = nowMs
  }

  /** True if a pass should run now. The pass counts as done then. */
  isDue(nowMs: number): boolean {
    const isIdle = nowMs - this.#workedAtMs > afterWorkMs
    const isDue = nowMs - this.#passedAtMs >= (isIdle ? idlePassMs : passMs)
    if (isDue) this.#passedAtMs = nowMs
    return isDue
  }
}
