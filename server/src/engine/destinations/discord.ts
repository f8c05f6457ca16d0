import type { Message } from '@tocsin/contract'
import type { OutboundResponse } from '../outbound/door.ts'
import { sentFromAnswer, sentFromError } from './answers.ts'
import type { AlertContext, Delivery, Destination, DestinationDeps, Sent, Target } from './destination.ts'
import { readJson } from './read-json.ts'
import { messageOf } from './read-message.ts'
import {
  cleanLine,
  cutEscaped,
  cutText,
  retractionNote,
  type SafeLink,
  safeMessage,
  withoutMentions,
} from './safe-text.ts'

const timeoutMs = 15_000
const answerBytesMax = 16 * 1024
const titleMax = 256
const bodyMax = 4096
const fieldMax = 1024
const footerMax = 255

/** An embed through an incoming webhook of a channel. Nobody is mentioned, whatever a message says. */
export const discord: Destination = {
  blueprint: 'common.delivery.discord',
  ordered: true,
  atOnce: 1,
  // Five in two seconds for each webhook.
  limits: ({ data }) => [{ key: `discord ${data.url}`, everyMs: 400, burst: 5 }],
  preview: (message, context) => bodyOf(message, context, 'alert'),
  send: (delivery, target, world) => post(delivery, target, world),
  retract: (delivery, target, world) => retract(delivery, target, world),
}

async function post(delivery: Delivery, target: Target, world: DestinationDeps): Promise<Sent> {
  const url = new URL(String(target.data.url))
  // Answers with the message, by whose id it can be corrected.
  url.searchParams.set('wait', 'true')
  const { context, kind, reason } = delivery
  return call(url, 'POST', bodyOf(messageOf(delivery), context, kind, reason), world)
}

async function retract(delivery: Delivery, target: Target, world: DestinationDeps): Promise<Sent> {
  const id = delivery.reference?.messageId
  if (typeof id !== 'string') return post(delivery, target, world)
  const url = new URL(String(target.data.url))
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/messages/${encodeURIComponent(id)}`
  const body = bodyOf(messageOf(delivery), delivery.context, 'retraction', delivery.reason)
  const sent = await call(url, 'PATCH', body, world)
  // Somebody deleted the message: there is nothing left to correct.
  return sent.kind === 'gone' && sent.status === 404 ? { kind: 'sent', status: 404 } : sent
}

async function call(url: URL, method: 'POST' | 'PATCH', body: object, world: DestinationDeps): Promise<Sent> {
  const headers = { 'content-type': 'application/json' }
  const request = { method, headers, body: JSON.stringify(body), timeoutMs, responseBytesMax: answerBytesMax }
  try {
    return sentByDiscord(await world.door.post(url.href, request), url.host, world.clock())
  } catch (error) {
    return sentFromError(error)
  }
}

function sentByDiscord(response: OutboundResponse, host: string, now: Date): Sent {
  const { status } = response
  const answer = readJson(response.text)
  if (status >= 200 && status < 300)
    return { kind: 'sent', status, ...(typeof answer.id === 'string' && { reference: { messageId: answer.id } }) }
  if (status === 401 || status === 403 || status === 404)
    return { kind: 'gone', status, reason: `${host} answered ${status}: the webhook was deleted or may not post.` }
  if (status === 400) return { kind: 'never', status, reason: `${host} did not take the message.` }
  const sent = sentFromAnswer(response, host, now)
  const afterMs = typeof answer.retry_after === 'number' ? Math.ceil(answer.retry_after * 1000) : undefined
  return sent.kind === 'later' && afterMs !== undefined
    ? { ...sent, afterMs: Math.max(afterMs, sent.afterMs ?? 0) }
    : sent
}

function bodyOf(message: Message, context: AlertContext, kind: Delivery['kind'], reason?: string) {
  const { title, body, links, cover, icon } = safeMessage(message, kind)
  const isRetracted = kind === 'retraction'
  const text = isRetracted ? [retractionNote(reason), body].filter(Boolean).join('\n\n') : body
  return {
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: cutEscaped(isRetracted ? `Retracted: ${title}` : title, titleMax, escapeMarkdown),
        ...(text !== '' && { description: cutEscaped(text, bodyMax, escapeMarkdown) }),
        ...(links[0] && { url: links[0].url }),
        ...(links.length > 0 && { fields: [{ name: 'Links', value: listed(links) }] }),
        ...(cover !== undefined && { image: { url: cover } }),
        ...(icon !== undefined && { thumbnail: { url: icon } }),
        footer: { text: cutText(cleanLine(context.trigger), footerMax) },
        timestamp: context.createdAt.toISOString(),
      },
    ],
  }
}

/** Whole links only: half of one would lead elsewhere. */
function listed(links: readonly SafeLink[]): string {
  let lines = ''
  for (const { title, url } of links) {
    const encoded = url.replaceAll('(', '%28').replaceAll(')', '%29')
    const line = `[${cutEscaped(title, 100, escapeMarkdown)}](${encoded})`
    if (lines.length + line.length + 1 > fieldMax) break
    lines += lines === '' ? line : `\n${line}`
  }
  return lines || '–'
}

const address = /(https?:\/\/[^\s<>]+)/
const markup = /[\\*_~`|>#<[\]()@+-]/g

/** A backslash takes the meaning from every sign of the markup. Addresses are left as they are: nothing in them is markup. */
function escapeMarkdown(text: string): string {
  return text
    .split(address)
    .map((part, index) => (index % 2 === 1 ? part : withoutMentions(part).replace(markup, '\\$&')))
    .join('')
}
