import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Services as processes that can be killed, frozen and started again. */
export type ServiceProcess = {
  url: string
  child: ChildProcess
  /** The process ends at a crash point or by `kill`. */
  ended: Promise<void>
  kill(): Promise<void>
  tell(message: { jumpMs?: number; crashAt?: string; after?: number }): void
}
type OnLog = (line: string) => void

/** A compile cache makes restarts faster. */
const compiled = join(import.meta.dirname, '../../node_modules/.cache/compiled')

/** A busy PostgreSQL may need longer for a connection than a start waits. The service then ends and is started again, as an operator's supervisor does. */
export async function startServiceProcess(variables: Record<string, string>, onLog: OnLog): Promise<ServiceProcess> {
  for (let startsFailed = 0; ; startsFailed++) {
    try {
      return await tryStart(variables, onLog)
    } catch (error) {
      const isSlow = error instanceof Error && slowConnections.some((text) => error.message.includes(text))
      if (!isSlow || startsFailed === startsFailedMax) throw error
    }
  }
}

/** What the pool says of a connection that takes too long, for itself and for a caller that waits for one. */
const slowConnections = ['due to connection timeout', 'timeout exceeded when trying to connect']
const startsFailedMax = 10

async function tryStart(variables: Record<string, string>, onLog: OnLog): Promise<ServiceProcess> {
  const child = fork(join(import.meta.dirname, 'service.ts'), [], {
    env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', NODE_COMPILE_CACHE: compiled, ...variables },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  if (child.stdout) createInterface({ input: child.stdout }).on('line', onLog)
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk).slice(-4_000)
  })
  const ended = once(child, 'exit').then(() => undefined)
  const url = await Promise.race([
    once(child, 'message').then(([message]) => (message as { url: string }).url),
    ended.then(() => Promise.reject(new Error(`The service did not start: ${said}`))),
  ])
  return {
    url,
    child,
    ended,
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
    tell: (message) => {
      if (child.connected) child.send(message, () => undefined)
    },
  }
}
