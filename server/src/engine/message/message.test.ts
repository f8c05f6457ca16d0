import { expect, test } from 'vitest'
import { digestMessage, digestSeverity, makeAddressBook, messageContext, renderMessage, templatesOf } from './index.ts'

const trigger = { title: 'Moved', fullname: 'acme.p.moved', project: 'acme.p' }
const contextOf = (item: Record<string, unknown>, raw: unknown = item) =>
  messageContext({ trigger, item, output: { raw, human: raw }, source: 'common.x' })

test('overrides of a subscription replace the defaults field by field', () => {
  const templates = templatesOf(
    { title: 'T {{raw.n}}', short: 'S', delivery: { mode: 'once' } },
    { short: 'mine {{meta.trigger}}' },
  )
  expect(renderMessage(templates, contextOf({ n: 1 }))).toEqual({
    message: { title: 'T 1', short: 'mine acme.p.moved' },
    severity: 'info',
    issues: [],
  })
})

test('there is always a title; empty fields are left out, and fields that cannot be rendered are reported', () => {
  const endless = '{{#each raw.list}}{{#each ../raw.list}}{{#each ../../raw.list}}x{{/each}}{{/each}}{{/each}}'
  const context = contextOf({ list: Array.from({ length: 200 }, () => 1) })
  expect(renderMessage({ title: '{{raw.none}}', short: ' ', long: endless }, context)).toEqual({
    message: { title: 'Moved' },
    severity: 'info',
    issues: [expect.stringMatching(/^long /)],
  })
})

test('severity is a template, and the override of a subscription replaces it; anything else means info, with an issue', () => {
  const defaults = { severity: '{{#if raw.bad}}critical{{else}} warning {{/if}}' }
  const severityOf = (raw: object, overrides = {}) => {
    const { severity, issues } = renderMessage(templatesOf(defaults, overrides), contextOf({ ...raw }))
    return [severity, ...issues]
  }
  expect(severityOf({ bad: true })).toEqual(['critical'])
  expect(severityOf({})).toEqual(['warning'])
  expect(severityOf({ bad: true }, { severity: 'info' })).toEqual(['info'])
  const wrong = 'severity rendered to "Critical", which is not info, warning, critical; it is info'
  expect(severityOf({ level: 'Critical' }, { severity: '{{raw.level}}' })).toEqual(['info', wrong])
  expect(severityOf({}, { severity: '{{raw.level}}' })[0]).toBe('info')
})

test('a digest is as serious as its most serious alert', () => {
  expect(digestSeverity(['info', 'critical', 'warning'])).toBe('critical')
  expect(digestSeverity(['warning', 'info'])).toBe('warning')
  expect(digestSeverity([])).toBe('info')
})

test('a link that is not a web address is left out', () => {
  const links = [
    { title: 'a', url: '{{raw.url}}' },
    { title: 'b', url: 'https://x.org/{{hash}}' },
  ]
  const { message } = renderMessage({ links }, contextOf({ url: 'javascript:alert(1)', transactionHash: '0xab' }))
  expect(message.links).toEqual([{ title: 'b', url: 'https://x.org/0xab' }])
})

test('an uploaded image gets the public URL; other images stay unchanged', () => {
  const publicUrl = 'https://tocsin.example'
  const upload = '/api/projects/acme.p/images/icon-1.png'
  const templates = { icon: upload, avatar: '/api/workspaces/acme/avatar/a.png', cover: '{{raw.cover}}' }
  const cover = (text: string) => renderMessage(templates, contextOf({ cover: text }), { publicUrl }).message.cover
  const { message } = renderMessage(templates, contextOf({ cover: upload }), { publicUrl })
  expect(message).toMatchObject({
    icon: `${publicUrl}${upload}`,
    avatar: `${publicUrl}/api/workspaces/acme/avatar/a.png`,
    cover: `${publicUrl}${upload}`,
  })
  for (const other of ['https://example.org/a.png', '//evil.example/a.png', '/api/me', 'text'])
    expect(cover(other)).toBe(other)
})

test.each([
  [
    'an EVM log',
    { blockNumber: 7, blockHash: '0xb', blockTimestamp: 9, transactionHash: '0xt', index: 3 },
    { block: { number: 7, hash: '0xb', timestamp: 9 }, index: 3, hash: '0xt' },
  ],
  [
    'an EVM transaction',
    { block: { number: 7, hash: '0xb', timestamp: 9 }, index: 1, hash: '0xt' },
    { block: { number: 7, hash: '0xb', timestamp: 9 }, index: 1, hash: '0xt' },
  ],
  [
    'a Solana event',
    { block: { slot: 7, hash: 'b' }, transaction: { signature: 'sig' }, index: 0 },
    { block: { slot: 7, hash: 'b' }, index: 0, hash: 'sig' },
  ],
  ['a tick', { now: 'x', timestampMs: 1 }, {}],
])('%s shows where it happened', (_name, item, where) => {
  const { raw: _raw, human: _human, meta, ...rest } = contextOf(item)
  expect(rest).toEqual(where)
  expect(meta).toEqual({ title: 'Moved', trigger: 'acme.p.moved', project: 'acme.p', source: 'common.x' })
})

test('the alias of an account is found on every Substrate network', () => {
  const alice = '0xd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d'
  const book = makeAddressBook([
    { address: '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY', normal: alice, alias: 'Alice' },
  ])
  expect(book('5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY')).toBe('Alice')
  expect(book('15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5')).toBe('Alice')
  expect(book(alice)).toBe('Alice')
  expect(book('5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty')).toBeUndefined()
})

test('a digest has the title of the first alert and lists all, within limits', () => {
  const many = Array.from({ length: 1000 }, (_, n) => ({ title: `No ${n}`, short: 'x\n'.repeat(40) }))
  const { title, short, long } = digestMessage('Moved', many, 1000)
  expect(title).toBe('Moved: 1000 alerts')
  expect(short?.split('\n')).toEqual(['No 0', 'No 1', 'No 2', 'No 3', 'No 4', 'and 995 more'])
  expect(long?.length).toBeLessThan(21_000)
  expect(long).toMatch(/… and \d+ more$/)
})
