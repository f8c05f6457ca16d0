import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../domain/refusal.ts'
import { addVary, prefersType } from '../headers.ts'
import { type BuiltFile, readBuiltFiles } from './built-files.ts'

const builtFolder = fileURLToPath(new URL('../../../../site/dist', import.meta.url))
const home = 'guide/quickstart'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.yaml': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
/** A drawing may have its own style, and nothing else. */
const filePolicy = "default-src 'none'; style-src 'unsafe-inline'"

/**
 * The docs site at /docs, which `site/` builds from `docs/`. The files are read into memory with the first request, so a
 * new build needs a restart.
 */
export function addDocsSite(app: FastifyInstance, folder: string = builtFolder): void {
  let files = new Map<string, BuiltFile>()
  const find = (path: string) => {
    if (files.size === 0) files = readBuiltFiles(folder, types)
    if (files.size === 0)
      throw new Refusal('unavailable', 'The docs site has not been built. Start the service with `npm start`.')
    return files.get(path)
  }

  for (const path of ['/docs', '/docs/']) app.get(path, (_request, reply) => reply.redirect(`/docs/${home}`))
  for (const name of ['llms.txt', 'llms-full.txt'])
    app.get(`/${name}`, async (_request, reply) => send(reply, requireFile(find(name))))
  app.get<{ Params: { '*': string } }>('/docs/*', async (request, reply) => {
    const path = request.params['*'].replace(/\/$/, '')
    reply.header('content-security-policy', path.startsWith('files/') ? filePolicy : pagePolicy)
    const file = find(path) ?? find(`${path}.html`)
    return file ? send(reply, file) : sendMissing(request, reply, find('404.html'))
  })
}

function send(reply: FastifyReply, { type, bytes }: BuiltFile): FastifyReply {
  return reply.type(type).header('cache-control', 'public, max-age=300').send(bytes)
}

/** A browser gets a page with the navigation and the search, a program the error of the API. */
function sendMissing(request: FastifyRequest, reply: FastifyReply, page: BuiltFile | undefined): FastifyReply {
  const { type, bytes } = requireFile(prefersType(request, 'text/html') ? page : undefined)
  addVary(reply, 'Accept')
  return reply.code(404).type(type).header('cache-control', 'no-cache').send(bytes)
}

function requireFile(file: BuiltFile | undefined): BuiltFile {
  if (!file) throw new Refusal('not_found', 'There is no such page.')
  return file
}
