import { expect, test } from 'vitest'
import * as z from 'zod'
import { openDoor } from '../outbound/index.ts'
import type { AlertContext, Delivery } from './destination.ts'
import { destinations, findDestination, makeChannels, previewAll } from './index.ts'
import { standardBody } from './webhook-body.ts'

const door = openDoor({ allowPrivateNetworks: false })
const urls = { unsubscribeUrl: () => '', alertsUrl: () => '', alertUrl: () => '', networkTitle: () => undefined }
const channels = makeChannels({ door, operatorDoor: door, rates: { emailPerMinute: 10 }, ...urls })
const deps = { ...channels, clock: () => new Date(0) }

const context = {
  alertId: 'al_1',
  workspace: 'acme',
  project: 'acme.pay',
  trigger: 'acme.pay.t',
  severity: 'info' as const,
  state: null,
  backfilled: false,
  rawJson: '{}',
  humanJson: '{}',
  createdAt: new Date(0),
}
const open = { title: 'Open | <a>', url: 'https://e.example/1?a=(b)' }
const message = { title: '5 < 6 & *7*', long: 'Moved *now*\n@ann', links: [open] }
const shownIn = (kind: string) => findDestination(`common.delivery.${kind}`)?.preview(message, context).shown

test('the channels are listed by their blueprints, each once', () => {
  const names = destinations.map(({ blueprint }) => blueprint)
  expect(names).toEqual([...new Set(names)].toSorted())
})

test('the preview of a channel shows the texts as people see them there, without escapes', () => {
  const links = [{ title: 'Open ¦ <a>', url: open.url }]
  const texts = { title: message.title, text: message.long, footer: context.trigger }
  expect(shownIn('slack')).toMatchObject({ ...texts, links })
  expect(shownIn('discord')).toMatchObject({ ...texts, links: [open] })
  expect(shownIn('email')).toMatchObject({ ...texts, links: [open] })
  expect(shownIn('telegram')).toEqual({ ...texts, text: 'Moved *now*\n@\u2060ann', links: [open] })
  expect(shownIn('webhook')).toBeUndefined()
})

test('every channel says network, block, time and trigger, and links to the alert', () => {
  const placed: AlertContext = {
    ...context,
    network: 'Acme\u202e devnet',
    block: { number: 21_000_000, hash: '0xab' },
    itemAt: new Date('2026-11-19T12:00:00.000Z'),
    url: 'https://tocsin.example/w/acme/alerts/a1',
  }
  const footer = `Acme devnet · block 21,000,000 · 2026-11-19 12:00:00 UTC · ${context.trigger}`
  for (const { shown } of previewAll(message, placed).filter(({ shown }) => shown)) {
    expect(shown?.footer).toBe(footer)
    expect(shown?.links.at(-1)).toEqual({ title: 'Alert', url: placed.url })
  }
  expect(JSON.parse(standardBody({ kind: 'alert', messageJson: '{}', context: placed }))).toMatchObject({
    data: { network: placed.network, block: placed.block, url: placed.url },
  })
})

test('a retraction says what it takes back in every channel', () => {
  const delivery: Delivery = {
    id: 'd1',
    kind: 'retraction',
    messageJson: JSON.stringify({ title: '5 ETH moved', short: 'From Ann to Bob' }),
    context: { ...context, severity: 'critical' },
    reason: 'Block 117 was replaced.',
  }
  const target = { resourceId: 'r', fullname: 'acme.r', data: { url: 'https://x.example/y', topic: 't' }, private: {} }
  for (const kind of ['slack', 'discord', 'ntfy', 'webhook']) {
    const sent = findDestination(`common.delivery.${kind}`)?.request?.(delivery, target, deps)?.body
    for (const part of ['5 ETH moved', 'From Ann to Bob', 'Block 117 was replaced.'])
      expect([kind, sent]).toEqual([kind, expect.stringContaining(part)])
  }
})

test('a preview for people is as short as what the channel sends', () => {
  const long = { title: '<'.repeat(5_000), long: '&'.repeat(50_000) }
  for (const { blueprint, shown } of previewAll(long, context))
    if (shown) expect(shown.title.length + shown.text.length, blueprint).toBeLessThan(25_000)
  expect(findDestination('common.delivery.slack')?.preview(long, context).shown?.text).toHaveLength(600)
})

test('white has a contrast of at least 4.5 : 1 on the colour of every channel', () => {
  for (const { blueprint, glyph } of destinations) {
    expect(glyph.colour).toMatch(/^#[\da-f]{6}$/)
    expect(1.05 / (luminanceOf(glyph.colour) + 0.05), blueprint).toBeGreaterThanOrEqual(4.5)
  }
})

test('the fields that forms mask are fields of the channel', () => {
  for (const destination of destinations) {
    if (destination.external) continue
    const { properties = {} } = z.toJSONSchema(destination.data, { io: 'input' })
    expect(Object.keys(properties)).toEqual(expect.arrayContaining([...destination.secrets]))
  }
})

/** The relative luminance of WCAG. */
function luminanceOf(colour: string): number {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
  const [red = 0, green = 0, blue = 0] = parts.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
