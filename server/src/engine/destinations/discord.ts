import { HttpUrl } from '@tocsin/contract'
import * as z from 'zod'
import { cutText } from '../base/clean-text.ts'
import type { OutboundResponse } from '../outbound/door.ts'
import { sentFromAnswer, sentFromError } from './answers.ts'
import type { AlertContext, Delivery, Destination, DestinationDeps, HttpRequest, Sent, Target } from './destination.ts'
import { readJson } from './read-json.ts'
import { messageOf } from './read-message.ts'
import { cutToSize, disableMentions, linksThatFit, type SafeLink, type Shown, safeMessage } from './safe-text.ts'

const timeoutMs = 15_000
const answerBytesMax = 16 * 1024
const titleMax = 256
const bodyMax = 4096
const fieldMax = 1024
const labelMax = 100
const footerMax = 255
/** The stripe beside the embed. */
const colours = { info: undefined, warning: 0xf08c00, critical: 0xe03131, resolved: 0x2f9e44 }

/** Sends an embed through an incoming webhook of a channel. Mentions in a message have no effect. */
export const discord: Destination = {
  blueprint: 'common.delivery.discord',
  title: 'Discord',
  description: 'Posts to a Discord channel through an incoming webhook of that channel.',
  glyph: { icon: 'chat', colour: '#4752c4' },
  external: false,
  data: z.looseObject({ url: HttpUrl.describe('The URL of the incoming webhook') }),
  secrets: ['url'],
  ordered: true,
  atOnce: 1,
  // Discord allows five messages in two seconds for each webhook.
  limits: ({ data }) => [{ key: `discord ${data.url}`, everyMs: 400, burst: 5 }],
  preview(message, context) {
    const parts = partsOf({ message, context, kind: 'alert' })
    const { title, text, links, footer } = parts
    return { body: bodyOf(parts, context), shown: { title, text, links, footer } }
  },
  send: (delivery, target, deps) =>
    delivery.context.state === 'resolved' ? edit(delivery, target, deps) : post(delivery, target, deps),
  retract: (delivery, target, deps) => edit(delivery, target, deps),
  request: (delivery, target) => {
    const isEdit = delivery.kind === 'retraction' || delivery.context.state === 'resolved'
    return (isEdit ? editRequest(delivery, target) : undefined) ?? postRequest(delivery, target)
  },
}

async function post(delivery: Delivery, target: Target, deps: DestinationDeps): Promise<Sent> {
  return call(postRequest(delivery, target), deps)
}

function postRequest(delivery: Delivery, target: Target): HttpRequest {
  const url = new URL(String(target.data.url))
  // With `wait` Discord answers with the message, whose id a retraction needs.
  url.searchParams.set('wait', 'true')
  return requestTo(url, 'POST', delivery)
}

/** Undefined if there is no message to edit. */
function editRequest(delivery: Delivery, target: Target): HttpRequest | undefined {
  const id = delivery.reference?.messageId
  if (typeof id !== 'string') return undefined
  const url = new URL(String(target.data.url))
  url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/messages/${encodeURIComponent(id)}`
  return requestTo(url, 'PATCH', delivery)
}

function requestTo({ href }: URL, method: HttpRequest['method'], delivery: Delivery): HttpRequest {
  const body = JSON.stringify(bodyOf(partsOf({ ...delivery, message: messageOf(delivery) }), delivery.context))
  return { method, url: href, headers: { 'content-type': 'application/json' }, body }
}

/** A retraction changes the message of its alert, and a resolved alert that of the firing one. */
async function edit(delivery: Delivery, target: Target, deps: DestinationDeps): Promise<Sent> {
  const request = editRequest(delivery, target)
  if (!request) return post(delivery, target, deps)
  const sent = await call(request, deps)
  if (sent.kind !== 'gone' || sent.status !== 404) return sent
  // The message was deleted, so there is nothing to edit.
  return delivery.kind === 'retraction' ? { kind: 'sent', status: 404 } : post(delivery, target, deps)
}

async function call({ url, ...request }: HttpRequest, deps: DestinationDeps): Promise<Sent> {
  try {
    const response = await deps.door.post(url, { ...request, timeoutMs, responseBytesMax: answerBytesMax })
    return sentFromDiscord(response, url, deps.clock())
  } catch (error) {
    return sentFromError(error)
  }
}

function sentFromDiscord(response: OutboundResponse, url: string, now: Date): Sent {
  const { host } = new URL(url)
  const { status, headers, text } = response
  const answer = readJson(text)
  if (status >= 200 && status < 300)
    return {
      kind: 'sent',
      status,
      answer: { headers, text },
      ...(typeof answer.id === 'string' && { reference: { messageId: answer.id } }),
    }
  if (status === 401 || status === 403 || status === 404)
    return {
      kind: 'gone',
      status,
      reason: `${host} answered ${status}: the webhook was deleted or is not allowed to post.`,
      answer: { headers, text },
    }
  if (status === 400)
    return { kind: 'never', status, reason: `${host} refused the message.`, answer: { headers, text } }
  const sent = sentFromAnswer(response, url, now)
  const afterMs = typeof answer.retry_after === 'number' ? Math.ceil(answer.retry_after * 1000) : undefined
  return sent.kind === 'later' && afterMs !== undefined
    ? { ...sent, afterMs: Math.max(afterMs, sent.afterMs ?? 0) }
    : sent
}

/** The texts of the embed before they are escaped, cut so that they fit when they are. */
function partsOf(shown: Shown) {
  const { title, body, links, footer, cover, icon } = safeMessage(shown)
  const { kind, context } = shown
  const isRetracted = kind === 'retraction'
  const named = links.map(({ title, url }) => ({ title: fit(title, labelMax), url }))
  return {
    title: fit(title, titleMax),
    text: fit(body, bodyMax),
    links: linksThatFit(named, fieldMax, lineOf),
    footer: cutText(footer, footerMax),
    url: links[0]?.url,
    cover,
    icon,
    colour: isRetracted ? undefined : colours[context.state === 'resolved' ? 'resolved' : context.severity],
  }
}

function bodyOf(parts: ReturnType<typeof partsOf>, { createdAt }: AlertContext) {
  const { title, text, links, footer, url, cover, icon, colour } = parts
  return {
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: escapeMarkdown(title),
        ...(colour !== undefined && { color: colour }),
        ...(text !== '' && { description: escapeMarkdown(text) }),
        ...(url !== undefined && { url }),
        ...(links.length > 0 && { fields: [{ name: 'Links', value: links.map(lineOf).join('\n') }] }),
        ...(cover !== undefined && { image: { url: cover } }),
        ...(icon !== undefined && { thumbnail: { url: icon } }),
        footer: { text: footer },
        timestamp: createdAt.toISOString(),
      },
    ],
  }
}

function fit(text: string, max: number): string {
  return cutToSize(text, max, (text) => escapeMarkdown(text).length)
}

function lineOf({ title, url }: SafeLink): string {
  return `[${escapeMarkdown(title)}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`
}

const address = /(https?:\/\/[^\s<>]+)/
const markup = /[\\*_~`|>#<[\]()@+-]/g

/** Escapes every markup character with a backslash. URLs stay unchanged, since Discord reads no markup in them. */
function escapeMarkdown(text: string): string {
  return text
    .split(address)
    .map((part, index) => (index % 2 === 1 ? part : disableMentions(part).replace(markup, '\\$&')))
    .join('')
}
