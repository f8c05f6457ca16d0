import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const everyMs = 5_000
/** From this share of one core on the process is busy. */
const busyShare = 0.1
/** Collecting garbage pauses the process for some hundredths of a second, so it happens at most this often. */
const pauseMs = 30_000

/**
 * Frees memory when the start or a burst is over. V8 collects garbage only when it needs room, so without this an idle
 * process would keep the memory of its busiest moment.
 */
export function freeMemoryWhenQuiet(): void {
  setFlagsFromString('--expose-gc')
  const collect: typeof globalThis.gc = runInNewContext('gc')
  void collect?.({ type: 'major', execution: 'async', flavor: 'last-resort' })
  const burst = new BurstWatch()
  let before = process.cpuUsage()
  setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    if (burst.hasEnded((user + system) / 1000 / everyMs, performance.now()))
      void collect?.({ type: 'major', execution: 'async' })
  }, everyMs).unref()
}

/** Tells when a burst is over: the process was busy, and then quiet for a whole interval. */
export class BurstWatch {
  #wasBusy = false
  #endedAt = Number.NEGATIVE_INFINITY

  /** `share` is the share of one core that the process used since the last call. */
  hasEnded(share: number, nowMs: number): boolean {
    if (share >= busyShare) this.#wasBusy = true
    if (share >= busyShare || !this.#wasBusy || nowMs - this.#endedAt < pauseMs) return false
    this.#wasBusy = false
    this.#endedAt = nowMs
    return true
  }
}
