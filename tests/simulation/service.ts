/** The service as a process for simulations; it dies at the given crash point. */
import { flushCompileCache } from 'node:module'
import { loadConfig } from '../../server/src/config.ts'
import { startService } from '../../server/src/service.ts'

type Told = { jumpMs?: number; crashAt?: string; after?: number }

let offsetMs = 0
let crashAt: string | undefined
let left = 0

process.on('message', (told: Told) => {
  offsetMs += told.jumpMs ?? 0
  if (told.crashAt !== undefined) [crashAt, left] = [told.crashAt, told.after ?? 0]
})
process.on('disconnect', () => process.exit())

const service = await startService(loadConfig(process.env), {
  clock: () => new Date(Date.now() + offsetMs),
  isAlone: process.env.IS_ALONE === 'yes',
  crashPoint(name) {
    if (name === crashAt && left-- === 0) process.kill(process.pid, 'SIGKILL')
  },
})
// The process is usually killed, which would lose the compile cache, so the cache is written now.
flushCompileCache()
process.send?.({ url: service.url })
