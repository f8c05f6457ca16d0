import { createServer } from 'node:http'
import pg from 'pg'

/** The floor that a request is measured against: node:http, one prepared query for the row, its JSON at the given size. */
const [url = '', key = '', size = '0'] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url, max: 10 })
const one = { name: 'one', text: 'select * from projects where fullname = $1' }

const server = createServer(async (_request, response) => {
  const { rows } = await pool.query({ ...one, values: [key] })
  const body = JSON.stringify(rows[0]).padEnd(Number(size)).slice(0, Number(size))
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`serving at http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`)
})
