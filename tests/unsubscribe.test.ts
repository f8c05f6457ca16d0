import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, harness, type Person, project, rejects, trigger } from './harness/index.ts'

let house: Harness
let ann: Person
let id: string
let token: string
beforeAll(async () => {
  house = await harness()
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  await ann.saveTrigger({ fullname: 'acme.p.t', body: trigger('acme.p.t') })
  const subscription = { workspace: 'acme', project: 'acme.p', trigger: 'acme.p.t', resources: [] }
  id = (await ann.createSubscription({ body: subscription })).id
  token = house.service.store.signatures.sign('unsubscribe', id)
})
afterAll(() => house.close())

const status = async () => (await ann.getSubscription({ id })).status
const post = (path: string, type: string, body: string) =>
  fetch(`${house.url}/api/unsubscribe/${path}`, { method: 'POST', headers: { 'content-type': type }, body })

test('opening the link changes nothing, its button pauses the subscription', async () => {
  const page = await fetch(`${house.url}/api/unsubscribe/${token}`)
  const html = await page.text()
  expect(page.headers.get('content-type')).toContain('text/html')
  expect(await status()).toBe('active')
  const action = /action="([^"]+)"/.exec(html)?.[1] ?? ''
  const done = await post(action, 'application/x-www-form-urlencoded', '')
  expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('Paused')])
  expect(await status()).toBe('paused')
  await ann.resumeSubscription({ id })
})

test.each([
  ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
  [
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
  ],
])('a mail program unsubscribes by one click, as %s, any number of times', async (type, body) => {
  for (let round = 0; round < 2; round += 1) {
    const answer = await post(token, type, body)
    expect([answer.status, await answer.json()]).toEqual([200, { ok: true }])
    expect(await status()).toBe('paused')
  }
  await ann.resumeSubscription({ id })
})

test('a token with a foreign signature, or of another subscription, pauses nothing', async () => {
  const [, mac = ''] = token.split('.')
  const bad = [id, `${id}.`, `${id}.${mac.slice(1)}`, `${id}.${'A'.repeat(mac.length)}`, `other.${mac}`, `.${mac}`, 'x']
  for (const each of bad) await rejects(house.nobody.unsubscribe({ token: each }), { code: 'not_found', status: 404 })
  expect(await status()).toBe('active')
})

test('the link of a deleted subscription changes nothing, and the token is in no log', async () => {
  const gone = house.service.store.signatures.sign('unsubscribe', 'long-gone')
  expect(await house.nobody.unsubscribe({ token: gone })).toEqual({ ok: true })
  expect(house.logs.join('')).not.toContain(gone)
})

test('no other route accepts forms', async () => {
  const headers = { authorization: `Bearer ${ann.token}`, 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await fetch(`${house.url}/api/subscriptions/${id}/pause`, { method: 'POST', headers, body: 'a=b' })
  expect(answer.status).toBe(415)
  expect(await status()).toBe('active')
})
