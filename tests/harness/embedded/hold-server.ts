// A service as far as the launcher is concerned, for tests to kill: starts the server, tells of it, holds it.
import { startEmbeddedPostgres } from '../../../server/src/store/embedded/index.ts'

const dataDir = process.argv[2] ?? ''
try {
  const server = await startEmbeddedPostgres(dataDir)
  const idle = setInterval(() => {}, 1000)
  process.once('SIGTERM', () => server.stop().then(() => clearInterval(idle)))
  // Last: whoever hears it may end this process at once.
  console.log(JSON.stringify({ url: server.url, pid: server.pid, adopted: server.adopted }))
} catch (error) {
  console.log(JSON.stringify({ refused: error instanceof Error ? error.message : String(error) }))
}
