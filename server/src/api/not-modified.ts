import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { header } from './authenticate.ts'

/**
 * Gives public answers an ETag of their content, and answers 304 to a caller who has that content. Answers to accounts
 * are left out: their ETags are versions for `If-Match`, and what an account sees also depends on its role.
 */
export function addNotModified(app: FastifyInstance): void {
  app.addHook<unknown>('onSend', (request, reply, payload, done) => {
    const isPublic = String(reply.getHeader('cache-control')).startsWith('public')
    if (!isPublic || reply.statusCode !== 200 || !(typeof payload === 'string' || Buffer.isBuffer(payload)))
      return done(null, payload)
    const tag = `W/"${createHash('sha256').update(payload).digest('base64url').slice(0, 22)}"`
    reply.header('etag', tag)
    const known = header(request, 'if-none-match')
      ?.split(',')
      .map((each) => each.trim())
    if (!known?.includes(tag)) return done(null, payload)
    reply.code(304).removeHeader('content-length').removeHeader('content-type')
    done(null, null)
  })
}
