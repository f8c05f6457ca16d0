import { isAlive } from './process-identity.ts'

const lookEveryMs = 500

export type Supervision = { end(): Promise<void> }

/** Brings a server that died back while the service lives; a failed try is repeated at the next look. */
export function supervise(pid: () => number, revive: () => Promise<void>): Supervision {
  let reviving: Promise<void> | undefined
  const timer = setInterval(() => {
    if (reviving || isAlive(pid())) return
    reviving = revive()
      .catch(() => {})
      .finally(() => {
        reviving = undefined
      })
  }, lookEveryMs)
  timer.unref()
  return {
    async end() {
      clearInterval(timer)
      await reviving
    },
  }
}
