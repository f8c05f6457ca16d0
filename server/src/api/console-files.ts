import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../domain/refusal.ts'
import { acceptedEncoding, type Encoding, encodings } from './accept.ts'
import { addVary } from './headers.ts'

const builtFolder = fileURLToPath(new URL('../../../console/dist', import.meta.url))
/** The build writes this text where the nonce goes. */
const noncePlaceholder = '__NONCE__'

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
type BuiltFile = { type: string; bytes: Buffer; packed: Partial<Record<Encoding, Buffer>> }
type Built = { page: string; files: Map<string, BuiltFile> }

/**
 * The console: one document for every path outside the API, and files whose names hold their hash. The files are read
 * into memory with the first request, so a new build needs a restart.
 */
export function addConsole(app: FastifyInstance, folder: string = builtFolder): void {
  let built: Built | undefined
  app.get('/*', async (request, reply) => {
    const path = pathOf(request)
    if (/^\/(api|metrics)(\/|$)/.test(path)) throw new Refusal('not_found', 'There is no such path.')
    built ??= readBuilt(folder)
    if (!built) throw new Refusal('unavailable', 'The console has not been built. Start the service with `npm start`.')
    const file = built.files.get(path)
    if (file) return sendFile(request, reply, path, file)
    if (isFileName(path)) throw new Refusal('not_found', 'There is no such file.')
    return sendPage(reply, built.page)
  })
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '/'
}

/** Assets, and names with a dot directly below the root. Dots in deeper paths belong to fullnames. */
function isFileName(path: string): boolean {
  return path.startsWith('/assets/') || /^\/[^/]+\.\w+$/.test(path)
}

/**
 * The content security policy allows our own scripts, our own style files and inline styles with this response's nonce,
 * and nothing from other origins.
 */
function sendPage(reply: FastifyReply, page: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return reply
    .headers({ 'content-security-policy': policy, 'cache-control': 'no-cache' })
    .type('text/html; charset=utf-8')
    .send(page.replaceAll(noncePlaceholder, nonce))
}

function sendFile(request: FastifyRequest, reply: FastifyReply, path: string, file: BuiltFile): FastifyReply {
  const offered = encodings.filter((each) => file.packed[each] !== undefined)
  const encoding = acceptedEncoding(request, offered)
  addVary(reply, 'Accept-Encoding')
  const isForever = path.startsWith('/assets/')
  reply.headers({
    'cache-control': isForever ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
    ...(encoding && { 'content-encoding': encoding }),
  })
  return reply.type(file.type).send((encoding && file.packed[encoding]) ?? file.bytes)
}

function readBuilt(folder: string): Built | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined
  const files = new Map<string, BuiltFile>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = types[extname(entry.name)]
    if (!entry.isFile() || !type) continue
    const file = join(entry.parentPath, entry.name)
    files.set(`/${relative(folder, file).split(sep).join('/')}`, {
      type,
      bytes: readFileSync(file),
      packed: readPacked(file),
    })
  }
  return { page: readFileSync(join(folder, 'index.html'), 'utf8'), files }
}

function readPacked(file: string): BuiltFile['packed'] {
  const read = (name: string) => (existsSync(name) ? readFileSync(name) : undefined)
  const [br, gzip] = [read(`${file}.br`), read(`${file}.gz`)]
  return { ...(br && { br }), ...(gzip && { gzip }) }
}
