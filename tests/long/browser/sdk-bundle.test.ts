import { resolve } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensurePackages } from '../../../scripts/packages.mjs'
import { journeyMs, openingMs, openSite, type Site } from '../../browser/harness/index.ts'
import { customSource, type Person } from '../../harness/index.ts'

let site: Site
let dev: Person
beforeAll(async () => {
  site = await openSite({ ROLE: 'api' })
  dev = await site.house.person('dev')
  await dev.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  // A new stream begins with the status of each source.
  await dev.saveCustomSource({ fullname: 'acme.node', body: customSource('acme.node') })
}, openingMs)
afterAll(() => site?.close())

/** A program of a user, which a bundler makes one script of. */
const program = `
import { ApiError, createClient, verifyWebhook } from '@tocsin/sdk'

export async function useSdk(baseUrl, token, webhook) {
  const client = createClient({ baseUrl, token })
  const workspaces = []
  for await (const { fullname } of client.each.listWorkspaces({ query: { limit: 1 } })) workspaces.push(fullname)
  const missing = await client.getProject({ fullname: 'no.such' }).catch((error) => error)
  const ending = new AbortController()
  let event
  for await (const each of client.stream({ workspace: 'acme', signal: ending.signal })) {
    event = each.event
    ending.abort()
  }
  const { payload, headers, secret } = webhook
  const verified = await verifyWebhook(payload, headers, secret)
  const forged = await verifyWebhook(payload + ' ', headers, secret).catch((error) => error.name)
  return { workspaces, code: missing instanceof ApiError && missing.code, event, verified, forged }
}
`

test(
  'the SDK as a bundle runs in a browser: calls, lists, the stream and the check of webhooks',
  async () => {
    await ensurePackages(process.execPath)
    // Vite makes the entry a path of the root, where no such file is.
    const entry = 'program-of-a-user.js'
    const output = await build({
      root: resolve(import.meta.dirname, '../../..'),
      configFile: false,
      logLevel: 'error',
      plugins: [
        {
          name: 'program',
          enforce: 'pre',
          resolveId: (id) => (id.endsWith(entry) ? entry : null),
          load: (id) => (id === entry ? program : null),
        },
      ],
      build: { lib: { entry, formats: ['iife'], name: 'bundle' }, write: false, minify: false },
    })
    const [result] = [output].flat()
    const [chunk] = result && 'output' in result ? result.output : []
    const page = await site.visit({ allows: /404/ })
    await page.goto('/sign-in')
    const call = [site.house.url, dev.token, signWebhook({ type: 'alert' })]
      .map((value) => JSON.stringify(value))
      .join(', ')
    const code = chunk?.type === 'chunk' ? chunk.code : ''
    const found = await page.evaluate(`(() => { ${code}; return bundle.useSdk(${call}) })()`)
    expect(found).toEqual({
      workspaces: expect.arrayContaining(['acme']),
      code: 'not_found',
      event: 'source',
      verified: { type: 'alert' },
      forged: 'WebhookError',
    })
    await site.leave()
  },
  journeyMs,
)

function signWebhook(content: object) {
  const secret = `whsec_${Buffer.from('a secret of a webhook').toString('base64')}`
  const [payload, id, at] = [JSON.stringify(content), 'msg_1', new Date()]
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, payload),
  }
  return { payload, headers, secret }
}
