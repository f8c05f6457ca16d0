import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Message } from '@tocsin/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DeliveryBench, deliveryBench, until } from '../../../../tests/harness/deliveries.ts'
import { openDoor } from '../outbound/index.ts'
import { type Delivery, findDestination, makeChannels } from './index.ts'

let bench: DeliveryBench
let ntfy: NtfyServer
beforeEach(async () => {
  ntfy = await startNtfy()
  bench = await deliveryBench({ serviceUrls: { NTFY_URL: ntfy.url } })
})
afterEach(async () => {
  await bench.close()
  ntfy.close()
})

const topic = 'team-alerts_7'
const token = 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2'
const channel = (data: object = {}) => bench.resource('push', { topic, ...data }, 'common.delivery.ntfy')
const settledAs = (id: string, status: string) =>
  until(async () => (await bench.statusOf(id)) === status, `${id} ${status}`, bench.describeDeliveries)
const shown = () => [...ntfy.notifications.values()]
const links = [1, 2, 3, 4].map((n) => ({ title: `Open ${n}`, url: `https://e.example/${n}` }))

test('an alert is one notification with the priority of its severity, its text, its trigger and three buttons', async () => {
  await channel({ url: ntfy.url })
  const icon = 'https://e.example/icon.png'
  await bench.alert('al_1', ['push'], { long: 'From *a*\nto b', links, icon }, { columns: { severity: 'critical' } })
  await bench.start()
  await settledAs('al_1', 'delivered')
  expect(shown()).toEqual([
    {
      topic,
      title: 'Critical: Moved',
      message: expect.stringMatching(/^From \*a\*\nto b\n\n.*UTC · acme\.p\.t$/),
      priority: 5,
      tags: ['rotating_light'],
      click: 'https://e.example/1',
      icon,
      attach: '',
      actions: links.slice(0, 3).map(({ title, url }) => ({ action: 'view', label: title, url })),
    },
  ])
})

test('a resolved alert and a retraction replace the notification of their firing alert', async () => {
  await channel()
  await bench.alert('al_1', ['push'], {}, { columns: { state: 'firing', severity: 'warning' } })
  await bench.start()
  await settledAs('al_1', 'delivered')
  expect(shown()).toMatchObject([{ title: 'Warning: Moved', priority: 4, tags: ['warning'] }])
  await bench.alert('al_2', ['push'], {}, { columns: { state: 'resolved', severity: 'warning', resolves: 'al_1' } })
  await settledAs('al_2', 'delivered')
  expect(shown()).toMatchObject([{ title: 'Resolved: Moved', priority: 3, tags: ['white_check_mark'] }])
  await send({ kind: 'retraction', reason: 'Block 7 was replaced.', alertId: 'al_1' })
  expect(shown()).toMatchObject([
    { title: 'Retracted: Moved', message: 'Retracted: Block 7 was replaced.\n\nacme.p.t', priority: 3 },
  ])
})

test.each([
  ['emoji', '👩🏽‍🚀 '.repeat(3_000)],
  ['quotes, which JSON doubles', '"\\\n'.repeat(5_000)],
  ['one word', 'x'.repeat(50_000)],
])('a text of %s is cut to the bytes that ntfy takes', async (_what, text) => {
  const url = `https://e.example/${'u'.repeat(1_900)}`
  const message = { title: text, long: text, icon: url, cover: url, links: [{ title: text, url }] }
  expect(await send({ message, trigger: text })).toMatchObject({ kind: 'sent' })
  const [got] = shown()
  expect(Buffer.byteLength(got?.message ?? '')).toBeGreaterThan(1_000)
  for (const each of [got?.title, got?.message, got?.actions[0]?.label]) expect(each?.isWellFormed()).toBe(true)
})

test('encoded words in a text of a chain stay text: they add no button and reverse no line', async () => {
  const word = (text: string) => `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`
  const label = word('"},{"action":"http","label":"Pay","url":"https://evil.example')
  const title = `Paid ${word('\u202egpj.exe')}`
  const url = `https://e.example/?q=${word('"}]')}`
  await send({ message: { title, links: [{ title: label, url }], icon: `https://e.example/${word('x')}` } })
  const [got] = shown()
  expect(got?.actions).toHaveLength(1)
  expect(got?.title.replaceAll('\u2060', '')).toBe(title)
  expect(got?.actions[0]?.label).toContain('UTF-8')
  expect(got?.actions[0]?.url).toContain('%3D?UTF-8')
})

