import { isAlive } from './process-identity.ts'

const checkEveryMs = 500

export type Supervision = { end(): Promise<void> }

/** Restarts a server that died while the service runs. A failed attempt is repeated at the next check. */
export function supervise(pid: () => number, revive: () => Promise<void>, warn: (line: string) => void): Supervision {
  let reviving: Promise<void> | undefined
  const timer = setInterval(() => {
    if (reviving || isAlive(pid())) return
    reviving = revive()
      .catch((error: Error) => warn(`The embedded PostgreSQL died and cannot be brought back yet: ${error.message}`))
      .finally(() => {
        reviving = undefined
      })
  }, checkEveryMs)
  timer.unref()
  return {
    async end() {
      clearInterval(timer)
      await reviving
    },
  }
}
