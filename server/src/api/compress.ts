import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type Route, type RouteName, routes } from '@tocsin/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { acceptedEncoding, addVary, type Encoding, encodings } from './headers.ts'

/** A smaller body fits into one or two packets, so compression would only cost time. */
const bytesMin = 1400
const compressible = /^(application\/([\w.-]+\+)?json|text\/(?!event-stream)|image\/svg\+xml)/

/**
 * The routes whose answers can show a secret: those of accounts (tokens, codes), and these, with invites, links, the data of
 * destinations and endpoints with keys. They are not compressed. The length of a compressed answer tells how much of a text that somebody else put beside the
 * secret is equal to it (BREACH).
 */
const secretRoutes = [
  'listWorkspaces',
  'getWorkspace',
  'saveWorkspace',
  'uploadAvatar',
  'openAccessLink',
  'listAccessLinks',
  'createAccessLink',
  'listResources',
  'getResource',
  'saveResource',
  'createSetupSession',
  'getExternalResource',
  'getCustomSource',
  'saveCustomSource',
] as const satisfies RouteName[]
const secretPaths = new Set<string>([
  ...secretRoutes.map((name) => routes[name].path),
  ...Object.values<Route>(routes).flatMap(({ noun, path }) => (noun === 'accounts' ? [path] : [])),
])

const gzipAsync = promisify(gzip)
const brotliAsync = promisify(brotliCompress)
const pack: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  // These levels take about as long as writing the JSON. Higher ones save a few percent and take many times longer.
  gzip: (bytes) => gzipAsync(bytes, { level: 5 }),
  br: (bytes) => brotliAsync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
}

/** Compresses whole bodies of text. Streams, pictures, small bodies and answers with secrets are sent as they are. */
export function addCompression(app: FastifyInstance): void {
  app.addHook<unknown>('onSend', (request, reply, payload, done) => {
    if (!isCompressible(reply, payload) || secretPaths.has(request.routeOptions.url ?? '')) return done(null, payload)
    addVary(reply, 'Accept-Encoding')
    // Node sends a small text together with the headers.
    if (Buffer.byteLength(payload) < bytesMin) return done(null, payload)
    // The bytes of a larger one, because Node would encode the text again.
    const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(payload)
    const encoding = acceptedEncoding(request, encodings)
    if (!encoding) return done(null, bytes)
    packOnce(bytes, encoding).then((packed) => {
      reply.header('content-encoding', encoding)
      reply.removeHeader('content-length')
      done(null, packed)
    }, done)
  })
}

function isCompressible(reply: FastifyReply, payload: unknown): payload is string | Buffer {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return false
  return !reply.hasHeader('content-encoding') && compressible.test(String(reply.getHeader('content-type')))
}

/** Documents are sent from the same buffer again and again, so the result is kept for as long as the buffer is. */
const packedOnce = new WeakMap<Buffer, Map<Encoding, Promise<Buffer>>>()

function packOnce(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  const known = packedOnce.get(bytes) ?? new Map<Encoding, Promise<Buffer>>()
  packedOnce.set(bytes, known)
  const packed = known.get(encoding) ?? pack[encoding](bytes)
  known.set(encoding, packed)
  return packed
}
