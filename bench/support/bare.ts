import { createServer } from 'node:http'
import pg from 'pg'

/** The baseline for a request: node:http, one prepared query by key, JSON of the given size. */
const [url = '', key = '', size = '0', columns = '*'] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url, max: 10 })
const one = { name: 'one', text: `select ${columns} from projects where fullname = $1` }

const server = createServer(async (_request, response) => {
  const { rows } = await pool.query({ ...one, values: [key] })
  const body = JSON.stringify(rows[0]).padEnd(Number(size)).slice(0, Number(size))
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
})
// Connections stay open while the other servers are measured, as those of the service do.
server.keepAliveTimeout = 72_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`serving at http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`)
})
