import type { FastifyReply, FastifyRequest } from 'fastify'

const drainMs = 5_000
const drainBytesMax = 64 * 1024 * 1024

/**
 * A body that is too large is left unread and its connection closed. Closing while the caller still writes resets the
 * connection, and he would see a broken pipe instead of the refusal: so what is left is read and thrown away first,
 * within bounds.
 */
export async function drainRefused({ raw }: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (raw.complete || raw.destroyed || reply.getHeader('connection') !== 'close') return
  await new Promise<void>((resolve) => {
    let bytes = 0
    const timer = setTimeout(resolve, drainMs)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    raw.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > drainBytesMax) end()
    })
    raw.once('end', end).once('close', end).once('error', end)
    raw.resume()
  })
}
