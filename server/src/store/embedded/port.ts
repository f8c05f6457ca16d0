import { createServer } from 'node:net'
import type { Layout } from './layout.ts'
import { readIfPresent, writePrivateFile } from './private-file.ts'

/** The port of the last start if it is free, else a free port, stored for the next start. */
export async function choosePort(layout: Layout): Promise<number> {
  const kept = Number(readIfPresent(layout.port))
  if (kept > 0 && (await listenOn(kept))) return kept
  const free = await listenOn(0)
  if (!free) throw new Error('No free port on 127.0.0.1 for the embedded PostgreSQL.')
  writePrivateFile(layout.port, String(free))
  return free
}

/** Returns the port if it can be listened on, and closes it at once. */
function listenOn(port: number): Promise<number | undefined> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined))
    })
  })
}
