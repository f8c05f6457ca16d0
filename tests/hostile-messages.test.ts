import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Delivery,
  destinations,
  findDestination,
  makeChannels,
  type Sent,
} from '../server/src/engine/destinations/index.ts'
import { type OpenDoor, openDoor } from '../server/src/engine/outbound/index.ts'
import { type BotApi, readHtml, startBotApi } from './harness/bot-api.ts'
import { type Receiver, startReceiver } from './harness/deliveries.ts'
import { type Mailbox, startMailbox } from './harness/mailbox.ts'

/** Hostile text in every field and every channel is delivered readable and harmless. */

let receiver: Receiver
let bot: BotApi
let mail: Mailbox
let door: OpenDoor
let channels: ReturnType<typeof makeChannels>
beforeAll(async () => {
  ;[receiver, bot, mail] = await Promise.all([startReceiver(), startBotApi(), startMailbox()])
  door = openDoor({ allowPrivateNetworks: true })
  channels = makeChannels({
    door,
    operatorDoor: door,
    telegram: { token: bot.token },
    serviceUrls: { TELEGRAM_API_URL: bot.url },
    smtp: { smtpUrl: mail.url, from: 'Tocsin <alerts@tocsin.example>' },
    rates: { emailPerMinute: 10 },
    unsubscribeUrl: (id) => `https://tocsin.example/api/unsubscribe/${id}`,
    alertsUrl: (workspace, id) => `https://tocsin.example/w/${workspace}/alerts?subscription=${id}`,
    alertUrl: () => '',
    networkTitle: () => undefined,
  })
})
beforeEach(() => {
  for (const kept of [receiver.received, bot.calls, bot.messages, mail.received]) kept.length = 0
})
afterAll(async () => {
  channels.close()
  await door.close()
  receiver.close()
  bot.close()
  await mail.close()
})

