import { isAlive } from './process-identity.ts'

const lookEveryMs = 500

export type Supervision = { end(): Promise<void> }

/** Brings a server that died back while the service lives; a failed try is repeated at the next look. */
export function supervise(pid: () => number, revive: () => Promise<void>, warn: (line: string) => void): Supervision {
  let reviving: Promise<void> | undefined
  const timer = setInterval(() => {
    if (reviving || isAlive(pid())) return
    reviving = revive()
      .catch((error: Error) => warn(`The embedded PostgreSQL died and cannot be brought back yet: ${error.message}`))
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
