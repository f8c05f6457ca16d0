/** The service as a process of its own that dies where and when it is told, for simulations. */
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
// It will hardly end in a way that would keep what was compiled.
flushCompileCache()
process.send?.({ url: service.url })
