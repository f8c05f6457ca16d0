import { UpstreamError } from '../world.ts'

/** What takes many calls ends when its time is over, however quick each of them is. The work itself ends by its calls. */
export async function within<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const tooSlow = `The source answered too slowly: this took longer than ${timeoutMs / 1000} s.`
  const timer = setTimeout(() => reject(new UpstreamError('timeout', tooSlow)), timeoutMs)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    // It may still fail after nobody waits for it.
    work.catch(() => undefined)
  }
}
