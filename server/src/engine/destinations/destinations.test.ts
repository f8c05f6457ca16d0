import { expect, test } from 'vitest'
import * as z from 'zod'
import { destinations, findDestination, previewAll } from './index.ts'

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
  expect(shownIn('telegram')).toEqual({ title: message.title, text: 'Moved *now*\n@\u2060ann', links: [open] })
  expect(shownIn('webhook')).toBeUndefined()
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
