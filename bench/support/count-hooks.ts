/** A receiver as a process of its own: takes what comes, and says how much it was. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

let taken = 0
const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.end(String(taken))
  request.resume()
  request.once('end', () => {
    taken++
    response.writeHead(204).end()
  })
})
server.listen(0, '127.0.0.1', () => {
  console.log(`serving at http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.once('SIGTERM', () => process.exit())
