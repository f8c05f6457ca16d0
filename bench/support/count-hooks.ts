/**
 * A webhook receiver in its own process: it accepts all requests and counts them. It parses only where a request ends,
 * because its CPU time is missing to the service on the same machine. Arguments: the address to listen on (0.0.0.0 serves
 * all of 127.0.0.0/8), and the milliseconds until it answers a webhook, or `never`.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net'

const [, , address = '127.0.0.1', answerAfter = '0'] = process.argv
let taken = 0
const headEnd = Buffer.from('\r\n\r\n')
const noContent = 'HTTP/1.1 204 No Content\r\n\r\n'

const server = createServer((socket) => {
  let rest: Buffer = Buffer.alloc(0)
  socket.setNoDelay(true)
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (let bytes = requestBytes(rest); bytes > 0 && bytes <= rest.length; bytes = requestBytes(rest)) {
      answer(socket, rest)
      rest = rest.subarray(bytes)
    }
  })
})

/** The length of the first request in the buffer; 0 while its head is incomplete. */
function requestBytes(received: Buffer): number {
  const end = received.indexOf(headEnd)
  if (end < 0) return 0
  const length = /^content-length: *(\d+)/im.exec(received.toString('latin1', 0, end))?.[1]
  return end + headEnd.length + Number(length ?? 0)
}

function answer(socket: Socket, request: Buffer): void {
  if (request.toString('latin1', 0, 4) === 'GET ') {
    const body = String(taken)
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
    return
  }
  taken++
  if (answerAfter === '0') socket.write(noContent)
  else if (answerAfter !== 'never') setTimeout(() => socket.write(noContent), Number(answerAfter))
}

server.listen(0, address, () => {
  console.log(`serving at http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.once('SIGTERM', () => process.exit())
