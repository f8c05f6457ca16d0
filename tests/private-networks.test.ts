import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { customSource, type Harness, harness, type Person } from './harness/index.ts'

/** Tenants' addresses never reach private networks: every notation, in every field that makes the service call one. */
let house: Harness
let eve: Person
let inside: Server
let port: number
let hits = 0

beforeAll(async () => {
  inside = createServer((_request, response) => {
    hits++
    response.end('{"jsonrpc":"2.0","id":1,"result":"0x1","data":{}}')
  }).listen(0, '::')
  await new Promise((listening) => inside.once('listening', listening))
  port = (inside.address() as AddressInfo).port
  house = await harness()
  eve = await house.person('eve')
  await eve.saveWorkspace({ fullname: 'evil', body: { fullname: 'evil' } })
})
afterAll(async () => {
  await house.close()
  inside.close()
})

/** Each host gets its own minute of the rate limit for tests. */
beforeEach(() => house.clock.advance(60_001))

const hosts = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0.0.0.0',
  'localhost',
  'LOCALHOST.',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[fe80::1]',
  '[fc00::1]',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '224.0.0.1',
  '255.255.255.255',
  'user:password@127.0.0.1',
]
const triggerSpec = { type: 'timer', interval: '1m' }

test.each(hosts)('%s', { timeout: 120_000 }, async (host) => {
  const url = `http://${host}:${port}/`
  const provider = (fields: object) => ({ id: 'p', type: 'http', url, ...fields })
  const providers = [
    provider({}),
    provider({ type: 'graphql', query: '{ a }' }),
    provider({ type: 'rpc', method: 'eth_chainId' }),
    provider({ url: `{{source.url}}` }),
  ]
  for (const each of providers) {
    const body = { triggerSpec, provider: each, templateValues: { 'source.url': url } }
    expect(await eve.testProvider({ body })).toMatchObject({ valid: false })
  }
  for (const endpoint of [url, url.replace('http', 'ws')]) {
    const verified = await eve.verifyCustomSource({
      body: { workspace: 'evil', name: 'x', kind: 'evm', endpoints: [endpoint] },
    })
    expect(verified.ok).toBe(false)
  }
  const fullname = `evil.s${hosts.indexOf(host)}`
  await eve.saveCustomSource({ fullname, body: customSource(fullname, { endpoints: [url] }) })
  const spec = { type: 'evm_log', dataSource: fullname }
  const tested = await eve.testTriggerBlock({
    body: { triggerSpec: spec, providers: [], transform: null, outputSchema: null, block: 1 },
  })
  expect(tested.valid).toBe(false)
  expect(JSON.stringify(tested.issues)).not.toContain('password')
  expect(hits).toBe(0)
})
