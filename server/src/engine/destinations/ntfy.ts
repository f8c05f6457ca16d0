import { HttpUrl } from '@tocsin/contract'
import * as z from 'zod'
import type { OutboundResponse } from '../outbound/door.ts'
import { sentFromAnswer, sentFromError } from './answers.ts'
import type { Delivery, Destination, DestinationDeps, HttpRequest, Sent, Target } from './destination.ts'
import { answerBytesMax } from './exchange.ts'
import { readJson } from './read-json.ts'
import { messageOf } from './read-message.ts'
import { cutToSize, linksThatFit, type SafeLink, type Shown, safeMessage } from './safe-text.ts'

const timeoutMs = 15_000
/** ntfy counts bytes of UTF-8. A longer message becomes an attachment, and a longer JSON body is refused. */
const messageMax = 4096
const jsonMax = 8192
const titleMax = 250
const footerMax = 250
const labelMax = 100
const buttonsMax = 3
/** What the buttons, and each picture, may take of the body. One button always fits, and there is room for a text. */
const buttonsSizeMax = 2300
const pictureMax = 500
const topic = /^[-_A-Za-z0-9]{1,64}$/

/** Priorities are from 1 to 5; 3 is usual. The tags are shown as emoji in front of the title. */
const looks = {
  info: { priority: 3 },
  warning: { priority: 4, tags: ['warning'] },
  critical: { priority: 5, tags: ['rotating_light'] },
  resolved: { priority: 3, tags: ['white_check_mark'] },
  retracted: { priority: 3, tags: ['leftwards_arrow_with_hook'] },
}

const service = { variable: 'NTFY_URL', url: 'https://ntfy.sh' }

/**
 * Publishes to a topic. The messages of one alert and of the one that resolves it have one sequence id, so that a client shows
 * the last of them alone; before ntfy 2.16 they are messages of their own.
 */
export const ntfy: Destination = {
  blueprint: 'common.delivery.ntfy',
  title: 'ntfy',
  description: 'Sends push notifications to the subscribers of a topic of ntfy.sh, or of your own ntfy server.',
  glyph: { icon: 'bell', colour: '#2c7566' },
  service,
  external: false,
  data: z.looseObject({
    topic: z
      .string()
      .regex(topic, 'must have 1 to 64 letters, digits, "-" or "_"')
      .describe(
        'The topic. On a public server anyone who knows it reads the messages, so choose one that is hard to guess',
      ),
    token: z
      .string()
      .max(255)
      .regex(/^[!-~]+$/, 'must be an access token, such as tk_…')
      .describe('An access token, if the topic is protected')
      .optional(),
    url: HttpUrl.refine(isServer, 'must be the address of the server alone, such as https://ntfy.example.com')
      .describe('The address of your own server. Without it the operator’s server is used, by default ntfy.sh')
      .optional(),
  }),
  secrets: ['topic', 'token'],
  ordered: true,
  atOnce: 1,
  // By default a server takes 60 requests of a visitor at once, and then one in five seconds.
  limits: ({ data }, deps) => [
    { key: `ntfy ${serverOf(data, deps)} ${String(data.token ?? '')}`, everyMs: 5_000, burst: 60 },
  ],
  preview(message, context) {
    const parts = partsOf({ message, context, kind: 'alert' })
    const { title, text, links, footer } = parts
    return { body: bodyOf(parts), shown: { title, text, links, footer } }
  },
  send: publish,
  retract: publish,
  request: requestOf,
}

/** ntfy takes JSON at the root of the server alone: at the path of a topic it would show the JSON as text. */
function isServer(text: string): boolean {
  if (!URL.canParse(text)) return true
  const { pathname, search, hash, username, password } = new URL(text)
  return pathname === '/' && [search, hash, username, password].every((part) => part === '')
}

function serverOf({ url }: Target['data'], deps: DestinationDeps): string {
  return new URL(typeof url === 'string' ? url : deps.serviceUrl(service)).href
}

async function publish(delivery: Delivery, target: Target, deps: DestinationDeps): Promise<Sent> {
  const { url, ...request } = requestOf(delivery, target, deps)
  const door = typeof target.data.url === 'string' ? deps.door : deps.operatorDoor
  try {
    const response = await door.post(url, { ...request, timeoutMs, responseBytesMax: answerBytesMax })
    return sentFromNtfy(response, url, deps.clock())
  } catch (error) {
    return sentFromError(error)
  }
}

