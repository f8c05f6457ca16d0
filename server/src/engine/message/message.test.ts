import { expect, test } from 'vitest'
import { digestMessage, digestSeverity, makeAddressBook, messageContext, renderMessage, templatesOf } from './index.ts'
import { plainText } from './plain-text.ts'

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
  const templates = { title: '{{raw.none}}', short: ' ', long: '{{#if}}' }
  expect(renderMessage(templates, contextOf({ n: 1 }))).toEqual({
    message: { title: 'Moved' },
    severity: 'info',
    issues: [expect.stringMatching(/^long /)],
  })
})

test('a message links to the runbook of its trigger, if that is the page of a URL', () => {
  const shown = (runbook: string) =>
    renderMessage({}, messageContext({ trigger: { ...trigger, runbook }, item: {}, output: { raw: {}, human: {} } }))
      .message
  const url = 'https://runbooks.example/roles?x={{raw}}'
  expect(shown(url).links).toEqual([{ title: 'Runbook', url }])
  expect(shown('# Call Ann').links).toBeUndefined()
})

test('a message without texts says what the policy decided by, and templates can show it', () => {
  const policy = { type: 'count' as const, bound: 5, count: 7, within: '10m', since: '2026-11-19T12:00:00.000Z' }
  const context = messageContext({ trigger, item: {}, output: { raw: {}, human: {} }, policy })
  expect(renderMessage({}, context).message.short).toBe(
    '7 came within 10 minutes, the bound 5. Since 2026-11-19 12:00:00 UTC.',
  )
  const templates = { title: '{{policy.count}} of {{policy.bound}}', severity: '{{#if policy.count}}critical{{/if}}' }
  expect(renderMessage(templatesOf({}, templates), context)).toMatchObject({
    message: { title: '7 of 5' },
    severity: 'critical',
  })
})

const loops = '{{#each raw.list}}{{#each ../raw.list}}{{#if (number ../../raw.n)}}{{/if}}{{/each}}{{/each}}'
const costly = { n: '9'.repeat(1_000), list: Array(200).fill(1), who: 'Ann', odd: { a: 1 }, none: null }

test('a message that costs too much shows the first values of its output, keeps its severity and says which limit it met', () => {
  const templates = { title: loops, short: `x${loops}`, long: loops, severity: '{{#if raw.who}}critical{{/if}}' }
  const { message, severity, issues } = renderMessage(templates, contextOf(costly))
  expect(message).toEqual({
    title: 'Moved',
    short: `n: ${'9'.repeat(200)}…\nlist: a list of 200\nwho: Ann\nodd: an object\nnone:`,
  })
  expect(severity).toBe('critical')
  expect(issues).toEqual(
    ['title', 'short', 'long'].map((field) => `${field} takes too many steps: one message may take 50,000`),
  )
  expect(renderMessage({ long: '{{raw}}' }, contextOf({ list: Array(15_000).fill(1) }))).toMatchObject({
    message: { short: 'list: a list of 15000' },
    issues: ['long makes a text that is too long: it may have 20,000 characters'],
  })
})

test('a text that was rendered before the steps ran out is kept', () => {
  const { message } = renderMessage({ title: 'T {{raw.who}}', short: 'S {{raw.who}}', long: loops }, contextOf(costly))
  expect(message).toEqual({ title: 'T Ann', short: 'S Ann' })
})

test('all texts and links of a message share one budget of steps', () => {
  const half = '{{#each raw.list}}{{#if (number ../raw.n)}}{{/if}}{{/each}}'
  const links = Array.from({ length: 10 }, () => ({ title: half, url: `https://x.org/${half}` }))
  const { message, issues } = renderMessage({ title: 'T', short: `S${half}`, links }, contextOf(costly))
  expect(message).toMatchObject({ title: 'T', short: 'S' })
  expect(issues.length).toBeGreaterThan(18)
})

test('the plain form of an output that is no object, or has many values, is short', () => {
  expect(plainText('x'.repeat(1_000))).toHaveLength(201)
  expect(plainText([1, 2])).toBe('a list of 2')
  const many = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, at) => [`${'k'.repeat(100)}${at}`, 'v'.repeat(500)]),
  )
  expect(plainText(many).length).toBeLessThan(3_000)
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
