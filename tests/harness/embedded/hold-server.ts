// A process that tests can kill: it starts the embedded server as the service does, reports it, and keeps it running.
import { startEmbeddedPostgres } from '../../../server/src/store/embedded/index.ts'

const dataDir = process.argv[2] ?? ''
try {
  const server = await startEmbeddedPostgres(dataDir)
  const idle = setInterval(() => {}, 1000)
  process.once('SIGTERM', () => server.stop().then(() => clearInterval(idle)))
  // This must be the last line: the test may kill this process as soon as it reads it.
  console.log(JSON.stringify({ url: server.url, pid: server.pid, adopted: server.adopted }))
} catch (error) {
  console.log(JSON.stringify({ refused: error instanceof Error ? error.message : String(error) }))
}
