import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { verifyWebhook, WebhookError } from './webhook.ts'

/** `standardwebhooks` reads the time itself, so both see this one. */
const nowSeconds = 1_760_000_000
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: nowSeconds * 1000 + 500 }))
afterAll(() => void vi.useRealTimers())

type Case = { payload: string | Buffer; headers: Record<string, string>; secret: string }

/** The value, or `refused`. */
async function outcomes({ payload, headers, secret }: Case): Promise<[ours: unknown, theirs: unknown]> {
  const ours = await verifyWebhook(payload, headers, secret).catch(() => 'refused')
  try {
    return [ours, new Webhook(secret).verify(payload, headers)]
  } catch {
    return [ours, 'refused']
  }
}

const keys = fc.uint8Array({ minLength: 1, maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString('base64'))
const secrets = fc.oneof(
  keys,
  keys.map((key) => `whsec_${key}`),
)
const payloads = fc.oneof(
  fc.json(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '{', '\ufeff{}', '{"a":"\ud800"}'),
)
const times = fc.oneof(
  fc.integer({ min: -310, max: 310 }).map((offset) => String(nowSeconds + offset)),
  fc.constantFrom(
    '',
    '0',
    '-1',
    'soon',
    '1e9',
    ` ${nowSeconds}`,
    `${nowSeconds}.9`,
    `+${nowSeconds}`,
    `0${nowSeconds}x`,
  ),
)
const ids = fc.oneof(fc.uuid(), fc.string({ maxLength: 8 }))

/** What a sender, a proxy or an attacker makes of a right signature. */
const changes: Record<string, (right: string) => string> = {
  same: (right) => right,
  'beside others': (right) => `v1a,xyz v1,AAAA ${right} v2,${right}`,
  'with more parts': (right) => `${right},more`,
  'other version': (right) => right.replace('v1', 'v2'),
  'other letter': (right) => right.replace(/.(?==$)/, (letter) => (letter === 'A' ? 'B' : 'A')),
  'without padding': (right) => right.replace(/=+$/, ''),
  short: (right) => right.slice(0, -5),
  'without a signature': () => 'v1',
  'in one with commas': (right) => `v1,AAAA,${right}`,
  empty: () => '',
  none: () => 'none',
}

const rarely = <T>(values: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: values })

test('our verification agrees with standardwebhooks on every case', async () => {
  const made = fc.record({
    secret: secrets,
    signedWith: rarely(secrets),
    payload: payloads,
    other: rarely(payloads),
    id: ids,
    time: times,
    change: rarely(fc.constantFrom(...Object.keys(changes))),
    isBuffer: fc.boolean(),
    isUpper: fc.boolean(),
  })
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(made, async ({ secret, signedWith, payload, other, id, time, change, isBuffer, isUpper }) => {
      const at = new Date((Number.parseInt(time, 10) || 0) * 1000)
      const right = new Webhook(signedWith ?? secret).sign(id, at, payload)
      const named = {
        'webhook-id': id,
        'webhook-timestamp': time,
        'webhook-signature': changes[change ?? 'same']!(right),
      }
      const headers = isUpper
        ? Object.fromEntries(Object.entries(named).map(([name, value]) => [name.toUpperCase(), value]))
        : named
      const body = other ?? payload
      const [ours, theirs] = await outcomes({ payload: isBuffer ? Buffer.from(body) : body, headers, secret })
      expect(ours).toEqual(theirs)
      if (theirs !== 'refused') accepted++
    }),
    { numRuns: 500 },
  )
  expect(accepted).toBeGreaterThan(20)
})

test('our verification agrees with standardwebhooks on every secret', async () => {
  const texts = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'Aa1+/=_- \n'), maxLength: 10 }),
    fc.constantFrom('', 'whsec_', 'whsec_whsec_AAAA', 'AAAA', 'AAA', 'AAAAA', 'AAAAAA==', 'A===', 'AAAB====', 'AAA='),
  )
  await fc.assert(
    fc.asyncProperty(texts, async (secret) => {
      const sign = () => new Webhook(secret).sign('id', new Date(nowSeconds * 1000), '{"a":1}')
      const signature = (() => {
        try {
          return sign()
        } catch {
          return 'v1,AAAA'
        }
      })()
      const headers = { 'webhook-id': 'id', 'webhook-timestamp': String(nowSeconds), 'webhook-signature': signature }
      const [ours, theirs] = await outcomes({ payload: '{"a":1}', headers, secret })
      expect([secret, ours]).toEqual([secret, theirs])
    }),
    { numRuns: 300 },
  )
})

test.each(['abc', 'my own secret', 'hunter2hunter2', 'schlüssel', 'A'.repeat(40)])(
  'a secret without the prefix is also read as text, as the service signs with it: %s',
  async (secret) => {
    const signedBy = (key: string) => ({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(nowSeconds),
      'webhook-signature': new Webhook(Buffer.from(key).toString('base64')).sign('msg_1', new Date(), '{"a":1}'),
    })
    expect(await verifyWebhook('{"a":1}', signedBy(secret), secret)).toEqual({ a: 1 })
    await expect(verifyWebhook('{"a":1}', signedBy(`${secret}!`), secret)).rejects.toThrow('No signature')
    await expect(verifyWebhook('{"a":1}', signedBy('whsec_!'), 'whsec_!')).rejects.toThrow('must be base64')
    await expect(verifyWebhook('{"a":1}', signedBy(secret), '')).rejects.toThrow('The secret is empty')
  },
)

test('a missing header, wrong headers and a payload that is not JSON are errors with a reason; Headers of a request work', async () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const signed = (payload: string) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(nowSeconds),
    'webhook-signature': new Webhook(secret).sign('msg_1', new Date(nowSeconds * 1000), payload),
  })
  expect(await verifyWebhook('{"type":"alert"}', new Headers(signed('{"type":"alert"}')), secret)).toEqual({
    type: 'alert',
  })
  const reason = (headers: Record<string, string>, payload = '{}') =>
    verifyWebhook(payload, headers, secret).catch((error: unknown) => {
      expect(error).toBeInstanceOf(WebhookError)
      return (error as Error).message
    })
  expect(await reason({})).toMatch('webhook-id')
  expect(await reason({ ...signed('{}'), 'webhook-timestamp': '1' })).toMatch('older than 5 minutes')
  expect(await reason(signed('{}'), '{ }')).toMatch('No signature')
  expect(await reason(signed('{'), '{')).toMatch('not JSON')
})