test.each([
  ['a token that the server does not know', { token: 'tk_wrong0000' }, 401],
  ['a protected topic without a token', { topic: 'protected' }, 403],
  ['a topic that the server does not allow', { topic: 'docs' }, 400],
])('%s switches the resource off, and nothing shows the token', async (_what, data, status) => {
  ntfy.token = token
  await channel({ url: ntfy.url, token: undefined, ...data })
  await bench.alert('al_1', ['push'])
  await bench.start()
  await settledAs('al_1', 'failed')
  const [resource] = await bench.query<{ ready: boolean; remark: string }>('select ready, remark from resources')
  expect(resource).toMatchObject({ ready: false, remark: expect.stringContaining(`${new URL(ntfy.url).host} `) })
  const kept = JSON.stringify([await bench.deliveries('al_1'), resource])
  expect(kept).toContain(`"status":${status}`)
  expect(kept).not.toContain('tk_wrong0000')
})

test('the right token opens a protected topic', async () => {
  ntfy.token = token
  expect(await send({ data: { topic: 'protected', token } })).toMatchObject({ kind: 'sent' })
})

test.each([
  [42901, 5_000],
  [42908, 3_600_000],
])('a rate limit (%i) is waited for without using up an attempt', async (code, waitMs) => {
  await channel()
  ntfy.refuse = { status: 429, code }
  await bench.alert('al_1', ['push'])
  await bench.start()
  await until(async () => (await bench.query('select 1 from lanes where not_before is not null')).length === 1)
  const [delivery] = await bench.deliveries('al_1')
  expect(delivery?.attempts).toEqual([])
  expect(delivery?.due_at.getTime()).toBe(bench.clock.now().getTime() + waitMs)
  ntfy.refuse = undefined
  bench.clock.advance(waitMs)
  await settledAs('al_1', 'delivered')
})

test('an alert is kept for later if the server fails, or if something else answers at its address', async () => {
  for (const refuse of [{ status: 500, code: 50001 }, { status: 200 }]) {
    ntfy.refuse = refuse
    expect(await send({})).toMatchObject({ kind: 'later' })
  }
})

test('a server of a tenant is reached through the guarded door, and the one of the operator may be private', async () => {
  const door = openDoor({ allowPrivateNetworks: false })
  expect(await send({ door, data: { topic, url: ntfy.url } })).toMatchObject({ kind: 'never' })
  expect(await send({ door, data: { topic } })).toMatchObject({ kind: 'sent' })
  await door.close()
})

test.each([
  [{ topic }, true],
  [{ topic, token, url: 'https://ntfy.example.com/' }, true],
  [{}, false],
  [{ topic: 'a/b' }, false],
  [{ topic: 'x'.repeat(65) }, false],
  [{ topic, token: 'two words' }, false],
  [{ topic, token: 'a\r\nb' }, false],
  [{ topic, url: `https://ntfy.example.com/${topic}` }, false],
  [{ topic, url: 'https://ann:secret@ntfy.example.com' }, false],
  [{ topic, url: 'not a url' }, false],
])('the data %j is valid: %s', (data, isValid) => {
  const destination = findDestination('common.delivery.ntfy')
  expect(destination?.external === false && destination.data.safeParse(data).success).toBe(isValid)
})

type Sending = {
  message?: Partial<Message>
  kind?: Delivery['kind']
  reason?: string
  alertId?: string
  trigger?: string
  data?: object
  door?: DeliveryBench['door']
}

/** Sends without a lane. */
async function send({ message, kind = 'alert', reason, alertId = 'al_9', trigger, data, door }: Sending) {
  const destination = findDestination('common.delivery.ntfy')
  const rates = { emailPerMinute: 10 }
  const places = { alertUrl: () => '', networkTitle: () => undefined }
  const urls = { serviceUrls: { NTFY_URL: ntfy.url }, unsubscribeUrl: () => '', alertsUrl: () => '', ...places }
  const channels = makeChannels({ door: door ?? bench.door, operatorDoor: bench.door, rates, ...urls })
  const context = {
    ...{ alertId, workspace: 'acme', project: 'acme.p', trigger: trigger ?? 'acme.p.t', severity: 'info' as const },
    ...{ state: null, backfilled: false, rawJson: '{}', humanJson: '{}', createdAt: new Date(0) },
  }
  const messageJson = JSON.stringify({ title: 'Moved', ...message })
  const delivery: Delivery = { id: 'dl_9', kind, messageJson, context, ...(reason !== undefined && { reason }) }
  const target = { resourceId: 'r', fullname: 'acme.push', data: { topic, ...data }, private: {} }
  const act = kind === 'retraction' ? destination?.retract : destination?.send
  return act?.(delivery, target, { ...channels, clock: bench.clock.now })
}

