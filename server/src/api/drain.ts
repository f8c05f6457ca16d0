import type { FastifyReply, FastifyRequest } from 'fastify'

const drainMs = 5_000
const drainBytesMax = 64 * 1024 * 1024

/**
 * After refusing a large body, the server closes the connection. If it closed while the client still writes, the client
 * would see a broken pipe instead of the refusal. So the rest of the body is read and discarded first, up to a limit.
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