function requestOf(delivery: Delivery, { data }: Target, deps: DestinationDeps): HttpRequest {
  const body = { topic: data.topic, ...bodyOf(partsOf({ ...delivery, message: messageOf(delivery) })) }
  const headers: HttpRequest['headers'] = { 'content-type': 'application/json' }
  if (typeof data.token === 'string') headers.authorization = `Bearer ${data.token}`
  return { method: 'POST', url: serverOf(data, deps), headers, body: JSON.stringify(body) }
}

/** ntfy's codes for a topic that it does not allow. */
const topicCodes = [40009, 40010]
/** How long to wait if ntfy does not say it: requests come back one in 5 s, failed sign-ins one a minute, and daily messages at midnight. */
const pauseMs = 5_000
const pausesMs: Readonly<Record<string, number>> = { 42908: 3_600_000, 42909: 60_000 }

/** The reasons quote no text of the server, which may repeat the token. */
function sentFromNtfy(response: OutboundResponse, url: string, now: Date): Sent {
  const { host } = new URL(url)
  const { status, headers, text } = response
  const answer = { headers, text }
  const { id, code } = readJson(text)
  const sent = sentFromAnswer(response, url, now)
  if (sent.kind === 'sent' && typeof id !== 'string')
    return { kind: 'later', status, reason: `${host} did not answer as an ntfy server does.`, answer }
  if (status === 401 || status === 403)
    return { kind: 'gone', status, reason: `${host} answered ${status}: the topic needs another access token.`, answer }
  if (status === 400 && topicCodes.includes(Number(code)))
    return { kind: 'gone', status, reason: `${host} does not allow this topic.`, answer }
  if (status === 400 || status === 413) return { kind: 'never', status, reason: `${host} refused the message.`, answer }
  if (sent.kind !== 'later' || status !== 429) return sent
  return { ...sent, afterMs: sent.afterMs ?? pausesMs[String(code)] ?? pauseMs }
}

type Parts = {
  title: string
  text: string
  footer: string
  links: SafeLink[]
  look: keyof typeof looks
  /** The alerts of one story have one sequence id. */
  story: string
  icon: string | undefined
  cover: string | undefined
}

function partsOf(shown: Shown): Parts {
  const { title, body, links, footer, icon, cover } = safeMessage(shown)
  const { kind, context } = shown
  const isRetracted = kind === 'retraction'
  const buttons = links
    .slice(0, buttonsMax)
    .map(({ title, url }) => ({ title: fit(title, labelMax), url: safeInUrl(url) }))
  const parts: Parts = {
    title: fit(title, titleMax),
    text: '',
    footer: fit(footer, footerMax),
    links: linksThatFit(buttons, buttonsSizeMax, (link) => JSON.stringify(buttonOf(link))),
    look: isRetracted ? 'retracted' : context.state === 'resolved' ? 'resolved' : context.severity,
    story: context.resolves ?? context.alertId,
    icon: pictureOf(icon),
    cover: isRetracted ? undefined : pictureOf(cover),
  }
  const taken = bytesOf(JSON.stringify({ topic: 'x'.repeat(64), ...bodyOf(parts) })) + separator.length * 2
  const text = cutToSize(body, messageMax - bytesOf(parts.footer) - 2, bytesOf)
  return { ...parts, text: cutToSize(text, jsonMax - taken, (text) => bytesOf(JSON.stringify(text))) }
}

const separator = '\n\n'

/** A message is never empty, because ntfy would write "triggered" instead. */
function bodyOf({ title, text, footer, links, look, story, icon, cover }: Parts) {
  return {
    sequence_id: story,
    title,
    message: [text, footer].filter(Boolean).join(separator),
    ...looks[look],
    ...(links[0] && { click: links[0].url, actions: links.map(buttonOf) }),
    ...(icon !== undefined && { icon }),
    ...(cover !== undefined && { attach: cover }),
  }
}

function buttonOf({ title, url }: SafeLink) {
  return { action: 'view', label: title, url }
}

function pictureOf(url: string | undefined): string | undefined {
  return url === undefined || url.length > pictureMax ? undefined : safeInUrl(url)
}

/**
 * ntfy passes all fields but the message on as headers, and decodes encoded words in them (`=?UTF-8?B?…?=`, RFC 2047), also
 * inside the JSON of the buttons. So a text of a chain could write a button of its own. A word joiner keeps it a text.
 */
function fit(text: string, max: number): string {
  return cutToSize(text.replaceAll('=?', '=\u2060?'), max, bytesOf)
}

function safeInUrl(url: string): string {
  return url.replaceAll('=?', '%3D?')
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text)
}