type Notification = {
  topic: string
  title: string
  message: string
  priority: number
  tags: string[]
  click: string
  icon: string
  attach: string
  actions: { action: string; label: string; url: string }[]
}
type NtfyServer = Awaited<ReturnType<typeof startNtfy>>

/** A server with the rules of ntfy's own: what it refuses, what it decodes, and how it cuts. */
async function startNtfy() {
  /** What a client shows: the last notification of each topic and sequence. */
  const notifications = new Map<string, Notification>()
  const state = { notifications, url: '', token: undefined as string | undefined, close: () => {} }
  const ntfy = Object.assign(state, { refuse: undefined as { status: number; code?: number } | undefined })
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    const refusal = ntfy.refuse ?? refusalOf(request.headers.authorization, request.url ?? '', body, ntfy.token)
    if (refusal) {
      const { status, code } = refusal
      const answer =
        code === undefined ? '<html>' : JSON.stringify({ code, http: status, error: 'refused', said: `${body}` })
      return response.writeHead(status).end(answer)
    }
    const notification = readNotification(JSON.parse(body.toString()))
    const { sequence_id: sequence = String(notifications.size) } = JSON.parse(body.toString())
    notifications.set(`${notification.topic} ${sequence}`, notification)
    response.writeHead(200).end(JSON.stringify({ id: 'hwQ2YpKdmg', event: 'message', sequence_id: sequence }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ntfy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  ntfy.close = () => {
    server.closeAllConnections()
    server.close()
  }
  return ntfy
}

const name = /^[-_A-Za-z0-9]{1,64}$/
const disallowed = ['docs', 'static', 'file', 'app', 'metrics', 'account', 'settings', 'signup', 'login', 'v1']

function refusalOf(authorization: string | undefined, path: string, body: Buffer, token: string | undefined) {
  if (path !== '/') return { status: 404, code: 40401 }
  if (body.length > 8192) return { status: 413, code: 41303 }
  const sent = JSON.parse(body.toString())
  if (!name.test(sent.topic)) return { status: 400, code: 40009 }
  if (disallowed.includes(sent.topic)) return { status: 400, code: 40010 }
  if (authorization !== undefined && authorization !== `Bearer ${token}`) return { status: 401, code: 40101 }
  if (sent.topic === 'protected' && authorization === undefined) return { status: 403, code: 40301 }
  if (sent.sequence_id !== undefined && !name.test(sent.sequence_id)) return { status: 400, code: 40049 }
  if (sent.priority !== undefined && ![1, 2, 3, 4, 5].includes(sent.priority)) return { status: 400, code: 40007 }
  if (Buffer.byteLength(sent.message) > 4096) return { status: 400, code: 40014 }
  const { icon = 'https://', attach = 'https://', actions = [] } = sent
  if (![icon, attach].every((url) => /^https?:\/\//.test(url))) return { status: 400, code: 40021 }
  const isButton = ({ action, label, url }: Notification['actions'][number]) => action === 'view' && label && url
  return actions.length <= 3 && actions.every(isButton) ? undefined : { status: 400, code: 40018 }
}

/** ntfy makes headers of all fields but the message, and decodes encoded words in headers. */
function readNotification({ topic, title = '', message, priority, tags = [], click = '', ...rest }: Notification) {
  const { icon = '', attach = '', actions = [] } = rest
  return {
    ...{ topic, title: decoded(title), message: message || 'triggered', priority, tags, click: decoded(click) },
    ...{ icon: decoded(icon), attach: decoded(attach), actions: JSON.parse(decoded(JSON.stringify(actions))) },
  }
}

function decoded(header: string): string {
  return header.replaceAll(/=\?UTF-8\?B\?([^?]*)\?=/gi, (_word, text: string) => Buffer.from(text, 'base64').toString())
}
