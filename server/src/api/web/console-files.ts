import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../domain/refusal.ts'
import { acceptedEncoding, addVary, encodings } from '../headers.ts'
import { type BuiltFile, readBuiltFiles } from './built-files.ts'

const builtFolder = fileURLToPath(new URL('../../../../console/dist', import.meta.url))
/** The build writes this text where the nonce goes. */
const noncePlaceholder = '__NONCE__'

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
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
    const file = built.files.get(path.slice(1))
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
  const page = join(folder, 'index.html')
  return existsSync(page) ? { page: readFileSync(page, 'utf8'), files: readBuiltFiles(folder, types) } : undefined
}