const hostile: [string, string][] = [
  ['markup', '<b>x</b> **bold** _i_ ~s~ `c` [a](https://evil.example) > q # h'],
  ['a mention', '@everyone @here <@123> <!channel> <!here> <#C1> @admin'],
  ['control characters', 'a\u0000b\u0007c\u001b[31md\u007fe\u0085f'],
  ['right-to-left overrides', 'pay \u202egpj.exe\u2066 to \u2067me\u2069'],
  ['broken emoji', `x\ud83d y\ude00 ${'👨‍👩‍👧‍👦'.repeat(3)}\ud83d`],
  ['piled marks', `Z${'\u0301\u0302\u0489'.repeat(200)}algo`],
  ['over-long text', `${'👩🏽‍🚀 <b>&amp;</b> @everyone '.repeat(1000)}`],
  ['an over-long word', `${'x'.repeat(50_000)}`],
  ['markup alone', `${'*_~`<>&'.repeat(5_000)}`],
  ['line ends', 'a\r\nBcc: eve@example.org\r\n\r\nbody\u2028c'],
  ['nothing', '\u200b\u0000'],
]
const kinds = ['alert', 'retraction', 'test'] as const
const cases = hostile.flatMap(([what, text]) =>
  kinds.map((kind): [string, string, Delivery['kind']] => [what, text, kind]),
)

describe.each(cases)('%s', (_what, text, kind) => {
  const fields = { title: text, short: text, long: text, icon: text, cover: text, avatar: text }
  const encoded = encodeURIComponent(text.toWellFormed().slice(0, 100))
  const links = [
    { title: text, url: text },
    { title: text, url: `https://example.org/?q=${encoded}` },
  ]
  const context = {
    alertId: 'al_1',
    subscription: 's',
    workspace: 'acme',
    project: 'acme.p',
    trigger: text,
    severity: 'critical' as const,
    state: 'firing' as const,
    backfilled: false,
    rawJson: JSON.stringify(text),
    humanJson: JSON.stringify(text),
    createdAt: new Date(0),
  }
  const messageJson = JSON.stringify({ ...fields, links })
  const delivery = { id: 'd', kind, messageJson, context, reason: text }

  async function send(channel: string, data: object, kept: object = {}): Promise<Sent | undefined> {
    const target = { resourceId: 'r', fullname: 'acme.r', data: { ...data }, private: { ...kept } }
    const world = { ...channels, clock: () => new Date() }
    const destination = findDestination(`common.delivery.${channel}`)
    return kind === 'retraction'
      ? destination?.retract(delivery, target, world)
      : destination?.send(delivery, target, world)
  }

  test(`as ${kind} in the request and the preview of every channel for people`, () => {
    const deps = { ...channels, clock: () => new Date() }
    const data = { url: receiver.url, topic: 'alerts', to: 'ann@example.org' }
    const target = { resourceId: 'r', fullname: 'acme.r', data, private: { chatId: 5 } }
    for (const destination of destinations) {
      const { shown } = destination.preview(JSON.parse(messageJson), context)
      if (!shown) continue
      const body = destination.request?.(delivery, target, deps)?.body ?? 'null'
      for (const text of textsIn([shown, JSON.parse(body)])) requireReadable(text)
    }
  })

  test(`as ${kind} by discord`, async () => {
    receiver.answer = () => ({ status: 200, body: '{"id":"1"}' })
    expect(await send('discord', { url: receiver.url })).toMatchObject({ kind: 'sent' })
    const body = JSON.parse(receiver.received[0]?.body ?? '')
    expect(body.allowed_mentions).toEqual({ parse: [] })
    const [embed] = body.embeds
    requireWithin(embed.title, 256)
    requireWithin(embed.description ?? '-', 4096)
    requireWithin(embed.fields[0].value, 1024)
    for (const shown of [embed.title, embed.description ?? '', embed.fields[0].value]) {
      requireHarmless(shown)
      // Outside of URLs every markup character is escaped with a backslash.
      const bare = shown.replace(/\]\(https:[^)]*\)|https?:\/\/[^\s<>]+/g, '').replace(/\\[^a-z0-9\s]/gi, '')
      expect(bare.replace(/^\[|\n\[/g, '')).not.toMatch(/[*_~`|<>#@]/)
    }
  })

  test(`as ${kind} by slack`, async () => {
    receiver.answer = () => ({ status: 200, body: 'ok' })
    expect(await send('slack', { url: receiver.url })).toMatchObject({ kind: 'sent' })
    const body: { text: string; blocks: { text?: Block; elements?: Block[] }[] } = JSON.parse(
      receiver.received[0]?.body ?? '',
    )
    requireWithin(body.blocks[0]?.text?.text ?? '', 150)
    for (const shown of body.blocks.flatMap((block) => block.elements ?? block.text ?? [])) {
      requireWithin(shown.text || '-', 3000)
      requireHarmless(shown.text)
      const bare = shown.type === 'mrkdwn' ? shown.text.replace(/<https:[^|>]*\|[^|<>]*>/g, '') : shown.text
      expect(bare).not.toMatch(/[<>]|&(?!(amp|lt|gt);)/)
    }
    expect(body.text).not.toMatch(/[<>]/)
  })

  test(`as ${kind} by telegram, at the first attempt`, async () => {
    expect(await send('telegram', {}, { chatId: 5 })).toMatchObject({ kind: 'sent' })
    expect(bot.calls).toHaveLength(1)
    const shown = readHtml(bot.messages[0]?.text ?? '')
    requireHarmless(shown ?? 'not readable \u202e')
    const markup = bot.messages[0]?.fields.reply_markup as { inline_keyboard: { text: string; url: string }[][] }
    const button = markup?.inline_keyboard[0]?.[0]
    if (kind === 'retraction') return expect(button).toBeUndefined()
    requireWithin(button?.text ?? '', 64)
    requireHarmless(button?.text ?? '')
    expect(button?.url).toMatch(/^https:\/\/example\.org\//)
  })

  test(`as ${kind} by e-mail, without headers of its own`, async () => {
    expect(await send('email', { to: 'ann@example.org' })).toMatchObject({ kind: 'sent' })
    const [got] = mail.received
    expect(got?.to).toEqual(['ann@example.org'])
    expect(got?.headers).not.toHaveProperty('bcc')
    expect(got?.headers['list-unsubscribe']).toBe('<https://tocsin.example/api/unsubscribe/s>')
    requireWithin(got?.headers.subject ?? '', 200)
    for (const shown of [got?.text ?? '', got?.headers.subject ?? '']) {
      expect(shown.isWellFormed()).toBe(true)
      expect(shown).not.toMatch(unreadable)
    }
    const tags = [...(got?.html ?? '').matchAll(/<\/?([a-z0-9!]+)/gi)].map((match) => match[1]?.toLowerCase() ?? '')
    expect(tags.filter((tag) => !ownTags.has(tag))).toEqual([])
  })
})

type Block = { type: string; text: string }
const unreadable = /[\u202a-\u202e\u2066-\u2069]|[^\P{Cc}\n\t]/u
const ownTags = new Set('!doctype html head meta title body div h1 p a hr img'.split(' '))

function requireWithin(shown: string, max: number): void {
  expect(shown.length).toBeGreaterThan(0)
  expect(shown.length).toBeLessThanOrEqual(max)
}

function requireHarmless(shown: string): void {
  requireReadable(shown)
  expect(shown).not.toMatch(/(?<![\p{L}\p{N}._-])@(everyone|here|admin)/u)
}

function requireReadable(shown: string): void {
  expect(shown.isWellFormed()).toBe(true)
  expect(shown).not.toMatch(unreadable)
  expect(shown).not.toMatch(/\p{M}{5}/u)
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
