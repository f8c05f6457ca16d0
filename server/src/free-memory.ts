import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const everyMs = 5_000
/** From this share of one core on the process is busy. */
const busyShare = 0.1
/** Collecting garbage pauses the process for some tenths of a second, so it happens at most this often. */
const pauseMs = 30_000
/** Less than this is not worth a collection: half of it is the space for young objects, which the next burst needs again. */
const grownMin = 40 * 1024 * 1024

/**
 * Frees memory when the start or a burst is over. V8 collects garbage only when it needs room, so without this an idle
 * process would keep the memory of its busiest moment.
 *
 * A collection in a quiet moment also discards the compiled code whose objects are all gone, such as that of requests. The
 * next thousands of requests take up to four times the CPU time until V8 has compiled it again. So it happens only when there
 * is memory to free, and `npm start` turns off V8's own collections in quiet moments.
 */
export function freeMemoryWhenQuiet(): void {
  setFlagsFromString('--expose-gc')
  const gc: typeof globalThis.gc = runInNewContext('gc')
  const collect = () => {
    // If V8 collects the shape of the entries of `nextTick`, each later call takes a slow path. So an entry waits meanwhile.
    process.nextTick(() => {})
    void gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }
  collect()
  const burst = new BurstWatch()
  let before = process.cpuUsage()
  setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    const share = (user + system) / 1000 / everyMs
    if (burst.leftMemory(share, process.memoryUsage.rss(), performance.now())) collect()
  }, everyMs).unref()
}

/** Tells when a burst is over that left memory to free: the process was busy, and then quiet for a whole interval. */
export class BurstWatch {
  #wasBusy = false
  #collectedAt = Number.NEGATIVE_INFINITY
  /** The least memory in a quiet moment since the last collection. A process that was busy since then has had none. */
  #least: number | undefined

  /** `share` is the share of one core that the process used since the last call, `bytes` its memory. */
  leftMemory(share: number, bytes: number, nowMs: number): boolean {
    if (share >= busyShare) {
      this.#wasBusy = true
      return false
    }
    if (!this.#wasBusy) {
      this.#least = Math.min(this.#least ?? bytes, bytes)
      return false
    }
    if (nowMs - this.#collectedAt < pauseMs) return false
    this.#wasBusy = false
    if (this.#least !== undefined && bytes - this.#least < grownMin) return false
    this.#collectedAt = nowMs
    this.#least = undefined
    return true
  }
}
